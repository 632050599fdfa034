/** The state of parsing one question: its tokens, those that are already understood, and what they mean. */

import { dayInZone } from '../../base/calendar-day.ts'
import { lazy } from '../../base/lazy.ts'
import { tokenize } from '../../base/tokenize.ts'
import { initialsTerm, typedInitials } from './company-initials.ts'
import { alternativesOf, type SearchField } from './expand-word.ts'
import { matchPhrase, wordList, type WordList } from './phrases.ts'
import { thesaurus } from './thesaurus.ts'
import type {
  DateFacet,
  ExcludedFacet,
  Facet,
  FacetKind,
  PresenceFacet,
  QuestionContext,
  Vocabulary,
} from './question.ts'

/** Of longer texts, the words after these are ignored. */
const MAX_TOKENS = 64

export interface Token {
  /** Normalized. For the initials of a company of the network, their term: `who` may be a company. */
  readonly word: string
  /** The part of the text between spaces that it is in. */
  readonly chunk: string
  readonly chunkIndex: number
}

export function readTokens(text: string, vocabulary: Vocabulary | undefined): readonly Token[] {
  const tokens = text
    .trim()
    .split(/\s+/)
    .flatMap((chunk, chunkIndex) => tokenize(chunk).map((word) => ({ word, chunk, chunkIndex })))
    .slice(0, MAX_TOKENS)
  const initials = typedInitials(text)
  if (initials.size === 0 || tokens.length === 1 || !tokens.some(isLowercase)) return tokens
  return tokens.map((token) => {
    const { word, chunk, chunkIndex } = token
    const isCompany = initials.has(word) && areOfCompany(token, vocabulary)
    return isCompany ? { word: initialsTerm(word), chunk, chunkIndex } : token
  })
}

/** `CTO` and `UK` are a title and a place, whatever companies there are. */
function areOfCompany({ word, chunk }: Token, vocabulary: Vocabulary | undefined): boolean {
  if (word.length < MIN_INITIALS || isLowercase({ chunk }) || thesaurus().find(word).length > 0)
    return false
  return vocabulary?.has('company', [initialsTerm(word)]) === true
}

/** Two letters may also be the initials of a person. */
const MIN_INITIALS = 3

/** Emails, URLs and numbers, which are searched for as they are. */
export function isLiteral(chunk: string): boolean {
  return /@|:\/\/|^\+?[\d().\-/]+$|^[\w-]+(?:\.[\w-]+)*\.\w{2,}\//.test(chunk)
}

/** The state of parsing one question: the consumed tokens and their meanings. */
export interface QuestionReading {
  readonly tokens: readonly Token[]
  readonly words: readonly string[]
  readonly taken: boolean[]
  readonly vocabulary: Vocabulary | undefined
  /** YYYY-MM-DD */
  readonly today: () => string
  readonly facets: Facet[]
  readonly dates: DateFacet[]
  readonly presence: PresenceFacet[]
  readonly excluded: ExcludedFacet[]
  /** Whether the text is a question instead of a name: function words are dropped, and single words can be concepts. */
  isQuestion: boolean
  isSilence: boolean
}

export function startReading(tokens: readonly Token[], context: QuestionContext): QuestionReading {
  const words = tokens.map(({ word }) => word)
  return {
    tokens,
    words,
    taken: tokens.map(() => false),
    vocabulary: context.vocabulary,
    today: lazy(() => dayInZone(context.timeZone ?? 'UTC', context.now)),
    facets: [],
    dates: [],
    presence: [],
    excluded: [],
    isQuestion: words.some((_, at) => startsPhrase('question', words, at)) && !areAllAsking(words),
    isSilence: false,
  }
}

function areAllAsking(words: readonly string[]): boolean {
  return words.every(
    (_, at) => startsPhrase('question', words, at) || startsPhrase('weak', words, at),
  )
}

export function startsPhrase(list: WordList, words: readonly string[], at: number): boolean {
  return matchPhrase(wordList(list), words, at) !== undefined
}

/** Whether a word follows `for` or `for a`. */
export function isPurpose(words: readonly string[], at: number): boolean {
  if (at > 0 && startsPhrase('purpose', words, at - 1)) return true
  return at > 1 && startsPhrase('purpose', words, at - 2) && startsPhrase('weak', words, at - 1)
}

/** Taken tokens match no phrase. */
export function maskTaken({ words, taken }: QuestionReading): string[] {
  return words.map((word, at) => (taken[at] === true ? '' : word))
}

export function wordsAt(
  { words }: Pick<QuestionReading, 'words'>,
  run: readonly number[],
): string[] {
  return run.map((at) => words[at] ?? '')
}

export function isKnown(words: readonly string[], kinds: readonly string[]): boolean {
  return thesaurus()
    .find(words.join(' '))
    .some(({ kind }) => kinds.includes(kind))
}

/** An abbreviation in capitals, in a text that is not all in capitals. */
export function isCapitals(chunk: string, tokens: readonly Token[]): boolean {
  return chunk === chunk.toUpperCase() && tokens.some(isLowercase)
}

function isLowercase({ chunk }: Pick<Token, 'chunk'>): boolean {
  return chunk === chunk.toLowerCase() && /\p{L}/u.test(chunk)
}

export const FIELDS: Readonly<Record<FacetKind, readonly SearchField[]>> = {
  title: ['title', 'tag', 'note'],
  topic: ['title', 'company', 'tag', 'note'],
  location: ['location', 'tag', 'note'],
  tag: ['tag'],
  company: ['company'],
  'former-company': ['detail', 'note', 'tag'],
  event: ['note', 'tag'],
  'follow-up': ['followUp'],
}

/** A facet that the thesaurus does not know: a company, an event or a tag. */
export function addFacet(
  reading: QuestionReading,
  kind: FacetKind,
  range: readonly number[],
  effect: Facet['effect'],
): void {
  const asked = wordsAt(reading, range)
  for (const index of range) reading.taken[index] = true
  const alternatives = alternativesOf(asked.join(' '), [])
  reading.facets.push({ kind, asked, alternatives, terms: [], fields: FIELDS[kind], effect })
}

export function take({ taken }: QuestionReading, at: number, length: number): void {
  for (const index of indexes(at, length)) if (index < taken.length) taken[index] = true
}

export function indexes(at: number, length: number): number[] {
  return Array.from({ length }, (_, index) => at + index)
}
