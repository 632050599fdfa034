/** Taking an import back, row by row: what nobody has changed since. And doing it again. */

import { setImmediate } from 'node:timers/promises'
import { RequestError } from '../../base/request-error.ts'
import { memberStatement } from '../../db/statement.ts'
import { DAY } from '../../base/clock.ts'
import { FINISHED_JOB_KEPT, isTerminal, MAX_JOBS_PER_KIND } from '../../jobs/job-record.ts'
import { findJob } from '../../jobs/start-job.ts'
import {
  LIST_FIELDS,
  TEXT_FIELDS,
  UNDONE,
  publicConnectionId,
  type Connection,
} from '../model/connection.ts'
import { keysOf } from '../model/match-keys.ts'
import { isSame } from '../model/snapshot.ts'
import {
  addKeys,
  addTags,
  dropKeys,
  findConnections,
  indexConnections,
  removeTags,
  tagOf,
  updateConnection,
} from '../model/connection-store.ts'
import {
  FOLLOW_UP_OF,
  findSuccessors,
  mergesSince,
  restoreNotes,
  clearUndone,
  markUndone,
  removeNotes,
} from '../model/undo-connections.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { Undoer } from '../../tools/undo.ts'

/** What an import keeps of a connection that was there before it, to be taken back. */
export interface ImportedChange {
  /** As it was. Left out where the import only came to know it by another contact. */
  readonly connection?: Connection
  readonly added_tags: readonly string[]
  readonly added_notes: readonly number[]
  /** By which it was not recognised before: as long as it has them, the same contact again says nothing new. */
  readonly added_keys: readonly string[]
  /** Once it is taken back: the connection as it was before that. */
  readonly undone?: Connection
}

export const importUndoer: Undoer = {
  actions: ['connections.import'],
  async undo({ tx, now, since }, { action, subjectKind, subjectId, before, after }) {
    const jobId = Number(subjectId)
    await refuseRunning(tx, jobId)
    await refuseExpired(tx, jobId, now)
    const merged = await mergesSince(tx, since)
    const leftAlone: string[] = []
    for await (const effects of pagesOf(tx, jobId)) {
      const page = { jobId, effects, merged, now }
      leftAlone.push(...(await (before === null ? takeBack : doAgain)(tx, page)))
    }
    return { action, subjectKind, subjectId, before: after, after: before, leftAlone }
  },
}

/** What is still coming in cannot be taken back whole. */
async function refuseRunning(reader: MemberReader, jobId: number): Promise<void> {
  const job = await findJob(reader, jobId)
  if (job && !isTerminal(job.state))
    throw new RequestError('conflict', 'The import is still running.', {
      hint: 'Wait for its end, or cancel it; then it can be undone.',
    })
}

/** What an import did to each connection goes with its job, in steps: what is left of it is not undone by halves. */
async function refuseExpired(reader: MemberReader, jobId: number, now: number): Promise<void> {
  const kept = await reader.get(KEPT, { job_id: jobId, now })
  if (kept?.is_kept === 1) return
  throw new RequestError(
    'conflict',
    'This import can no longer be undone: its details are deleted.',
    {
      hint:
        `Imports can be undone for ${FINISHED_JOB_KEPT / DAY} days, the latest ${MAX_JOBS_PER_KIND} of an account. ` +
        'Delete or edit the connections that it brought.',
    },
  )
}

/** Some of what an import did. */
interface Page {
  readonly jobId: number
  readonly effects: readonly Effect[]
  /** Those into which others have been merged since. */
  readonly merged: ReadonlySet<number>
  readonly now: number
}

/** What an import did to one connection that is not gone for good. */
interface Effect {
  readonly connection: Connection
  /** Undefined for one that the import made. */
  readonly change: ImportedChange | undefined
  /** Whether it has a typed note or a follow-up. */
  readonly isWorkedOn: boolean
}

/** Connections at a time, a few milliseconds of the main thread: others are answered in between. */
const PAGE = 100

async function* pagesOf(reader: MemberReader, jobId: number): AsyncGenerator<Effect[]> {
  for (let after = 0; ;) {
    const rows = await reader.all(CHANGES, { job_id: jobId, after, limit: PAGE })
    const last = rows.at(-1)
    if (!last) return
    after = last.connection_id
    await setImmediate()
    const ids = rows.map(({ connection_id }) => connection_id)
    const connections = await findConnections(reader, ids)
    const byId = new Map(connections.map((one) => [one.connectionId, one]))
    const worked = new Set(await workedOn(reader, ids))
    yield rows.flatMap(({ connection_id, before }) => {
      const connection = byId.get(connection_id)
      // As the import wrote it.
      const change = before === null ? undefined : (JSON.parse(before) as ImportedChange)
      return connection ? [{ connection, change, isWorkedOn: worked.has(connection_id) }] : []
    })
  }
}

async function workedOn(reader: MemberReader, ids: readonly number[]): Promise<number[]> {
  const notes = await reader.all(TYPED_NOTE_OF, { ids })
  const followUps = await reader.all(FOLLOW_UP_OF, { ids })
  return [...notes, ...followUps].map(({ connection_id }) => connection_id)
}

/** Returns what it left alone, and why. */
async function takeBack(tx: MemberTransaction, page: Page): Promise<string[]> {
  const [made, changed]: [number[], Connection[]] = [[], []]
  const leftAlone: string[] = []
  for (const effect of page.effects) {
    const { connection, change } = effect
    if (change && !change.connection) {
      await dropKeys(tx, connection.connectionId, change.added_keys)
      continue
    }
    // One that the member deleted stays so, and later imports leave it out.
    if (!change && connection.deletedAt !== null) continue
    const since = changeSince(connection, page.jobId) ?? workSince(page, effect)
    if (since !== undefined)
      leftAlone.push(`${publicConnectionId(connection.connectionId)} ${since}`)
    else if (change?.connection)
      changed.push(
        await takeBackOne(tx, page, connection, { ...change, connection: change.connection }),
      )
    else made.push(connection.connectionId)
  }
  await markUndone(tx, made, page.now)
  await indexConnections(tx, changed)
  return leftAlone
}

function changeSince(
  { deletedAt, importJobId }: Connection,
  expectedJobId: number | null,
): string | undefined {
  if (deletedAt !== null) return 'was deleted'
  return importJobId === expectedJobId ? undefined : 'was changed by a later import'
}

/** What has been done by hand with a connection that the import changed or, with more that counts, made. */
function workSince({ merged }: Page, effect: Effect): string | undefined {
  const { connection, change, isWorkedOn } = effect
  if (merged.has(connection.connectionId)) return 'has had others merged into it'
  if (change) return undefined
  if (Object.values(connection.fieldSources).includes('typed')) return 'was changed by hand'
  return isWorkedOn ? 'has got a note or a follow-up' : undefined
}

const FIELDS = [...TEXT_FIELDS, ...LIST_FIELDS] as const

/** Imports leave alone what was typed; so what is typed now was so before, or is later work, and stays. */
async function takeBackOne(
  tx: MemberTransaction,
  { jobId, now }: Page,
  present: Connection,
  change: ImportedChange & { readonly connection: Connection },
): Promise<Connection> {
  const fields = FIELDS.filter((field) => present.fieldSources[field] !== 'typed')
  const after = withFieldsOf(present, change.connection, fields, now)
  const { connectionId } = after
  await updateConnection(tx, present, after)
  const kept = new Set(keysOf(after))
  const lost = change.added_keys.filter((key) => !kept.has(key))
  await dropKeys(tx, connectionId, lost)
  if (present.fieldSources.tags !== 'typed') {
    const tags = change.added_tags.map((tag) => tagOf(tag).key)
    await removeTags(tx, connectionId, tags)
  }
  await removeNotes(tx, change.added_notes, now)
  await saveChange(tx, jobId, connectionId, { ...change, undone: present })
  return after
}

function withFieldsOf(
  present: Connection,
  other: Connection,
  fields: readonly (typeof FIELDS)[number][],
  now: number,
): Connection {
  const values: Record<string, unknown> = {}
  const fieldSources = { ...present.fieldSources }
  for (const field of fields) {
    values[field] = other[field]
    const source = other.fieldSources[field]
    if (source) fieldSources[field] = source
    else delete fieldSources[field]
  }
  const { importJobId } = other
  const version = present.version + 1
  return { ...present, ...values, fieldSources, importJobId, version, updatedAt: now }
}

/** Returns what it left alone, and why. */
async function doAgain(tx: MemberTransaction, page: Page): Promise<string[]> {
  const leftAlone = await makeAgain(tx, page)
  const changed: Connection[] = []
  for (const { connection, change } of page.effects) {
    if (!change) continue
    const { connectionId } = connection
    const { connection: before, undone, ...added } = change
    if (before && !undone) continue // it was left alone
    const since = before && changeSince(connection, before.importJobId)
    if (since !== undefined) {
      leftAlone.push(`${publicConnectionId(connectionId)} ${since}`)
      continue
    }
    const keys = added.added_keys.map((key) => ({ key, connectionId }))
    await addKeys(tx, keys)
    if (before && undone)
      changed.push(
        await changeAgain(tx, page, connection, { ...added, connection: before }, undone),
      )
  }
  await indexConnections(tx, changed)
  return leftAlone
}

/** Those that the import made, unless the same people came into the network in the meantime. */
async function makeAgain(tx: MemberTransaction, { effects, now }: Page): Promise<string[]> {
  const unmade = effects.flatMap(({ connection, change }) =>
    !change && connection.mergedInto === UNDONE ? [connection] : [],
  )
  const successors = await findSuccessors(tx, unmade)
  const wanted = unmade.filter(({ connectionId }) => !successors.has(connectionId))
  await clearUndone(tx, wanted, now)
  return [...successors].map(
    ([id, successor]) => `${publicConnectionId(id)} is there as ${publicConnectionId(successor)}`,
  )
}

async function changeAgain(
  tx: MemberTransaction,
  { jobId, now }: Page,
  present: Connection,
  change: ImportedChange & { readonly connection: Connection },
  undone: Connection,
): Promise<Connection> {
  const fields = FIELDS.filter(
    (field) =>
      present.fieldSources[field] !== 'typed' && isSame(present[field], change.connection[field]),
  )
  const after = withFieldsOf(present, undone, fields, now)
  await updateConnection(tx, present, after)
  if (present.fieldSources.tags !== 'typed')
    await addTags(tx, after.connectionId, change.added_tags.map(tagOf))
  await restoreNotes(tx, after.connectionId, change.added_notes)
  await saveChange(tx, jobId, after.connectionId, change)
  return after
}

async function saveChange(
  tx: MemberTransaction,
  jobId: number,
  connectionId: number,
  change: ImportedChange,
): Promise<void> {
  const before = JSON.stringify(change)
  await tx.run(SET_CHANGE, { job_id: jobId, connection_id: connectionId, before })
}

interface ChangeRow {
  readonly connection_id: number
  /** Null for a connection that the import made. */
  readonly before: string | null
}

/** By primary key. */
const CHANGES = memberStatement<{ job_id: number; after: number; limit: number }, ChangeRow>()(`
  select connection_id, before from import_changes
  where member_id = :member_id and job_id = :job_id and connection_id > :after
  order by connection_id limit :limit`)

const KEPT = memberStatement<{ job_id: number; now: number }, { is_kept: number }>()(`
  select 1 as is_kept from jobs
  where member_id = :member_id and job_id = :job_id and (expires_at is null or expires_at > :now)`)

const SET_CHANGE = memberStatement<{ job_id: number; connection_id: number; before: string }>()(`
  update import_changes set before = :before
  where member_id = :member_id and job_id = :job_id and connection_id = :connection_id`)

/** By notes_by_connection. */
const TYPED_NOTE_OF = memberStatement<{ ids: readonly number[] }, { connection_id: number }>()(`
  select distinct connection_id from notes
  where member_id = :member_id and connection_id in (:ids...bigint) and origin = 'typed' and deleted_at is null`)
