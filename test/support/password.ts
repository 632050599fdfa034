/** A password for a member, so that a browser can sign in. */

import { createPasswordHasher } from '../../src/access/passwords/password-hash.ts'
import { hashPassword, setPassword } from '../../src/access/passwords/password.ts'
import type { Member } from '../../src/members/member-row.ts'
import type { TestService } from './service.ts'

/** Argon2id at its lowest cost, because most tests are not about passwords: one at the usual cost takes 40 ms of CPU time. */
export const quickHasher = createPasswordHasher({ memory: 8, passes: 1, parallelism: 1 })

export const PASSWORD = 'analytical engine no. 1'

/** Sets `PASSWORD` for this member. */
export async function givePassword(
  { database, clock }: Pick<TestService, 'database' | 'clock'>,
  { memberId }: Pick<Member, 'memberId'>,
): Promise<void> {
  const hash = await hashPassword(quickHasher, PASSWORD)
  await database.member(memberId).write((tx) => setPassword(tx, hash, clock.now()))
}
