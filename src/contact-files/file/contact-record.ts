// One person of the whole export of another program, with what belongs to it, as the row of a contact file.

import type { ContactFile } from './contact-file.ts'
import { cleanDetails } from '../contact/clean-details.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'
import { lazy } from '../../base/lazy.ts'
import { manyLines, oneLine } from '../contact/clean-text.ts'
import { cardKey } from '../contact/contact-keys.ts'
import { MAX_FOLLOW_UP_LENGTH } from '../../base/limits.ts'
import { columnsOfLeaves, type ReportedFields, type Section } from './unread-values.ts'
import { notePartsOf } from '../contact/note-parts.ts'
import { overflowText, type Overflow } from '../contact/overflow.ts'
import {
  type ContactHistory,
  type ImportFormat,
  type ImportRow,
  type RelatedRecord,
} from '../contact/contact.ts'
import { rowOf, type ContactDraft } from '../contact/contact-draft.ts'

export interface ContactRecord {
  /** ID of the person in that program, which no other export has. */
  readonly id: string
  readonly draft: ContactDraft
  /** To other people of the export. They are also relations of the draft. */
  readonly related: readonly RelatedRecord[]
  readonly history: ContactHistory
  readonly addedAt: number | null
}

/** Returns the row of a record; texts that are too long become notes. */
function rowOfRecord(row: number, record: ContactRecord): ImportRow {
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

/** A note with the whole text of a follow-up that is too long for one. */
export function longFollowUpNote(text: string, createdAt: number | null): ContactHistory['notes'] {
  return oneLine(text, Infinity).length > MAX_FOLLOW_UP_LENGTH
    ? importedNotes(text, { createdAt })
    : []
}

/** The records of an export that was read at once, and where their fields go. */
interface RecordsOf<One> {
  readonly format: ImportFormat
  /** The name of the program. */
  readonly program: string
  readonly people: readonly One[]
  /** Takes the values of a person and of what belongs to it. */
  readonly recordOf: (one: One) => ContactRecord
  /** All values of the export. The report lists those that no record takes. */
  readonly sections: readonly Section[]
  readonly fields: ReportedFields
}

/**
 * The columns are complete: those of people whose rows are not read yet are read for them.
 *
 * @throws {UnreadableFile} `empty_file` when the export has no people.
 */
export function fileOfRecords<One>({
  format,
  program,
  people,
  recordOf,
  sections,
  fields,
}: RecordsOf<One>): ContactFile {
  if (people.length === 0)
    throw new UnreadableFile(
      'empty_file',
      `This export of ${program} has no people.`,
      `Export everything from the settings of ${program} and import that file.`,
    )
  let read = 0
  const next = () => {
    const first = read
    const some = people.slice(first, first + BATCH_ROWS)
    read += some.length
    return some.map((one, index) => rowOfRecord(first + index + 1, recordOf(one)))
  }
  async function* rowBatches(): AsyncGenerator<ImportRow[], void, undefined> {
    while (read < people.length) yield next()
  }
  const columns = lazy(() => {
    while (read < people.length) next()
    return columnsOfLeaves(sections, fields)
  })
  return { format, header: [], columns, rowBatches: rowBatches() }
}

const BATCH_ROWS = 200
