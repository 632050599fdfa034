/** From what an identity provider says of a person to the member they are, or become. */

import { lockMember } from '../../access/lock-member.ts'
import { addIdentity, findIdentityHolder, hasIdentityOf } from '../../access/provider-identity.ts'
import { takeLink } from '../../access/one-time-link.ts'
import { hasPassword } from '../../access/password.ts'
import { createMember, findMember } from '../../members/member.ts'
import { cleanFields, MemberChanges } from '../../members/member-fields.ts'
import { changeRole } from '../../members/role.ts'
import { findAccountByEmail } from '../session/account.ts'
import { admissionOf, isFirstMember, JOIN_PURPOSES, type SignUp } from '../session/admission.ts'
import { errorsOf } from '../session/field-errors.ts'
import { suggestUsername } from '../session/suggest-username.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import type { Transaction } from '../../db/database.ts'
import type { Claims } from './provider.ts'

export type Found =
  | { readonly kind: 'member'; readonly memberId: number }
  | { readonly kind: 'disabled' }
  /** The member with their email address has a password: whoever set it has to confirm, or loses all access. */
  | { readonly kind: 'unconfirmed'; readonly memberId: number }
  /** Nobody here yet, and nothing lets them in. */
  | { readonly kind: 'not admitted' }
  /** The member with their e-mail address is somebody else at the same provider. */
  | { readonly kind: 'taken' }

export interface Arrival {
  readonly claims: Claims
  /** The secret of a one-time link; empty without one. */
  readonly link: string
  readonly signUp: SignUp
  readonly now: number
}

/** Only an address that the provider verified finds a member, or becomes one's: any other could be anybody's. */
export async function findOrAddMember(tx: Transaction, arrival: Arrival): Promise<Found> {
  const { claims, now } = arrival
  const known = await findIdentityHolder(tx, claims)
  if (known !== undefined) return foundMember(tx, known)

  const email = verifiedEmail(claims)
  const account = email === null ? undefined : await findAccountByEmail(tx, email)
  if (account) return linkMember(tx, account.memberId, claims, now)

  const link = await takeLink(tx, arrival.link, JOIN_PURPOSES, now)
  const admission = await admissionOf(tx, link, arrival.signUp)
  if (!admission) return { kind: 'not admitted' }
  const memberId = await addMember(tx, claims, email, now)
  if (isFirstMember(link, admission)) await changeRole(tx, memberId, 'admin')
  return { kind: 'member', memberId }
}

async function foundMember(tx: Transaction, memberId: number): Promise<Found> {
  const member = await findMember(tx, memberId)
  return member && member.disabledAt === null ? { kind: 'member', memberId } : { kind: 'disabled' }
}

/**
 * Weft verifies no email address: anyone can join with the address of a person who comes later, and wait. So an account
 * that has a password is linked only when its person confirms. One without was created by an admin or by a provider's
 * verified address, and is linked at once. Each member has one account of a provider: a second one with the same address
 * is rejected.
 */
async function linkMember(
  tx: Transaction,
  memberId: number,
  { issuer, subject }: Claims,
  now: number,
): Promise<Found> {
  const locked = await lockMember(tx, memberId)
  const member = tx.member(memberId)
  if (await hasIdentityOf(member, issuer)) return { kind: 'taken' }
  if (!locked || locked.isDisabled) return { kind: 'disabled' }
  if (await hasPassword(member)) return { kind: 'unconfirmed', memberId }
  await addIdentity(member, { issuer, subject }, now)
  await recordSecurityEvent(member, { event: 'identity_linked', details: { issuer } }, now)
  return { kind: 'member', memberId }
}

async function addMember(
  tx: Transaction,
  { issuer, subject, ...claims }: Claims,
  email: string | null,
  now: number,
): Promise<number> {
  const called = [claims.preferredUsername, claims.email, claims.name]
  const wishes = called.filter((wish) => wish !== undefined)
  const username = await suggestUsername(tx, wishes)
  const name = fittingName(claims.name) ?? fittingName(claims.preferredUsername) ?? username
  const { memberId } = await createMember(tx, { username, name, email }, now)
  await addIdentity(tx.member(memberId), { issuer, subject }, now)
  return memberId
}

function verifiedEmail({ email, emailVerified }: Claims): string | null {
  if (email === undefined || !emailVerified) return null
  return isFit({ email }) ? email.toLowerCase() : null
}

function fittingName(name: string | undefined): string | undefined {
  return name !== undefined && isFit({ name }) ? name : undefined
}

function isFit(fields: MemberChanges): boolean {
  return Object.keys(errorsOf(() => cleanFields(MemberChanges, fields))).length === 0
}
