/** Finds the member for the claims of an identity provider, or creates one. */

import { lockMember } from '../../access/lock-member.ts'
import { addIdentity, findIdentityHolder, hasIdentityOf } from '../../access/provider-identity.ts'
import { takeLink } from '../../access/one-time-link.ts'
import { hasPassword } from '../../access/passwords/password.ts'
import { keepLanguage } from '../../members/member-language.ts'
import { createMember, findMember } from '../../members/member.ts'
import { isEmailVerified, verifyEmail } from '../../members/verified-email.ts'
import { cleanFields, MemberChanges } from '../../members/member-fields.ts'
import { changeRole } from '../../members/admin-role.ts'
import { findAccountByEmail } from '../session/find-account.ts'
import { admissionOf, isFirstMember, JOIN_PURPOSES, type SignUp } from '../session/admission.ts'
import { errorsOf } from '../../forms/field-errors.ts'
import { suggestUsername } from '../session/suggest-username.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import type { Transaction } from '../../db/database.ts'
import type { Claims } from './provider.ts'

export type AccountMatch =
  | { readonly kind: 'member'; readonly memberId: number; readonly hasJoined?: true }
  | { readonly kind: 'disabled' }
  /**
   * The member with this email has a password and has not verified the email. The person enters the password, or all
   * existing access to the account ends.
   */
  | { readonly kind: 'unconfirmed'; readonly memberId: number }
  /** Not a member, and not allowed to join. */
  | { readonly kind: 'not admitted' }
  /** The member with this email is linked to a different account at the same provider. */
  | { readonly kind: 'taken' }

interface ProviderSignIn {
  readonly claims: Claims
  /** The secret of a one-time link; empty without one. */
  readonly link: string
  readonly signUp: SignUp
  readonly now: number
}

/** Uses the email only if the provider verified it. An unverified email could belong to anyone. */
export async function findOrAddMember(
  tx: Transaction,
  signIn: ProviderSignIn,
): Promise<AccountMatch> {
  const { claims, now } = signIn
  const email = verifiedEmail(claims)
  const known = await findIdentityHolder(tx, claims)
  if (known !== undefined) {
    if (email !== null) await verifyEmail(tx, known, email)
    return foundMember(tx, known)
  }
  const account = email === null ? undefined : await findAccountByEmail(tx, email)
  if (account && email !== null) return linkMember(tx, account.memberId, { ...claims, email }, now)

  const link = await takeLink(tx, signIn.link, JOIN_PURPOSES, now)
  const admission = await admissionOf(tx, link, signIn.signUp)
  if (!admission) return { kind: 'not admitted' }
  const memberId = await addMember(tx, claims, email, now)
  if (isFirstMember(link, admission)) await changeRole(tx, memberId, 'admin')
  return { kind: 'member', memberId, hasJoined: true }
}

async function foundMember(tx: Transaction, memberId: number): Promise<AccountMatch> {
  const member = await findMember(tx, memberId)
  return member && member.disabledAt === null ? { kind: 'member', memberId } : { kind: 'disabled' }
}

/**
 * An attacker could join with someone else's address in advance. An account with a password is therefore linked at once
 * only if its owner has verified the email, for which they had to be signed in to it or to reset its password; otherwise
 * after confirmation. An account without a password was created by an admin or from a verified email, and is linked at
 * once. A member has at most one account per provider: a second one with the same email is rejected.
 */
async function linkMember(
  tx: Transaction,
  memberId: number,
  { issuer, subject, email }: Claims & { readonly email: string },
  now: number,
): Promise<AccountMatch> {
  const member = tx.member(memberId)
  const locked = await lockMember(member)
  if (await hasIdentityOf(member, issuer)) return { kind: 'taken' }
  if (!locked || locked.isDisabled) return { kind: 'disabled' }
  if ((await hasPassword(member)) && !(await isEmailVerified(tx, memberId)))
    return { kind: 'unconfirmed', memberId }
  await verifyEmail(tx, memberId, email)
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
  const claimed = [claims.preferredUsername, claims.email, claims.name]
  const candidates = claimed.filter((candidate) => candidate !== undefined)
  const username = await suggestUsername(tx, candidates)
  const name = validName(claims.name) ?? validName(claims.preferredUsername) ?? username
  const { memberId } = await createMember(tx, { username, name, email }, now)
  await keepLanguage(tx, memberId)
  await addIdentity(tx.member(memberId), { issuer, subject }, now)
  if (email !== null) await verifyEmail(tx, memberId, email)
  return memberId
}

function verifiedEmail({ email, emailVerified }: Claims): string | null {
  if (email === undefined || !emailVerified) return null
  return isValid({ email }) ? email.toLowerCase() : null
}

function validName(name: string | undefined): string | undefined {
  return name !== undefined && isValid({ name }) ? name : undefined
}

function isValid(fields: MemberChanges): boolean {
  return Object.keys(errorsOf(() => cleanFields(MemberChanges, fields))).length === 0
}
