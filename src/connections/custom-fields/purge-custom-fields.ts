/** Permanently removes custom fields that were deleted long enough ago, with their values. */

import { updateRow } from '../../db/change-row.ts'
import { findConnections } from '../model/connection-store.ts'
import { customFieldKey, withDetails } from '../../contact-files/contact/details.ts'
import { readAllFields, readValues, removeCustomField } from './custom-fields.ts'
import type { MemberTransaction } from '../../db/database.ts'

/** Connections per read. */
const PAGE = 500

export async function purgeCustomFields(tx: MemberTransaction, before: number): Promise<void> {
  const due = (await readAllFields(tx)).filter(
    ({ deletedAt }) => deletedAt !== null && deletedAt <= before,
  )
  for (const field of due) {
    const ids = (await readValues(tx, field)).map(({ connectionId }) => connectionId)
    for (let at = 0; at < ids.length; at += PAGE)
      for (const { connectionId, details } of await findConnections(tx, ids.slice(at, at + PAGE))) {
        const left = withDetails(details, [[customFieldKey(field.fieldId), null]])
        // The values were already hidden, so pages and search results do not change.
        await updateRow(tx, 'connections', { connectionId }, { details: JSON.stringify(left) })
      }
    await removeCustomField(tx, field)
  }
}
