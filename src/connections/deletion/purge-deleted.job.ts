/** purge_deleted: removes for good what was deleted 30 days ago or earlier, and what the activity says of it. */

import Type from 'typebox'
import { memberStatement, serviceStatement } from '../../db/statement.ts'
import { ERASED } from '../../tools/activity.ts'
import { defineJob, type RunningJob } from '../../jobs/job.ts'
import { UNDONE, publicConnectionId } from '../model/connection.ts'
import { DELETED_RETENTION_MS } from './deletion.ts'
import { publicFollowUpId } from '../follow-ups/follow-ups.ts'
import { publicNoteId } from '../model/snapshot.ts'
import { addKeys, findConnections, findPresent } from '../model/connection-store.ts'
import type { MemberTransaction, Reader } from '../../db/database.ts'

export const PurgeReport = Type.Object({
  connections: Type.Integer(),
  notes: Type.Integer(),
  follow_ups: Type.Integer(),
})
type PurgeReport = Type.Static<typeof PurgeReport>

type PurgeJob = RunningJob<object, PurgeReport>

export const purgeDeletedJob = defineJob({
  kind: 'purge_deleted',
  title: 'Remove deleted connections for good',
  description:
    'Removes connections that were deleted 30 days ago or earlier, with their notes, tags and follow-ups; ' +
    'they can no longer be restored.',
  input: Type.Object({}, { additionalProperties: false }),
  credits: 0,
  run: purgeDeleted,
})

/** Members who have something to purge, those first who have waited longest. */
export async function findDuePurges(database: Reader, now: number): Promise<number[]> {
  const due = await database.all(DUE_MEMBERS, {
    before: now - DELETED_RETENTION_MS,
    limit: MAX_DUE,
  })
  return due.map(({ member_id }) => member_id)
}

/** More wait for the next look. */
const MAX_DUE = 1000

/** Connections in one transaction. */
const BATCH = 500

async function purgeDeleted(job: PurgeJob): Promise<PurgeReport> {
  let report = job.checkpoint ?? { connections: 0, notes: 0, follow_ups: 0 }
  for (let isMore = true; isMore;) {
    const before = report
    const step = await job.db.write(
      async (tx) => {
        const purged = await purgeSome(tx, job.now() - DELETED_RETENTION_MS)
        const sofar = {
          connections: before.connections + purged.connections,
          notes: before.notes + purged.notes,
          follow_ups: before.follow_ups + purged.follow_ups,
        }
        const isLast = purged.connections < BATCH
        if (isLast) await tx.run(SET_OLDEST, { unmade: UNDONE })
        const message = `${sofar.connections} connections removed`
        await job.save(tx, sofar, { done: sofar.connections, total: null, message })
        return { sofar, isMore: !isLast }
      },
      { bulk: true },
    )
    report = step.sofar
    isMore = step.isMore
  }
  return report
}

/** With the rows goes what the activity says of them, in the same transaction: afterwards nobody would know of whom. */
async function purgeSome(tx: MemberTransaction, before: number): Promise<PurgeReport> {
  const due = await tx.all(DUE, { before, limit: BATCH })
  const ids = due.map(({ connection_id }) => connection_id)
  const notes = await tx.all(NOTES_DUE, { ids, unmade: UNDONE, before })
  const followUps = await tx.all(FOLLOW_UPS_OF, { ids })
  await handKeysOn(tx, ids)
  await tx.fullText.removeConnections(tx, ids)
  await tx.run(DELETE_NOTES, { ids: notes.map(({ note_id }) => note_id) })
  for (const remove of DELETES) await tx.run(remove, { ids })
  await forget(tx, [
    ...ids.map(publicConnectionId),
    ...notes.map(({ note_id }) => publicNoteId(note_id)),
    ...followUps.map(({ follow_up_id }) => publicFollowUpId(follow_up_id)),
  ])
  return { connections: ids.length, notes: notes.length, follow_ups: followUps.length }
}

/** Imports recognize whoever was merged by the one that was kept. */
async function handKeysOn(tx: MemberTransaction, ids: readonly number[]): Promise<void> {
  const merged = (await findConnections(tx, ids)).filter(
    ({ mergedInto }) => mergedInto !== null && mergedInto !== UNDONE,
  )
  if (merged.length === 0) return
  const present = await findPresent(
    tx,
    merged.map(({ connectionId }) => connectionId),
  )
  const keys = await tx.all(KEYS_OF, { ids: [...present.keys()] })
  await addKeys(
    tx,
    keys.flatMap(({ key, connection_id }) => {
      const kept = present.get(connection_id)
      return kept && !ids.includes(kept.connectionId)
        ? [{ key, connectionId: kept.connectionId }]
        : []
    }),
  )
  // Whoever was merged into one of those that go now, and goes later, leads past it.
  for (const { connection_id, merged_into } of await tx.all(LED_TO, { ids: [...present.keys()] })) {
    const kept_id = present.get(merged_into)?.connectionId ?? UNDONE
    await tx.run(LEAD_ON, { connection_id, kept_id })
  }
}

/** Activity entries at a time. */
const PAGE = 200

/** Leaves in the activity that there was a change, to what, by whom and when, but not what it said. */
async function forget(tx: MemberTransaction, publicIds: readonly string[]): Promise<void> {
  if (publicIds.length === 0) return
  const gone = new Set(publicIds)
  for (let after = 0; ;) {
    const entries = await tx.all(ENTRIES, { after, limit: PAGE })
    for (const entry of entries) {
      const isSubject = gone.has(entry.subject_id)
      const [was, is] = [entry.before, entry.after].map((json) => forgotten(json, gone, isSubject))
      if (was !== entry.before || is !== entry.after)
        await tx.run(FORGET, {
          activity_id: entry.activity_id,
          before: was ?? null,
          after: is ?? null,
        })
    }
    after = entries.at(-1)?.activity_id ?? after
    if (entries.length < PAGE) return
  }
}

/** Unchanged where it tells of nobody who is gone. */
function forgotten(
  json: string | null,
  gone: ReadonlySet<string>,
  isSubject: boolean,
): string | null {
  if (json === null) return null
  const isAbout = json.match(PUBLIC_IDS)?.some((id) => gone.has(id.slice(1, -1))) === true
  if (!isSubject && !isAbout) return json
  // Recorded as an object; that of a single subject tells of nothing else.
  const left = json.includes('"connections":[') ? withoutGone(JSON.parse(json), gone) : {}
  return JSON.stringify({ [ERASED]: true, ...(left as object) })
}

const PUBLIC_IDS = /"[cnf]_\d+"/g

/** Of every object that tells of somebody who is gone, only who. */
function withoutGone(value: unknown, gone: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutGone(item, gone))
  if (typeof value !== 'object' || value === null) return value
  const id = 'connection_id' in value ? value.connection_id : undefined
  if (typeof id === 'string' && gone.has(id)) return { connection_id: id }
  return Object.fromEntries(
    Object.entries(value).map(([field, part]) => [field, withoutGone(part, gone)]),
  )
}

/** By networks_by_deletion. */
const DUE_MEMBERS = serviceStatement<{ before: number; limit: number }, { member_id: number }>(`
  select member_id from networks
  where oldest_deletion <= :before order by oldest_deletion limit :limit`)

/** Walks the member's connections and notes. */
const SET_OLDEST = memberStatement<{ unmade: number }>()(`
  update networks set oldest_deletion = (
    select min(deleted_at) from (
      select deleted_at from connections where member_id = :member_id and deleted_at is not null
      union all
      select deleted_at from notes where member_id = :member_id and connection_id = :unmade) left_over)
  where member_id = :member_id`)

/** Walks the member's connections. */
const DUE = memberStatement<{ before: number; limit: number }, { connection_id: number }>()(`
  select connection_id from connections
  where member_id = :member_id and deleted_at <= :before order by connection_id limit :limit`)

/** Theirs, and those that were undone. */
const NOTES_DUE = memberStatement<
  { ids: readonly number[]; unmade: number; before: number },
  { note_id: number }
>()(`
  select note_id from notes
  where member_id = :member_id
    and (connection_id in (:ids...bigint) or (connection_id = :unmade and deleted_at <= :before))`)

const FOLLOW_UPS_OF = memberStatement<{ ids: readonly number[] }, { follow_up_id: number }>()(`
  select follow_up_id from follow_ups
  where member_id = :member_id and connection_id in (:ids...bigint)`)

/** Walks the member's keys: the index begins with the key. */
const KEYS_OF = memberStatement<
  { ids: readonly number[] },
  { key: string; connection_id: number }
>()(`
  select key, connection_id from connection_keys
  where member_id = :member_id and connection_id in (:ids...bigint)`)

/** Walks the member's connections. */
const LED_TO = memberStatement<
  { ids: readonly number[] },
  { connection_id: number; merged_into: number }
>()(`
  select connection_id, merged_into from connections
  where member_id = :member_id and merged_into in (:ids...bigint)`)

const LEAD_ON = memberStatement<{ connection_id: number; kept_id: number }>()(`
  update connections set merged_into = :kept_id
  where member_id = :member_id and connection_id = :connection_id`)

const DELETE_NOTES = memberStatement<{ ids: readonly number[] }>()(
  'delete from notes where member_id = :member_id and note_id in (:ids...bigint)',
)

type ByConnection = { ids: readonly number[] }

const DELETES = [
  memberStatement<ByConnection>()(`
    delete from connection_keys where member_id = :member_id and connection_id in (:ids...bigint)`),
  memberStatement<ByConnection>()(`
    delete from connection_tags where member_id = :member_id and connection_id in (:ids...bigint)`),
  memberStatement<ByConnection>()(`
    delete from follow_ups where member_id = :member_id and connection_id in (:ids...bigint)`),
  memberStatement<ByConnection>()(`
    delete from activity_connections where member_id = :member_id and connection_id in (:ids...bigint)`),
  memberStatement<ByConnection>()(`
    delete from import_changes where member_id = :member_id and connection_id in (:ids...bigint)`),
  memberStatement<ByConnection>()(`
    delete from connections where member_id = :member_id and connection_id in (:ids...bigint)`),
]

interface Entry {
  readonly activity_id: number
  readonly subject_id: string
  readonly before: string | null
  readonly after: string | null
}

/** By primary key. */
const ENTRIES = memberStatement<{ after: number; limit: number }, Entry>()(`
  select activity_id, subject_id, before, after from activity
  where member_id = :member_id and activity_id > :after order by activity_id limit :limit`)

const FORGET = memberStatement<{
  activity_id: number
  before: string | null
  after: string | null
}>()(`
  update activity set before = :before, after = :after
  where member_id = :member_id and activity_id = :activity_id`)
