/** The terms of a document and the field of each. */

import { remembering } from '../../../base/remembering.ts'
import { tokenize } from '../../../base/tokenize.ts'
import { FIELD } from './fields.ts'
import {
  occasionTerm,
  contactDayTerm,
  domainTerm,
  emailTerm,
  handleTerm,
  phoneTerm,
  plainHandle,
  tagTerm,
  urlTerm,
  urlWords,
  valueTerm,
} from './special-terms.ts'
import { analyzeName, nameInitials, namePart } from './analyze-name.ts'
import { aliasTermsOf } from '../questions/company-aliases.ts'
import { initialsTermsOf } from '../questions/company-initials.ts'
import { conceptTermsOf } from '../questions/concept-terms.ts'
import { detailTerms, textTerms, unique, withJoined } from './text-terms.ts'
import { splitText } from './words.ts'
import type { AnalyzedDocument, FieldTerms, SharedTerms } from './analyzed-document.ts'
import type { AccountHandle } from '../../model/details.ts'
import type { SearchDocument } from './document.ts'

type AnalyzeDocument = (document: SearchDocument) => AnalyzedDocument

/** Names, companies, titles and locations repeat across connections, so the terms of the latest texts are kept. */
export function documentAnalyzer(noteTermsOf = analyzeNotes): AnalyzeDocument {
  const partOf = remembering(namePart, MAX_KNOWN)
  const initialsFor = remembering((letters) => shared(nameInitials(letters)), MAX_KNOWN)
  const companyOf = remembering((text) => valueLists('company', text), MAX_KNOWN)
  const titleOf = remembering((text) => valueLists('title', text), MAX_KNOWN)
  const locationOf = remembering((text) => valueLists('location', text), MAX_KNOWN)
  return (document) => {
    const name = analyzeName(document, partOf)
    const { emails, phones, tags, notes, followUps, contactDays } = document
    const urls = urlsOf(document)
    const { accounts = [] } = document
    const company = document.company === null ? undefined : companyOf(document.company)
    const title = document.title === null ? undefined : titleOf(document.title)
    const location = document.location === null ? undefined : locationOf(document.location)
    const terms: FieldTerms[] = []
    for (const list of name.terms) terms.push([FIELD.name, list])
    if (emails.length > 0) terms.push([FIELD.email, unique(emails.flatMap(wholeEmailTerms))])
    if (phones.length > 0)
      terms.push([FIELD.phone, unique(phones.flatMap((phone) => phoneTerm(phone) ?? []))])
    if (urls.length + accounts.length > 0)
      terms.push([
        FIELD.link,
        unique([...urls.flatMap(wholeUrlTerms), ...accounts.flatMap(wholeAccountTerms)]),
      ])
    if (company) terms.push([FIELD.company, company.terms])
    if (title) terms.push([FIELD.title, title.terms])
    if (location) terms.push([FIELD.location, location.terms])
    if (tags.length > 0) terms.push([FIELD.tag, unique(tags.flatMap(({ tag }) => tagWords(tag)))])
    if (notes.length > 0) terms.push([FIELD.note, noteTermsOf(document.connectionId, notes)])
    terms.push([FIELD.initials, initialsFor(name.letters)])
    if (emails.length > 0) terms.push([FIELD.emailWord, unique(emails.flatMap(emailWords))])
    if (urls.length + accounts.length > 0)
      terms.push([
        FIELD.linkWord,
        unique([
          ...urls.flatMap(urlWords),
          ...accounts.flatMap(({ service }) => tokenize(service)),
        ]),
      ])
    if (followUps.length > 0) terms.push([FIELD.followUp, unique(followUps.flatMap(textTerms))])
    if (document.detailTexts)
      terms.push([FIELD.detail, unique(detailFieldTerms(document, document.detailTexts))])
    terms.push([FIELD.value, valueTerms(document)])
    for (const value of [company, title, location])
      if (value) terms.push([FIELD.value, value.value])
    if (contactDays.length > 0)
      terms.push([FIELD.contactDay, unique(contactDays.map(contactDayTerm))])
    return {
      connectionId: document.connectionId,
      day: dayNumber(document.connectedOn),
      nameLength: Math.min(255, name.length),
      terms,
    }
  }
}

/** Values that are remembered: about 8 MB of each kind. */
const MAX_KNOWN = 40_000

function shared(terms: readonly string[]): SharedTerms {
  return { terms }
}

function tagWords(tag: string): readonly string[] {
  return [...textTerms(tag), ...conceptTermsOf(tag, 'tag')]
}

function analyzeNotes(_connectionId: number, notes: readonly string[]): readonly string[] {
  return unique(notes.flatMap(noteWords))
}

/** The terms of one note. */
export function noteWords(note: string): readonly string[] {
  return [...textTerms(note), ...conceptTermsOf(note, 'note')]
}

interface ValueLists {
  /** To search for it. */
  readonly terms: SharedTerms
  /** To count it. */
  readonly value: SharedTerms
}

function valueLists(kind: 'company' | 'title' | 'location', text: string): ValueLists {
  const words = kind === 'company' ? withJoined(splitText(text)) : textTerms(text)
  return {
    terms: shared([
      ...words,
      ...conceptTermsOf(text, kind),
      ...(kind === 'company' ? companyTerms(text) : []),
    ]),
    value: shared([valueTerm(kind, text)]),
  }
}

/** The initials of a company, and its other names. */
function companyTerms(company: string): readonly string[] {
  return [...initialsTermsOf(company), ...aliasTermsOf(company)]
}

/** What summaries count, besides companies, titles and locations, and what only filters look up. */
function valueTerms(document: SearchDocument): readonly string[] {
  const terms = document.tags.map(({ tag, key }) => valueTerm('tag', `${key}\u0000${tag}`))
  for (const { key } of document.tags) terms.push(tagTerm(key))
  for (const day of document.birthdays ?? []) terms.push(occasionTerm('birthday', day))
  for (const day of document.anniversaries ?? []) terms.push(occasionTerm('anniversary', day))
  if (document.emails.length > 0) terms.push(HAS_EMAIL)
  if (document.notes.length > 0) terms.push(HAS_NOTE)
  if (document.phones.length > 0) terms.push(HAS_PHONE)
  if (document.tags.length > 0) terms.push(HAS_TAG)
  return unique(terms)
}

const HAS_EMAIL = valueTerm('has', 'email')
const HAS_NOTE = valueTerm('has', 'note')
const HAS_PHONE = valueTerm('has', 'phone')
const HAS_TAG = valueTerm('has', 'tag')

/** `2024-05-01` is 20240501, so that days compare as numbers. */
export function dayNumber(day: string | null): number {
  return day === null ? 0 : Number(day.replaceAll('-', ''))
}

function detailFieldTerms(
  { positions = [] }: SearchDocument,
  texts: readonly string[],
): readonly string[] {
  return [...texts.flatMap(detailTerms), ...positions.flatMap(companyTerms)]
}

function wholeEmailTerms(email: string): string[] {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return [emailTerm(email), domainTerm(domain)]
}

/** The words of the local part, the local part as one word, and the name of the domain. */
function emailWords(email: string): string[] {
  const at = email.lastIndexOf('@')
  const local = tokenize(email.slice(0, at))
  const domain = tokenize(email.slice(at + 1))
  return [...local, local.join(''), ...domain.slice(0, -1)].filter((word) => word !== '')
}

function urlsOf({ profileUrl, links }: SearchDocument): readonly string[] {
  return profileUrl === null ? links : [profileUrl, ...links]
}

function wholeUrlTerms(url: string): string[] {
  const [whole, handle] = [urlTerm(url), handleTerm(url)]
  // A profile on LinkedIn is identified by its handle.
  if (handle !== undefined && whole === `/linkedin.com/in${handle}`) return [handle]
  return handle === undefined ? [whole] : [whole, handle]
}

/** `@ada@mastodon.example` is typed like an email. */
function wholeAccountTerms({ value }: AccountHandle): string[] {
  const handle = value.trim().replace(/^@/, '')
  if (/\s|:\/\//.test(handle) || handle === '') return []
  return [handle.includes('@') ? emailTerm(handle) : plainHandle(handle)]
}
