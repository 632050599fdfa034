/** A password for a member, so that a browser can sign in. */

import { createPasswordHasher } from '../../src/access/password-hash.ts'
import { hashPassword, setPassword } from '../../src/access/password.ts'
import type { Member } from '../../src/members/member.ts'
import type { TestService } from './service.ts'

export const PASSWORD = 'analytical engine no. 1'

/** Sets `PASSWORD` for this member. */
export async function givePassword(
  { database, clock }: Pick<TestService, 'database' | 'clock'>,
  { memberId }: Pick<Member, 'memberId'>,
): Promise<void> {
  const hash = await hashPassword(createPasswordHasher(), PASSWORD)
  await database.member(memberId).write((tx) => setPassword(tx, hash, clock.now()))
}
