/** Passkeys: public keys that a member signs in with in place of a password (WebAuthn). */

import { hash } from 'node:crypto'
import { memberStatement, statement } from '../db/statement.ts'
import { checkVisibleName } from './validate-name.ts'
import type { MemberReader, MemberTransaction, Reader } from '../db/database.ts'

/** A passkey as its member sees it. */
export interface Passkey {
  /** Names it on pages; the credential's own id is the authenticator's and may be very long. */
  readonly passkeyId: string
  readonly credentialId: string
  /** The same for all of a member's: what authenticators know the account by. Base64url. */
  readonly userHandle: string
  readonly name: string
  /** How a browser reaches its authenticator. */
  readonly transports: readonly string[]
  /** Whether copies of it are on other devices too. */
  readonly isSynced: boolean
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

export interface NewPasskey {
  readonly credentialId: string
  readonly userHandle: string
  readonly name: string
  /** COSE_Key (RFC 9052 section 7). */
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: readonly string[]
  readonly isSynced: boolean
}

/** Nobody needs more; a machine that adds them for ever has an end. */
export const MAX_PASSKEYS = 20

/** In the order they were added. */
export async function listPasskeys(reader: MemberReader): Promise<Passkey[]> {
  return (await reader.all(OWN, {})).map(passkeyOf)
}

/** `another account`: the authenticator made it for a user handle that is not the member's any more. */
export type Added = 'added' | 'known' | 'too many' | 'another account'

/** Refuses (`invalid_request`) a name that cannot be seen. A credential is one member's, for ever. */
export async function addPasskey(
  tx: MemberTransaction,
  passkey: NewPasskey,
  now: number,
): Promise<Added> {
  const name = checkVisibleName(passkey.name, 'A passkey')
  const own = await listPasskeys(tx)
  if (own.length >= MAX_PASSKEYS) return 'too many'
  if (own.some(({ userHandle }) => userHandle !== passkey.userHandle)) return 'another account'
  const inserted = await tx.run(INSERT, {
    credential_id: passkey.credentialId,
    user_handle: passkey.userHandle,
    name,
    public_key: passkey.publicKey,
    counter: passkey.counter,
    transports: JSON.stringify(passkey.transports),
    is_synced: Number(passkey.isSynced),
    now,
  })
  return inserted > 0 ? 'added' : 'known'
}

/** Refuses (`invalid_request`) a name that cannot be seen. False when the member has no such passkey. */
export async function renamePasskey(
  tx: MemberTransaction,
  passkeyId: string,
  typed: string,
): Promise<boolean> {
  const found = await findOwn(tx, passkeyId)
  if (!found) return false
  return (await tx.run(RENAME, { ...found, name: checkVisibleName(typed, 'A passkey') })) > 0
}

/** False when the member has no such passkey. */
export async function removePasskey(tx: MemberTransaction, passkeyId: string): Promise<boolean> {
  const found = await findOwn(tx, passkeyId)
  return found !== undefined && (await tx.run(REMOVE, found)) > 0
}

/** Tells how many there were. */
export async function removeAllPasskeys(tx: MemberTransaction): Promise<number> {
  return tx.run(REMOVE_ALL, {})
}

/** A passkey as it is needed to check what somebody shows who is nobody yet. */
export interface ShownPasskey {
  readonly credentialId: string
  readonly memberId: number
  readonly userHandle: string
  readonly publicKey: Uint8Array
  readonly counter: number
}

export async function findShownPasskey(
  reader: Reader,
  credentialId: string,
): Promise<ShownPasskey | undefined> {
  const row = await reader.get(SHOWN, { credential_id: credentialId })
  return (
    row && {
      credentialId,
      memberId: row.member_id,
      userHandle: row.user_handle,
      publicKey: row.public_key,
      counter: row.counter,
    }
  )
}

export interface PasskeyUse {
  readonly credentialId: string
  readonly counter: number
  readonly isSynced: boolean
}

/**
 * False when it was removed meanwhile, or was used meanwhile with a counter that is as high: one of the two is a copy
 * (WebAuthn Level 3 section 6.1.1). Authenticators that do not count leave it at 0.
 */
export async function notePasskeyUse(
  tx: MemberTransaction,
  { credentialId, counter, isSynced }: PasskeyUse,
  now: number,
): Promise<boolean> {
  const use = { credential_id: credentialId, counter, is_synced: Number(isSynced), now }
  return (await tx.run(USE, use)) > 0
}

async function findOwn(
  reader: MemberReader,
  passkeyId: string,
): Promise<{ readonly credential_id: string } | undefined> {
  const found = (await listPasskeys(reader)).find((one) => one.passkeyId === passkeyId)
  return found && { credential_id: found.credentialId }
}

interface PasskeyRow {
  readonly credential_id: string
  readonly user_handle: string
  readonly name: string
  readonly transports: string
  readonly is_synced: number
  readonly created_at: number
  readonly last_used_at: number | null
}

function passkeyOf(row: PasskeyRow): Passkey {
  return {
    passkeyId: `pky_${hash('sha256', row.credential_id, 'base64url').slice(0, 22)}`,
    credentialId: row.credential_id,
    userHandle: row.user_handle,
    name: row.name,
    // Written by `addPasskey`.
    transports: JSON.parse(row.transports) as string[],
    isSynced: row.is_synced === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}

/** By passkeys_by_member. */
const OWN = memberStatement<object, PasskeyRow>()(`
  select credential_id, user_handle, name, transports, is_synced, created_at, last_used_at
  from passkeys where member_id = :member_id order by created_at, credential_id`)

const INSERT = memberStatement<{
  credential_id: string
  user_handle: string
  name: string
  public_key: Uint8Array
  counter: number
  transports: string
  is_synced: number
  now: number
}>()(`
  insert into passkeys
    (credential_id, member_id, user_handle, name, public_key, counter, transports, is_synced, created_at)
  values
    (:credential_id, :member_id, :user_handle, :name, :public_key, :counter, :transports, :is_synced, :now)
  on conflict (credential_id) do nothing`)

const RENAME = memberStatement<{ credential_id: string; name: string }>()(
  'update passkeys set name = :name where member_id = :member_id and credential_id = :credential_id',
)

const REMOVE = memberStatement<{ credential_id: string }>()(
  'delete from passkeys where member_id = :member_id and credential_id = :credential_id',
)

const REMOVE_ALL = memberStatement()('delete from passkeys where member_id = :member_id')

interface ShownRow {
  readonly member_id: number
  readonly user_handle: string
  readonly public_key: Uint8Array
  readonly counter: number
}

/** By the primary key. */
const SHOWN = statement<{ credential_id: string }, ShownRow>(
  'select member_id, user_handle, public_key, counter from passkeys where credential_id = :credential_id',
)

const USE = memberStatement<{
  credential_id: string
  counter: number
  is_synced: number
  now: number
}>()(`
  update passkeys set counter = :counter, is_synced = :is_synced, last_used_at = :now
  where member_id = :member_id and credential_id = :credential_id
    and (counter < :counter or (counter = 0 and :counter = 0))`)
