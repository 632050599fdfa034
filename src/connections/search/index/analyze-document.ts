/** The terms of a document and the field of each. */

import { remembering } from '../../../base/remembering.ts'
import { tokenize } from '../../../base/tokenize.ts'
import { spellingKey } from '../../../names/transliterate.ts'
import { FIELD, type FieldNumber } from './fields.ts'
import {
  occasionTerm,
  contactDayTerm,
  domainTerm,
  emailTerm,
  handleTerm,
  ORCID,
  orcidTerm,
  phoneTerm,
  soundTerm,
  tagTerm,
  urlTerm,
  urlWords,
  valueTerm,
} from './special-terms.ts'
import { aliasTermsOf } from '../questions/company-aliases.ts'
import { initialsTermsOf } from '../questions/company-initials.ts'
import { conceptTermsOf } from '../questions/concept-terms.ts'
import { kinTermsOf } from '../questions/kinship.ts'
import {
  ampersandPairs,
  hangulPairs,
  joinedTriples,
  MAX_PARTICLE_LENGTH,
  pairsOf,
  splitText,
  type Spellings,
  type SplitText,
} from './words.ts'
import type { SearchDocument } from './document.ts'

export interface AnalyzedDocument {
  readonly connectionId: number
  /** YYYYMMDD as a number; 0 for none. */
  readonly day: number
  /** Words in the name, at most 255. */
  readonly nameLength: number
  /** Each term once per field, in the order of the fields. */
  readonly terms: readonly FieldTerms[]
}

/** `isShared` lists are the same array for every document with the same value. */
type FieldTerms = readonly [FieldNumber, readonly string[], isShared?: true]

type AnalyzeDocument = (document: SearchDocument) => AnalyzedDocument

/** Companies, titles and locations repeat across connections, so the terms of the latest texts are kept. */
export function documentAnalyzer(): AnalyzeDocument {
  const repeated = {
    company: remembering((text) => valueLists('company', text), MAX_KNOWN),
    title: remembering((text) => valueLists('title', text), MAX_KNOWN),
    location: remembering((text) => valueLists('location', text), MAX_KNOWN),
  }
  return (document) => {
    const name = splitName(document)
    const [company, title, location] = (['company', 'title', 'location'] as const).map((kind) => {
      const text = document[kind]
      return text === null ? undefined : repeated[kind](text)
    })
    const terms: FieldTerms[] = [
      [FIELD.name, nameTerms(document, name)],
      [FIELD.email, unique(document.emails.flatMap(wholeEmailTerms))],
      [FIELD.phone, unique(document.phones.flatMap((phone) => phoneTerm(phone) ?? []))],
      [FIELD.link, unique(urlsOf(document).flatMap(wholeUrlTerms))],
      [FIELD.company, company?.terms ?? [], true],
      [FIELD.title, title?.terms ?? [], true],
      [FIELD.location, location?.terms ?? [], true],
      [
        FIELD.tag,
        unique(
          document.tags.flatMap(({ tag }) => [...textTerms(tag), ...conceptTermsOf(tag, 'tag')]),
        ),
      ],
      [
        FIELD.note,
        unique(
          document.notes.flatMap((note) => [...textTerms(note), ...conceptTermsOf(note, 'note')]),
        ),
      ],
      [FIELD.initials, initialsOf(name.words)],
      [FIELD.emailWord, unique(document.emails.flatMap(emailWords))],
      [FIELD.linkWord, unique(urlsOf(document).flatMap(urlWords))],
      [FIELD.followUp, unique(document.followUps.flatMap(textTerms))],
      ...(document.detailTexts
        ? [[FIELD.detail, unique(detailFieldTerms(document, document.detailTexts))] as const]
        : []),
      [FIELD.value, valueTerms(document)],
      [FIELD.value, company?.value ?? [], true],
      [FIELD.value, title?.value ?? [], true],
      [FIELD.value, location?.value ?? [], true],
      [FIELD.contactDay, unique(document.contactDays.map(contactDayTerm))],
    ]
    return {
      connectionId: document.connectionId,
      day: dayNumber(document.connectedOn),
      nameLength: Math.min(255, name.words.length + name.runs.length),
      terms,
    }
  }
}

/** Values that are remembered: about 4 MB of each kind. */
const MAX_KNOWN = 20_000

interface ValueLists {
  /** To search for it. */
  readonly terms: readonly string[]
  /** To count it. */
  readonly value: readonly string[]
}

function valueLists(kind: 'company' | 'title' | 'location', text: string): ValueLists {
  const words = kind === 'company' ? withJoined(splitText(text)) : textTerms(text)
  return {
    terms: [
      ...words,
      ...conceptTermsOf(text, kind),
      ...(kind === 'company' ? companyTerms(text) : []),
    ],
    value: [valueTerm(kind, text)],
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

/** Parts of names repeat more often than names, so most names are the parts one after the other. */
function splitName({ name, givenName, familyName }: SearchDocument): SplitText {
  if (givenName === null || familyName === null || name !== `${givenName} ${familyName}`)
    return splitText(name)
  const [given, family] = [splitPart(givenName), splitPart(familyName)]
  return { words: [...given.words, ...family.words], runs: [...given.runs, ...family.runs] }
}

const splitPart = remembering(splitText, MAX_KNOWN)

/** The name as displayed, its parts, neighboring words written as one, and how each word sounds. */
function nameTerms({ givenName, familyName }: SearchDocument, name: SplitText): readonly string[] {
  const parts = [givenName, familyName].flatMap((part) =>
    part === null || part === '' ? [] : splitPart(part),
  )
  const sounds = name.words.flatMap(([main]) =>
    main.length < MIN_SOUND_LENGTH ? [] : [soundOf(main)],
  )
  return unique([
    ...withJoined(name, mayBeOneWord(name)),
    ...parts.flatMap((part) => withJoined(part)),
    ...orderedRuns(name),
    ...sounds,
  ])
}

const soundOf = remembering((word) => soundTerm(spellingKey(word)), MAX_KNOWN)

/** Files may have the given name first and a space between: `明 张` is also found as `张明`. */
function orderedRuns({ runs }: SplitText): string[] {
  if (runs.length < 2) return []
  return [runs.join(''), runs.toReversed().join('')].flatMap(pairsOf)
}

/** Shorter words sound like too many others. */
export const MIN_SOUND_LENGTH = 4

/** The words of a text, the ORCID iDs in it, and pairs such as `R&D` as one word. */
function textTerms(text: string): readonly string[] {
  const { words, runs } = splitText(text)
  return unique([
    ...orcidTerms(text),
    ...ampersandPairs(text),
    ...words.flat(),
    ...words.flatMap(([main]) => hangulPairs(main)),
    ...runTerms(runs),
  ])
}

function detailFieldTerms(
  { positions = [] }: SearchDocument,
  texts: readonly string[],
): readonly string[] {
  return [...texts.flatMap(detailTerms), ...positions.flatMap(companyTerms)]
}

/** The words of a text, and of a company or a name in it as one word. */
function detailTerms(text: string): readonly string[] {
  const words = withJoined(splitText(text))
  const others = [...orcidTerms(text), ...kinTermsOf(text)]
  return others.length === 0 ? words : [...words, ...others]
}

function orcidTerms(text: string): readonly string[] {
  return text.includes('0000') ? (text.match(ORCID) ?? []).map(orcidTerm) : []
}

/** `O’Brien` is also found as `obrien`, `Deep Mind` as `deepmind`. */
function withJoined({ words, runs }: SplitText, mayJoin = true): readonly string[] {
  const joined = mayJoin
    ? [...joinedPairs(words), ...joinedTriples(words)].filter(
        (word) => word.length <= MAX_JOINED_LENGTH,
      )
    : []
  return unique([
    ...words.flat(),
    ...words.flatMap(([main]) => hangulPairs(main)),
    ...joined,
    ...runTerms(runs),
  ])
}

function joinedPairs(words: readonly Spellings[]): string[] {
  return words.slice(1).map(([main], index) => `${words[index]?.[0] ?? ''}${main}`)
}

const MAX_JOINED_LENGTH = 24

/** A given name and a family name are not written as one word, unless one of them is short: `Lee Ann`, `O Brien`. */
function mayBeOneWord({ words }: SplitText): boolean {
  return words.length !== 2 || words.some(([main]) => main.length <= MAX_PARTICLE_LENGTH)
}

function runTerms(runs: readonly string[]): string[] {
  return runs.flatMap((run) => [...Array.from(run), ...pairsOf(run)])
}

function initialsOf(words: readonly Spellings[]): readonly string[] {
  const letters = words.map(([main]) => main.charAt(0))
  if (letters.length < 2) return []
  return unique([letters.join('').slice(0, 8), `${letters[0] ?? ''}${letters.at(-1) ?? ''}`])
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

/** A set costs more than comparing a few terms with each other. */
const MAX_COMPARED = 12

function unique(terms: readonly string[]): readonly string[] {
  if (terms.length <= 1) return terms
  if (terms.length > MAX_COMPARED) return [...new Set(terms)]
  const kept: string[] = []
  for (const term of terms) if (!kept.includes(term)) kept.push(term)
  return kept
}
