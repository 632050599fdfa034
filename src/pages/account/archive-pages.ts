/** What a member may have a hundred thousand of, as it is exported: each table read by its key, a page at a time. */

import { rfc3339 } from '../../base/clock.ts'
import {
  CONNECTION_COLUMNS,
  connectionOf,
  publicConnectionId,
  type ConnectionRow,
} from '../../connections/connection.ts'
import { publicFollowUpId } from '../../connections/follow-ups.ts'
import { tagsOf } from '../../connections/store.ts'
import { memberStatement, type MemberStatement } from '../../db/statement.ts'
import { publicActivityId } from '../../tools/activity.ts'
import type { MemberReader } from '../../db/database.ts'

/** A list in the archive. */
export interface Section {
  readonly name: string
  pages(reader: MemberReader): AsyncIterable<readonly object[]>
}

const PAGE_SIZE = 500

export function pagedSections(): Section[] {
  return [
    paged('connections', CONNECTIONS, exportedConnections),
    paged('notes', NOTES, (rows) => rows.map(exportedNote)),
    paged('follow_ups', FOLLOW_UPS, (rows) => rows.map(exportedFollowUp)),
    paged('activity', ACTIVITY, (rows) => rows.map(exportedChange)),
    paged('credit_ledger', LEDGER, (rows) => rows.map(exportedEntry)),
    paged('jobs', JOBS, (rows) => rows.map(exportedJob)),
  ]
}

interface PageParams {
  readonly after: number
  readonly limit: number
}

/** A page of rows with a key, of which the next page begins behind the last. */
type PageStatement<Row> = MemberStatement<PageParams, Row & { readonly key: number }>

function paged<Row>(
  name: string,
  page: PageStatement<Row>,
  shape: (rows: readonly Row[], reader: MemberReader) => Promise<object[]> | object[],
): Section {
  return {
    name,
    async *pages(reader) {
      let after = 0
      for (;;) {
        const rows = await reader.all(page, { after, limit: PAGE_SIZE })
        yield await shape(rows, reader)
        const last = rows.at(-1)
        if (!last || rows.length < PAGE_SIZE) return
        after = last.key
      }
    },
  }
}

/** With those that were deleted lately and can still be restored. */
async function exportedConnections(
  rows: readonly ConnectionRow[],
  reader: MemberReader,
): Promise<object[]> {
  const tags = await tagsOf(
    reader,
    rows.map((row) => row.connection_id),
  )
  return rows.map((row) => {
    const { connectionId, givenName, familyName, profileUrl, connectedOn, ...others } =
      connectionOf(row)
    const { name, company, title, location, emails, phones, links, birthday, source } = others
    return {
      connection_id: publicConnectionId(connectionId),
      name,
      given_name: givenName,
      family_name: familyName,
      company,
      title,
      location,
      emails,
      phones,
      profile_url: profileUrl,
      links,
      birthday,
      connected_on: connectedOn,
      tags: (tags.get(connectionId) ?? []).map(({ tag }) => tag),
      source,
      created_at: rfc3339(others.createdAt),
      updated_at: rfc3339(others.updatedAt),
      deleted_at: rfc3339(others.deletedAt),
    }
  })
}

interface ExportedNote {
  readonly key: number
  readonly connection_id: number
  readonly text: string
  readonly happened_on: string | null
  readonly origin: string
  readonly created_at: number
  readonly deleted_at: number | null
}

function exportedNote({ key, ...note }: ExportedNote): object {
  return {
    note_id: `n_${key}`,
    ...note,
    connection_id: publicConnectionId(note.connection_id),
    created_at: rfc3339(note.created_at),
    deleted_at: rfc3339(note.deleted_at),
  }
}

interface ExportedFollowUp {
  readonly key: number
  readonly connection_id: number
  readonly text: string
  readonly due_on: string
  readonly recurrence: string
  readonly completed_at: number | null
  readonly created_at: number
  readonly deleted_at: number | null
}

function exportedFollowUp({ key, ...followUp }: ExportedFollowUp): object {
  return {
    follow_up_id: publicFollowUpId(key),
    ...followUp,
    connection_id: publicConnectionId(followUp.connection_id),
    completed_at: rfc3339(followUp.completed_at),
    created_at: rfc3339(followUp.created_at),
    deleted_at: rfc3339(followUp.deleted_at),
  }
}

interface ExportedChange {
  readonly key: number
  readonly at: number
  readonly action: string
  readonly subject_kind: string
  readonly subject_id: string
  readonly actor: string
  readonly before: string | null
  readonly after: string | null
  readonly undoes: number | null
}

function exportedChange({ key, at, before, after, undoes, ...others }: ExportedChange): object {
  return {
    activity_id: publicActivityId(key),
    at: rfc3339(at),
    ...others,
    before: parsed(before),
    after: parsed(after),
    undoes: undoes === null ? null : publicActivityId(undoes),
  }
}

interface ExportedEntry {
  readonly key: number
  readonly at: number
  readonly kind: string
  readonly delta: number
  readonly balance_after: number
  readonly reason: string
}

function exportedEntry({ key, at, ...entry }: ExportedEntry): object {
  return { entry_id: key, at: rfc3339(at), ...entry }
}

interface ExportedJob {
  readonly key: number
  readonly kind: string
  readonly state: string
  readonly result: string | null
  readonly error: string | null
  readonly created_at: number
  readonly finished_at: number | null
}

function exportedJob({ key, ...job }: ExportedJob): object {
  return {
    job_id: key,
    ...job,
    result: parsed(job.result),
    error: parsed(job.error),
    created_at: rfc3339(job.created_at),
    finished_at: rfc3339(job.finished_at),
  }
}

/** JSON that the service itself wrote. */
function parsed(json: string | null): unknown {
  return json === null ? null : (JSON.parse(json) as unknown)
}

// Each by the primary key, but for the jobs: a member has few of them.

const CONNECTIONS = memberStatement<PageParams, ConnectionRow & { key: number }>()(`
  select c.connection_id as key, ${CONNECTION_COLUMNS} from connections c
  where c.member_id = :member_id and c.connection_id > :after and c.merged_into is null
  order by c.connection_id limit :limit`)

const NOTES = memberStatement<PageParams, ExportedNote>()(`
  select note_id as key, connection_id, text, happened_on, origin, created_at, deleted_at from notes
  where member_id = :member_id and note_id > :after order by note_id limit :limit`)

const FOLLOW_UPS = memberStatement<PageParams, ExportedFollowUp>()(`
  select follow_up_id as key, connection_id, text, due_on, recurrence, completed_at, created_at, deleted_at
  from follow_ups
  where member_id = :member_id and follow_up_id > :after order by follow_up_id limit :limit`)

const ACTIVITY = memberStatement<PageParams, ExportedChange>()(`
  select activity_id as key, at, action, subject_kind, subject_id, actor, before, after, undoes from activity
  where member_id = :member_id and activity_id > :after order by activity_id limit :limit`)

const LEDGER = memberStatement<PageParams, ExportedEntry>()(`
  select entry_id as key, at, kind, delta, balance_after, reason from credit_ledger
  where member_id = :member_id and entry_id > :after order by entry_id limit :limit`)

const JOBS = memberStatement<PageParams, ExportedJob>()(`
  select job_id as key, kind, state, result, error, created_at, finished_at from jobs
  where member_id = :member_id and job_id > :after order by job_id limit :limit`)
