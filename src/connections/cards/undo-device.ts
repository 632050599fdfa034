/** Undoes what devices did: one entry of the activity log, or everything of a device. */

import { recordChange } from '../../tools/activity.ts'
import { prepareUndo, undoChange } from '../../tools/undo/undo-change.ts'
import { memberStatement } from '../../db/statement.ts'
import { hasCode } from '../../base/request-error.ts'
import { restorePeople } from '../undo/undo-connections.ts'
import { listDeviceChanges, SYNC_ACTION, type SyncEntry } from './device-changes.ts'
import type { MemberDatabase, MemberReader, MemberTransaction } from '../../db/database.ts'
import type { PreparedUndo } from '../../tools/tool.ts'
import type { RecordedChange, Undoer } from '../../tools/undo.ts'

interface UndoCall {
  readonly db: MemberDatabase
  readonly now: number
  readonly actor: string
  readonly undoers: readonly Undoer[]
}

/** Undoes everything that a device did, newest first, except people who were changed since. Can be repeated after an interruption. */
export async function undoDeviceChanges(
  { db, now, actor, undoers }: UndoCall,
  deviceId: string,
): Promise<{ readonly undone: number; readonly skipped: number }> {
  const entries = await listEntries(db, deviceId)
  let skipped = 0
  for (const activityId of entries) {
    const prepared = await prepareUndo({ db, now }, undoers, { activityId })
    const undone = await db.write(
      (tx) => {
        const by = { credentialId: null, actor, now }
        const record = (change: Parameters<typeof recordChange>[2]) => recordChange(tx, by, change)
        return undoChange({ tx, now, record, prepared }, undoers, { activityId })
      },
      { bulk: true },
    )
    skipped += undone.skipped.length
  }
  return { undone: entries.length, skipped }
}

/** The entries of a device that can be undone, newest first. */
async function listEntries(reader: MemberReader, deviceId: string): Promise<number[]> {
  const rows = await reader.all(ENTRIES, { device_id: deviceId })
  return rows.map(({ activity_id }) => activity_id)
}

/** Changed people of each device whose changes can be undone. */
export async function countUndoable(reader: MemberReader): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.all(UNDOABLE, {})
  return new Map(rows.map(({ device_id, people }) => [device_id, people]))
}

/** People per transaction of a large undo. */
const SLICE = 100

export const deviceUndoer: Undoer = {
  actions: [SYNC_ACTION],
  async prepare({ reader, write, now, since }, change) {
    const first = await listDeviceChanges(reader, entryOf(change), { after: 0, limit: SLICE + 1 })
    if (first.length <= SLICE) return undefined
    return revertAll((after) => write((tx) => revertSlice(tx, change, { after, now, since })))
  },
  async undo({ tx, now, since, prepared }, change) {
    const revertNext = (after: number) => revertSlice(tx, change, { after, now, since })
    const { skipped } = await revertAll(revertNext, prepared)
    return { skipped }
  },
}

interface SliceCall {
  readonly after: number
  readonly now: number
  readonly since: number
}

/** The record of an entry, which an undo has as `before`. */
function entryOf({ before, after }: RecordedChange): number {
  return ((after ?? before) as SyncEntry).entry
}

type Reverted = Omit<PreparedUndo, 'activityId'>

/** Reverts slices from a position to the end. */
async function revertAll(
  revertNext: (after: number) => ReturnType<typeof revertSlice>,
  { position, skipped }: Reverted = { position: 0, skipped: [] },
): Promise<Reverted> {
  const slice = await revertNext(position)
  if (!slice) return { position, skipped }
  return revertAll(revertNext, { position: slice.last, skipped: [...skipped, ...slice.skipped] })
}

/** Undoes or redoes the next people, except those changed since then. Returns undefined after the last one. */
async function revertSlice(
  tx: MemberTransaction,
  change: RecordedChange,
  { after, now, since }: SliceCall,
): Promise<{ readonly last: number; readonly skipped: readonly string[] } | undefined> {
  const changes = await listDeviceChanges(tx, entryOf(change), { after, limit: SLICE })
  const last = changes.at(-1)
  if (!last) return undefined
  const skipped: string[] = []
  for (const { before, after: is } of changes) {
    const was = before ? [before] : []
    const [from, to] = change.before === null ? [[is], was] : [was, [is]]
    // Every check comes before the first write, so a conflict leaves the person unchanged.
    await restorePeople(tx, from, to, { now, since }).catch((error: unknown) => {
      skipped.push(conflictText(error))
    })
  }
  return { last: last.connectionId, skipped }
}

function conflictText(error: unknown): string {
  if (hasCode(error, 'conflict')) return error.message
  throw error
}

/** By device_changes_by_device. */
const ENTRIES = memberStatement<{ device_id: string }, { activity_id: number }>()(`
  select distinct c.activity_id from device_changes c
  where c.member_id = :member_id and c.device_id = :device_id and not exists (
    select 1 from activity u
    where u.member_id = :member_id and u.undoes = c.activity_id and u.activity_id > c.activity_id)
  order by c.activity_id desc`)

/** Scans the changes of the member's devices. */
const UNDOABLE = memberStatement<object, { device_id: string; people: number }>()(`
  select c.device_id, count(distinct c.connection_id) as people from device_changes c
  where c.member_id = :member_id and not exists (
    select 1 from activity u
    where u.member_id = :member_id and u.undoes = c.activity_id and u.activity_id > c.activity_id)
  group by c.device_id`)
