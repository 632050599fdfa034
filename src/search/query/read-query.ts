/**
 * Reads a query to a network: its words with the titles, places and topics that they name, and its conditions. Words that
 * only ask, such as `who can help with`, count little. What a word means raises people who say it otherwise, but never as
 * high as those who have the word itself.
 */

import { dayAt } from '../../dates/calendar-day.ts'
import { DAY, HOUR } from '../../base/clock.ts'
import { tokenize } from '../../base/tokenize.ts'
import { nameAffixes } from '../../identity/name-affixes.ts'
import { FIELD } from '../index/search-fields.ts'
import { FACTOR } from '../index/match-factors.ts'
import { hasTerms } from '../search-index.ts'
import { pairsOf, splitText } from '../index/split-words.ts'
import { conceptSpans, type AskedConcept } from '../questions/concept-terms.ts'
import { matchPhrase } from '../../base/phrase-list.ts'
import {
  hasOtherAccent,
  isFunctionWord,
  phraseLength,
  wordList,
  type WordList,
} from '../questions/phrases.ts'
import { thesaurus } from '../questions/thesaurus.ts'
import {
  readConditions,
  type Conditions,
  type QuestionContext,
} from '../questions/read-conditions.ts'
import { analyzeFilter, POSSESSIVE, typedWords, withOptional } from './analyze-query.ts'
import { asOwner, ownersIn } from './possessive-names.ts'
import { asNegation, negationsIn } from './negations.ts'
import { asInitial, initialsIn } from './query-initials.ts'
import { labeledWords } from './field-labels.ts'
import { quotedWords, withExclusionsInWords } from './special-words.ts'
import { pairWord, unspacedWords, type UnspacedText } from './unspaced-words.ts'
import {
  asEmployer,
  asProperNoun,
  contentWords,
  employersIn,
  isKnownPlace,
  isUnknownPlace,
  isCapitalized,
  mayBeCommonNoun,
  outsideCompanies,
  outsideFormerPositions,
  outsideTexts,
  withNameParts,
  type TypedWord,
} from './proper-nouns.ts'
import type { IndexFilters } from '../index/index-filters.ts'
import type { SearchIndex } from '../index/segment.ts'
import type { Guess, QueryTerm, QueryWord } from '../index/query-word.ts'
import type { ExcludedFacet } from '../questions/exclusions.ts'
import type { DateFacet } from '../questions/question-dates.ts'

interface ParsedQuery {
  readonly words: readonly QueryWord[]
  readonly filters: IndexFilters
  /** Whether dates of the query are among the filters. */
  readonly isDated: boolean
}

/** Dates such as `today` count from `now`, in milliseconds, in the zone of the person who asks. */
export function readSearchQuery(
  index: SearchIndex,
  text: string,
  { now, timeZone }: Pick<QuestionContext, 'now' | 'timeZone'>,
): ParsedQuery {
  const { labeled, rest: unlabeled } = labeledWords(text)
  const { quoted, rest } = quotedWords(unlabeled)
  const has: HasWords = (field, words) => hasTerms(index, words, FIELD[field])
  const read = (one: string) => readConditions(one, { now, timeZone, has })
  const worded = withExclusionsInWords(rest)
  const excluding = worded === undefined ? undefined : read(worded)
  const conditions = excluding && excluding.excluded.length > 0 ? excluding : read(rest)
  return {
    words: [...labeled, ...quoted, ...wordsOf(conditions, has)],
    filters: filtersOf(conditions, { now, timeZone }),
    isDated: conditions.dates.length > 0,
  }
}

type HasWords = (field: 'name' | 'company' | 'location', words: readonly string[]) => boolean

/** The words with the concepts that they name; none if all of them only ask beside conditions. */
function wordsOf({ rest, dates, presence, excluded }: Conditions, has: HasWords): QueryWord[] {
  const hasName = (tokens: readonly string[]) => has('name', tokens)
  const { words, runs } = typedWords(rest)
  const tokens = words.map(({ token }) => token)
  const employers = employersIn(words, (token) => has('company', [token]))
  const content = contentWords(words, employers)
  const asking = askingWords(words, content, POSSESSIVE.test(rest))
  const initials = initialsIn(words, (token) => hasName([token]))
  const negations = negationsIn(words)
  for (const at of [...initials, ...negations]) asking[at] = false
  const owners = ownersIn(words, hasName)
  // `Weiß Siemens`: where all words that ask are names of the network, none of them asks. An initial or a title,
  // such as E. or Em., does not make a name of `e` or `em`, nor does a particle such as `von`.
  const isNamed = ({ token, typed }: TypedWord) =>
    (token.length > 2 || typed !== token) && !nameAffixes().particles.has(token) && hasName([token])
  if (words.every((word, at) => asking[at] !== true || isNamed(word))) asking.fill(false)
  const isQuestion = asking.includes(true)
  const hasConditions = dates.length + presence.length + excluded.length > 0
  if (hasConditions && runs.length === 0 && asking.every(Boolean)) return []
  const preferred = preferredFields(tokens, asking)
  const read = words.map((typedWord, at) => {
    if (initials.has(at)) return asInitial(typedWord)
    if (negations.has(at)) return asNegation(typedWord)
    const { word, typed } = typedWord
    // Alone, a common noun may be capitalized, too.
    const isProper =
      isCapitalized(typed) && (isQuestion || thesaurus().find(word.text).length === 0)
    const employer = employers.get(at)
    const named = employer ? asEmployer(word, employer) : isProper ? asProperNoun(word) : word
    const owned = owners.has(at) ? asOwner(named) : named
    const mayBePlace = employer === undefined && !initials.has(at - 1)
    const placed = mayBePlace ? asPlace(owned, { words, at, has }) : owned
    const noun = mayBeCommonNoun(words, at) ? { ...placed, isCommonNoun: true } : placed
    const mayBeGrammar = content.has(at) && isFunctionWord(word.text)
    return preferring(mayBeGrammar ? outsideTexts(noun) : noun, preferred.get(at))
  })
  const all = withNameParts(read, hasName)
  const present = new Set([...employers.keys()].filter((at) => !preferred.has(at)))
  for (const { at, length, concepts } of conceptSpans(tokens, (first) => asking[first] !== true)) {
    asking.fill(false, at, at + length)
    for (let index = at; index < at + length; index += 1) {
      const word = all[index]
      const forms = length === 1 ? dictionaryForms(tokens[at] ?? '') : []
      if (word) all[index] = withConcepts({ ...word, terms: [...word.terms, ...forms] }, concepts)
      if (!preferred.has(index) && concepts.some(isOccupation)) present.add(index)
    }
  }
  const isDutch = tokens.some((_, at) => phraseLength('dutch', tokens, at) > 0)
  const inPresent = all.map((word, at) => (present.has(at) ? outsideFormerPositions(word) : word))
  const either = inPresent.map((word, at) => {
    // `head of marketing`, but `bij ING of Rabobank`.
    const isEnglish = tokens[at + 1] === 'of' && !isDutch
    return isEnglish ? word : joinAlternatives(inPresent, { tokens, asking, at, word })
  })
  const isAlone = words.length === 0
  const inRuns = runs.flatMap((run) => runWords(run, { runs, isAlone }))
  return withOptional([...either, ...inRuns], (_, at) => asking[at] === true)
}

function isOccupation({ kind }: AskedConcept): boolean {
  return kind === 'title' || kind === 'trade'
}

interface PlacedWord {
  readonly words: readonly TypedWord[]
  readonly at: number
  readonly has: HasWords
}

/** Who is in Florence is not called so, nor at a company of that name. Boston Consulting Group is no place. */
function asPlace(word: QueryWord, { words, at, has }: PlacedWord): QueryWord {
  const isNew = isUnknownPlace(words, at)
  if (!isNew && !isKnownPlace(words, at)) return word
  const [token = '', next = ''] = words.slice(at, at + 2).map((one) => one.token)
  const isCompany = isCapitalized(words[at + 1]?.typed ?? '') && has('company', [token, next])
  const isHome = !isCompany && (!isNew || has('location', [token]))
  const owned = isHome ? outsideCompanies(asOwner(word)) : asOwner(word)
  return isNew ? { ...owned, isPlace: true } : owned
}

const ASKING_LISTS: readonly WordList[] = [
  'follow-up',
  'question',
  'weak',
  'interaction',
  'connected',
  'met',
  'first-met',
  'former',
]

/** Which words only ask or connect. An abbreviation in capitals, such as `IT`, does not. */
function askingWords(
  words: readonly TypedWord[],
  content: ReadonlySet<number>,
  isPossessive: boolean,
): boolean[] {
  const tokens = words.map(({ token }) => token)
  const hasLowercase = words.some(({ typed }) => typed !== typed.toUpperCase())
  const asking = tokens.map((token) => isPossessive && token === 's')
  // What the member owes or promised is no question, even if it would be one elsewhere: an intro, a call.
  let lists = ASKING_LISTS
  for (const at of tokens.keys())
    for (const list of lists) {
      const length = matchPhrase(wordList(list), tokens, at)?.length ?? 0
      const typed = words[at]?.typed ?? ''
      const isInCapitals = hasLowercase && typed.length > 1 && typed === typed.toUpperCase()
      if (length > 1 || !isInCapitals) asking.fill(true, at, at + length)
      if (list === 'follow-up' && length > 0) lists = ['weak']
    }
  for (const [at, { typed }] of words.entries())
    if (content.has(at) || hasOtherAccent(typed)) asking[at] = false
  return asking
}

/** Where the words after a phrase are looked for first: someone who left a company no longer has it as their company. */
const PREFERRED: readonly (readonly [WordList, Preferred])[] = [
  [
    'former',
    {
      first: (1 << FIELD.detail) | (1 << FIELD.note) | (1 << FIELD.tag),
      others: 0xffff & ~(1 << FIELD.company),
    },
  ],
  ['follow-up', { first: 1 << FIELD.followUp, others: 0xffff }],
]

/** Bit masks of fields. */
interface Preferred {
  readonly first: number
  readonly others: number
}

/** By the number of a word. A phrase is about the words up to the next one that asks. */
function preferredFields(
  tokens: readonly string[],
  asking: readonly boolean[],
): ReadonlyMap<number, Preferred> {
  const preferred = new Map<number, Preferred>()
  for (const [list, fields] of PREFERRED)
    for (const at of tokens.keys()) {
      const length = matchPhrase(wordList(list), tokens, at)?.length ?? 0
      let next = at + length
      if (length > 0) while (asking[next] === true) next += 1
      if (length > 0)
        for (; next < tokens.length && asking[next] !== true; next += 1) preferred.set(next, fields)
    }
  return preferred
}

/** Weight of a match outside of the preferred fields. */
const ELSEWHERE = 0.4
const ALL_FIELDS = 0xffff

function preferring(word: QueryWord, preferred: Preferred | undefined): QueryWord {
  if (preferred === undefined) return word
  const terms = word.terms.flatMap((term): QueryTerm[] => [
    { ...term, fields: (term.fields ?? ALL_FIELDS) & preferred.first },
    {
      ...term,
      factor: Math.round(term.factor * ELSEWHERE),
      fields: (term.fields ?? ALL_FIELDS) & preferred.others,
    },
  ])
  return { ...word, terms }
}

const OR: ReadonlySet<string> = new Set('or oder ou o of или lub'.split(' '))

interface Joined {
  readonly tokens: readonly string[]
  readonly asking: boolean[]
  readonly at: number
  readonly word: QueryWord
}

/** `Dublin or Munich`: the first of two words has the terms of both, and the second is optional. */
function joinAlternatives(
  all: readonly QueryWord[],
  { tokens, asking, at, word }: Joined,
): QueryWord {
  const other = all[at + 2]
  if (!other || !OR.has(tokens[at + 1] ?? '') || asking[at] === true || asking[at + 2] === true)
    return word
  asking[at + 2] = true
  return { ...word, text: `${word.text} or ${other.text}`, terms: [...word.terms, ...other.terms] }
}

const FIELDS_OF: Readonly<Record<AskedConcept['kind'], readonly (keyof typeof FIELD)[]>> = {
  title: ['title', 'tag', 'note', 'detail', 'custom'],
  trade: ['name', 'company', 'title', 'tag', 'note', 'detail', 'custom'],
  topic: ['title', 'company', 'tag', 'note', 'detail', 'custom'],
  location: ['location', 'tag', 'note', 'detail', 'custom'],
}

const GUESS_OF: Readonly<Record<AskedConcept['kind'], Guess>> = {
  title: 'synonym',
  trade: 'synonym',
  topic: 'synonym',
  location: 'place',
}

function withConcepts(word: QueryWord, concepts: readonly AskedConcept[]): QueryWord {
  const isTopic = concepts.every(({ kind }) => kind === 'topic')
  const terms = concepts.flatMap((concept) =>
    concept.terms.map(({ term, weight }) => ({
      term,
      factor: Math.round(FACTOR.synonym * weight * (isTopic ? TOPIC_WEIGHT : 1)),
      guess: weight < 1 ? ('related' as const) : GUESS_OF[concept.kind],
      fields: FIELDS_OF[concept.kind].reduce((mask, field) => mask | (1 << FIELD[field]), 0),
    })),
  )
  const isPlace = concepts.some(({ kind }) => kind === 'location')
  const own = isPlace ? word.terms : word.terms.flatMap(withoutLongerNames)
  return { ...word, terms: [...own, ...terms] }
}

/** The names of a place of which the word is another case: Ереван for `Ереване`. */
function dictionaryForms(token: string): QueryTerm[] {
  if (!CYRILLIC.test(token)) return []
  const places = thesaurus()
    .find(token)
    .filter(({ kind }) => kind === 'location')
  return places
    .flatMap(({ phrases }) => phrases)
    .filter((phrase) => CYRILLIC.test(phrase) && phrase.startsWith(token.slice(0, SAME_STEM)))
    .flatMap((phrase) => splitText(phrase).words.flat())
    .map((term) => ({ term, factor: FACTOR.form, fields: 1 << FIELD.location }))
}

const CYRILLIC = /^\p{Script=Cyrillic}+$/u
/** Letters that the cases of a name have in common: Києві and Київ. */
const SAME_STEM = 2

/** A title is rather a title than the beginning of a name: `baker` of Bakersfield. */
function withoutLongerNames(term: QueryTerm): QueryTerm[] {
  if (term.isPrefix !== true || term.fields !== undefined) return [term]
  return [
    { ...term, isPrefix: false },
    { ...term, edits: 0, fields: ALL_FIELDS & ~(1 << FIELD.name) },
    { ...term, edits: 0, fields: 1 << FIELD.name, factor: Math.round(term.factor / 2) },
  ]
}

/** Related words of a topic are many and vague. */
const TOPIC_WEIGHT = 0.6

/** The words of a run of Chinese, Japanese or Thai: its concepts, and pairs of the characters between them. */
function runWords(run: string, among: UnspacedText): QueryWord[] {
  const characters = tokenize(run)
  const spans = conceptSpans(characters, () => true)
  const words: QueryWord[] = []
  let start = 0
  const addPairs = (end: number) => {
    const text = characters.slice(start, end).join('').replace(PARTICLES, ' ')
    for (const part of text.split(' '))
      if (part !== '') words.push(...unspacedWords(part, among, run))
  }
  for (const { at, length, concepts } of spans) {
    addPairs(at)
    start = at + length
    const own = pairsOf(characters.slice(at, start).join('')).map(pairWord)
    words.push(...own.map((word) => withConcepts(word, concepts)))
  }
  addPairs(characters.length)
  return words.length === 0 ? unspacedWords(run, among) : words
}

/** Japanese forms of address and particles, which are no part of a name. */
const PARTICLES = /さん|さま|くん|ちゃん|[のにでがをはとも]/gu

/** Offset of the easternmost time zone: a date that is today for a member there is not in the future. */
const EASTERNMOST = 14 * HOUR

/** What was, or was not, at dates. */
const CONTACTS = {
  interaction: { what: 'contact', isLast: false },
  'last-interaction': { what: 'contact', isLast: true },
  met: { what: 'met', isLast: false },
  'last-met': { what: 'met', isLast: true },
  'first-met': { what: 'first-met', isLast: false },
} as const

function filtersOf(
  { dates, presence, excluded }: Conditions,
  { now, timeZone = 'UTC' }: Pick<QuestionContext, 'now' | 'timeZone'>,
): IndexFilters {
  const connected = dates.find(({ about }) => about === 'connected')
  const occasions = dates.flatMap(({ about, from = '', to = '' }) =>
    about === 'birthday' || about === 'anniversary' ? [{ occasion: about, from, to }] : [],
  )
  const until = dayAt(now + EASTERNMOST + DAY)
  const contacts = dates
    .filter(isAboutContact)
    .map(({ about, from, to }) => Object.assign({ from, to, until }, CONTACTS[about]))
  return {
    ...(connected && { connected: { from: connected.from, to: connected.to, timeZone } }),
    ...(contacts.length > 0 && { contacts }),
    ...(occasions.length > 0 && { occasions }),
    ...(presence.length > 0 && { presence }),
    ...(excluded.length > 0 && { excluded: excluded.map(excludedWords) }),
  }
}

function isAboutContact(
  date: DateFacet,
): date is DateFacet & { readonly about: keyof typeof CONTACTS } {
  return date.about in CONTACTS
}

/** With a concept, its terms instead of its words. */
function excludedWords({ field, asked, terms }: ExcludedFacet) {
  if (terms.length === 0) return { field, words: analyzeFilter(asked.join(' ')) }
  const own = terms.map(({ term }) => ({ term, factor: FACTOR.exact }))
  return { field, words: [{ text: asked.join(' '), isOptional: false, terms: own }] }
}
