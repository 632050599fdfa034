// A contact as any import format yields it, and the one place where raw values become one.

import { manyLines, oneLine, textOrNull } from './clean-text.ts'
import { emailsIn, phoneIn } from './emails-and-phones.ts'
import { linkIn, profileUrlIn } from './urls.ts'

export type ImportFormat = 'linkedin' | 'google' | 'outlook' | 'vcard'

export interface ImportedContact {
  /** Never empty: full name, else company, else first e-mail address, else first phone number. */
  readonly name: string
  readonly givenName: string | null
  readonly familyName: string | null
  readonly company: string | null
  /** The job, not an honorific. */
  readonly title: string | null
  /** One line: city, region, country, or what is there of them. */
  readonly location: string | null
  /** Lower-case, distinct, preferred first. */
  readonly emails: readonly string[]
  /** As written, without `tel:`, distinct, preferred first. */
  readonly phones: readonly string[]
  /** https://www.linkedin.com/in/<slug> */
  readonly profileUrl: string | null
  /** Other http(s) addresses, distinct. */
  readonly links: readonly string[]
  /** YYYY-MM-DD, or --MM-DD where the year is not known. */
  readonly birthday: string | null
  /** YYYY-MM-DD */
  readonly connectedOn: string | null
  /** May hold line breaks (\n) and tabs, no other control character. */
  readonly note: string | null
  readonly labels: readonly string[]
}

/** One data row or card: `row` counts them from 1, `line` is the line of the file it starts on. */
export type ImportRow =
  | { readonly row: number; readonly line: number; readonly contact: ImportedContact }
  | { readonly row: number; readonly line: number; readonly rejected: string }
  | { readonly row: number; readonly line: number; readonly skipped: string }

/** The values of one contact as the file wrote them; lists have the preferred value first. */
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

export const EMPTY_CONTACT_REASON = 'No name, e-mail address or phone number'

/** The row a draft becomes: a contact, or a rejection when nothing in it tells who it is. */
export function rowOf(row: number, line: number, draft: ContactDraft): ImportRow {
  const contact = contactOf(draft)
  return contact === null ? { row, line, rejected: EMPTY_CONTACT_REASON } : { row, line, contact }
}

const TEXT_CAP = 300 // characters: no name, company, job title or place is longer
export const MAX_NOTE_LENGTH = 20_000 // characters: some ten pages
const LIST_CAP = 50 // values: more than any person has; keeps one row from filling a table
const LABEL_CAP = 100 // characters

function contactOf(draft: ContactDraft): ImportedContact | null {
  const givenName = oneLine(draft.givenName, TEXT_CAP)
  const familyName = oneLine(draft.familyName, TEXT_CAP)
  const company = oneLine(draft.company, TEXT_CAP)
  const emails = distinct(draft.emails, emailsIn)
  const phones = distinct(draft.phones, phoneIn)
  const name =
    oneLine(draft.fullName, TEXT_CAP) ||
    oneLine(`${givenName} ${familyName}`, TEXT_CAP) ||
    company ||
    emails[0] ||
    phones[0]
  if (name === undefined) return null
  return {
    name,
    givenName: textOrNull(givenName),
    familyName: textOrNull(familyName),
    company: textOrNull(company),
    title: textOrNull(oneLine(draft.title, TEXT_CAP)),
    location: textOrNull(oneLine(draft.location, TEXT_CAP)),
    emails,
    phones,
    ...addressesOf(draft.urls),
    birthday: draft.birthday,
    connectedOn: draft.connectedOn,
    note: textOrNull(manyLines(draft.note, MAX_NOTE_LENGTH)),
    labels: distinct(draft.labels, labelIn),
  }
}

/** The first LinkedIn profile is the person's; every other address is a link. */
function addressesOf(urls: readonly string[]): {
  profileUrl: string | null
  links: readonly string[]
} {
  let profileUrl: string | null = null
  const links: string[] = []
  for (const url of urls) {
    const profile = profileUrlIn(url)
    if (profileUrl === null) profileUrl = profile
    const link = profile ?? linkIn(url)
    if (link === null || link === profileUrl || links.length === LIST_CAP) continue
    if (!links.includes(link)) links.push(link)
  }
  return { profileUrl, links: links.length === 0 ? NONE : links }
}

/** The tag that a group of an address book becomes; none for the groups that everybody has. */
export function labelIn(text: string): readonly string[] {
  const label = oneLine(text, LABEL_CAP)
  return label === '' || SYSTEM_LABEL.test(label) ? NONE : [label.replace(/^\* */, '')]
}

// Google puts every contact in these groups (`* myContacts`); Android writes them out in words.
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
      if (found.length < LIST_CAP && !found.includes(one)) found.push(one)
    }
  }
  return found.length === 0 ? NONE : found
}
