/** What an import stores about a connection that it changed. */

import type { FollowUp } from '../follow-ups/follow-ups.ts'
import type { MatchDecision } from '../../identity/decide-match.ts'
import type { Connection, ListField, SourcedField, TextField } from '../model/connection.ts'
import type {
  ImportedCadence,
  ImportedContact,
  ImportFormat,
} from '../../contact-files/contact/contact.ts'

/** What an import stores about an existing connection so that its change can be undone. */
export interface ImportedChange {
  readonly is_created?: boolean
  /** The connection before the import. Omitted when the import only added keys. */
  readonly connection?: Connection
  readonly added_tags: readonly string[]
  readonly added_notes: readonly number[]
  /** Follow-ups that the import added, as it stored them. */
  readonly added_follow_ups?: readonly FollowUp[] | undefined
  readonly added_interactions?: readonly number[] | undefined
  readonly added_cadence?: ImportedCadence | undefined
  /** Numbers of connections that the import recorded to be other people, as its file said. */
  readonly added_decisions?: readonly number[] | undefined
  /** Keys that the import added. While the connection has them, importing the same contact again changes nothing. */
  readonly added_keys: readonly string[]
  /** Why the contact matched this connection. */
  readonly match?: Pick<MatchDecision, 'score' | 'reasons'> | undefined
  /** The contact, without empty fields and the note, so that it can be split off again. */
  readonly contact?: StoredContact | undefined
  readonly source?: ImportFormat | undefined
  /** Known fingerprints that the import applied again, because a later file had replaced their values. */
  readonly renewed?: readonly string[] | undefined
  /** Later rows of the file about the same person; see `MAX_MERGED_ROWS`. */
  readonly merged_rows?: readonly MergedRow[] | undefined
  /** The new position, if the import changed it; `read-job-changes.ts` of tools reads it. */
  readonly job_after?: Pick<Connection, 'company' | 'title'> | undefined
  /** Fields that the member has typed in the network that was exported; see `contact-origin.ts`. */
  readonly restored?: readonly SourcedField[] | undefined
  /** After an undo: the connection as it was before the undo. */
  readonly undone?: Connection | undefined
}

/** A row that was merged into a person that an earlier row of the same file added or changed. It can be split off again. */
export interface MergedRow {
  readonly connection: StateBeforeRow
  readonly contact: StoredContact
  readonly source: ImportFormat
  readonly added_tags: readonly string[]
  readonly added_notes: readonly number[]
  readonly added_interactions?: readonly number[] | undefined
  /** The keys of the row, also those that the connection had before. */
  readonly added_keys: readonly string[]
}

export type StateBeforeRow = Pick<Connection, TextField | ListField | 'details' | 'fieldSources'>

/** Per person and import. Each has a copy of the person. */
export const MAX_MERGED_ROWS = 20

/** The fields of a contact that have a value, with its details as the connection stores them. */
export type StoredContact = Partial<Omit<ImportedContact, 'note' | 'details'>> &
  Partial<Pick<Connection, 'details'>>

export const NOTHING_ADDED: ImportedChange = { added_tags: [], added_notes: [], added_keys: [] }
