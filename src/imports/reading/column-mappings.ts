/** Remembers the meaning of columns by header: the table `column_mappings`. */

import { createHash } from 'node:crypto'
import { memberStatement } from '../../db/statement.ts'
import { plainHeader } from '../../contact-files/fields/header-words.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** Column name to field, as `parseTarget` reads it. */
export type ColumnTexts = Readonly<Record<string, string>>

/** Number of headers per member; older ones are deleted. */
const MAX_REMEMBERED_MAPPINGS = 100

export type MappingLookup = (names: readonly string[]) => ColumnTexts | undefined

/** The mappings of a member as JSON, by the fingerprint of their header. */
export type StoredMappings = ReadonlyMap<string, string>

/** Reads all remembered mappings: a member has at most 100. */
export async function loadMappings(reader: MemberReader): Promise<StoredMappings> {
  const rows = await reader.all(ALL, {})
  return new Map(rows.map(({ fingerprint, mapping }) => [fingerprint, mapping]))
}

export function mappingLookup(mappings: StoredMappings): MappingLookup {
  return (names) => {
    const mapping = mappings.size === 0 ? undefined : mappings.get(fingerprintOf(names))
    return mapping === undefined ? undefined : (JSON.parse(mapping) as ColumnTexts) // as `rememberMapping` wrote it
  }
}

/** Adds to the remembered mapping of the header. */
export async function rememberMapping(
  tx: MemberTransaction,
  names: readonly string[],
  columns: ColumnTexts,
  now: number,
): Promise<void> {
  const before = mappingLookup(await loadMappings(tx))(names)
  await tx.run(PUT, {
    fingerprint: fingerprintOf(names),
    mapping: JSON.stringify({ ...before, ...columns }),
    now,
  })
  await tx.run(FORGET, { most: MAX_REMEMBERED_MAPPINGS })
}

/** The columns of a mapping that are not among the names of a file's columns. */
export function missingColumns(names: readonly string[], mapping: ColumnTexts): string[] {
  const present = new Set(names.map((name) => name.trim()))
  return Object.keys(mapping)
    .map((column) => column.trim())
    .filter((column) => !present.has(column))
}

/** The same for headers that differ only in case, spaces and marks. */
function fingerprintOf(names: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(names.map(plainHeader)))
    .digest('base64url')
}

const ALL = memberStatement<object, { fingerprint: string; mapping: string }>()(
  'select fingerprint, mapping from column_mappings where member_id = :member_id',
)

const PUT = memberStatement<{ fingerprint: string; mapping: string; now: number }>()(`
  insert into column_mappings (member_id, fingerprint, mapping, updated_at)
  values (:member_id, :fingerprint, :mapping, :now)
  on conflict (member_id, fingerprint) do update set mapping = excluded.mapping, updated_at = excluded.updated_at`)

const FORGET = memberStatement<{ most: number }>()(`
  delete from column_mappings where member_id = :member_id and fingerprint in (
    select fingerprint from column_mappings where member_id = :member_id
    order by updated_at desc, fingerprint limit 1000000 offset :most)`)
