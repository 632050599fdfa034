/** Passkeys: public keys with which members sign in without a password (WebAuthn). */

import { hash } from 'node:crypto'
import { asProperties, memberStatement, statement } from '../db/statement.ts'
import { checkVisibleName } from './validate-name.ts'
import type { MemberReader, MemberTransaction, Reader } from '../db/database.ts'

/** A passkey as its member sees it. */
export interface Passkey {
  /** For pages, because a credential ID may be very long. */
  readonly passkeyId: string
  readonly credentialId: string
  /** Base64url. Identifies the account to authenticators. */
  readonly userHandle: string
  readonly name: string
  readonly transports: readonly string[]
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
  /** Whether the authenticator may ever sync it (the flag BE). Never changes. */
  readonly isBackupEligible: boolean
  readonly isSynced: boolean
}

/** Stops scripts that keep adding passkeys. */
export const MAX_PASSKEYS = 20

/** Lists passkeys, oldest first. */
export async function listPasskeys(reader: MemberReader): Promise<Passkey[]> {
  return (await reader.all(OWN, {})).map(passkeyOf)
}

function passkeyOf(row: PasskeyRow): Passkey {
  return {
    ...row,
    passkeyId: `pky_${hash('sha256', row.credentialId, 'base64url').slice(0, 22)}`,
    // Written by `addPasskey`.
    transports: JSON.parse(row.transports) as string[],
    isSynced: row.isSynced === 1,
  }
}

/** `another account`: its user handle is outdated. */
export type Added = 'added' | 'known' | 'too many' | 'another account'

/**
 * Adds a passkey. A credential never changes owner.
 *
 * @throws {RequestError} `invalid_request` when the name has no visible characters.
 */
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
    is_backup_eligible: Number(passkey.isBackupEligible),
    is_synced: Number(passkey.isSynced),
    now,
  })
  return inserted > 0 ? 'added' : 'known'
}

/**
 * Returns false if the member has no such passkey.
 *
 * @throws {RequestError} `invalid_request` when the name has no visible characters.
 */
export async function renamePasskey(
  tx: MemberTransaction,
  passkeyId: string,
  typed: string,
): Promise<boolean> {
  const found = await findOwn(tx, passkeyId)
  if (!found) return false
  return (await tx.run(RENAME, { ...found, name: checkVisibleName(typed, 'A passkey') })) > 0
}

/** Returns false if the member has no such passkey. */
export async function removePasskey(tx: MemberTransaction, passkeyId: string): Promise<boolean> {
  const found = await findOwn(tx, passkeyId)
  return found !== undefined && (await tx.run(REMOVE, found)) > 0
}

/** Returns the number of removed passkeys. */
export async function removeAllPasskeys(tx: MemberTransaction): Promise<number> {
  return tx.run(REMOVE_ALL, {})
}

/** What verifying a passkey needs. */
export interface StoredPasskey {
  readonly credentialId: string
  readonly memberId: number
  readonly userHandle: string
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly isBackupEligible: boolean
}

/** Finds a passkey. `credentialId` is base64url. */
export async function findStoredPasskey(
  reader: Reader,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const row = await reader.get(STORED, { credential_id: credentialId })
  return row && { ...row, isBackupEligible: row.isBackupEligible === 1 }
}

export interface PasskeyUse {
  readonly credentialId: string
  readonly counter: number
  readonly isSynced: boolean
}

/**
 * Returns false if the passkey was removed, or was used meanwhile with a counter that is not lower, which indicates a clone
 * (WebAuthn Level 3 section 6.1.1). Authenticators without a counter send 0.
 */
export async function recordPasskeyUse(
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

type PasskeyRow = Omit<Passkey, 'passkeyId' | 'transports' | 'isSynced'> & {
  readonly transports: string
  readonly isSynced: number
}

const OWN_COLUMNS = asProperties(
  'credential_id, user_handle, name, transports, is_synced, created_at, last_used_at',
)

/** By passkeys_by_member. */
const OWN = memberStatement<object, PasskeyRow>()(`
  select ${OWN_COLUMNS}
  from passkeys where member_id = :member_id order by created_at, credential_id`)

const INSERT = memberStatement<{
  credential_id: string
  user_handle: string
  name: string
  public_key: Uint8Array
  counter: number
  transports: string
  is_backup_eligible: number
  is_synced: number
  now: number
}>()(`
  insert into passkeys
    (credential_id, member_id, user_handle, name, public_key, counter, transports, is_backup_eligible, is_synced,
      created_at)
  values
    (:credential_id, :member_id, :user_handle, :name, :public_key, :counter, :transports, :is_backup_eligible,
      :is_synced, :now)
  on conflict (credential_id) do nothing`)

const RENAME = memberStatement<{ credential_id: string; name: string }>()(
  'update passkeys set name = :name where member_id = :member_id and credential_id = :credential_id',
)

const REMOVE = memberStatement<{ credential_id: string }>()(
  'delete from passkeys where member_id = :member_id and credential_id = :credential_id',
)

const REMOVE_ALL = memberStatement()('delete from passkeys where member_id = :member_id')

type StoredRow = Omit<StoredPasskey, 'isBackupEligible'> & { readonly isBackupEligible: number }

const STORED_COLUMNS = asProperties(
  'credential_id, member_id, user_handle, public_key, counter, is_backup_eligible',
)

/** By the primary key. */
const STORED = statement<{ credential_id: string }, StoredRow>(
  `select ${STORED_COLUMNS} from passkeys where credential_id = :credential_id`,
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
