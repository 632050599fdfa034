/** add_connection: adds one person to the network unless they are already in it. */

import * as Type from '../../base/type.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { addConnection } from './add-connection.ts'
import { readWholeConnection } from './edit.ts'
import { ConnectionDetails, answerOf } from '../model/schemas.ts'
import { NewConnectionInput } from './connection-input.ts'

export const addConnectionTool = defineWriteTool({
  name: 'add_connection',
  title: 'Add connection',
  description:
    'Adds one person and returns the connection. If the email, profile URL, or name and company are known, ' +
    'returns it unchanged with created: false.',
  effect: 'write',
  additive: true,
  idempotent: true,
  credits: 1,
  input: NewConnectionInput,
  output: Type.Object(
    { created: Type.Boolean(), connection: ConnectionDetails },
    { additionalProperties: false },
  ),
  async run(call, input) {
    const addition = await addConnection(call, input)
    const whole =
      'added' in addition ? addition.added : await readWholeConnection(call.tx, addition.duplicate)
    return { created: 'added' in addition, connection: answerOf(whole) }
  },
})
