/**
 * What devices change: one entry of the activity log per device and minute, with the state of each person before and after, so
 * that everything can be undone.
 */

import { idsOf } from '../model/connection.ts'
import { updateRow } from '../../db/change-row.ts'
import { DAY, HOUR, MINUTE } from '../../base/clock.ts'
import { insertRow, insertRows } from '../../db/insert-row.ts'
import { memberStatement } from '../../db/statement.ts'
import { amendChange, recordChange } from '../../tools/activity.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { DeviceCaller } from '../../http/caller.ts'
import type { Snapshot } from '../person/snapshot.ts'

export const SYNC_ACTION = 'connections.sync'

/** How long the changes of a device can be undone. */
const RETENTION_MS = 90 * DAY

export interface DeviceChange {
  readonly connectionId: number
  /** Null for a person that the device added. */
  readonly before: Snapshot | null
  readonly after: Snapshot
}

/** The recorded entry: how many people of each kind. `entry` names its rows, also in an undo. */
export interface SyncEntry {
  readonly name: string
  readonly entry: number
  readonly added: number
  readonly changed: number
  readonly deleted: number
}

type Kind = 'added' | 'changed' | 'deleted'

/** Records changes in the entry of this minute. */
export async function recordDeviceChanges(
  tx: MemberTransaction,
  device: Pick<DeviceCaller, 'credential'>,
  changes: readonly DeviceChange[],
  now: number,
): Promise<void> {
  if (changes.length === 0) return
  const { id: device_id } = device.credential
  const entry = (await presentEntry(tx, device_id, now)) ?? (await newEntry(tx, device, now))
  const counts = { ...entry }
  const earlier = await readRows(tx, entry.entry, idsOf(changes))
  for (const change of changes) {
    const row = earlier.get(change.connectionId)
    const composed = row ? compose(row, change) : change
    if (row) counts[kindOf(row)] -= 1
    counts[kindOf(composed)] += 1
    const { connectionId: connection_id, before, after } = composed
    await insertRow(
      tx,
      'device_changes',
      {
        activity_id: entry.entry,
        connection_id,
        device_id,
        at: now,
        before: before && JSON.stringify(before),
        after: JSON.stringify(after),
      },
      'replace',
    )
  }
  await insertRows(
    tx,
    'activity_connections',
    changes.map(({ connectionId }) => ({
      connection_id: connectionId,
      activity_id: entry.entry,
    })),
    'ignore',
  )
  await amendChange(tx, entry.entry, counts)
}

async function presentEntry(
  tx: MemberTransaction,
  device_id: string,
  now: number,
): Promise<SyncEntry | undefined> {
  const row = await tx.get(ENTRY, { device_id, since: now - MINUTE, until: now })
  // Written by `recordDeviceChanges`.
  return row && (JSON.parse(row.after) as SyncEntry)
}

async function newEntry(
  tx: MemberTransaction,
  { credential }: Pick<DeviceCaller, 'credential'>,
  now: number,
): Promise<SyncEntry> {
  await tx.run(FORGET, { before: now - RETENTION_MS, device_id: credential.id })
  const empty = { name: credential.name, added: 0, changed: 0, deleted: 0 }
  const by = { credentialId: credential.id, actor: credential.name, now }
  const entry = await recordChange(tx, by, {
    action: SYNC_ACTION,
    subjectKind: 'device',
    subjectId: credential.id,
    before: null,
    after: empty,
    connections: [],
  })
  await updateRow(tx, 'devices', { deviceId: credential.id }, { entryId: entry, entryAt: now })
  return { ...empty, entry }
}

function kindOf({ before, after }: Pick<DeviceChange, 'before' | 'after'>): Kind {
  if (before === null) return 'added'
  return after.deleted_at == null ? 'changed' : 'deleted'
}

/** Two changes to one person as one. */
function compose(
  earlier: Pick<DeviceChange, 'before' | 'after'>,
  { connectionId, before, after }: DeviceChange,
): DeviceChange {
  const joined = (one: Snapshot, over: Snapshot): Snapshot => ({
    ...one,
    ...over,
    ...((one.sources ?? over.sources) && { sources: { ...one.sources, ...over.sources } }),
  })
  return {
    connectionId,
    before: earlier.before && before ? joined(before, earlier.before) : earlier.before,
    after: joined(earlier.after, after),
  }
}

/** People who were changed or deleted by a device in the last hour, since the member last confirmed its changes. */
export async function countRecentChanges(
  reader: MemberReader,
  deviceId: string,
  now: number,
): Promise<number> {
  const row = await reader.get(RECENT, { device_id: deviceId, since: now - HOUR })
  return row?.people ?? 0
}

interface Row {
  readonly connection_id: number
  readonly before: string | null
  readonly after: string
}

function changeIn({ connection_id, before, after }: Row): DeviceChange {
  return {
    connectionId: connection_id,
    // Written by `recordDeviceChanges`.
    before: before === null ? null : (JSON.parse(before) as Snapshot),
    after: JSON.parse(after) as Snapshot,
  }
}

/** The next changes of an entry, in the order of people. */
export async function listDeviceChanges(
  reader: MemberReader,
  entry: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<DeviceChange[]> {
  return (await reader.all(ROWS, { activity_id: entry, after, limit })).map(changeIn)
}

async function readRows(
  reader: MemberReader,
  entry: number,
  ids: readonly number[],
): Promise<Map<number, DeviceChange>> {
  const rows = await reader.all(ROWS_OF, { activity_id: entry, ids })
  return new Map(rows.map((row) => [row.connection_id, changeIn(row)]))
}

/** By primary keys: the entry of this minute, unless it was undone. */
const ENTRY = memberStatement<
  { device_id: string; since: number; until: number },
  { after: string }
>()(`
  select a.after from devices d
  join activity a on a.member_id = d.member_id and a.activity_id = d.entry_id
  where d.member_id = :member_id and d.device_id = :device_id and d.entry_at > :since
    and d.entry_at <= :until and a.after is not null and not exists (
      select 1 from activity u
      where u.member_id = :member_id and u.undoes = a.activity_id and u.activity_id > a.activity_id)`)

/** By device_changes_by_device, like the next one. */
const FORGET = memberStatement<{ device_id: string; before: number }>()(`
  delete from device_changes
  where member_id = :member_id and device_id = :device_id and at < :before`)

const RECENT = memberStatement<{ device_id: string; since: number }, { people: number }>()(`
  select count(distinct c.connection_id) as people from device_changes c
  join devices d on d.member_id = c.member_id and d.device_id = c.device_id
  where c.member_id = :member_id and c.device_id = :device_id and c.at > :since
    and c.at > coalesce(d.confirmed_at, 0) and c.before is not null`)

/** By primary key, like the next one. */
const ROWS = memberStatement<{ activity_id: number; after: number; limit: number }, Row>()(`
  select connection_id, before, after from device_changes
  where member_id = :member_id and activity_id = :activity_id and connection_id > :after
  order by connection_id limit :limit`)

const ROWS_OF = memberStatement<{ activity_id: number; ids: readonly number[] }, Row>()(`
  select connection_id, before, after from device_changes
  where member_id = :member_id and activity_id = :activity_id and connection_id in (:ids...bigint)`)
