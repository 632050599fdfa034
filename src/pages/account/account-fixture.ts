/** A service with members who have signed in by its own page, for the tests of the pages of one's own. */

import assert from 'node:assert/strict'
import { givePassword, PASSWORD } from '../../../test/support/password.ts'
import type { TestService } from '../../../test/support/service.ts'
import { openVisitor, type Visitor } from '../../../test/support/visitor.ts'
import { SIGN_IN_PATH } from '../../http/run-route.ts'
import type { NewMember } from '../../members/member-fields.ts'
import type { Member } from '../../members/member.ts'

export interface Person {
  readonly member: Member
  readonly visitor: Visitor
}

/** A new member with `PASSWORD`, signed in. */
export async function join(service: TestService, fields: Partial<NewMember> = {}): Promise<Person> {
  const member = await service.addMember(fields)
  await givePassword(service, member)
  return { member, visitor: await signIn(service, member.username) }
}

/** One more browser of a member's. */
export async function signIn(
  { url }: Pick<TestService, 'url'>,
  login: string,
  password = PASSWORD,
): Promise<Visitor> {
  const visitor = openVisitor(url)
  const entered = await visitor.submit(await visitor.get(SIGN_IN_PATH), { login, password })
  assert.equal(entered.status, 303, entered.text)
  return visitor
}

/** Whether this browser is still signed in. */
export async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.get('/user/account')).status === 200
}
