/** Reads the member's activity log. */

import { asProperties, memberStatement } from '../../db/statement.ts'
import { ACCOUNT_KIND, UNDO_ACTION, type ActivityAction } from '../activity-action.ts'
import {
  FILTERED,
  filterParams,
  type ActivityFilter,
  type FilterParams,
} from './activity-filter.ts'
import { undoneChanges } from './undone-changes.ts'
import { readJobChanges, type JobChange } from './read-job-changes.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Change } from '../tool.ts'
import type { RecordedChange } from '../undo.ts'

/** A change and, for an undo, the change it reverted. */
export interface ListedChange extends RecordedChange {
  readonly undoes: number | null
  /** Whether an agent made it; otherwise the member did. */
  readonly isByAgent: boolean
  /** Credential of that agent. */
  readonly credentialId: string | null
  /** For an import in the list of one connection: how it changed the person's job. */
  readonly jobChange?: JobChange | undefined
}

/** Undefined for another member's change. */
export async function findChange(
  reader: MemberReader,
  activityId: number,
): Promise<ListedChange | undefined> {
  const row = await reader.get(BY_ID, { activity_id: activityId })
  return row && changeOf(row)
}

/** The latest change of this kind to this subject. */
export async function findChangeOf(
  reader: MemberReader,
  { action, subjectKind, subjectId }: Pick<Change, 'action' | 'subjectKind' | 'subjectId'>,
): Promise<ListedChange | undefined> {
  const row = await reader.get(BY_SUBJECT, {
    action,
    subject_kind: subjectKind,
    subject_id: subjectId,
  })
  return row && changeOf(row)
}

/**
 * Newest first, with numbers below `before`. The changes of some connections include the imports that changed their jobs and
 * the undos of those imports.
 */
export async function listChanges(
  reader: MemberReader,
  before: number,
  limit: number,
  filter: ActivityFilter = {},
): Promise<ListedChange[]> {
  const params = { before, limit, ...filterParams(filter) }
  const { people } = filter
  if (people === undefined) return (await reader.all(NEWEST, params)).map(changeOf)
  const all = new Map<number, ListedChange>()
  for (const connection_id of people) {
    const query = { connection_id, ...params }
    const own = (await reader.all(OF_CONNECTION, query)).map(changeOf)
    for (const change of [...own, ...(await listJobChanges(reader, query))])
      all.set(change.activityId, change)
  }
  return [...all.values()].sort((one, other) => other.activityId - one.activityId).slice(0, limit)
}

async function listJobChanges(
  reader: MemberReader,
  { connection_id, ...params }: { connection_id: number } & PageParams,
): Promise<ListedChange[]> {
  const jobChanges = await readJobChanges(reader, connection_id)
  if (jobChanges.size === 0) return []
  const rows = await reader.all(OF_JOBS, { ids: [...jobChanges.keys()], ...params })
  return rows.map((row) => {
    const jobChange = row.undoes === null ? jobChanges.get(row.subjectId) : undefined
    return Object.assign(changeOf(row), { jobChange })
  })
}

/** The latest change by this credential that is not an undo, does not concern the account and is not undone, if any. */
export async function findLatestChange(
  reader: MemberReader,
  undone: ReadonlyMap<number, number>,
  credentialId: string,
): Promise<ListedChange | undefined> {
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const latest = await reader.get(LATEST, {
      before,
      ...NOT_UNDOABLE,
      credential_id: credentialId,
    })
    if (!latest || !undone.has(latest.activity_id))
      return latest && findChange(reader, latest.activity_id)
    before = latest.activity_id
  }
}

/** Changes of agents: of one credential, or of every credential of an agent. */
export interface ChangesByAgent {
  readonly credentialId?: string
  readonly agent?: string
  readonly since?: number
  /** The time of the first change. */
  readonly from?: number
}

/** The changes that can be undone, newest first. */
export async function listAgentChanges(
  reader: MemberReader,
  { since = 0, from = 0, credentialId, agent }: ChangesByAgent,
): Promise<readonly number[]> {
  const rows = await reader.all(OWN, {
    since,
    from,
    ...NOT_UNDOABLE,
    credential_id: credentialId ?? null,
    agent: agent ?? null,
  })
  return rows.map(({ activity_id }) => activity_id)
}

/** The names of the first connections that a change is about; empty for an import. */
export async function namesOf(
  reader: MemberReader,
  { activityId }: Pick<ListedChange, 'activityId'>,
): Promise<readonly string[]> {
  return (await reader.all(NAMES, { activity_id: activityId })).map(({ name }) => name)
}

/** The later changes that concern the same subject or connections, oldest first. */
export async function listLaterChanges(
  reader: MemberReader,
  { activityId, subjectKind, subjectId }: ListedChange,
): Promise<ListedChange[]> {
  const subject = { subject_kind: subjectKind, subject_id: subjectId }
  const params = { activity_id: activityId, ...subject, undo: UNDO_ACTION }
  return (await reader.all(LATER, params)).map(changeOf)
}

/** The agent that made a change; undefined for the member's own changes and those no longer kept. */
export async function findChangingCredential(
  reader: MemberReader,
  activityId: number,
): Promise<string | undefined> {
  return (await reader.get(CREDENTIAL_OF, { activity_id: activityId }))?.credential_id ?? undefined
}

/**
 * For each change, how many changes the same agent has made from it on, without undone changes and those that cannot be
 * undone. Omits changes before `since` and the member's own.
 */
export async function countOwnChangesSince(
  reader: MemberReader,
  since: number,
): Promise<ReadonlyMap<number, number>> {
  const undone = await undoneChanges(reader)
  const rows = await reader.all(BY_AGENTS, { since, ...NOT_UNDOABLE })
  const byCredential = new Map<string, number>()
  const counts = new Map<number, number>()
  for (const { activity_id, credential_id } of rows) {
    if (undone.has(activity_id)) continue
    const count = (byCredential.get(credential_id) ?? 0) + 1
    byCredential.set(credential_id, count)
    counts.set(activity_id, count)
  }
  return counts
}

const NOT_UNDOABLE = { undo: UNDO_ACTION, account: ACCOUNT_KIND } as const

type ActivityRow = Omit<ListedChange, 'isByAgent' | 'jobChange' | 'before' | 'after'> & {
  readonly before: string | null
  readonly after: string | null
}

function changeOf({ before, after, ...row }: ActivityRow): ListedChange {
  return {
    ...row,
    isByAgent: row.credentialId !== null,
    before: parsed(before),
    after: parsed(after),
  }
}

/** Serialized from an object by `recordChange`. */
function parsed(json: string | null): object | null {
  return json === null ? null : (JSON.parse(json) as object)
}

const COLUMNS = asProperties(
  'a.activity_id, a.at, a.action, a.subject_kind, a.subject_id, a.actor, a.credential_id, a.before, a.after, a.undoes',
)

/** By primary key, like the next three. */
const BY_ID = memberStatement<{ activity_id: number }, ActivityRow>()(`
  select ${COLUMNS} from activity a
  where member_id = :member_id and activity_id = :activity_id`)

const BY_SUBJECT = memberStatement<
  { action: ActivityAction; subject_kind: string; subject_id: string },
  ActivityRow
>()(`
  select ${COLUMNS} from activity a
  where member_id = :member_id and action = :action and subject_kind = :subject_kind and subject_id = :subject_id
  order by activity_id desc limit 1`)

/** What one page of changes needs. */
type PageParams = FilterParams & { readonly before: number; readonly limit: number }

const NEWEST = memberStatement<PageParams, ActivityRow>()(`
  select ${COLUMNS} from activity a
  where member_id = :member_id and activity_id < :before and ${FILTERED} order by activity_id desc limit :limit`)

/** By the primary keys of both tables. */
const OF_CONNECTION = memberStatement<{ connection_id: number } & PageParams, ActivityRow>()(`
  select ${COLUMNS}
  from activity_connections c
  join activity a on a.member_id = :member_id and a.activity_id = c.activity_id
  where c.member_id = :member_id and c.connection_id = :connection_id and c.activity_id < :before
    and ${FILTERED}
  order by c.activity_id desc limit :limit`)

/** Reads the member's whole log, which `MAX_CHANGES` limits, for the few people whose job an import changed. */
const OF_JOBS = memberStatement<{ ids: readonly string[] } & PageParams, ActivityRow>()(`
  select ${COLUMNS} from activity a
  where member_id = :member_id and activity_id < :before and subject_kind = 'job' and subject_id in (:ids...text)
    and ${FILTERED}
  order by activity_id desc limit :limit`)

const LATEST = memberStatement<
  { before: number; undo: string; account: string; credential_id: string },
  { activity_id: number }
>()(`
  select activity_id from activity
  where member_id = :member_id and activity_id < :before and action <> :undo and subject_kind <> :account
    and credential_id = :credential_id
  order by activity_id desc limit 1`)

/** By activity_connections_by_activity. */
const NAMES = memberStatement<{ activity_id: number }, { name: string }>()(`
  select p.name from activity_connections c
  join connections p on p.member_id = :member_id and p.connection_id = c.connection_id
  where c.member_id = :member_id and c.activity_id = :activity_id
  order by c.connection_id limit 3`)

/** By the primary keys and activity_connections_by_activity, from the change on. */
const LATER = memberStatement<
  { activity_id: number; subject_kind: string; subject_id: string; undo: string },
  ActivityRow
>()(`
  select ${COLUMNS} from activity a
  where member_id = :member_id and activity_id > :activity_id and action <> :undo
    and ((subject_kind = :subject_kind and subject_id = :subject_id) or activity_id in (
      select other.activity_id from activity_connections concerned
      join activity_connections other on other.member_id = :member_id
        and other.connection_id = concerned.connection_id and other.activity_id > :activity_id
      where concerned.member_id = :member_id and concerned.activity_id = :activity_id))
  order by activity_id limit 50`)

const OWN = memberStatement<
  {
    since: number
    from: number
    undo: string
    account: string
    credential_id: string | null
    agent: string | null
  },
  { activity_id: number }
>()(`
  select activity_id from activity
  where member_id = :member_id and activity_id >= :since and action <> :undo and subject_kind <> :account
    and credential_id is not null and at >= :from
    and (cast(:credential_id as text) is null or credential_id = :credential_id)
    and (cast(:agent as text) is null or actor = :agent)
  order by activity_id desc`)

const CREDENTIAL_OF = memberStatement<{ activity_id: number }, { credential_id: string | null }>()(
  'select credential_id from activity where member_id = :member_id and activity_id = :activity_id',
)

const BY_AGENTS = memberStatement<
  { since: number; undo: string; account: string },
  { activity_id: number; credential_id: string }
>()(`
  select activity_id, credential_id from activity
  where member_id = :member_id and activity_id >= :since and action <> :undo and subject_kind <> :account
    and credential_id is not null
  order by activity_id desc`)
