/** Selections of connections that an agent exports: stored for a day, and written as a file whenever they are read. */

import { DAY } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { memberStatement, serviceStatement } from '../db/statement.ts'
import { SWEEP_BATCH } from '../db/sweep-batch.ts'
import { readCustomFields } from '../connections/model/custom-fields.ts'
import { connectionsCsv } from './connections-csv.ts'
import { portableContact, type ReadableParts } from './contact-mapping.ts'
import { findExported, type ExportedConnection } from './exported-connection.ts'
import { vcardPhotos } from './exported-photos.ts'
import { vcardOf } from './vcard.ts'
import { withholdsNotes } from '../tools/allowed-tools.ts'
import type { AgentLimits } from '../http/caller.ts'
import type {
  MemberDatabase,
  MemberReader,
  MemberTransaction,
  Transaction,
} from '../db/database.ts'

export const EXPORT_FORMATS = ['csv', 'vcard'] as const
type ExportFormat = (typeof EXPORT_FORMATS)[number]

const LIFETIME_MS = DAY

/** A file with this many connections, about 2 MB, still fits into one resource. */
export const MAX_EXPORTED = 2000

/** Selections kept per member. A further one replaces the oldest. */
const MAX_SELECTIONS = 20

const FILES: Readonly<
  Record<ExportFormat, { readonly mimeType: string; readonly ending: string }>
> = {
  csv: { mimeType: 'text/csv', ending: 'csv' },
  vcard: { mimeType: 'text/vcard', ending: 'vcf' },
}

interface NewSelection {
  readonly credentialId: string
  readonly format: ExportFormat
  readonly connectionIds: readonly number[]
}

interface ConnectionExport extends NewSelection {
  readonly exportId: string
  readonly expiresAt: number
}

export async function createConnectionExport(
  tx: MemberTransaction,
  selection: NewSelection,
  now: number,
): Promise<ConnectionExport> {
  const exported = { ...selection, exportId: newId('sel'), expiresAt: now + LIFETIME_MS }
  await tx.run(DROP_OLDEST, { kept: MAX_SELECTIONS - 1 })
  await tx.run(INSERT, {
    export_id: exported.exportId,
    credential_id: exported.credentialId,
    format: exported.format,
    connection_ids: JSON.stringify(exported.connectionIds),
    now,
    expires_at: exported.expiresAt,
  })
  return exported
}

/** @throws {RequestError} `not_found` when it has expired, or another credential created it. */
export async function requireConnectionExport(
  reader: MemberReader,
  sought: { readonly exportId: string; readonly credentialId: string; readonly now: number },
): Promise<ConnectionExport> {
  const { exportId, credentialId, now } = sought
  const row = await reader.get(BY_ID, { export_id: exportId, credential_id: credentialId, now })
  if (!row)
    throw new RequestError('not_found', 'Export not found or expired.', {
      hint: 'Exports are kept for a day, for the agent that created them. Call export_connections again.',
    })
  // Written by `createConnectionExport`.
  const connectionIds = JSON.parse(row.connection_ids) as number[]
  return { exportId, credentialId, format: row.format, connectionIds, expiresAt: row.expires_at }
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
  return { notes: !withholdsNotes(limits), details: !limits.withholdsText }
}

/** Connections per piece of a file: a few milliseconds of the main thread, even with the longest notes. */
const PIECE = 25

/**
 * The file in pieces, so that a large one neither blocks the main thread nor is in memory as a whole: the connections as
 * they are now, without those deleted since.
 */
export async function* connectionExportFile(
  db: MemberReader & Pick<MemberDatabase, 'heavy'>,
  selection: ConnectionExport,
  readable: ReadableParts,
): AsyncGenerator<string, void> {
  const { connectionIds } = selection
  const writer = await writerOf(db, selection, readable)
  if (writer.header !== '') yield writer.header
  for (let first = 0; first < connectionIds.length; first += PIECE) {
    const exported = await findExported(db.heavy, connectionIds.slice(first, first + PIECE))
    let piece = ''
    for (const one of exported) piece += await writer.write(one)
    if (piece !== '') yield piece
  }
}

interface FileWriter {
  readonly header: string
  write(exported: ExportedConnection): string | Promise<string>
}

/** `db` itself reads photos: heavy reads pass through a thread as JSON, without the bytes of photos. */
async function writerOf(
  db: MemberReader & Pick<MemberDatabase, 'heavy'>,
  { format, connectionIds }: ConnectionExport,
  readable: ReadableParts,
): Promise<FileWriter> {
  if (format === 'csv') {
    const csv = connectionsCsv(readable.details ? await readCustomFields(db.heavy) : [])
    return { header: csv.header, write: (one) => csv.line(portableContact(one, readable)) }
  }
  const photoOf = await vcardPhotos(db, readable.details ? connectionIds : [])
  return {
    header: '',
    write: async (one) =>
      vcardOf(portableContact(one, readable), await photoOf(one.connection.connectionId)),
  }
}

/** Connections that are not deleted, one more than can be exported: all, those with a tag, or those of the given IDs. */
export async function selectConnections(
  reader: MemberReader,
  { ids, tagKey }: { readonly ids?: readonly number[]; readonly tagKey?: string },
): Promise<number[]> {
  const rows = ids
    ? await reader.all(LIVE_IDS, { ids: [...new Set(ids)] })
    : await reader.all(SELECTED, { tag_key: tagKey ?? null })
  return rows.map(({ connection_id }) => connection_id)
}

/** Deletes expired selections, a batch at a time. Returns how many. */
export async function sweepConnectionExports(tx: Transaction, now: number): Promise<number> {
  return tx.run(SWEEP, { now })
}

interface Row {
  readonly connection_id: number
}

/** By the primary key of connections, or of connection_tags. */
const SELECTED = memberStatement<{ tag_key: string | null }, Row>()(`
  select connection_id from connections c
  where member_id = :member_id and deleted_at is null and merged_into is null
    and (cast(:tag_key as text) is null or exists (
      select 1 from connection_tags t
      where t.member_id = :member_id and t.tag_key = :tag_key and t.connection_id = c.connection_id))
  order by connection_id limit ${MAX_EXPORTED + 1}`)

const LIVE_IDS = memberStatement<{ ids: readonly number[] }, Row>()(`
  select connection_id from connections c each (connection_id = :ids...bigint)
  where c.member_id = :member_id and c.deleted_at is null and c.merged_into is null
  order by connection_id`)

const INSERT = memberStatement<{
  export_id: string
  credential_id: string
  format: ExportFormat
  connection_ids: string
  now: number
  expires_at: number
}>()(`
  insert into connection_exports
    (member_id, export_id, credential_id, format, connection_ids, created_at, expires_at)
  values (:member_id, :export_id, :credential_id, :format, :connection_ids, :now, :expires_at)`)

const BY_ID = memberStatement<
  { export_id: string; credential_id: string; now: number },
  { format: ExportFormat; connection_ids: string; expires_at: number }
>()(`
  select format, connection_ids, expires_at from connection_exports
  where member_id = :member_id and export_id = :export_id and credential_id = :credential_id
    and expires_at > :now`)

const DROP_OLDEST = memberStatement<{ kept: number }>()(`
  delete from connection_exports where member_id = :member_id and export_id not in (
    select export_id from connection_exports where member_id = :member_id
    order by created_at desc, export_id limit :kept)`)

/** By connection_exports_by_expiry. */
const SWEEP = serviceStatement<{ now: number }>(`
  delete from connection_exports where (member_id, export_id) in (
    select member_id, export_id from connection_exports
    where expires_at <= :now order by expires_at limit ${SWEEP_BATCH})`)
