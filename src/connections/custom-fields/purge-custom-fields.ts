/** Permanently removes custom fields that were deleted long enough ago, with their values. */

import { memberStatement } from '../../db/statement.ts'
import { findConnections } from '../model/connection-store.ts'
import { customFieldKey, withDetails } from '../../contact-files/contact/details.ts'
import { readAllFields, readValues, removeCustomField } from '../model/custom-fields.ts'
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
        await tx.run(SET_DETAILS, { connection_id: connectionId, details: JSON.stringify(left) })
      }
    await removeCustomField(tx, field)
  }
}

/** The values were already hidden, so pages and search results do not change. */
const SET_DETAILS = memberStatement<{ connection_id: number; details: string }>()(`
  update connections set details = :details
  where member_id = :member_id and connection_id = :connection_id`)
