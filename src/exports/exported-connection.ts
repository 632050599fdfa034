/** Reads a member's connections with their tags, notes, interactions and follow-ups, page by page in ID order. */

import {
  CONNECTION_COLUMNS,
  connectionOf,
  type Connection,
  type ConnectionRow,
} from '../connections/model/connection.ts'
import {
  contactTimesOf,
  type ContactTimes,
} from '../connections/last-contact/read-contact-times.ts'
import { tagsOf } from '../connections/model/tag-store.ts'
import { customFieldsOf, type CustomField } from '../connections/custom-fields/custom-fields.ts'
import { memberStatement } from '../db/statement.ts'
import { pagesOf, type PageParams } from '../db/paged-rows.ts'
import {
  EXPORTED_FOLLOW_UP,
  type FollowUpRecord,
} from '../connections/follow-ups/portable-follow-ups.ts'
import type { MemberReader } from '../db/database.ts'

/** Includes deleted connections that can still be restored; `deletedAt` marks them. */
export interface ExportedConnection {
  readonly connection: Connection
  readonly tags: readonly string[]
  /** Oldest first, without undone ones. */
  readonly notes: readonly ExportedNote[]
  readonly followUps: readonly FollowUpRecord[]
  /** Newest first. */
  readonly interactions: readonly ExportedInteraction[]
  /** Absent if they were never contacted and have no cadence. */
  readonly times: ContactTimes | undefined
  readonly fields: readonly CustomField[]
}

interface ExportedNote {
  readonly text: string
  readonly happened_on: string | null
  readonly origin: string
  readonly created_at: number
}

export interface ExportedInteraction {
  readonly interaction_id: number
  readonly kind: string
  readonly direction: 'in' | 'out' | null
  readonly local_at: number
  readonly happened_at: number | null
  readonly zone: string | null
  readonly subject: string | null
  readonly text: string | null
}

export async function* connectionPages(
  reader: MemberReader,
): AsyncGenerator<readonly ExportedConnection[], void> {
  for await (const rows of pagesOf(reader, CONNECTIONS, { first: 0 }))
    yield readExported(reader, rows)
}

/** Returns the ones of these connections that are not deleted, in ID order. */
export async function findExported(
  reader: MemberReader,
  ids: readonly number[],
): Promise<ExportedConnection[]> {
  return readExported(reader, await reader.all(LIVE_BY_ID, { ids: [...new Set(ids)] }))
}

async function readExported(
  reader: MemberReader,
  rows: readonly ConnectionRow[],
): Promise<ExportedConnection[]> {
  const ids = rows.map(({ connectionId }) => connectionId)
  const tags = await tagsOf(reader, ids)
  const notes = Map.groupBy(await reader.all(NOTES, { ids }), ownerOf)
  const followUps = Map.groupBy(await reader.all(FOLLOW_UPS, { ids }), ownerOf)
  const interactions = Map.groupBy(await reader.all(INTERACTIONS, { ids }), ownerOf)
  const times = await contactTimesOf(reader, ids)
  const connections = rows.map(connectionOf)
  const fields = await customFieldsOf(reader, ...connections.map(({ details }) => details))
  return connections.map((connection) => ({
    connection,
    fields,
    tags: (tags.get(connection.connectionId) ?? []).map(({ tag }) => tag),
    notes: notes.get(connection.connectionId) ?? [],
    followUps: followUps.get(connection.connectionId) ?? [],
    interactions: interactions.get(connection.connectionId) ?? [],
    times: times.get(connection.connectionId),
  }))
}

interface Owned {
  readonly connection_id: number
}

function ownerOf({ connection_id }: Owned): number {
  return connection_id
}

type OfConnections = { readonly ids: readonly number[] }

/** By primary key. */
const CONNECTIONS = memberStatement<PageParams, ConnectionRow & { readonly key: number }>()(`
  select c.connection_id as key, ${CONNECTION_COLUMNS} from connections c
  where c.member_id = :member_id and c.connection_id > :after and c.merged_into is null
  order by c.connection_id limit :limit`)

/** By primary key. */
const LIVE_BY_ID = memberStatement<OfConnections, ConnectionRow>()(`
  select ${CONNECTION_COLUMNS} from connections c each (connection_id = :ids...bigint)
  where c.member_id = :member_id and c.deleted_at is null and c.merged_into is null
  order by c.connection_id`)

/** By index notes_by_connection. */
const NOTES = memberStatement<OfConnections, ExportedNote & Owned>()(`
  select connection_id, text, happened_on, origin, created_at
  from notes n each (connection_id = :ids...bigint)
  where n.member_id = :member_id and n.deleted_at is null
  order by connection_id, note_id`)

/** By primary keys. */
const INTERACTIONS = memberStatement<OfConnections, ExportedInteraction & Owned>()(`
  select p.connection_id, i.interaction_id, i.kind, i.direction, i.local_at, i.happened_at, i.zone, i.subject,
    i.text
  from interaction_people p each (connection_id = :ids...bigint)
  join interactions i on i.member_id = :member_id and i.interaction_id = p.interaction_id
  where p.member_id = :member_id and p.deleted_at is null
  order by p.connection_id, p.local_at desc, p.interaction_id`)

/** By index follow_ups_by_connection. */
const FOLLOW_UPS = memberStatement<OfConnections, FollowUpRecord & Owned>()(`
  select connection_id, ${EXPORTED_FOLLOW_UP}
  from follow_ups f each (connection_id = :ids...bigint)
  where f.member_id = :member_id and f.deleted_at is null
  order by connection_id, follow_up_id`)
