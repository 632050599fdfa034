/** The link for whoever set the service up, as long as nobody has joined: the server prints it when it starts. */

import { createLink, revokeLinksOfPurpose } from '../../access/one-time-link.ts'
import { DAY } from '../../base/clock.ts'
import { hasMembers } from '../session/admission.ts'
import type { Database } from '../../db/database.ts'

/** It stands in a log; the next start makes a new one. */
const LIFETIME = DAY

/** The secret of a new link, in place of one made before; undefined once there is a member beside the demo account. */
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
