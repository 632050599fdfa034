/** Links between members and their accounts at identity providers. */

import { deleteRow } from '../db/change-row.ts'
import { insertRow } from '../db/insert-row.ts'
import { memberStatement, statement } from '../db/statement.ts'
import type { MemberReader, MemberTransaction, Reader } from '../db/database.ts'

/** OpenID Connect Core section 2: within an issuer, `sub` is unique and never reassigned. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** The ID of the member with this account. */
export async function findIdentityHolder(
  reader: Reader,
  identity: Identity,
): Promise<number | undefined> {
  return (await reader.get(HOLDER, { ...identity }))?.member_id
}

/** Whether the member has a linked account of this issuer. */
export async function hasIdentityOf(reader: MemberReader, issuer: string): Promise<boolean> {
  return (await reader.get(OF_ISSUER, { issuer })) !== undefined
}

/** The identity must not be linked to any member. */
export async function addIdentity(
  tx: MemberTransaction,
  identity: Identity,
  now: number,
): Promise<void> {
  await insertRow(tx, 'identities', { ...identity, added_at: now })
}

/** Unlinks the accounts of every issuer. */
export async function removeIdentities(tx: MemberTransaction): Promise<void> {
  await deleteRow(tx, 'identities', {})
}

/** By the primary key. */
const HOLDER = statement<Identity, { member_id: number }>(
  'select member_id from identities where issuer = :issuer and subject = :subject',
)

/** By identities_by_member. */
const OF_ISSUER = memberStatement<{ issuer: string }, { subject: string }>()(
  'select subject from identities where member_id = :member_id and issuer = :issuer',
)
