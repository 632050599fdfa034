/** The terms of a document and the field of each. */

import { memoize } from '../../base/memoize.ts'
import { tokenize } from '../../base/tokenize.ts'
import { FIELD } from '../index/search-fields.ts'
import {
  occasionTerm,
  addedTerm,
  contactTerm,
  meetingTerm,
  dayNumber,
  domainTerm,
  emailTerm,
  handleTerm,
  phoneTerm,
  plainHandle,
  tagTerm,
  urlTerm,
  urlWords,
  valueTerm,
} from '../index/special-terms.ts'
import { analyzeName, nameInitials, namePart } from './analyze-name.ts'
import { aliasTermsOf } from '../questions/company-aliases.ts'
import { initialsTermsOf } from '../questions/company-initials.ts'
import { conceptTermsOf } from '../questions/concept-terms.ts'
import { kinTermsIn } from '../questions/kinship.ts'
import { detailTerms, textTerms, unique, withJoined } from './text-terms.ts'
import { pairsOf, splitText } from '../index/split-words.ts'
import type { AnalyzedDocument, FieldTerms, SharedTerms } from './analyzed-document.ts'
import type { SearchedAccount, SearchDocument } from './search-document.ts'

type AnalyzeDocument = (document: SearchDocument) => AnalyzedDocument

/** Names, companies, titles and locations repeat across connections, so the terms of the latest texts are kept. */
export function documentAnalyzer(noteTermsOf = analyzeNotes): AnalyzeDocument {
  const partOf = memoize(namePart, MAX_KNOWN)
  const initialsFor = memoize((letters) => shared(nameInitials(letters)), MAX_KNOWN)
  const companyOf = memoize((text) => valueLists('company', text), MAX_KNOWN)
  const titleOf = memoize((text) => valueLists('title', text), MAX_KNOWN)
  const locationOf = memoize((text) => valueLists('location', text), MAX_KNOWN)
  const tagOf = memoize(tagLists, MAX_KNOWN)
  const domainOf = memoize(domainLists, MAX_KNOWN)
  const flagsOf = memoize((flags: number) => shared(flagTerms(flags)))
  return (document) => {
    const name = analyzeName(document, partOf)
    const { emails, phones, tags, notes, followUps, contacts } = document
    const urls = urlsOf(document).map(urlTerm)
    const domains = emails.map((email) => domainOf(email.slice(email.lastIndexOf('@') + 1)))
    const ofTags = tags.map(({ tag, key }) => tagOf(`${key}${TAG_SEPARATOR}${tag}`))
    const { accounts = [], createdAt } = document
    const company = document.company === null ? undefined : companyOf(document.company)
    const title = document.title === null ? undefined : titleOf(document.title)
    const location = document.location === null ? undefined : locationOf(document.location)
    const terms: FieldTerms[] = []
    for (const list of name.terms) terms.push([FIELD.name, list])
    if (emails.length > 0) terms.push([FIELD.email, unique(emails.map(emailTerm))])
    for (const domain of domains) terms.push([FIELD.email, domain.terms])
    if (phones.length > 0)
      terms.push([FIELD.phone, unique(phones.flatMap((phone) => phoneTerm(phone) ?? []))])
    if (urls.length + accounts.length > 0)
      terms.push([
        FIELD.link,
        unique([...urls.flatMap(wholeUrlTerms), ...accounts.flatMap(wholeAccountTerms)]),
      ])
    if (company) terms.push([FIELD.company, company.terms])
    if (title) terms.push([FIELD.title, title.terms])
    for (const { name: employer, title: role, department } of document.presentPositions ?? []) {
      if (employer !== undefined) terms.push([FIELD.company, companyOf(employer).terms])
      for (const text of [role, department])
        if (text !== undefined) terms.push([FIELD.title, titleOf(text).terms])
    }
    if (location) terms.push([FIELD.location, location.terms])
    for (const tag of ofTags) terms.push([FIELD.tag, tag.terms])
    if (notes.length > 0) terms.push([FIELD.note, noteTermsOf(document.connectionId, notes)])
    terms.push([FIELD.initials, initialsFor(name.letters)])
    if (emails.length > 0) terms.push([FIELD.emailWord, unique(emails.flatMap(mailboxWords))])
    for (const domain of domains) terms.push([FIELD.emailWord, domain.value])
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
    if (document.customTexts)
      terms.push([FIELD.custom, unique(document.customTexts.flatMap(detailTerms))])
    for (const { value } of ofTags) terms.push([FIELD.value, value])
    terms.push([FIELD.value, flagsOf(flagsIn(document))])
    const days = occasionTerms(document)
    if (days.length > 0) terms.push([FIELD.value, unique(days)])
    for (const value of [company, title, location])
      if (value) terms.push([FIELD.value, value.value])
    const moments = [
      ...contacts.map(({ day }) => contactTerm(day)),
      ...contacts.flatMap(({ day, isMeeting }) => (isMeeting ? meetingTerm(day) : [])),
      ...(createdAt === undefined ? [] : [addedTerm(createdAt)]),
    ]
    if (moments.length > 0) terms.push([FIELD.value, unique(moments)])
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

function analyzeNotes(_connectionId: number, notes: readonly string[]): readonly string[] {
  return unique(notes.flatMap(noteWords))
}

/** The terms of one note. */
export function noteWords(note: string): readonly string[] {
  const words = textTerms(note)
  return [...words, ...conceptTermsOf(note, 'note'), ...kinTermsIn(words)]
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

/** Between the key of a tag and the tag. */
const TAG_SEPARATOR = '\u0000'

/** Lists the values of a tag, with its key before them. */
function tagLists(text: string): ValueLists {
  const [key = '', tag = ''] = text.split(TAG_SEPARATOR, 2)
  return {
    terms: shared(unique([...textTerms(tag), ...conceptTermsOf(tag, 'tag')])),
    value: shared([valueTerm('tag', text), tagTerm(key)]),
  }
}

/** Lists the values of an email address's domain: itself, and its words without the last. */
function domainLists(domain: string): ValueLists {
  return {
    terms: shared([domainTerm(domain)]),
    value: shared(unique(tokenize(domain).slice(0, -1))),
  }
}

/** The initials of a company, and its other names. */
function companyTerms(company: string): readonly string[] {
  const aliases = aliasTermsOf(company)
  // Queries in scripts without spaces are pairs of characters.
  return [...initialsTermsOf(company), ...aliases, ...aliases.filter(isRun).flatMap(pairsOf)]
}

function isRun(term: string): boolean {
  return UNSPACED.test(term)
}

const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]{2,}$/u

/** What only filters look up. */
function occasionTerms({ birthdays = [], anniversaries = [] }: SearchDocument): readonly string[] {
  return [
    ...birthdays.map((day) => occasionTerm('birthday', day)),
    ...anniversaries.map((day) => occasionTerm('anniversary', day)),
  ]
}

/** A bit for each kind of value that summaries count and that the document has, in the order of `FLAGS`. */
function flagsIn({ emails, notes, phones, tags }: SearchDocument): number {
  return (
    (emails.length > 0 ? 1 : 0) |
    (notes.length > 0 ? 2 : 0) |
    (phones.length > 0 ? 4 : 0) |
    (tags.length > 0 ? 8 : 0)
  )
}

const FLAGS = ['email', 'note', 'phone', 'tag'].map((kind) => valueTerm('has', kind))

function flagTerms(flags: number): readonly string[] {
  return FLAGS.filter((_, at) => (flags & (1 << at)) !== 0)
}

function detailFieldTerms(
  { positions = [] }: SearchDocument,
  texts: readonly string[],
): readonly string[] {
  return [...texts.flatMap(detailTerms), ...positions.flatMap(companyTerms)]
}

/** The words of the local part, and the local part as one word. */
function mailboxWords(email: string): string[] {
  const local = tokenize(email.slice(0, email.lastIndexOf('@')))
  return [...local, local.join('')].filter((word) => word !== '')
}

function urlsOf({ profileUrl, links }: SearchDocument): readonly string[] {
  return profileUrl === null ? links : [profileUrl, ...links]
}

/** Terms of a whole URL. */
function wholeUrlTerms(whole: string): string[] {
  const handle = handleTerm(whole)
  // A profile on LinkedIn is identified by its handle.
  if (handle !== undefined && whole === `/linkedin.com/in${handle}`) return [handle]
  return handle === undefined ? [whole] : [whole, handle]
}

/** `@ada@mastodon.example` is typed like an email. */
function wholeAccountTerms({ value }: SearchedAccount): string[] {
  const handle = value.trim().replace(/^@/, '')
  if (/\s|:\/\//.test(handle) || handle === '') return []
  return [handle.includes('@') ? emailTerm(handle) : plainHandle(handle)]
}
