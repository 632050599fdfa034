/** Device passwords: each lets one device sync the address book by CardDAV, and is valid for nothing else. Only the hash is stored. */

import { hash, randomInt } from 'node:crypto'
import { newId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { t } from '../languages/message.ts'
import { updateRow } from '../db/change-row.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, memberStatement, statement } from '../db/statement.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import { ENDED_RETENTION_MS, recordUse } from './api-token.ts'
import { storeCredentialName } from './credential-name.ts'
import { checkVisibleName } from './validate-name.ts'
import type { Clock } from '../base/clock.ts'
import type { Database, MemberReader, MemberTransaction } from '../db/database.ts'
import type { DeviceCaller } from '../http/caller.ts'

export interface Device {
  readonly deviceId: string
  readonly name: string
  /** The first characters of the password. */
  readonly hint: string
  readonly readOnly: 0 | 1
  /** Only people with this tag are synced; null for everyone. */
  readonly tag: string | null
  readonly createdAt: number
  readonly lastUsedAt: number | null
  /** Since when its changes wait for the member; null if they do not. */
  readonly pausedAt: number | null
}

interface NewDevice {
  readonly name: string
  readonly readOnly: boolean
  readonly tag: string | null
}

/** Devices that a member can have. */
const MAX_DEVICES = 50

/**
 * Creates a password for a device. It is returned once and never stored.
 *
 * @throws {RequestError} `conflict` when a device has this name, or there are too many.
 * @throws {RequestError} `invalid_request` when the name has no visible characters.
 */
export async function createDevice(
  tx: MemberTransaction,
  device: NewDevice,
  now: number,
): Promise<Device & { readonly password: string }> {
  const name = checkVisibleName(device.name, 'A device')
  const devices = await listDevices(tx)
  if (devices.some((one) => one.name === name))
    throw new RequestError('conflict', t('A device named “{name}” already exists.', { name }), {
      hint: t('Choose another name, or revoke that device first.'),
    })
  if (devices.length >= MAX_DEVICES)
    throw new RequestError('conflict', t('You have {count} devices.', { count: MAX_DEVICES }), {
      hint: t('Revoke a device that you no longer use.'),
    })
  const password = newPassword()
  const created: Device = {
    deviceId: newId('dev'),
    name,
    hint: password.slice(0, GROUP_LENGTH),
    readOnly: device.readOnly ? 1 : 0,
    tag: device.tag,
    createdAt: now,
    lastUsedAt: null,
    pausedAt: null,
  }
  await insertRow(tx, 'devices', {
    device_id: created.deviceId,
    name,
    secret_hash: hashOf(password),
    hint: created.hint,
    read_only: created.readOnly,
    tag: created.tag,
    created_at: now,
  })
  await storeCredentialName(tx, created.deviceId, name, now)
  return { ...created, password }
}

/** Devices that are not revoked, newest first. */
export async function listDevices(reader: MemberReader): Promise<Device[]> {
  return reader.all(LIVE, {})
}

/** @throws {RequestError} `not_found` when the member has no such device. */
export async function requireDevice(reader: MemberReader, idOrName: string): Promise<Device> {
  const found = (await listDevices(reader)).find(
    ({ deviceId, name }) => deviceId === idOrName || name === idOrName,
  )
  if (found) return found
  throw new RequestError('not_found', t('Device not found.'), {
    hint: t('It may have been revoked. List your devices.'),
  })
}

/** @throws {RequestError} `not_found` when no device of the member has this password. */
export async function requireDeviceOfPassword(
  reader: MemberReader,
  password: string,
): Promise<void> {
  if (await reader.get(BY_PASSWORD, { secret_hash: hashOf(password) })) return
  throw new RequestError('not_found', t('Device not found.'))
}

/** From now on, its password is not valid. */
export async function revokeDevice(
  tx: MemberTransaction,
  deviceId: string,
  now: number,
): Promise<void> {
  await tx.run(REVOKE, { device_id: deviceId, now })
}

/** Returns the number of revoked devices. */
export async function revokeAllDevices(tx: MemberTransaction, now: number): Promise<number> {
  return tx.run(REVOKE_ALL, { now })
}

/** From now on, its changes wait for the member. Returns false if they did before. */
export async function pauseDevice(
  tx: MemberTransaction,
  deviceId: string,
  now: number,
): Promise<boolean> {
  return (await tx.run(PAUSE, { device_id: deviceId, now })) > 0
}

/** Lets a paused device continue. Its earlier changes no longer count as a burst. */
export async function confirmDevice(
  tx: MemberTransaction,
  deviceId: string,
  now: number,
): Promise<void> {
  await updateRow(tx, 'devices', { deviceId }, { pausedAt: null, confirmedAt: now })
}

/** Deletes devices that were revoked at least 90 days ago. */
export const sweepDevices = sweepOf(
  'devices',
  'member_id, device_id',
  'revoked_at',
  ENDED_RETENTION_MS,
)

interface DeviceCheckDeps {
  readonly database: Database
  readonly clock: Clock
}

/**
 * Authenticates with Basic (RFC 7617). The username is that of the member or their email, in any case and also
 * percent-encoded.
 *
 * @throws {RequestError} `unauthorized` with a challenge when no valid password was sent.
 */
export function deviceCheck({
  database,
  clock,
}: DeviceCheckDeps): (authorization: string | undefined) => Promise<DeviceCaller> {
  return async (authorization) => {
    const { username, password } = credentialsIn(authorization)
    const secret_hash = hashOf(password)
    const found =
      password === ''
        ? undefined
        : await database.shareRead(`device ${secret_hash}`, () =>
            database.get(HOLDER, { secret_hash }),
          )
    const names = [found?.username, found?.email].map((name) => name?.toLowerCase())
    if (!found || !names.includes(username)) throw unauthorized()
    const { memberId, deviceId, lastUsedAt } = found
    const now = clock.now()
    recordUse(database, 'devices', { deviceId }, { memberId, lastUsedAt, now })
    return {
      memberId,
      username: found.username,
      name: found.memberName,
      email: found.email,
      credential: { id: deviceId, name: found.name },
      isReadOnly: found.readOnly === 1,
      isPaused: found.pausedAt !== null,
      tag: found.tag,
    }
  }
}

function unauthorized(): RequestError {
  return new RequestError('unauthorized', 'A username and the password of a device are required.', {
    hint: 'Create a password for the device on the page Contacts apps. The password of the account is not accepted.',
    headers: { 'www-authenticate': 'Basic realm="Weft address book", charset="UTF-8"' },
  })
}

function credentialsIn(authorization = ''): { username: string; password: string } {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization) ?? []
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const username = text.slice(0, Math.max(colon, 0)).toLowerCase()
  return {
    username: username.replaceAll('%40', '@'),
    password: text
      .slice(colon + 1)
      .toLowerCase()
      .replaceAll(/[\s-]/g, ''),
  }
}

/** Without letters and digits that look alike, because people type it on phones. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUP_LENGTH = 4
const GROUPS = 6

/** 24 random characters, 118 bits, in groups. */
function newPassword(): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** SHA-256: a random password needs no slow hash. */
function hashOf(password: string): string {
  return hash('sha256', password.replaceAll('-', ''), 'hex')
}

const DEVICE_COLUMNS = asProperties(
  'd.device_id, d.name, d.hint, d.read_only, d.tag, d.created_at, d.last_used_at, d.paused_at',
)

interface HolderRow extends Device {
  readonly memberId: number
  readonly username: string
  readonly email: string | null
  readonly memberName: string
}

/** By the unique index on secret_hash. */
const HOLDER = statement<{ secret_hash: string }, HolderRow>(`
  select ${DEVICE_COLUMNS}, ${asProperties('d.member_id, m.username, m.email')}, m.name as "memberName"
  from devices d join members m on m.member_id = d.member_id
  where d.secret_hash = :secret_hash and d.revoked_at is null and m.disabled_at is null`)

/** By devices_by_name. */
const LIVE = memberStatement<object, Device>()(`
  select ${DEVICE_COLUMNS} from devices d
  where d.member_id = :member_id and d.revoked_at is null order by d.created_at desc, d.device_id`)

/** By the unique index on secret_hash. */
const BY_PASSWORD = memberStatement<{ secret_hash: string }, { device_id: string }>()(`
  select device_id from devices
  where member_id = :member_id and secret_hash = :secret_hash and revoked_at is null`)

/** By primary key, like the others. */
const REVOKE = memberStatement<{ device_id: string; now: number }>()(`
  update devices set revoked_at = :now
  where member_id = :member_id and device_id = :device_id and revoked_at is null`)

const REVOKE_ALL = memberStatement<{ now: number }>()(
  'update devices set revoked_at = :now where member_id = :member_id and revoked_at is null',
)

const PAUSE = memberStatement<{ device_id: string; now: number }>()(`
  update devices set paused_at = :now
  where member_id = :member_id and device_id = :device_id and paused_at is null`)
