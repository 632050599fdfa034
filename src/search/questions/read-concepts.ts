/** Titles, places and topics of the thesaurus in a question. */

import { termsOfConcepts } from './concept-terms.ts'
import { alternativesOf, type Alternative } from './expand-word.ts'
import { matchPhrase, wordList } from './phrases.ts'
import {
  FIELDS,
  indexes,
  isCapitals,
  isPurpose,
  startsPhrase,
  take,
  wordsAt,
  type QuestionReading,
} from './reading.ts'
import { thesaurus, type Concept } from './thesaurus.ts'
import type { Facet, FacetKind } from './question.ts'

/** A phrase of the thesaurus in the question. */
interface ConceptMatch {
  readonly at: number
  readonly length: number
  readonly concepts: readonly Concept[]
  /** Index of the preposition before a place, or -1. */
  readonly preposition: number
}

/** Takes the tokens of each concept, and adds its facet. */
export function readConcepts(reading: QuestionReading): void {
  const found = findConcepts(reading)
  if (found.some(({ preposition }) => preposition >= 0)) reading.isQuestion = true
  const covered = new Set(found.flatMap(({ at, length }) => indexes(at, length)))
  // "fintech London" is only concepts; in "Stripe engineer" or "Austin Cook" the words stay as they are.
  const isAllConcepts = reading.words.every(
    (_, at) =>
      covered.has(at) || reading.taken[at] === true || startsPhrase('weak', reading.words, at),
  )
  const accepted = found.filter(
    (match) => reading.isQuestion || isAllConcepts || isUnambiguous(reading, match),
  )
  for (const matches of groupAlternatives(reading, accepted)) addConcepts(reading, matches)
}

/** "Milan or New York" is one facet, and so is "Milan, Rome": no one is in both. */
function groupAlternatives(
  reading: QuestionReading,
  found: readonly ConceptMatch[],
): readonly (readonly ConceptMatch[])[] {
  const groups: ConceptMatch[][] = []
  for (const match of found) {
    const group = groups.find((one) => one.every((other) => areAlternatives(reading, other, match)))
    if (group) group.push(match)
    else groups.push([match])
  }
  return groups
}

function areAlternatives(
  { words }: QuestionReading,
  first: ConceptMatch,
  second: ConceptMatch,
): boolean {
  if (kindOf(first) !== kindOf(second)) return false
  if (kindOf(first) === 'location')
    return !first.concepts.some((one) =>
      second.concepts.some((other) => isWithin(one, other) || isWithin(other, one)),
    )
  const between = words.slice(first.at + first.length, second.at)
  return between.length === 1 && OR_WORDS.has(between[0] ?? '')
}

const OR_WORDS: ReadonlySet<string> = new Set('or oder ou o of или'.split(' '))

function isWithin(place: Concept, whole: Concept): boolean {
  for (let one: Concept | undefined = place; one; one = one.whole) if (one === whole) return true
  return false
}

function addConcepts(reading: QuestionReading, matches: readonly ConceptMatch[]): void {
  const [first] = matches
  if (!first) return
  for (const { at, preposition } of matches)
    if (preposition >= 0) take(reading, preposition, at - preposition)
  const range = matches.flatMap(({ at, length }) => indexes(at, length))
  for (const index of range) reading.taken[index] = true
  const kind = kindOf(first)
  const lists = matches.map(({ at, length, concepts }) =>
    alternativesOf(reading.words.slice(at, at + length).join(' '), concepts),
  )
  reading.facets.push({
    kind,
    asked: wordsAt(reading, range),
    alternatives: bestFirst(lists),
    terms: termsOfConcepts(matches.flatMap(({ concepts }) => concepts)),
    fields: FIELDS[kind],
    effect: effectOf(first),
    ...(isPurpose(reading.words, first.at) && { isPurpose: true }),
  })
}

function findConcepts(reading: QuestionReading): ConceptMatch[] {
  const found: ConceptMatch[] = []
  for (let at = 0; at < reading.words.length;) {
    const match = conceptAt(reading, at)
    if (match) found.push(match)
    at += match?.length ?? 1
  }
  return found
}

/** The longest phrase at a token. */
function conceptAt(reading: QuestionReading, at: number): ConceptMatch | undefined {
  const { words, tokens, taken } = reading
  const preposition = prepositionBefore(reading, at)
  const longest = Math.max(1, thesaurus().maxTokens(words[at] ?? ''))
  for (let length = Math.min(longest, words.length - at); length > 0; length -= 1) {
    if (taken.slice(at, at + length).includes(true)) continue
    const phrase = words.slice(at, at + length).join(' ')
    const known = thesaurus().find(phrase)
    const found = (known.length === 0 && preposition >= 0 ? placesInCase(phrase) : known).filter(
      ({ kind }) => kind !== 'location' || isPlace(reading, { at, length, preposition }),
    )
    const places = found.filter(({ kind }) => kind === 'location')
    // After a preposition, what can be a place is one.
    if (places.length > 0 && (preposition >= 0 || found.length === places.length))
      return { at, length, concepts: places, preposition }
    // The "ai" of "j'ai" is no topic.
    const isElided =
      length === 1 && startsPhrase('weak', words, at) && /['’]/.test(tokens[at]?.chunk ?? '')
    const others = isElided ? [] : found.filter(({ kind }) => kind !== 'location')
    if (others.length > 0) return { at, length, concepts: others, preposition: -1 }
  }
  return undefined
}

/** Endings of places after a Polish, Czech or Slovak preposition, and in the dictionary: w Hamburgu, we Warszawie, v Brně. */
const LATIN_CASES: readonly (readonly [ending: RegExp, replacement: string])[] = [
  [/(?<=[a-z]{4})i?u$/, ''],
  [/(?<=[a-z]{3})i?e$/, 'a'],
  [/(?<=[a-z]{3})i?e$/, ''],
  [/(?<=[a-z]{3})e$/, 'o'],
  [/(?<=[a-z]{3})i$/, 'a'],
  [/(?<=[a-z]{3})[iy]$/, ''],
]

function placesInCase(phrase: string): readonly Concept[] {
  for (const [ending, replacement] of LATIN_CASES) {
    if (!ending.test(phrase)) continue
    const places = thesaurus()
      .find(phrase.replace(ending, replacement))
      .filter(({ kind }) => kind === 'location')
    if (places.length > 0) return places
  }
  return []
}

/** Tokens of the longest preposition: "in der Nähe von". */
const MAX_PREPOSITION = 4

/** Where the preposition of a place starts; -1 without one. */
function prepositionBefore({ words, taken }: QuestionReading, at: number): number {
  const list = wordList('location')
  for (let start = Math.max(0, at - MAX_PREPOSITION); start < at; start += 1)
    if (taken[start] === false && matchPhrase(list, words, start)?.length === at - start)
      return start
  return -1
}

/** Names of places that are also common words count only after a preposition, or with a capital letter. */
function isPlace(
  { words, tokens }: QuestionReading,
  { at, length, preposition }: Omit<ConceptMatch, 'concepts'>,
): boolean {
  const word = words[at] ?? ''
  const { chunk = '' } = tokens[at] ?? {}
  if (length > 1) return true
  if (word.length <= 3 && startsPhrase('weak', words, at)) return isCapitals(chunk, tokens)
  if (preposition >= 0 || !startsPhrase('needs-capital', words, at)) return true
  if (word.length <= 3) return isCapitals(chunk, tokens)
  return /^\p{Lu}/u.test(chunk) && at > 0
}

/** Phrases of several words and abbreviations in capitals are concepts in any text. */
function isUnambiguous({ tokens, words }: QuestionReading, { at, length }: ConceptMatch): boolean {
  if (length > 1) return true
  const { chunk = '' } = tokens[at] ?? {}
  return (words[at] ?? '').length <= 4 && isCapitals(chunk, tokens)
}

function kindOf({ concepts }: ConceptMatch): FacetKind {
  return concepts.some(({ kind }) => kind === 'title') ? 'title' : (concepts[0]?.kind ?? 'topic')
}

/** Related words are many and vague, so a topic only raises a result. */
function effectOf(match: ConceptMatch): Facet['effect'] {
  return kindOf(match) === 'topic' ? 'boost' : 'filter'
}

function bestFirst(lists: readonly (readonly Alternative[])[]): readonly Alternative[] {
  const [only, ...others] = lists
  if (only && others.length === 0) return only
  return lists.flat().toSorted((one, other) => other.weight - one.weight)
}
