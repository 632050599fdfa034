/** Turns a query into words, each with the terms that match it. */

import { otherForms } from '../../../names/given-names.ts'
import { spellingKey } from '../../../names/transliterate.ts'
import { STOP_WORDS } from '../../../embeddings/stop-words.ts'
import { MIN_SOUND_LENGTH } from './analyze-document.ts'
import { FACTOR, FIELD } from './fields.ts'
import { soundTerm } from './special-terms.ts'
import { specialWord, takeSpecial } from './special-words.ts'
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
