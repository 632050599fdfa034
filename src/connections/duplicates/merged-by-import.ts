/** What a connection got from the contact that an import merged into it. */

import { isEntered } from '../../contact-files/contact/contact.ts'
import { isDeepStrictEqual } from 'node:util'
import { memberStatement } from '../../db/statement.ts'
import { changedSince } from '../../tools/undo.ts'
import {
  readImportedChange,
  readStoredChanges,
  removeMergedRow,
  replaceImportedChanges,
  replaceStoredChanges,
  saveCreated,
  type ImportChangeRow,
} from '../imported-changes/import-changes.ts'
import {
  NOTHING_ADDED,
  type ImportedChange,
  type StateBeforeRow,
  type StoredContact,
} from '../imported-changes/imported-change.ts'
import {
  LIST_FIELDS,
  NO_VALUES,
  newState,
  TEXT_FIELDS,
  type Connection,
  type ListField,
  type TextField,
} from '../model/connection.ts'
import {
  detailFieldsOf,
  detailOf,
  NO_DETAILS,
  withDetails,
  type Details,
} from '../../contact-files/contact/details.ts'
import { addKeys, dropKeys } from '../model/key-store.ts'
import { NOTES, publicNoteId } from '../notes/notes.ts'
import { isSame } from '../person/snapshot.ts'
import { without, withoutDetails, type Merged } from './without-merged.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { ConnectionKey } from '../model/connection-key.ts'
import type { ImportFormat } from '../../contact-files/contact/contact.ts'

/** The contact of the last import that merged one into the connection; of several rows of the file, the last. */
export async function findImported(
  reader: MemberReader,
  present: Connection,
  now: number,
): Promise<Merged | undefined> {
  const rows = await reader.all(IMPORTS_INTO, { connection_id: present.connectionId })
  for (const { job_id, before } of rows) {
    const change = readImportedChange(before)
    const merged: MergedChange = change.merged_rows?.at(-1) ?? change
    const { contact, source } = merged
    if (contact?.name === undefined || source === undefined) continue
    return importedOf(
      present,
      { ...merged, contact: { ...contact, name: contact.name }, source },
      {
        jobId: job_id,
        now,
      },
    )
  }
  return undefined
}

interface MergedChange extends Omit<ImportedChange, 'connection'> {
  readonly connection?: StateBeforeRow
}

interface SplittableChange extends Omit<MergedChange, 'source' | 'contact'> {
  readonly source: ImportFormat
  readonly contact: StoredContact & Pick<Connection, 'name'>
}

function importedOf(
  present: Connection,
  { connection: was, contact: stored, source, ...added }: SplittableChange,
  { jobId, now }: { readonly jobId: number; readonly now: number },
): Merged {
  const { labels = [], ...contact } = stored
  const values: Partial<Record<TextField, string | null>> = {}
  const lists: Partial<Record<ListField, readonly string[]>> = {}
  for (const field of TEXT_FIELDS)
    if (was && contact[field] === present[field] && was[field] !== present[field])
      if (!isEntered(present.fieldSources[field])) values[field] = was[field]
  for (const field of LIST_FIELDS)
    if (was) lists[field] = (contact[field] ?? []).filter((value) => !was[field].includes(value))
  return {
    other: {
      ...NO_VALUES,
      ...contact,
      source,
      ...newState(now, jobId),
    },
    rest: withoutDetails(without(present, values, lists, was?.fieldSources ?? {}), {
      before: was?.details ?? present.details,
      after: givenDetails(was, present, contact.details ?? NO_DETAILS),
      sources: was?.fieldSources ?? {},
    }),
    rows: { [NOTES.plural]: added.added_notes.map(publicNoteId) },
    interactions: added.added_interactions ?? [],
    sharedInteractions: [],
    cadence: undefined,
    tags: isEntered(present.fieldSources.tags) ? [] : added.added_tags,
    otherTags: labels.length > 0 ? labels : added.added_tags,
    keys: added.added_keys,
    jobId,
  }
}

/**
 * The details that the import set from the contact: its values in fields that were different before, and its entries in
 * lists.
 */
function givenDetails(
  was: StateBeforeRow | undefined,
  present: Connection,
  given: Details,
): Details {
  if (!was) return NO_DETAILS
  // A change of company or title has closed a position.
  const fields = detailFieldsOf(given, { organizations: [] }).filter(
    (field) => !isEntered(present.fieldSources[field]),
  )
  return withDetails(
    NO_DETAILS,
    fields.map((field) => {
      const [before, now] = [detailOf(was.details, field), detailOf(present.details, field)]
      return [field, isSame(before, now) ? undefined : now] as const
    }),
  )
}

/** What the import of a contact that is split off stores about both connections, before or after the split. */
export interface SplitImport {
  readonly job_id: number
  readonly changes: readonly ImportChangeRow[]
  /** The number of the connection that has the keys of the contact. */
  readonly holder: number
  readonly keys: readonly string[]
}

/** Undoing the import then removes the new connection and leaves the split one unchanged. */
export async function recordInImport(
  tx: MemberTransaction,
  { jobId, rest, other, keys }: SplitContact,
): Promise<Record<'before' | 'after', SplitImport>> {
  const ids = [rest.connectionId, other.connectionId]
  const before = await readStoredChanges(tx, jobId, ids)
  if (!(await removeMergedRow(tx, jobId, rest.connectionId)))
    await replaceImportedChanges(tx, jobId, [[rest.connectionId, NOTHING_ADDED]])
  await saveCreated(tx, jobId, [[other.connectionId, null]])
  const after = await readStoredChanges(tx, jobId, ids)
  return {
    before: { job_id: jobId, changes: before, holder: rest.connectionId, keys },
    after: { job_id: jobId, changes: after, holder: other.connectionId, keys },
  }
}

interface SplitContact {
  readonly jobId: number
  readonly rest: Connection
  readonly other: Connection
  readonly keys: readonly string[]
}

/** Restores what the import stores about both connections, unless its job was purged. */
export async function restoreInImport(
  tx: MemberTransaction,
  from: SplitImport,
  to: SplitImport,
): Promise<void> {
  const ids = from.changes.concat(to.changes).map(({ connection_id }) => connection_id)
  const present = await readStoredChanges(tx, from.job_id, ids)
  if (present.length > 0) {
    if (!isDeepStrictEqual(present.map(changeIn), from.changes.map(changeIn)))
      throw changedSince('the import of the contact')
    await replaceStoredChanges(tx, from.job_id, { from: from.changes, to: to.changes })
  }
  await dropKeys(tx, from.keys.map(keyOf(from)))
  await addKeys(tx, to.keys.map(keyOf(to)))
}

function changeIn({ before, ...stored }: ImportChangeRow) {
  return { ...stored, change: before && readImportedChange(before) }
}

function keyOf({ holder }: SplitImport): (key: string) => ConnectionKey {
  return (key) => ({ key, connectionId: holder })
}

/** By primary key, for the few imports that are kept; latest first. */
const IMPORTS_INTO = memberStatement<
  { connection_id: number },
  { job_id: number; before: string }
>()(`
  select job_id, before from import_changes
  where member_id = :member_id and connection_id = :connection_id and before is not null
    and job_id in (select job_id from jobs where member_id = :member_id and kind = 'file_import')
  order by job_id desc`)
