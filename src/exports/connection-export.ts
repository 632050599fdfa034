/** What an agent exports: a selection of connections, stored for a day and written as a file whenever it is read. */

import { DAY } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { insertRow } from '../db/insert-row.ts'
import { WHOLE_NETWORK, memberStatement } from '../db/statement.ts'
import { type PageParams } from '../db/paged-rows.ts'
import { sweepOf } from '../db/sweep-batch.ts'
import { readCustomFields } from '../connections/custom-fields/custom-fields.ts'
import { findPhoto } from '../connections/model/photo-store.ts'
import { connectionsCsv } from './connections-csv.ts'
import { EVERYTHING, portableContact, type ReadableParts } from './contact-mapping.ts'
import { findExported, type ExportedConnection } from './exported-connection.ts'
import { vcardOf } from './write-vcard.ts'
import { withholdsNotes } from '../tools/allowed-tools.ts'
import type { AgentLimits } from '../http/caller.ts'
import type { MemberDatabase, MemberReader, MemberTransaction } from '../db/database.ts'

export const EXPORT_FORMATS = ['csv', 'vcard'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Most programs that read vCards show and pass on their notes, so these have none unless asked. */
export function hasNotesByDefault(format: ExportFormat): boolean {
  return format === 'csv'
}

const LIFETIME_MS = DAY

/** Kept per member. A new one replaces the oldest. */
const MAX_SELECTIONS = 20

const FILES: Readonly<
  Record<ExportFormat, { readonly mimeType: string; readonly ending: string }>
> = {
  csv: { mimeType: 'text/csv', ending: 'csv' },
  vcard: { mimeType: 'text/vcard', ending: 'vcf' },
}

/** These connections, those with a tag, or all. Deleted ones are left out. */
interface Selection {
  readonly connectionIds?: readonly number[] | undefined
  readonly tagKey?: string | undefined
}

/** What to write, and how. */
interface ExportedSelection extends Selection {
  readonly format: ExportFormat
  /** Whether the file has notes and interactions. */
  readonly hasNotes: boolean
}

interface NewConnectionExport extends ExportedSelection {
  readonly credentialId: string
}

export interface ConnectionExport extends NewConnectionExport {
  readonly exportId: string
  readonly expiresAt: number
}

export async function createConnectionExport(
  tx: MemberTransaction,
  selection: NewConnectionExport,
  now: number,
): Promise<ConnectionExport> {
  const exported = { ...selection, exportId: newId('sel'), expiresAt: now + LIFETIME_MS }
  await tx.run(DROP_OLDEST, { kept: MAX_SELECTIONS - 1 })
  await insertRow(tx, 'connection_exports', {
    export_id: exported.exportId,
    credential_id: exported.credentialId,
    format: exported.format,
    has_notes: Number(exported.hasNotes),
    connection_ids: exported.connectionIds ? JSON.stringify(exported.connectionIds) : null,
    tag_key: exported.tagKey ?? null,
    created_at: now,
    expires_at: exported.expiresAt,
  })
  return exported
}

/** @throws {RequestError} `not_found` when it has expired, or another credential created it. */
export async function requireConnectionExport(
  reader: MemberReader,
  sought: { readonly exportId: string; readonly credentialId: string; readonly now: number },
): Promise<ConnectionExport> {
  const found = await findConnectionExport(reader, sought)
  if (found?.credentialId === sought.credentialId) return found
  throw new RequestError('not_found', 'Export not found or expired.', {
    hint: 'Exports are kept for a day, for the agent that created them. Call export_connections again.',
  })
}

/** An export of any agent of the member. */
export async function findConnectionExport(
  reader: MemberReader,
  { exportId, now }: { readonly exportId: string; readonly now: number },
): Promise<ConnectionExport | undefined> {
  const row = await reader.get(BY_ID, { export_id: exportId, now })
  if (!row) return undefined
  const { credential_id: credentialId, format, has_notes, connection_ids } = row
  const { tag_key, expires_at } = row
  return {
    exportId,
    credentialId,
    format,
    hasNotes: has_notes === 1,
    // Written by `createConnectionExport`.
    connectionIds: connection_ids === null ? undefined : (JSON.parse(connection_ids) as number[]),
    tagKey: tag_key ?? undefined,
    expiresAt: expires_at,
  }
}

export function exportFilename({ format }: Pick<ConnectionExport, 'format'>): string {
  return `connections.${FILES[format].ending}`
}

export function exportMimeType({ format }: Pick<ConnectionExport, 'format'>): string {
  return FILES[format].mimeType
}

/**
 * The parts of an export that an agent with these limits may read: like notes, details may contain text by other
 * people.
 */
export function toldTo(limits: AgentLimits): ReadableParts {
  return { notes: !withholdsNotes(limits), interactions: true, details: !limits.withholdsText }
}

/** Connections read at a time. */
const PAGE = 200

/** Characters of a piece, exceeded by at most one connection: a few milliseconds of the main thread. */
const PIECE_LENGTH = 16 * 1024

/**
 * The file in pieces, so that one of any size neither blocks the main thread nor is in memory as a whole: the connections
 * as they are now.
 */
export async function* connectionExportFile(
  db: MemberReader & Pick<MemberDatabase, 'heavy'>,
  selection: ExportedSelection,
  allowed = EVERYTHING,
): AsyncGenerator<string, void> {
  const readable = selection.hasNotes ? allowed : { ...allowed, notes: false, interactions: false }
  const writer = await writerOf(db, selection.format, readable)
  let piece = writer.header
  for await (const ids of selectedIds(db.heavy, selection)) {
    for (const one of await findExported(db.heavy, ids)) {
      piece += await writer.write(one)
      if (piece.length < PIECE_LENGTH) continue
      yield piece
      piece = ''
    }
  }
  if (piece !== '') yield piece
}

interface FileWriter {
  readonly header: string
  write(exported: ExportedConnection): string | Promise<string>
}

/** `db` itself reads photos: heavy reads pass through a thread as JSON, without the bytes of photos. */
async function writerOf(
  db: MemberReader & Pick<MemberDatabase, 'heavy'>,
  format: ExportFormat,
  readable: ReadableParts,
): Promise<FileWriter> {
  if (format === 'csv') {
    const csv = connectionsCsv(readable.details ? await readCustomFields(db.heavy) : [])
    return { header: csv.header, write: (one) => csv.line(portableContact(one, readable)) }
  }
  return {
    header: '',
    async write(one) {
      const { photo } = one.connection.details
      const hasPhoto = readable.details && photo !== undefined
      return vcardOf(
        portableContact(one, readable),
        hasPhoto ? await findPhoto(db, photo) : undefined,
      )
    },
  }
}

async function* selectedIds(
  reader: MemberReader,
  { connectionIds, tagKey }: Selection,
): AsyncGenerator<readonly number[], void> {
  if (connectionIds) {
    for (let first = 0; first < connectionIds.length; first += PAGE)
      yield connectionIds.slice(first, first + PAGE)
    return
  }
  for (let after = 0; ;) {
    const page = { after, limit: PAGE }
    const rows = await (tagKey === undefined
      ? reader.all(ALL_IDS, page)
      : reader.all(TAGGED_IDS, { ...page, tag_key: tagKey }))
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(idOf)
    after = last.connection_id
  }
}

export async function countSelected(
  reader: MemberReader,
  { tagKey }: Pick<Selection, 'tagKey'>,
): Promise<number> {
  const row = await (tagKey === undefined
    ? reader.get(COUNT_ALL, {})
    : reader.get(COUNT_TAGGED, { tag_key: tagKey }))
  return row?.count ?? 0
}

interface Row {
  readonly connection_id: number
}

function idOf({ connection_id }: Row): number {
  return connection_id
}

/** By primary key. */
const ALL_IDS = memberStatement<PageParams, Row>()(`
  select connection_id from connections
  where member_id = :member_id and connection_id > :after and deleted_at is null and merged_into is null
  order by connection_id limit :limit`)

const COUNT_ALL = memberStatement<object, { count: number }>()(`
  select ${WHOLE_NETWORK} cast(count(*) as integer) as count from connections
  where member_id = :member_id and deleted_at is null and merged_into is null`)

/** By the primary keys, like the next statement. */
const TAGGED_IDS = memberStatement<PageParams & { tag_key: string }, Row>()(`
  select t.connection_id from connection_tags t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and t.tag_key = :tag_key and t.connection_id > :after
    and c.deleted_at is null and c.merged_into is null
  order by t.connection_id limit :limit`)

const COUNT_TAGGED = memberStatement<{ tag_key: string }, { count: number }>()(`
  select cast(count(*) as integer) as count from connection_tags t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and t.tag_key = :tag_key and c.deleted_at is null and c.merged_into is null`)

const BY_ID = memberStatement<
  { export_id: string; now: number },
  {
    credential_id: string
    format: ExportFormat
    has_notes: number
    connection_ids: string | null
    tag_key: string | null
    expires_at: number
  }
>()(`
  select credential_id, format, has_notes, connection_ids, tag_key, expires_at from connection_exports
  where member_id = :member_id and export_id = :export_id and expires_at > :now`)

const DROP_OLDEST = memberStatement<{ kept: number }>()(`
  delete from connection_exports where member_id = :member_id and export_id not in (
    select export_id from connection_exports where member_id = :member_id
    order by created_at desc, export_id limit :kept)`)

/** Deletes expired exports. By connection_exports_by_expiry. */
export const sweepConnectionExports = sweepOf(
  'connection_exports',
  'member_id, export_id',
  'expires_at',
)
