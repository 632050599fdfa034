/** A connection changed, and recorded: what the tool does, and the form of a connection. */

import Type, { type Static } from 'typebox'
import { RequestError } from '../../base/request-error.ts'
import {
  changeConnection,
  isNoChange,
  readWholeConnection,
  requireConnection,
  subjectOf,
} from './edit.ts'
import { snapshotsOf } from '../model/snapshot.ts'
import { ConnectionId } from '../model/schemas.ts'
import { ConnectionChangesInput, changesOfUpdate } from './connection-input.ts'
import { type WholeConnection } from '../model/connection-store.ts'
import type { WriteCall } from '../../tools/tool.ts'

export const EditInput = Type.Object(
  {
    connection_id: ConnectionId,
    if_version: Type.Optional(Type.Integer({ minimum: 1 })),
    ...ConnectionChangesInput,
  },
  { additionalProperties: false },
)
export type EditInput = Static<typeof EditInput>

export interface EditedConnection {
  readonly changed: WholeConnection
  /** The number of the change in the activity. */
  readonly activityId: number
}

/** Refuses values that cannot be read, a connection that is not there, and `conflict` for another version. */
export async function editConnection(
  { tx, now, record }: Pick<WriteCall, 'tx' | 'now' | 'record'>,
  { connection_id, if_version, ...input }: EditInput,
): Promise<EditedConnection> {
  const changes = changesOfUpdate(input)
  if (isNoChange(changes))
    throw new RequestError(
      'invalid_request',
      'There is nothing to change: give at least one field.',
    )
  const present = await requireConnection(tx, connection_id)
  if (if_version !== undefined && if_version !== present.version)
    throw new RequestError(
      'conflict',
      `${connection_id} is at version ${present.version}, not ${if_version}.`,
      { hint: 'Read it again with get_connection and decide anew.' },
    )
  const whole = await readWholeConnection(tx, present)
  const changed = await changeConnection(tx, present, changes, now)
  const pictures = snapshotsOf(whole, changed)
  const activityId = await record({
    action: 'connection.update',
    ...subjectOf(present),
    ...pictures,
  })
  return { changed, activityId }
}
