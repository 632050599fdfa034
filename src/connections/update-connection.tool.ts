/** update_connection: change what is known of one person. */

import Type from 'typebox'
import { Refusal } from '../base/refusal.ts'
import { defineWriteTool } from '../tools/tool.ts'
import {
  changeConnection,
  isNoChange,
  readWholeConnection,
  requireConnection,
  subjectOf,
} from './edit.ts'
import { picturesOf } from './picture.ts'
import { ConnectionDetails, ConnectionId, answerOf } from './shapes.ts'
import { ConnectionChangesInput, changesOfUpdate } from './typed-input.ts'

export const updateConnectionTool = defineWriteTool({
  name: 'update_connection',
  title: 'Update a connection',
  description:
    'Changes fields of one connection: what is given is set, null empties a field, the rest stays; adds and takes away ' +
    'e-mail addresses, phones, links and tags, and adds a note. Later imports leave these fields alone. ' +
    'With if_version, refuses if it was changed since. Returns it as it is now.',
  effect: 'write',
  idempotent: false,
  credits: 1,
  input: Type.Object(
    {
      connection_id: ConnectionId,
      if_version: Type.Optional(
        Type.Integer({ minimum: 1, description: 'The version this change is based on' }),
      ),
      ...ConnectionChangesInput,
    },
    { additionalProperties: false },
  ),
  output: ConnectionDetails,
  async run({ tx, now, record }, { connection_id, if_version, ...input }) {
    const changes = changesOfUpdate(input)
    if (isNoChange(changes))
      throw new Refusal('invalid_request', 'There is nothing to change: give at least one field.')
    const present = await requireConnection(tx, connection_id)
    if (if_version !== undefined && if_version !== present.version)
      throw new Refusal(
        'conflict',
        `${connection_id} is at version ${present.version}, not ${if_version}.`,
        {
          hint: 'Read it again with get_connection and decide anew.',
        },
      )
    const whole = await readWholeConnection(tx, present)
    const changed = await changeConnection(tx, present, changes, now)
    const pictures = picturesOf(whole, changed)
    await record({ action: 'connection.update', ...subjectOf(present), ...pictures })
    return answerOf(changed.connection, changed.tags, changed.notes)
  },
})
