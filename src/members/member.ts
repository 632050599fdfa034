/** Stored members: create, update, disable and delete, always in sync with the directory. */

import { phrase, t } from '../languages/message.ts'
import { randomInt } from 'node:crypto'
import { endAllSessions } from '../access/browser-session.ts'
import { lockNetworks } from '../access/lock-member.ts'
import { checkAll } from '../base/check-all.ts'
import { RequestError } from '../base/request-error.ts'
import { canonicalTimeZone } from '../dates/time-zone.ts'
import { asProperties, statement } from '../db/statement.ts'
import { cleanFields, MemberChanges, NewMember } from './member-fields.ts'
import { isFormerOfAnother, recordFormerUsername } from './former-usernames.ts'
import { assertNotLastAdmin } from './admin-role.ts'
import { checkUsername, usernameKey } from './usernames.ts'
import { releaseProfilePhoto } from '../connections/model/photo-store.ts'
import {
  type Member,
  type MemberRow,
  memberOf,
  columnValues,
  MEMBER_COLUMNS,
} from './member-row.ts'
import { addToDirectory, updateInDirectory, removeFromDirectory } from './directory-entry.ts'
import type { MemberTransaction, Reader, SharedTransaction, Transaction } from '../db/database.ts'

export interface CreateOptions {
  /** For the service's own accounts, such as `demo`. */
  readonly allowReserved?: boolean
}

const MEMBER_IDS = 2 ** 28

/**
 * @throws {RequestError} `invalid_request` when a field is not valid.
 * @throws {RequestError} `conflict` when the username or email is taken.
 */
export async function createMember(
  tx: Transaction,
  fields: NewMember,
  now: number,
  options: CreateOptions = {},
): Promise<Member> {
  const cleaned = cleanFields(NewMember, fields)
  const username = checkUsername(fields.username, options.allowReserved ?? false)
  await checkAll(
    () => assertUsernameFree(tx, username, undefined, now),
    () => assertEmailFree(tx, cleaned.email),
  )
  const member: Member = {
    memberId: await freeMemberId(tx),
    username,
    ...cleaned,
    photo: null,
    version: 1,
    joinedAt: now,
    updatedAt: now,
    disabledAt: null,
  }
  await insertMembers(tx, [member])
  return member
}

/** Inserts validated members, also thousands at a time. */
export async function insertMembers(tx: Transaction, members: readonly Member[]): Promise<void> {
  await tx.insertMany({
    table: 'members',
    columns: MEMBER_COLUMNS,
    rows: members.map((member) => Object.values(columnValues(member))),
  })
  await tx.insertMany({
    table: 'networks',
    columns: ['member_id'],
    rows: members.map(({ memberId }) => [memberId]),
    service: true,
  })
  await tx.insertMany({
    table: 'reminder_settings',
    columns: ['member_id'],
    rows: members.map(({ memberId }) => [memberId]),
    service: true,
  })
  await addToDirectory(tx, members)
}

/** Keeps fields that are not in `changes`; null clears a field. Use `renameMember` to change the username. */
export async function updateMember(
  tx: SharedTransaction,
  memberId: number,
  changes: MemberChanges,
  now: number,
): Promise<Member> {
  const before = await lockMember(tx, memberId)
  const cleaned = cleanFields(MemberChanges, changes, before)
  if (cleaned.email !== before.email) await assertEmailFree(tx, cleaned.email)
  return store(tx, before, { ...before, ...cleaned, version: before.version + 1, updatedAt: now })
}

/**
 * The former username redirects to the new one for 180 days.
 *
 * @throws {RequestError} `invalid_request` when the username is not valid.
 * @throws {RequestError} `conflict` when the username is taken or reserved, or after too many changes.
 */
export async function renameMember(
  tx: SharedTransaction,
  memberId: number,
  newUsername: string,
  now: number,
): Promise<Member> {
  const before = await lockMember(tx, memberId)
  const username = usernameKey(newUsername.trim())
  if (username === before.username) return before
  checkUsername(username, false)
  await assertUsernameFree(tx, username, memberId, now)
  await recordFormerUsername(tx, memberId, { left: before.username, taken: username }, now)
  return store(tx, before, { ...before, username, version: before.version + 1, updatedAt: now })
}

/** Shows a photo whose sizes are stored; null shows none. The former one stays stored for 30 days, for undo. */
export async function setMemberPhoto(
  tx: MemberTransaction,
  photo: string | null,
  now: number,
): Promise<Member> {
  const before = await lockMember(tx.shared, tx.memberId)
  if (before.photo !== null) await releaseProfilePhoto(tx, before.photo, now)
  return store(tx.shared, before, { ...before, photo, version: before.version + 1, updatedAt: now })
}

/**
 * Hides the profile and blocks all credentials until the member is enabled again. Browser sessions end permanently.
 *
 * @throws {RequestError} `conflict` when the member is the last admin.
 */
export async function disableMember(
  tx: Transaction,
  memberId: number,
  now: number,
): Promise<Member> {
  await assertNotLastAdmin(tx, memberId)
  const before = await lockMember(tx, memberId)
  await endAllSessions(tx.member(memberId))
  return store(tx, before, {
    ...before,
    version: before.version + 1,
    disabledAt: before.disabledAt ?? now,
  })
}

/** Reverses `disableMember`. Sessions stay ended; tokens work again. */
export async function enableMember(tx: Transaction, memberId: number): Promise<Member> {
  const before = await lockMember(tx, memberId)
  return store(tx, before, { ...before, version: before.version + 1, disabledAt: null })
}

/** Deletes the member and all of their data. Returns false if the member does not exist. */
export async function deleteMember(tx: Transaction, memberId: number): Promise<boolean> {
  await lockNetworks(tx, [memberId])
  const before = await findMember(tx, memberId)
  if (!before) return false
  await removeFromDirectory(tx, before)
  // All private rows are deleted by cascade.
  return (await tx.run(DELETE, { id: memberId })) > 0
}

/** Case-insensitive; includes private and disabled members. */
export async function findMemberByUsername(
  reader: Reader,
  username: string,
): Promise<Member | undefined> {
  const row = await reader.get(BY_USERNAME, { username: usernameKey(username) })
  return row && memberOf(row)
}

/** @throws {RequestError} `not_found` when no member has this username. */
export async function requireMemberByUsername(reader: Reader, username: string): Promise<Member> {
  const member = await findMemberByUsername(reader, username)
  if (!member)
    throw new RequestError(
      'not_found',
      t('No member has the username “{0}”.', { 0: username.slice(0, 100) }),
      {
        hint: t('List members with `weft member list`.'),
      },
    )
  return member
}

/** The zone of the member's browser, in the IANA database; UTC until one is known. */
export async function memberTimeZone(reader: Reader, memberId: number): Promise<string> {
  const row = await reader.get(TIME_ZONE, { member_id: memberId })
  return canonicalTimeZone(row?.time_zone ?? 'UTC') ?? 'UTC'
}

/** Also finds disabled members. */
export async function findMember(reader: Reader, memberId: number): Promise<Member | undefined> {
  const row = await reader.get(BY_ID, { id: memberId })
  return row && memberOf(row)
}

/** @throws {RequestError} `not_found` when the member was deleted. */
export async function requireMember(reader: Reader, memberId: number): Promise<Member> {
  const member = await findMember(reader, memberId)
  if (!member) throw new RequestError('not_found', t('Member not found.'))
  return member
}

/** Like `requireMember`, but locks the row until the transaction ends. */
async function lockMember(tx: SharedTransaction, memberId: number): Promise<Member> {
  await tx.run(LOCK, { id: memberId })
  return requireMember(tx, memberId)
}

/** Sorted by username. The next page starts after the last username of this one. */
export async function listMembers(
  reader: Reader,
  page: { readonly after?: string; readonly limit: number },
): Promise<Member[]> {
  const rows = await reader.all(PAGE, { after: page.after ?? '', limit: page.limit })
  return rows.map(memberOf)
}

/** All members, page by page, sorted by username. There is at least one page, which may be empty. */
export async function* memberPages(reader: Reader): AsyncGenerator<readonly Member[], void> {
  for (let after = ''; ;) {
    const page = await listMembers(reader, { after, limit: MEMBERS_PER_PAGE })
    yield page
    if (page.length < MEMBERS_PER_PAGE) return
    after = page.at(-1)?.username ?? after
  }
}

const MEMBERS_PER_PAGE = 500

/** Also updates the directory, which lists public profiles only. */
async function store(tx: SharedTransaction, before: Member, member: Member): Promise<Member> {
  await tx.run(UPDATE, columnValues(member))
  await updateInDirectory(tx, before, member)
  return member
}

async function assertUsernameFree(
  tx: SharedTransaction,
  username: string,
  memberId: number | undefined,
  now: number,
): Promise<void> {
  const holder = await tx.get(BY_USERNAME, { username })
  if (holder || (await isFormerOfAnother(tx, username, memberId, now)))
    throw new TakenError(
      'username',
      t('The username “{username}” is taken. Choose another one.', { username }),
    )
}

async function assertEmailFree(tx: SharedTransaction, email: string | null): Promise<void> {
  if (email !== null && (await tx.get(BY_EMAIL, { email })))
    throw new TakenError(
      'email',
      t('The email “{email}” belongs to another member. Use another email.', { email }),
    )
}

/** A `conflict`: another member has this username or email. */
export class TakenError extends RequestError {
  readonly field: 'username' | 'email'

  constructor(field: 'username' | 'email', message: string) {
    super('conflict', message, { errors: [{ pointer: `/${field}`, detail: t(TAKEN) }] })
    this.field = field
  }
}

/** Follows the name of the field. */
export const TAKEN = phrase('is taken')

/** Random, so that IDs do not reveal the age or number of members. */
async function freeMemberId(tx: Transaction): Promise<number> {
  for (;;) {
    const memberId = randomInt(1, MEMBER_IDS)
    if (!(await tx.get(BY_ID, { id: memberId }))) return memberId
  }
}

const COLUMNS = asProperties(MEMBER_COLUMNS.join(', '))

// By the unique index on the column.
const BY_USERNAME = statement<{ username: string }, MemberRow>(
  `select ${COLUMNS} from members where username = :username`,
)
const BY_ID = statement<{ id: number }, MemberRow>(
  `select ${COLUMNS} from members where member_id = :id`,
)
/** A no-op update that locks the row on every engine, like `for update`. */
const LOCK = statement<{ id: number }>('update members set version = version where member_id = :id')
const BY_EMAIL = statement<{ email: string }, { member_id: number }>(
  'select member_id from members where email = :email',
)
const PAGE = statement<{ after: string; limit: number }, MemberRow>(
  `select ${COLUMNS} from members where username > :after order by username limit :limit`,
)
/** Without the primary key: setting it, even to the same value, makes SQLite look for references in every table. */
const UPDATED_COLUMNS = MEMBER_COLUMNS.filter((column) => column !== 'member_id')

const UPDATE = statement(
  `update members set ${UPDATED_COLUMNS.map((column) => `${column} = :${column}`).join(', ')}
   where member_id = :member_id`,
)
const DELETE = statement<{ id: number }>('delete from members where member_id = :id')

/** By the primary key. */
const TIME_ZONE = statement<{ member_id: number }, { time_zone: string | null }>(
  'select time_zone from members where member_id = :member_id',
)
