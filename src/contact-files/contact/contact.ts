/** The contact that every import format produces, and what a file says of it. */

import type { Cadence } from '../../dates/cadence.ts'
import type { Recurrence } from '../../dates/recurrence.ts'
import type { PersonFields } from '../../identity/match-person.ts'
import type { ContactDetails, ContactInteraction, Relation } from './details.ts'
import type { Photo } from './photo.ts'

/** `table` is any other CSV file or spreadsheet. */
export type ImportFormat = 'linkedin' | 'google' | 'outlook' | 'vcard' | 'monica' | 'table'

export interface ImportedContact extends PersonFields {
  /**
   * May contain line breaks (\n) and tabs, but no other control characters. A text that is longer than a note becomes several;
   * see `notePartsOf`.
   */
  readonly note: string | null
  readonly labels: readonly string[]
  /** Absent when there are none, so that the fingerprint of a plain contact stays the same. */
  readonly details?: ContactDetails
}

/**
 * One data row or card: `row` counts from 1, `line` is the line of the file where it starts. `cut` names the fields of
 * which a part is missing because it is over a limit.
 */
export type ImportRow =
  | {
      readonly row: number
      readonly line: number
      readonly contact: ImportedContact
      readonly cut?: readonly string[]
      /** Dates and references to other cards that could not be read; they are kept as custom fields. */
      readonly unread?: readonly UnreadValue[]
      readonly history?: ContactHistory
      /** The photo that the contact's details refer to. */
      readonly photo?: Photo
      readonly card?: CardLinks
      /** The ID in Weft's own export, where each row is another person, however alike two are. */
      readonly record?: string
      /** When the person was added to the network that was exported. Milliseconds. */
      readonly addedAt?: number
      readonly origin?: ContactOrigin
      readonly cadence?: ImportedCadence
    }
  | { readonly row: number; readonly line: number; readonly rejected: string }
  | {
      readonly row: number
      readonly line: number
      readonly skipped: string
      /** If the row is a group of people instead of a person. */
      readonly group?: ContactGroup
    }

/** How often to keep in touch with a person. */
export interface ImportedCadence {
  /** Null with `pausedUntil` or `isMuted` only. */
  readonly every: number | null
  readonly unit: Cadence['unit'] | null
  /** YYYY-MM-DD. These are only in Weft's own export. */
  readonly setOn?: string
  readonly pausedUntil?: string
  readonly isMuted?: 1
}

/** Where the values of a person in Weft's own export come from, by the names of fields; custom fields as `custom.Tier`. */
export interface ContactOrigin {
  /** Source of the person, and of every field that is not in `sources`. */
  readonly source: ValueSource
  readonly sources: Readonly<Record<string, ValueSource>>
  /** Milliseconds. Fields without a time are as old as the person. */
  readonly times: Readonly<Record<string, number>>
}

/** `typed`: by the member or an agent. `contacts_app`: by the member on a device that syncs the address book. */
export type ValueSource = 'typed' | 'contacts_app' | ImportFormat

/** True if a person entered the value, so that an import does not overwrite it. */
export function isEntered(source: ValueSource | null | undefined): boolean {
  return source === 'typed' || source === 'contacts_app'
}

/** How other vCards refer to the one of a contact, and it to those. */
export interface CardLinks {
  /** See `cardKey`. Absent without a UID, and if another card of the file has the same. */
  readonly key?: string
  /** See `bookCardKey`. Only if the file is from an address book that the member has subscribed to. */
  readonly bookKey?: string
  /** To cards that the file does not have. Each is also kept as a custom field and in `unread`. */
  readonly references: readonly CardReference[]
  /** Relations of the contact to records of the same file, by the keys of these. */
  readonly relations?: readonly RelatedRecord[]
}

export interface RelatedRecord extends Relation {
  /** See `cardKey`. */
  readonly key: string
}

export interface UnreadValue {
  readonly column: string
  readonly value: string
}

export interface CardReference extends UnreadValue {
  readonly relation: string
  /** See `cardKey`. */
  readonly key: string
}

/** A group of an address book, which becomes a tag of its members. */
export interface ContactGroup {
  readonly name: string
  /** Keys of their cards or emails. */
  readonly members: readonly string[]
}

/** The keys by which a contact is found, and others are found for it. */
export interface MatchKeys {
  /** Keys that are stored for the contact, strongest first. The last one is that of name and company. */
  readonly stored: readonly string[]
  /** Keys that find others but are not stored for this contact: family keys of people with (or without) a profile. */
  readonly lookupOnly: readonly string[]
}

/** The history of a person in Weft's own export, in addition to the contact. Times are null if the file has none. */
export interface ContactHistory {
  readonly notes: readonly {
    readonly text: string
    /** YYYY-MM-DD */
    readonly happenedOn: string | null
    readonly origin: 'typed' | 'import'
    readonly createdAt: number | null
  }[]
  readonly followUps: readonly {
    readonly text: string
    /** YYYY-MM-DD */
    readonly dueOn: string
    /** HH:MM */
    readonly dueTime?: string
    readonly recurrence: Recurrence
    /** YYYY-MM-DD: start date of the recurring series. */
    readonly countsFrom: string
    readonly completedAt: number | null
    readonly createdAt: number | null
    /** One entry for all dates of a series: a later file has it with its next date. */
    readonly isWholeSeries?: boolean
  }[]
  readonly interactions?: readonly ContactInteraction[]
  /** Fingerprints of contacts earlier in the file that the member decided are other people. */
  readonly differentFrom?: readonly string[]
}
