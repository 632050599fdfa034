/** Makes contacts of the raw values that a format reads: one spelling of each value, each within its limits. */

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
import type { ImportedCadence, ImportedContact, ImportRow, UnreadValue } from './contact.ts'
import type { ContactDetails } from './details.ts'
import type { Photo, RefusedPhoto } from './photo.ts'

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
