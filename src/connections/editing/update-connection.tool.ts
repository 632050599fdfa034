/** update_connection: changes the fields of one connection. */

import { defineWriteTool } from '../../tools/tool.ts'
import { editConnection, EditInput } from './update-connection.ts'
import { ConnectionDetails, answerOf } from '../model/schemas.ts'

export const updateConnectionTool = defineWriteTool({
  name: 'update_connection',
  title: 'Update connection',
  description:
    'Changes one connection and returns it. Fields not given stay; imports never overwrite the ' +
    'changed ones.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: EditInput,
  output: ConnectionDetails,
  async run(call, input) {
    return answerOf((await editConnection(call, input)).changed)
  },
})
