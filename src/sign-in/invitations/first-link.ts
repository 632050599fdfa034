/**
 * The link that lets the first member join. Each node prints one at every start until someone has joined. Those of other nodes
 * and earlier starts stay valid until then.
 */

import { createLink, revokeLinksOfPurpose } from '../../access/one-time-link.ts'
import { DAY } from '../../base/clock.ts'
import { hasMembers } from '../session/admission.ts'
import type { Database } from '../../db/database.ts'

/** Short, because the link is in the log. */
const LIFETIME = DAY

/** Returns the secret. Undefined once there is a member other than the demo account, which revokes all such links. */
export async function createFirstLink(
  database: Database,
  now: number,
): Promise<string | undefined> {
  return database.write(async (tx) => {
    if (await hasMembers(tx)) {
      await revokeLinksOfPurpose(tx, 'first')
      return undefined
    }
    return (await createLink(tx, { purpose: 'first', lifetime: LIFETIME }, now)).secret
  })
}
