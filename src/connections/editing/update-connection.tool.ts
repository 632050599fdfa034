/** update_connection: change what is known of one person. */

import { defineWriteTool } from '../../tools/tool.ts'
import { editConnection, EditInput } from './update-connection.ts'
import { ConnectionDetails, answerOf } from '../model/schemas.ts'

export const updateConnectionTool = defineWriteTool({
  name: 'update_connection',
  title: 'Update a connection',
  description:
    'Changes fields of one connection: what is given is set, null empties, the rest stays; adds and removes e-mail ' +
    'addresses, phones, links and tags; adds a note. Later imports leave these fields alone. With if_version, refuses ' +
    'if it was changed since that version. Returns it as it is now.',
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
