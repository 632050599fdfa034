/** add_connection: put one person into the network, unless they are there already. */

import Type from 'typebox'
import { defineWriteTool } from '../tools/tool.ts'
import {
  draftConnection,
  findDuplicate,
  readWholeConnection,
  storeNewConnection,
  subjectOf,
} from './edit.ts'
import { wholePicture } from './picture.ts'
import { ConnectionDetails, answerOf } from './shapes.ts'
import { NewConnectionInput, changesOfNew } from './typed-input.ts'

export const addConnectionTool = defineWriteTool({
  name: 'add_connection',
  title: 'Add a connection',
  description:
    "Adds one person to this member's network, with tags and a first note if given. If somebody with the same e-mail " +
    'address, profile URL, or name and company is there already, that connection comes back unchanged, with created: ' +
    'false; allow_duplicate adds anyway. For many people use import_connections.',
  effect: 'write',
  idempotent: true,
  credits: 1,
  input: NewConnectionInput,
  output: Type.Object(
    { created: Type.Boolean(), connection: ConnectionDetails },
    { additionalProperties: false },
  ),
  async run({ tx, now, record }, input) {
    const changes = changesOfNew(input)
    const draft = draftConnection(changes, now)
    const duplicate = input.allow_duplicate === true ? undefined : await findDuplicate(tx, draft)
    if (duplicate) {
      const there = await readWholeConnection(tx, duplicate)
      return { created: false, connection: answerOf(there.connection, there.tags, there.notes) }
    }
    const added = await storeNewConnection(tx, draft, changes, now)
    await record({
      action: 'connection.add',
      ...subjectOf(added.connection),
      before: null,
      after: wholePicture(added),
    })
    return { created: true, connection: answerOf(added.connection, added.tags, added.notes) }
  },
})
