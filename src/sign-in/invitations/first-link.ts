/** The link that lets the first member join. The server prints it at every start until someone has joined. */

import { createLink, revokeLinksOfPurpose } from '../../access/one-time-link.ts'
import { DAY } from '../../base/clock.ts'
import { hasMembers } from '../session/admission.ts'
import type { Database } from '../../db/database.ts'

/** Short, because the link is in the log. The next start creates a new one. */
const LIFETIME = DAY

/** Replaces any earlier link and returns the secret. Undefined once there is a member other than the demo account. */
export async function createFirstLink(
  database: Database,
  now: number,
): Promise<string | undefined> {
  return database.write(async (tx) => {
    await revokeLinksOfPurpose(tx, 'first')
    if (await hasMembers(tx)) return undefined
    return (await createLink(tx, { purpose: 'first', lifetime: LIFETIME }, now)).secret
  })
}
