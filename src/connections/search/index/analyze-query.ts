/** Turns a query into words, each with the terms that match it. */

import { otherForms } from '../../../names/given-names.ts'
import { spellingKey } from '../../../names/transliterate.ts'
import { STOP_WORDS } from '../../../embeddings/stop-words.ts'
import { MIN_SOUND_LENGTH } from './analyze-document.ts'
import { FACTOR, FIELD } from './fields.ts'
import {
  domainTerm,
  emailTerm,
  phoneTerm,
  plainHandle,
  soundTerm,
  urlTerm,
} from './special-terms.ts'
import { allowedEdits } from './typos.ts'
import { pairsOf, splitText, type Spellings } from './words.ts'

export interface QueryWord {
  /** As normalized. */
  readonly text: string
  /** A stop word beside other words: it counts where it matches, but is not required. */
  readonly isOptional: boolean
  /** Required even where other words are missing. */
  readonly isFilter?: boolean
  readonly terms: readonly QueryTerm[]
}

export interface QueryTerm {
  readonly term: string
  /** See `FACTOR`. */
  readonly factor: number
  /** Whether longer terms that begin with it match, too. */
  readonly isPrefix?: boolean
  /** Maximum number of typos if nothing else matches. */
  readonly edits?: number
  /** Used only when no connection matches every word otherwise. */
  readonly isWeak?: boolean
  /** A bit mask of the fields in which it counts; all by default. */
  readonly fields?: number
}

/** Further words of a query are ignored. */
export const MAX_QUERY_WORDS = 16

const NAME_FIELD = 1 << FIELD.name

/** The words in the order of the query. Emails, phone numbers and URLs count as one word each. */
export function analyzeQuery(query: string): QueryWord[] {
  const { words, rest } = takeSpecial(query)
  const { words: plain, runs } = splitText(rest)
  const all = [
    ...words,
    ...plain.map((word, index) => plainWord(word, plain, index)),
    ...runs.flatMap((run) => pairsOf(run).map(pairWord)),
  ].slice(0, MAX_QUERY_WORDS)
  const isRequired = ({ text }: QueryWord) => !STOP_WORDS.has(text)
  return all.some(isRequired)
    ? all.map((word) => ({ ...word, isOptional: !isRequired(word) }))
    : all
}

/** The words of a filter, all required. */
export function analyzeFilter(text: string): QueryWord[] {
  const { words, runs } = splitText(text)
  return [
    ...words.map((word, index) => plainWord(word, words, index)),
    ...runs.flatMap((run) => pairsOf(run).map(pairWord)),
  ].slice(0, MAX_QUERY_WORDS)
}

interface SpecialWords {
  readonly words: readonly QueryWord[]
  /** The query without them. */
  readonly rest: string
}

const PHONE = /(?<![\p{L}\p{N}@._/-])[+(]{0,2}\d[\d\s()./-]{4,24}\d(?![\p{L}\p{N}@])/gu
const EMAIL = /[^\s@<>(),;:"]+@[^\s@<>(),;:"]+/g
const URL =
  /(?:https?:\/\/|www\.)[^\s]+|(?<![\p{L}\p{N}@])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+\/[^\s]+/giu
const DOMAIN =
  /(?<![\p{L}\p{N}@._-])@?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,24}(?![\p{L}\p{N}._-])/giu
const HANDLE =
  /(?<![\p{L}\p{N}._-])(?:@[\p{L}\p{N}._-]+|[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)+)(?![\p{L}\p{N}_-])/gu

/** One of these is in every email, URL, domain, phone number and handle. */
const SPECIAL_CHARACTER = /[@./_\-\d]/

/** Emails, URLs, domains, phone numbers and handles, in this order, because each may look like a later one. */
function takeSpecial(query: string): SpecialWords {
  const words: QueryWord[] = []
  const composed = query.normalize('NFKC')
  if (!SPECIAL_CHARACTER.test(composed)) return { words, rest: composed }
  const take = (text: string, pattern: RegExp, wordOf: (found: string) => QueryWord | undefined) =>
    text.replace(pattern, (found) => {
      const word = wordOf(found)
      if (!word) return found
      words.push(word)
      return ' '
    })
  let rest = take(composed, EMAIL, emailWord)
  rest = take(rest, URL, urlWord)
  rest = take(rest, DOMAIN, domainWord)
  rest = take(rest, PHONE, phoneWord)
  rest = take(rest, HANDLE, handleWord)
  return { words, rest }
}

/** Fewer characters of an email are not compared with whole emails. */
function emailWord(found: string): QueryWord {
  const text = emailTerm(found.replace(/\.+$/, ''))
  return specialWord(text, [
    { term: text, factor: FACTOR.exact, isPrefix: true, edits: allowedEdits(text.length) },
  ])
}

function urlWord(found: string): QueryWord {
  const text = urlTerm(found)
  const path = text.slice(text.lastIndexOf('/') + 1)
  return specialWord(text, [
    { term: text, factor: FACTOR.exact, isPrefix: true },
    { term: plainHandle(path), factor: FACTOR.joined },
  ])
}

/** A company may be named like a domain: `acme.io`. */
function domainWord(found: string): QueryWord {
  const domain = found.replace(/^@/, '').toLowerCase()
  const labels = domain.split('.')
  return specialWord(domain, [
    { term: domainTerm(domain), factor: FACTOR.exact },
    { term: urlTerm(domain), factor: FACTOR.exact, isPrefix: true },
    { term: plainHandle(domain), factor: FACTOR.exact },
    { term: labels.join(''), factor: FACTOR.joined },
    { term: labels.at(-2) ?? domain, factor: FACTOR.nickname },
  ])
}

/** `anna-maria` may be a handle or two names. As two names, the words are also found when they are written as one. */
function handleWord(found: string): QueryWord | undefined {
  const handle = plainHandle(found)
  if (!found.startsWith('@') && !/[_\d]/.test(found)) return undefined
  const { words } = splitText(found)
  return specialWord(handle.slice(1), [
    { term: handle, factor: FACTOR.exact, isPrefix: true },
    ...words.map(([main]) => ({ term: main, factor: FACTOR.joined / 2, isPrefix: true })),
    { term: words.map(([main]) => main).join(''), factor: FACTOR.joined, isPrefix: true },
  ])
}

/** Fewer digits match only a number that ends with them. */
const MIN_TRUNCATED_DIGITS = 7

/** A number with country code also finds one that is stored without, and the other way around. */
function phoneWord(found: string): QueryWord | undefined {
  const term = phoneTerm(found)
  if (term === undefined) return undefined
  const shorter: QueryTerm[] = []
  for (let length = term.length - 1; length > MIN_TRUNCATED_DIGITS; length -= 1)
    if (term.length - length <= MAX_COUNTRY_DIGITS)
      shorter.push({ term: term.slice(0, length), factor: FACTOR.spelling })
  const digits = found.replace(/\D/g, '')
  return specialWord(digits, [
    { term, factor: FACTOR.exact, isPrefix: true },
    ...shorter,
    { term: digits, factor: FACTOR.exact, isPrefix: true },
  ])
}

/** Digits of a country code and an area code's leading digit. */
const MAX_COUNTRY_DIGITS = 4

function specialWord(text: string, terms: readonly QueryTerm[]): QueryWord {
  return { text, isOptional: false, terms: terms.filter(({ term }) => term !== '') }
}

function plainWord(spellings: Spellings, all: readonly Spellings[], index: number): QueryWord {
  const [text] = spellings
  const { own, others } = wordTerms(spellings)
  const [before, after] = [all[index - 1]?.[0], all[index + 1]?.[0]]
  const joined = [
    ...(before === undefined ? [] : [before + text]),
    ...(after === undefined ? [] : [text + after]),
  ]
  return {
    text,
    isOptional: false,
    terms: [
      ...own,
      ...joined.map((term) => ({ term, factor: FACTOR.joined })),
      ...others,
      ...(all.length > 1 ? initialOf(text) : []),
    ],
  }
}

/** The terms of a word that do not depend on the words beside it. */
interface WordTerms {
  readonly own: readonly QueryTerm[]
  /** Nicknames, and how it sounds. */
  readonly others: readonly QueryTerm[]
}

/** Each character typed and each page asks for the same words again. */
const wordTerms = memoized(([text, ...others]: Spellings): WordTerms => ({
  own: [
    { term: text, factor: FACTOR.exact, isPrefix: true, edits: allowedEdits(text.length) },
    ...others.map((term) => ({ term, factor: FACTOR.spelling, isPrefix: true })),
  ],
  others: [
    ...otherForms(text).map((term) => ({ term, factor: FACTOR.nickname, fields: NAME_FIELD })),
    ...soundOf(text),
  ],
}))

/** About 1 MB. */
const MAX_MEMOIZED = 2000

function memoized(termsOf: (spellings: Spellings) => WordTerms): typeof termsOf {
  const known = new Map<string, WordTerms>()
  return (spellings) => {
    const key = spellings.length === 1 ? spellings[0] : spellings.join(' ')
    const before = known.get(key)
    if (before) return before
    const terms = termsOf(spellings)
    if (known.size >= MAX_MEMOIZED) known.clear()
    known.set(key, terms)
    return terms
  }
}

function soundOf(text: string): QueryTerm[] {
  if (text.length < MIN_SOUND_LENGTH || /\d/.test(text)) return []
  return [{ term: soundTerm(spellingKey(text)), factor: FACTOR.sound, isWeak: true }]
}

/** Beside other words, a name may be only an initial. */
function initialOf(text: string): QueryTerm[] {
  if (text.length <= 1) return []
  return [{ term: text.charAt(0), factor: FACTOR.initial, isWeak: true, fields: NAME_FIELD }]
}

function pairWord(pair: string): QueryWord {
  return specialWord(pair, [{ term: pair, factor: FACTOR.exact, isPrefix: true }])
}
