/** add_connection: put one person into the network, unless they are there already. */

import Type from 'typebox'
import { defineWriteTool } from '../../tools/tool.ts'
import { addConnection } from './add-connection.ts'
import { readWholeConnection } from './edit.ts'
import { ConnectionDetails, answerOf } from '../model/schemas.ts'
import { NewConnectionInput } from './connection-input.ts'

export const addConnectionTool = defineWriteTool({
  name: 'add_connection',
  title: 'Add a connection',
  description:
    "Adds one person to this member's network, with tags and a first note, and returns the connection. If one with the " +
    'same e-mail address, profile URL, or name and company is there already, returns that unchanged, with created: ' +
    'false; allow_duplicate adds anyway. For many people use import_connections.',
  effect: 'write',
  idempotent: true,
  credits: 1,
  input: NewConnectionInput,
  output: Type.Object(
    { created: Type.Boolean(), connection: ConnectionDetails },
    { additionalProperties: false },
  ),
  async run(call, input) {
    const addition = await addConnection(call, input)
    const { connection, tags, notes } =
      'added' in addition ? addition.added : await readWholeConnection(call.tx, addition.duplicate)
    return { created: 'added' in addition, connection: answerOf(connection, tags, notes) }
  },
})
