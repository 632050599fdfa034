// The contact that every import format produces, and its normalization from raw values.

import { manyLines, oneLine, textOrNull } from './clean-text.ts'
import { emailsIn, phoneIn } from './emails-and-phones.ts'
import { linkIn, profileUrlIn } from './urls.ts'
import { MAX_NOTE_LENGTH, MAX_TAG_LENGTH, MAX_TEXT_LENGTH, MAX_VALUES } from './limits.ts'

export type ImportFormat = 'linkedin' | 'google' | 'outlook' | 'vcard'

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
  /** May contain line breaks (\n) and tabs, but no other control characters. */
  readonly note: string | null
  readonly labels: readonly string[]
}

/** One data row or card: `row` counts from 1, `line` is the line of the file where it starts. */
export type ImportRow =
  | { readonly row: number; readonly line: number; readonly contact: ImportedContact }
  | { readonly row: number; readonly line: number; readonly rejected: string }
  | { readonly row: number; readonly line: number; readonly skipped: string }

/** The raw values of one contact; lists have the preferred value first. */
export interface ContactDraft {
  readonly fullName: string
  readonly givenName: string
  readonly familyName: string
  readonly company: string
  readonly title: string
  readonly location: string
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly urls: readonly string[]
  readonly birthday: string | null
  readonly connectedOn: string | null
  readonly note: string
  readonly labels: readonly string[]
}

const EMPTY_CONTACT_REASON = 'No name, email address or phone number'

/** The row for a draft: a contact, or a rejection when nothing in it identifies a person. */
export function rowOf(row: number, line: number, draft: ContactDraft): ImportRow {
  const contact = contactOf(draft)
  return contact === null ? { row, line, rejected: EMPTY_CONTACT_REASON } : { row, line, contact }
}

function contactOf(draft: ContactDraft): ImportedContact | null {
  const givenName = oneLine(draft.givenName, MAX_TEXT_LENGTH)
  const familyName = oneLine(draft.familyName, MAX_TEXT_LENGTH)
  const company = oneLine(draft.company, MAX_TEXT_LENGTH)
  const emails = distinct(draft.emails, emailsIn)
  const phones = distinct(draft.phones, phoneIn)
  const name =
    oneLine(draft.fullName, MAX_TEXT_LENGTH) ||
    oneLine(`${givenName} ${familyName}`, MAX_TEXT_LENGTH) ||
    company ||
    emails[0] ||
    phones[0]
  if (name === undefined) return null
  return {
    name,
    givenName: textOrNull(givenName),
    familyName: textOrNull(familyName),
    company: textOrNull(company),
    title: textOrNull(oneLine(draft.title, MAX_TEXT_LENGTH)),
    location: textOrNull(oneLine(draft.location, MAX_TEXT_LENGTH)),
    emails,
    phones,
    ...profileAndLinksOf(draft.urls),
    birthday: draft.birthday,
    connectedOn: draft.connectedOn,
    note: textOrNull(manyLines(draft.note, MAX_NOTE_LENGTH)),
    labels: distinct(draft.labels, labelIn),
  }
}

/** The first LinkedIn profile becomes the profile URL; every other URL becomes a link. */
function profileAndLinksOf(urls: readonly string[]): {
  profileUrl: string | null
  links: readonly string[]
} {
  let profileUrl: string | null = null
  const links: string[] = []
  for (const url of urls) {
    const profile = profileUrlIn(url)
    if (profileUrl === null) profileUrl = profile
    const link = profile ?? linkIn(url)
    if (link === null || link === profileUrl || links.length === MAX_VALUES) continue
    if (!links.includes(link)) links.push(link)
  }
  return { profileUrl, links: links.length === 0 ? NONE : links }
}

/** The tag for an address book group; none for system groups. */
export function labelIn(text: string): readonly string[] {
  const label = oneLine(text, MAX_TAG_LENGTH)
  return label === '' || SYSTEM_LABEL.test(label) ? NONE : [label.replace(/^\* */, '')]
}

// Google adds every contact to these groups (`* myContacts`); Android spells their names out.
const SYSTEM_LABEL = /^\*? *(?:(?:system group: *)?(?:my ?contacts|starred(?: in android)?)|\*)?$/i

const NONE: readonly string[] = Object.freeze([])

function distinct(
  values: readonly string[],
  read: (value: string) => readonly string[],
): readonly string[] {
  const found: string[] = []
  for (const value of values) {
    if (value === '') continue
    for (const one of read(value)) {
      if (found.length < MAX_VALUES && !found.includes(one)) found.push(one)
    }
  }
  return found.length === 0 ? NONE : found
}
