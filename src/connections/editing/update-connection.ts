/** Updates a connection and records the change, for forms. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { nothingToUpdate } from '../../base/request-error.ts'
import { changeConnection, isEmptyChange, readWholeConnection } from './edit.ts'
import { requireConnection } from './require-connection.ts'
import { readDetailChanges } from './detail-input.ts'
import { customFieldKey, detailName } from '../../contact-files/contact/details.ts'
import {
  summarizeChange,
  type ChangedField,
  type ValueText,
} from '../../tools/activity-log/change-summary.ts'
import { changeOfOne, type snapshotsOf } from '../person/snapshot.ts'
import { PersonRef } from '../person/people-argument.ts'
import { changesOfUpdate, FormChanges } from './connection-input.ts'
import type { WholeConnection } from '../person/whole-connection.ts'
import type { Changing } from '../../tools/tool.ts'

export const EditInput = Type.Closed({ connection_id: PersonRef, ...FormChanges })
export type EditInput = Static<typeof EditInput>

/**
 * Returns the activity ID.
 *
 * @throws {RequestError} `invalid_request` when a value cannot be parsed.
 * @throws {RequestError} `not_found` when the connection does not exist.
 */
export async function editConnection(
  { tx, now, record }: Changing,
  { connection_id, ...input }: EditInput,
): Promise<number> {
  if (isEmptyChange(changesOfUpdate(input)) && (input.details ?? []).length === 0)
    throw nothingToUpdate()
  const present = await requireConnection(tx, connection_id)
  const details = await readDetailChanges(tx, input.details, present.details)
  const changes = changesOfUpdate(input, details)
  if (isEmptyChange(changes)) throw nothingToUpdate()
  const whole = await readWholeConnection(tx, present)
  return record(changeOfOne(await changeConnection(tx, present, changes, now), whole))
}

/** What the activity log shows, with the names of custom fields. */
export function changesIn(
  { before, after }: ReturnType<typeof snapshotsOf>,
  states: readonly WholeConnection[],
  textOf?: ValueText,
): ChangedField[] {
  const names = new Map(
    states
      .flatMap(({ fields }) => fields)
      .map(({ fieldId, name }) => [detailName(customFieldKey(fieldId)), `custom.${name}`]),
  )
  return summarizeChange(before, after, textOf).map((one) =>
    Object.assign(one, { field: names.get(one.field) ?? one.field }),
  )
}
