// The contact that every import format produces, and its normalization from raw values.

import { phrase } from '../../languages/message.ts'
import { isVisible } from '../../base/schema.ts'
import { manyLines, oneLine, textOrNull } from './clean-text.ts'
import { cleanDetails } from './clean-details.ts'
import { addOverflow, overflowText, type Overflow } from './overflow.ts'
import { emailsIn, phoneIn } from './emails-and-phones.ts'
import { linkIn, profileUrlIn } from './urls.ts'
import {
  MAX_IMPORTED_NOTE_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TEXT_LENGTH,
  MAX_VALUES,
} from '../../base/limits.ts'
import type { Cadence } from '../../dates/cadence.ts'
import type { Recurrence } from '../../dates/recurrence.ts'
import type { ContactDetails, ContactInteraction, Relation } from './details.ts'
import type { Photo, RefusedPhoto } from './photo.ts'

/** `table` is any other CSV file or spreadsheet. */
export type ImportFormat = 'linkedin' | 'google' | 'outlook' | 'vcard' | 'monica' | 'table'

export interface ImportedContact {
  /** Never empty: full name, else company, else first email, else first phone number. */
  readonly name: string
  readonly givenName: string | null
  readonly familyName: string | null
  readonly company: string | null
  /** Job title, not an honorific. */
  readonly title: string | null
  /** One line: city, region and country, as far as known. */
  readonly location: string | null
  /** Lower-case, distinct, preferred first. */
  readonly emails: readonly string[]
  /** As written, without `tel:`, distinct, preferred first. */
  readonly phones: readonly string[]
  /** https://www.linkedin.com/in/<slug> */
  readonly profileUrl: string | null
  /** Other http(s) URLs, distinct. */
  readonly links: readonly string[]
  /** YYYY-MM-DD, or --MM-DD when the year is unknown. */
  readonly birthday: string | null
  /** YYYY-MM-DD */
  readonly connectedOn: string | null
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

/** The raw values of one contact; lists have the preferred value first. */
export interface ContactDraft {
  readonly fullName: string
  readonly givenName: string
  readonly familyName: string
  readonly company: string
  readonly title: string
  readonly location: string
  readonly emails: readonly DraftValue[]
  readonly phones: readonly DraftValue[]
  readonly urls: readonly DraftValue[]
  readonly birthday: string | null
  readonly connectedOn: string | null
  readonly note: string
  readonly labels: readonly string[]
  /** Without `labels`, which come from the values above. Texts and lists may be empty, long or repeated. */
  readonly details?: ContactDetails
  readonly unread?: readonly UnreadValue[]
  readonly cadence?: ImportedCadence | undefined
  readonly photo?: Photo | RefusedPhoto | undefined
  /** Names of fields whose value cannot be kept. */
  readonly left?: ReadonlySet<string>
}

export interface UnreadValue {
  readonly column: string
  readonly value: string
}

/** A raw value from the file, with its label if it has one. */
export type DraftValue = string | { readonly value: string; readonly label: string }

const EMPTY_CONTACT_REASON = phrase('No name, email address or phone number')

/** The row for a draft: a contact, or a rejection if nothing identifies a person. */
export function rowOf(row: number, line: number, draft: ContactDraft): ImportRow {
  const cuts = new Set(draft.left)
  const contact = contactOf(draft, cuts)
  if (contact === null) return { row, line, rejected: EMPTY_CONTACT_REASON }
  const { unread, photo, cadence } = draft
  if (cuts.size === 0 && !unread && !photo && !cadence) return { row, line, contact }
  if (photo && 'refused' in photo) cuts.add('photo')
  return {
    row,
    line,
    contact,
    ...(cuts.size > 0 && { cut: [...cuts] }),
    ...(unread !== undefined && { unread }),
    ...(cadence !== undefined && { cadence }),
    ...(photo && 'photoId' in photo && { photo }),
  }
}

/** Values over a limit become a part of the note. `cuts` gets the names of fields for which not even that has room. */
function contactOf(draft: ContactDraft, cuts: Set<string>): ImportedContact | null {
  const overflow: Overflow = new Map()
  const line = (text: string, field: string) => limited(text, field, overflow)
  const labels: Record<string, string> = {}
  const givenName = line(draft.givenName, 'given_name')
  const familyName = line(draft.familyName, 'family_name')
  const company = line(draft.company, 'company')
  const emails = distinct(draft.emails, emailsIn, { field: 'emails', overflow, labels })
  const phones = distinct(draft.phones, phoneIn, { field: 'phones', overflow, labels })
  const name =
    line(draft.fullName, 'name') ||
    line(`${givenName} ${familyName}`, 'name') ||
    company ||
    emails[0] ||
    phones[0]
  if (name === undefined) return null
  if (
    IS_NUMBER.test(name) &&
    company === '' &&
    emails.length + phones.length + draft.urls.length === 0
  )
    return null
  const profileAndLinks = profileAndLinksOf(draft.urls, { overflow, labels })
  const hasLabels = Object.keys(labels).length > 0
  const details = cleanDetails(
    withPhoto(hasLabels ? { ...draft.details, labels } : draft.details, draft),
    overflow,
  )
  const tags = distinct(draft.labels, labelIn, { field: 'tags', overflow, labels: {} })
  for (const label of draft.labels) if (isLongLabel(label)) addOverflow(overflow, 'tags', label)
  return {
    name,
    givenName: textOrNull(givenName),
    familyName: textOrNull(familyName),
    company: textOrNull(company),
    title: textOrNull(line(draft.title, 'title')),
    location: textOrNull(line(draft.location, 'location')),
    emails,
    phones,
    ...profileAndLinks,
    birthday: draft.birthday,
    connectedOn: draft.connectedOn,
    note: noteOf(draft.note, overflow, cuts),
    labels: tags,
    ...(details && { details }),
  }
}

function noteOf(written: string, overflow: Overflow, cuts: Set<string>): string | null {
  const text = overflow.size === 0 ? written : [written, overflowText(overflow)].join('\n\n').trim()
  const note = manyLines(text, MAX_IMPORTED_NOTE_LENGTH)
  if (text.length > MAX_IMPORTED_NOTE_LENGTH && manyLines(text, Infinity) !== note) cuts.add('note')
  return textOrNull(note)
}

/** The name in a row of totals. */
const IS_NUMBER = /^[\d\s.,:%$€£+/-]+$/

/** Additional results of reading a list of values. */
interface ListFindings {
  readonly field: string
  readonly overflow: Overflow
  readonly labels: Record<string, string>
}

function withPhoto(
  details: ContactDetails | undefined,
  { photo }: ContactDraft,
): ContactDetails | undefined {
  return photo && 'photoId' in photo ? { ...details, photo: photo.photoId } : details
}

function limited(text: string, field: string, overflow: Overflow): string {
  const line = oneLine(text, MAX_TEXT_LENGTH)
  if (text.length <= MAX_TEXT_LENGTH) return line
  const whole = oneLine(text, Infinity)
  if (whole !== line) addOverflow(overflow, field, whole)
  return line
}

/** The first LinkedIn profile becomes the profile URL; every other URL becomes a link. */
function profileAndLinksOf(
  urls: readonly DraftValue[],
  { overflow, labels }: Pick<ListFindings, 'overflow' | 'labels'>,
): { profileUrl: string | null; links: readonly string[] } {
  let profileUrl: string | null = null
  const links: string[] = []
  for (const draft of urls) {
    const url = valueOf(draft)
    const profile = profileUrlIn(url)
    if (profileUrl === null) profileUrl = profile
    const link = profile ?? linkIn(url)
    if (link === null) continue
    if (link !== profileUrl && !links.includes(link)) {
      if (links.length === MAX_VALUES) {
        addOverflow(overflow, 'links', link)
        continue
      }
      links.push(link)
    }
    addLabel(labels, link, draft)
  }
  return { profileUrl, links: links.length === 0 ? NONE : links }
}

/** The tag for an address book group; none for the group that has every contact. */
export function labelIn(text: string): readonly string[] {
  const label = oneLine(text, MAX_TAG_LENGTH)
  if (STARRED_LABEL.test(label)) return STARRED
  return !isVisible(label) || SYSTEM_LABEL.test(label) ? NONE : [label.replace(/^\* */, '')]
}

function isLongLabel(text: string): boolean {
  return text.length > MAX_TAG_LENGTH && oneLine(text, Infinity).length > MAX_TAG_LENGTH
}

// Google adds every contact to this group (`* myContacts`); Android spells its name out.
const SYSTEM_LABEL = /^\*? *(?:(?:system group: *)?my ?contacts|\*)?$/i
const STARRED_LABEL = /^\*? *(?:system group: *)?starred(?: in android)?$/i
const STARRED = Object.freeze(['starred'])

const NONE: readonly string[] = Object.freeze([])

function distinct(
  values: readonly DraftValue[],
  read: (value: string) => readonly string[],
  { field, overflow, labels }: ListFindings,
): readonly string[] {
  const found: string[] = []
  for (const draft of values) {
    const value = valueOf(draft)
    if (value === '') continue
    for (const one of read(value)) {
      if (!found.includes(one)) {
        if (found.length === MAX_VALUES) {
          addOverflow(overflow, field, one)
          continue
        }
        found.push(one)
      }
      addLabel(labels, one, draft)
    }
  }
  return found.length === 0 ? NONE : found
}

/** Without its label. */
export function valueOf(draft: DraftValue): string {
  return typeof draft === 'string' ? draft : draft.value
}

/** The first label of a value is kept. */
function addLabel(labels: Record<string, string>, value: string, draft: DraftValue): void {
  if (typeof draft === 'string' || Object.hasOwn(labels, value)) return
  const label = oneLine(draft.label, MAX_TEXT_LENGTH)
  if (label !== '') labels[value] = label
}
