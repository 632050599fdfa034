// One person of the whole export of another program, with what belongs to it, as the row of a contact file.

import { contactFile, type ContactFile } from './contact-file.ts'
import { cleanDetails } from '../contact/clean-details.ts'
import { manyLines } from '../contact/clean-text.ts'
import { cardKey } from '../contact/contact-keys.ts'
import { notePartsOf } from '../contact/note-parts.ts'
import { overflowText, type Overflow } from '../contact/overflow.ts'
import {
  rowOf,
  type ContactDraft,
  type ContactHistory,
  type ImportRow,
  type RelatedRecord,
} from '../contact/contact.ts'
import type { FileColumn } from '../columns/file-columns.ts'

export interface ContactRecord {
  /** Of the person in that program; no other export has the same. */
  readonly id: string
  readonly draft: ContactDraft
  /** To other people of the export. They are also relations of the draft. */
  readonly related: readonly RelatedRecord[]
  readonly history: ContactHistory
  readonly addedAt: number | null
}

/** Returns the row of a record; texts that are too long become notes. */
export function rowOfRecord(row: number, record: ContactRecord): ImportRow {
  const { id, draft, related: relations, history: given, addedAt } = record
  const read = rowOf(row, row, draft)
  if (!('contact' in read)) return read
  const overflow: Overflow = new Map()
  const { interactions = [] } =
    cleanDetails({ interactions: given.interactions ?? [] }, overflow) ?? {}
  const notes = [
    ...given.notes,
    ...(overflow.size > 0 ? importedNotes(overflowText(overflow)) : []),
  ]
  const history = { ...given, notes, interactions }
  const hasHistory = notes.length + history.followUps.length + interactions.length > 0
  return {
    ...read,
    record: id,
    card: { key: cardKey(id), references: [], relations },
    ...(addedAt !== null && { addedAt }),
    ...(hasHistory && { history }),
  }
}

/** The notes for a text of any length. */
export function importedNotes(
  written: string,
  {
    on = null,
    createdAt = null,
  }: { readonly on?: string | null; readonly createdAt?: number | null } = {},
): ContactHistory['notes'] {
  const text = manyLines(written, Infinity)
  if (text === '') return []
  return notePartsOf(text).map((part) => ({
    text: part,
    happenedOn: on,
    origin: 'import' as const,
    createdAt,
  }))
}

/** The file of an export that was read at once. */
export function fileOfRecords<One>(
  people: readonly One[],
  recordOf: (one: One) => ContactRecord,
  columns: readonly FileColumn[],
): ContactFile {
  async function* rowBatches(): AsyncGenerator<ImportRow[], void, undefined> {
    for (let at = 0; at < people.length; at += BATCH_ROWS)
      yield people
        .slice(at, at + BATCH_ROWS)
        .map((one, index) => rowOfRecord(at + index + 1, recordOf(one)))
  }
  return contactFile('table', rowBatches(), { header: [], columns: () => columns })
}

const BATCH_ROWS = 200
