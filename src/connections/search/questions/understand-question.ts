/**
 * Understands a question to a member's network without a model: dates, relations ("met at", "left"), job titles, places
 * and topics of the thesaurus, and the member's own companies and tags. The rest stays as words. A plain name passes
 * through unchanged.
 */

import { dayInZone } from '../../../base/calendar-day.ts'
import { lazy } from '../../../base/lazy.ts'
import { tokenize } from '../../../base/tokenize.ts'
import { termsOfConcepts } from './concept-terms.ts'
import { readBirthdays } from './birthdays.ts'
import { findExclusions, findPresence } from './exclusions.ts'
import { amountOfTime, findDates, type DateMatch } from './dates.ts'
import { alternativesOf, type Alternative, type SearchField } from './expand-word.ts'
import { matchPhrase, wordList, type WordList } from './phrases.ts'
import { thesaurus, type Concept } from './thesaurus.ts'
import type {
  DateFacet,
  ExcludedFacet,
  Facet,
  FacetKind,
  PresenceFacet,
  QuestionContext,
  UnderstoodQuestion,
  Vocabulary,
} from './question.ts'

/** Of longer texts, the words after these are ignored. */
const MAX_TOKENS = 64

/** Never throws and never drops all words: everything that is not a facet stays in `words`. */
export function understandQuestion(text: string, context: QuestionContext): UnderstoodQuestion {
  const tokens = readTokens(text)
  const plain = {
    text: text.trim(),
    words: tokens.map(({ word }) => word),
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
  dropAskingWords(reading)
  return resultOf(reading) ?? plain
}

interface Token {
  /** Normalized. */
  readonly word: string
  /** The part of the text between spaces that it is in. */
  readonly chunk: string
  readonly chunkIndex: number
}

function readTokens(text: string): readonly Token[] {
  return text
    .trim()
    .split(/\s+/)
    .flatMap((chunk, chunkIndex) => tokenize(chunk).map((word) => ({ word, chunk, chunkIndex })))
    .slice(0, MAX_TOKENS)
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

/** Emails, URLs and numbers, which are searched for as they are. */
function isLiteral(chunk: string): boolean {
  return /@|:\/\/|^\+?[\d().\-/]+$|^[\w-]+(?:\.[\w-]+)*\.\w{2,}\//.test(chunk)
}

/** The state of parsing one question: the consumed tokens and their meanings. */
interface Reading {
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

function startReading(tokens: readonly Token[], context: QuestionContext): Reading {
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

function startsPhrase(list: WordList, words: readonly string[], at: number): boolean {
  return matchPhrase(wordList(list), words, at) !== undefined
}

/** "without an email", "not in London" */
function readConditions(reading: Reading): void {
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

/** "haven't spoken to", "met at", "left" and "works at", with the words that they are about. */
function readRelations(reading: Reading): void {
  const { words } = reading
  for (let at = 0; at < words.length; at += 1) {
    if (reading.taken[at] === true) continue
    for (const { list, read } of RELATIONS) {
      const match = matchPhrase(wordList(list), words, at)
      if (!match || !read(reading, at, match.length)) continue
      reading.isQuestion = true
      break
    }
  }
}

interface Relation {
  readonly list: WordList
  /** Whether the phrase is this relation here; then it has taken its words. */
  readonly read: (reading: Reading, at: number, length: number) => boolean
}

const RELATIONS: readonly Relation[] = [
  { list: 'silence', read: readSilence },
  { list: 'event', read: readEvent },
  { list: 'subject', read: readSubject },
  { list: 'former', read: readFormerCompany },
  { list: 'company', read: readCompany },
]

/** "haven't spoken to in a year". A date after it is read later, as the end of the silence. */
function readSilence(reading: Reading, at: number, length: number): boolean {
  take(reading, at, length)
  reading.isSilence = true
  const amount = amountOfTime(reading.words, at + length, reading.today())
  if (!amount) return true
  take(reading, at + length, amount.length)
  reading.dates.push({ about: 'last-interaction', to: amount.from })
  return true
}

function readEvent(reading: Reading, at: number, length: number): boolean {
  const asked = runAfter(reading, at + length)
  if (asked.length === 0) return false
  take(reading, at, length)
  addFacet(reading, 'event', asked, 'filter')
  return true
}

/** "hilft bei": its preposition starts no company, unless the member knows a company of that name. */
function readSubject(reading: Reading, at: number, length: number): boolean {
  const subject = wordsAt(reading, companyRun(reading, runAfter(reading, at + length)))
  const isCompany = reading.vocabulary?.has('company', subject) === true
  if (isCompany && !isKnown(subject, ['topic', 'title'])) return false
  take(reading, at, length)
  return true
}

/** The company follows the phrase, or in some languages precedes it: "wer hat Stripe verlassen". */
function readFormerCompany(reading: Reading, at: number, length: number): boolean {
  const isKnownCompany = (words: readonly string[]) =>
    reading.vocabulary?.has('company', words) === true ||
    (reading.words[at] !== 'left' && reading.vocabulary?.has('detail', words) === true)
  const after = companyRun(reading, runAfter(reading, at + length), isKnownCompany)
  const asked =
    after.length > 0 ? after : companyRun(reading, runBefore(reading, at), isKnownCompany)
  // "former CTO" and "ex founder" are titles, not companies.
  if (asked.length === 0 || isKnown(wordsAt(reading, asked), ['title'])) return false
  // "left" alone is ambiguous; without a question word, a name is more likely.
  const isPrefix = reading.words[at] === 'ex'
  const isClear = reading.isQuestion || isPrefix || length > 1
  if (!isClear && !isKnownCompany(wordsAt(reading, asked))) return false
  take(reading, at, length)
  addFacet(reading, 'former-company', asked, 'filter')
  return true
}

/** The part of a run that is a company: the longest one that the member knows, or what stands before a title. */
function companyRun(
  { words, vocabulary }: Reading,
  run: readonly number[],
  isKnownCompany = (name: readonly string[]) => vocabulary?.has('company', name) === true,
): readonly number[] {
  for (let length = run.length; length > 0; length -= 1) {
    const start = run.slice(0, length)
    if (isKnownCompany(wordsAt({ words }, start))) return start
  }
  const title = run.findIndex((at, index) => index > 0 && isKnown([words[at] ?? ''], ['title']))
  return title < 0 ? run : run.slice(0, title)
}

function wordsAt({ words }: Pick<Reading, 'words'>, run: readonly number[]): string[] {
  return run.map((at) => words[at] ?? '')
}

function readCompany(reading: Reading, at: number, length: number): boolean {
  if (at === 0 && length === 1) return false
  const asked = companyRun(reading, runAfter(reading, at + length))
  const words = wordsAt(reading, asked)
  if (asked.length === 0 || startsPhrase('birthday', words, 0)) return false
  const isCompany = reading.vocabulary?.has('company', words) === true
  if (!isCompany && isKnown(words, ['location', 'title', 'topic'])) return false
  take(reading, at, length)
  addFacet(reading, 'company', asked, 'filter')
  return true
}

function isKnown(words: readonly string[], kinds: readonly string[]): boolean {
  return thesaurus()
    .find(words.join(' '))
    .some(({ kind }) => kinds.includes(kind))
}

/** Words of one company or event. */
const MAX_RUN = 5

/** The tokens from here up to the next word that only asks or connects, a date or another relation. */
function runAfter(reading: Reading, start: number): number[] {
  const { words } = reading
  let from = start
  while (from < words.length && isArticle(words[from])) from += 1
  const run: number[] = []
  for (let at = from; at < words.length && run.length < MAX_RUN && !endsRun(reading, at); at += 1)
    run.push(at)
  return run
}

function runBefore(reading: Reading, end: number): number[] {
  const run: number[] = []
  for (let at = end - 1; at >= 0 && run.length < MAX_RUN && !endsRun(reading, at); at -= 1)
    run.unshift(at)
  return run
}

function endsRun(reading: Reading, at: number): boolean {
  const { words, taken, today } = reading
  if (taken[at] === true) return true
  if (startsPhrase('weak', words, at) || startsPhrase('question', words, at)) return true
  if (startsPhrase('location', words, at)) return true
  // A month is a date only after a preposition, which the relation has taken.
  const next = words.slice(at, at + 6)
  return [next, ['in', ...next]].some((one) => findDates(one, today)[0]?.at === 0)
}

const ARTICLES: ReadonlySet<string> = new Set(
  'the a an der die das dem den le la les l un une el los las il lo gli o os as de het een'.split(
    ' ',
  ),
)

function isArticle(word: string | undefined): boolean {
  return word !== undefined && ARTICLES.has(word)
}

function readDates(reading: Reading): void {
  if (readBirthdayDates(reading)) return
  for (const date of findDates(maskTaken(reading), reading.today)) {
    // A month or season is also a name: "April in summer 2024" has one date, "April Summer" none.
    take(reading, date.at, date.length)
    reading.isQuestion = true
    reading.dates.push(dateFacetOf(reading, date))
  }
  const isOpen =
    reading.isSilence && !reading.dates.some(({ about }) => about === 'last-interaction')
  if (isOpen) reading.dates.push({ about: 'last-interaction', to: aYearBefore(reading.today()) })
}

/** Whether the dates of the question are those of birthdays, even if there are none. */
function readBirthdayDates(reading: Reading): boolean {
  const found = readBirthdays(maskTaken(reading), reading.today)
  if (!found) return false
  if (found.dates.length > 0) reading.isQuestion = true
  reading.dates.push(...found.dates)
  for (const at of found.taken) reading.taken[at] = true
  return true
}

/** Taken tokens match no phrase. */
function maskTaken({ words, taken }: Reading): string[] {
  return words.map((word, at) => (taken[at] === true ? '' : word))
}

function dateFacetOf(reading: Reading, { relation, from, to }: DateMatch): DateFacet {
  if (reading.isSilence) {
    // "since March" and "this year" both say that there was nothing from then on.
    return { about: 'last-interaction', to: relation === 'after' ? to : from }
  }
  const about = aboutOf(reading)
  if (relation === 'since') return { about, from }
  if (relation === 'after') return { about, from: to }
  return relation === 'before' ? { about, to: from } : { about, from, to }
}

function aboutOf(reading: Reading): DateFacet['about'] {
  if (hasPhrase(reading, 'connected')) return 'connected'
  return hasPhrase(reading, 'met') ? 'met' : 'interaction'
}

function hasPhrase({ words }: Reading, list: WordList): boolean {
  return words.some((_, at) => startsPhrase(list, words, at))
}

function aYearBefore(today: string): string {
  const [year = '', month = '', date = ''] = today.split('-')
  const day = month === '02' && date === '29' ? '28' : date
  return `${String(Number(year) - 1).padStart(4, '0')}-${month}-${day}`
}

/** A phrase of the thesaurus in the question. */
interface ConceptMatch {
  readonly at: number
  readonly length: number
  readonly concepts: readonly Concept[]
  /** Index of the preposition before a place, or -1. */
  readonly preposition: number
}

function readConcepts(reading: Reading): void {
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
  reading: Reading,
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

function areAlternatives({ words }: Reading, first: ConceptMatch, second: ConceptMatch): boolean {
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

function addConcepts(reading: Reading, matches: readonly ConceptMatch[]): void {
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
  })
}

function findConcepts(reading: Reading): ConceptMatch[] {
  const found: ConceptMatch[] = []
  for (let at = 0; at < reading.words.length;) {
    const match = conceptAt(reading, at)
    if (match) found.push(match)
    at += match?.length ?? 1
  }
  return found
}

/** The longest phrase at a token. */
function conceptAt(reading: Reading, at: number): ConceptMatch | undefined {
  const { words, tokens, taken } = reading
  const preposition = prepositionBefore(reading, at)
  const longest = Math.max(1, thesaurus().maxTokens(words[at] ?? ''))
  for (let length = Math.min(longest, words.length - at); length > 0; length -= 1) {
    if (taken.slice(at, at + length).includes(true)) continue
    const found = thesaurus()
      .find(words.slice(at, at + length).join(' '))
      .filter(({ kind }) => kind !== 'location' || isPlace(reading, { at, length, preposition }))
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

/** Tokens of the longest preposition: "in der Nähe von". */
const MAX_PREPOSITION = 4

/** Where the preposition of a place starts; -1 without one. */
function prepositionBefore({ words, taken }: Reading, at: number): number {
  const list = wordList('location')
  for (let start = Math.max(0, at - MAX_PREPOSITION); start < at; start += 1)
    if (taken[start] === false && matchPhrase(list, words, start)?.length === at - start)
      return start
  return -1
}

/** Names of places that are also common words count only after a preposition, or with a capital letter. */
function isPlace(
  { words, tokens }: Reading,
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

/** An abbreviation in capitals, in a text that is not all in capitals. */
function isCapitals(chunk: string, tokens: readonly Token[]): boolean {
  return chunk === chunk.toUpperCase() && tokens.some(isLowercase)
}

function isLowercase({ chunk }: Token): boolean {
  return chunk === chunk.toLowerCase() && /\p{L}/u.test(chunk)
}

/** Phrases of several words and abbreviations in capitals are concepts in any text. */
function isUnambiguous({ tokens, words }: Reading, { at, length }: ConceptMatch): boolean {
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

/** Tags of one or two words that the member uses. The words also stay searchable in every field. */
function readTags(reading: Reading): void {
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

function isAsking(words: readonly string[], at: number): boolean {
  return startsPhrase('question', words, at) || startsPhrase('weak', words, at)
}

function dropAskingWords(reading: Reading): void {
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
function matchesPhrase({ dates }: Reading, list: WordList): boolean {
  return (list !== 'interaction' && list !== 'connected') || dates.length > 0
}

/** Undefined when no word and nothing else is left. */
function resultOf(reading: Reading): UnderstoodQuestion | undefined {
  const left = reading.tokens.filter((_, at) => reading.taken[at] !== true)
  const { facets, dates, presence, excluded } = reading
  if ([left, facets, dates, presence, excluded].every(({ length }) => length === 0))
    return undefined
  const chunks = new Map(left.map(({ chunk, chunkIndex }) => [chunkIndex, chunk]))
  return {
    text: [...chunks.values()].map(withoutPunctuation).join(' '),
    words: left.map(({ word }) => word),
    facets,
    dates,
    presence,
    excluded,
  }
}

function withoutPunctuation(chunk: string): string {
  return chunk.replace(/^[\s"'“”„«»(¿¡]+|[\s"'“”«»)?!.,;:]+$/gu, '')
}

const FIELDS: Readonly<Record<FacetKind, readonly SearchField[]>> = {
  title: ['title', 'tag', 'note'],
  topic: ['title', 'company', 'tag', 'note'],
  location: ['location', 'tag', 'note'],
  tag: ['tag'],
  company: ['company'],
  'former-company': ['detail', 'note', 'tag'],
  event: ['note', 'tag'],
}

function bestFirst(lists: readonly (readonly Alternative[])[]): readonly Alternative[] {
  const [only, ...others] = lists
  if (only && others.length === 0) return only
  return lists.flat().toSorted((one, other) => other.weight - one.weight)
}

/** A facet that the thesaurus does not know: a company, an event or a tag. */
function addFacet(
  reading: Reading,
  kind: FacetKind,
  range: readonly number[],
  effect: Facet['effect'],
): void {
  const asked = wordsAt(reading, range)
  for (const index of range) reading.taken[index] = true
  const alternatives = alternativesOf(asked.join(' '), [])
  reading.facets.push({ kind, asked, alternatives, terms: [], fields: FIELDS[kind], effect })
}

function take({ taken }: Reading, at: number, length: number): void {
  for (const index of indexes(at, length)) if (index < taken.length) taken[index] = true
}

function indexes(at: number, length: number): number[] {
  return Array.from({ length }, (_, index) => at + index)
}
