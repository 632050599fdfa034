/**
 * Understands a question to a member's network without a model: dates, relations ("met at", "left"), job titles, places
 * and topics of the thesaurus, and the member's own companies and tags. The rest stays as words. A plain name passes
 * through unchanged.
 */

import { withoutInitialsPrefix } from './company-initials.ts'
import { readConcepts } from './read-concepts.ts'
import { readDates } from './read-dates.ts'
import { readRelations } from './read-relations.ts'
import { findExclusions, findPresence } from './exclusions.ts'
import { matchPhrase, wordList, type WordList } from './phrases.ts'
import {
  addFacet,
  indexes,
  isLiteral,
  isPurpose,
  maskTaken,
  readTokens,
  startReading,
  startsPhrase,
  take,
  type QuestionReading,
  type Token,
} from './reading.ts'
import type { FacetKind, QuestionContext, UnderstoodQuestion, Vocabulary } from './question.ts'

/** Never throws and never drops all words: everything that is not a facet stays in `words`. */
export function understandQuestion(text: string, context: QuestionContext): UnderstoodQuestion {
  const tokens = readTokens(text, context.vocabulary)
  const plain = {
    text: text.trim(),
    words: tokens.map(({ word }) => word),
    asking: [],
    incidental: [],
    facets: [],
    dates: [],
    presence: [],
    excluded: [],
  }
  if (isPlain(tokens, context.vocabulary)) return plain
  const reading = startReading(tokens, context)
  readConditions(reading)
  readRelations(reading)
  readDates(reading)
  readConcepts(reading)
  readTags(reading)
  readInitials(reading)
  dropAskingWords(reading)
  return resultOf(reading) ?? plain
}

/**
 * Whether the only words that ask are also names in the network: `ken stripe`, `Weiß Siemens`. Then the text may be about
 * a person instead of a question.
 */
export function asksOnlyInNames(text: string, vocabulary: Vocabulary): boolean {
  const words = readTokens(text, vocabulary).map(({ word }) => word)
  const asking = words.flatMap((word, at) => {
    const match = matchPhrase(wordList('question'), words, at)
    return match ? [{ word, isOne: match.length === 1 }] : []
  })
  return (
    asking.length > 0 && asking.every(({ word, isOne }) => isOne && vocabulary.has('name', [word]))
  )
}

/** Whether the text is the name of a person or of a company, or only emails, phone numbers and URLs. */
function isPlain(tokens: readonly Token[], vocabulary: Vocabulary | undefined): boolean {
  const words = tokens.map(({ word }) => word)
  if (words.length === 0) return true
  if (tokens.every(({ chunk }) => isLiteral(chunk))) return true
  // A single word may be a name and a place: then both are searched for, as a word.
  if (vocabulary?.has('name', words) === true) return true
  return words.length > 1 && vocabulary?.has('company', words) === true
}

/** "without an email", "not in London" */
function readConditions(reading: QuestionReading): void {
  const { words, vocabulary } = reading
  for (const { facet, at, length } of findPresence(words)) {
    take(reading, at, length)
    reading.presence.push(facet)
    reading.isQuestion = true
  }
  for (const { facet, at, length } of findExclusions(maskTaken(reading), vocabulary)) {
    take(reading, at, length)
    reading.excluded.push(facet)
    reading.isQuestion = true
  }
}

/** Tags of one or two words that the member uses. The words also stay searchable in every field. */
function readTags(reading: QuestionReading): void {
  const { words, taken, vocabulary } = reading
  if (!vocabulary || !reading.isQuestion) return
  for (let at = 0; at < words.length; at += 1)
    for (const length of [2, 1]) {
      const range = indexes(at, length)
      const tag = range.map((index) => words[index] ?? '')
      if (at + length > words.length || range.some((index) => taken[index] === true)) continue
      if (tag.some((_, index) => isAsking(words, at + index)) || !vocabulary.has('tag', tag))
        continue
      addFacet(reading, 'tag', range, 'boost')
      break
    }
}

/** `TUM robotics`: the initials of a company without "at" or its like. */
function readInitials(reading: QuestionReading): void {
  for (const [at, word] of reading.words.entries())
    if (reading.taken[at] !== true && withoutInitialsPrefix(word) !== word)
      addFacet(reading, 'company', [at], 'filter')
}

function isAsking(words: readonly string[], at: number): boolean {
  return startsPhrase('question', words, at) || startsPhrase('weak', words, at)
}

function dropAskingWords(reading: QuestionReading): void {
  const { words } = reading
  if (!reading.isQuestion && reading.facets.length === 0) return
  const lists: readonly WordList[] = reading.isQuestion
    ? ['interaction', 'connected', 'question', 'weak']
    : ['weak']
  for (let at = 0; at < words.length; at += 1) {
    if (reading.taken[at] === true) continue
    for (const list of lists) {
      const match = matchPhrase(wordList(list), words, at)
      // An email or number is never an asking word.
      if (!match || isLiteral(reading.tokens[at]?.chunk ?? '')) continue
      if (matchesPhrase(reading, list)) take(reading, at, match.length)
    }
  }
}

/** "called" and "added" only ask when there is a date. */
function matchesPhrase({ dates }: QuestionReading, list: WordList): boolean {
  return (list !== 'interaction' && list !== 'connected') || dates.length > 0
}

/** Undefined when no word and nothing else is left. */
function resultOf(reading: QuestionReading): UnderstoodQuestion | undefined {
  const left = reading.tokens.filter((_, at) => reading.taken[at] !== true)
  const { facets, dates, presence, excluded } = reading
  if ([left, facets, dates, presence, excluded].every(({ length }) => length === 0))
    return undefined
  const chunks = new Map(left.map(({ chunk, chunkIndex }) => [chunkIndex, chunk]))
  return {
    text: [...chunks.values()].map(withoutPunctuation).join(' '),
    words: left.map(({ word }) => word),
    asking: askingWords(reading),
    incidental: incidentalWords(reading),
    facets,
    dates,
    presence,
    excluded,
  }
}

function askingWords({ words, taken, facets, dates }: QuestionReading): string[] {
  if (dates.length > 0 || facets.some(({ kind }) => PAST.has(kind))) return []
  const asked = new Set(facets.flatMap((facet) => facet.asked))
  return words.filter((word, at) => taken[at] === true && !asked.has(word))
}

/** The verb is the first word that is left, if only asking words stand between it and `who`. */
function incidentalWords({ words, taken }: QuestionReading): string[] {
  const verb = startsPhrase('actor', words, 0) ? taken.indexOf(false) : -1
  return words.filter((_, at) => taken[at] === false && (at === verb || isPurpose(words, at)))
}

/** What the words before it say also counts: left, met at. */
const PAST: ReadonlySet<FacetKind> = new Set(['former-company', 'event'])

/** Without the punctuation around it. Not one pattern with `+$`, which would take quadratic time. */
function withoutPunctuation(chunk: string): string {
  let [start, end] = [0, chunk.length]
  while (start < end && OPENING.has(chunk.charAt(start))) start += 1
  while (end > start && CLOSING.has(chunk.charAt(end - 1))) end -= 1
  return chunk.slice(start, end)
}

const OPENING: ReadonlySet<string> = new Set('"\'“”„«»(¿¡')
const CLOSING: ReadonlySet<string> = new Set('"\'“”„«»)?!.,;:')
