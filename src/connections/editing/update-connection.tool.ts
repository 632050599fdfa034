/** update_connection: changes the fields of one connection. */

import { defineWriteTool } from '../../tools/tool.ts'
import { editConnection, EditInput } from './update-connection.ts'
import { ConnectionDetails, answerOf } from '../model/schemas.ts'

export const updateConnectionTool = defineWriteTool({
  name: 'update_connection',
  title: 'Update connection',
  description:
    'Updates one connection: sets the given fields (null clears a field), adds or removes emails, phones, links and ' +
    'tags, and adds a note. Later imports do not overwrite these fields. With if_version, fails if the connection ' +
    'has changed since that version. Returns the updated connection.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: EditInput,
  output: ConnectionDetails,
  async run(call, input) {
    const { connection, tags, notes } = (await editConnection(call, input)).changed
    return answerOf(connection, tags, notes)
  },
})
