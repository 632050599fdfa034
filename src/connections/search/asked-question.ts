/** Converts a parsed question to words and filters of the search index. */

import {
  analyzeFilter,
  analyzeQuery,
  companyInitials,
  formTerms,
  MAX_QUERY_WORDS,
  withoutInitials,
} from '../../search/index/analyze-query.ts'
import type { QueryTerm, QueryWord } from '../../search/index/query-word.ts'
import { dayNumber } from '../../search/index/analyze-document.ts'
import { FACTOR, FIELD } from '../../search/index/fields.ts'
import { hasTerms } from '../../search/index/has-terms.ts'
import { isKnownWord } from '../../search/index/search-index.ts'
import { withoutInitialsPrefix } from '../../search/questions/company-initials.ts'
import { isOfTitle, type ConceptTerm } from '../../search/questions/concept-terms.ts'
import { asksOnlyInNames, understandQuestion } from '../../search/questions/understand-question.ts'
import { withExclusionsInWords } from './query-operators.ts'
import type { IndexFilters } from '../../search/index/index-filters.ts'
import type { SearchIndex } from '../../search/index/layout.ts'
import type { SearchField } from '../../search/questions/expand-word.ts'
import type {
  DateFacet,
  ExcludedFacet,
  Facet,
  FacetKind,
  UnderstoodQuestion,
  Vocabulary,
} from '../../search/questions/question.ts'

interface AskedQuestion {
  readonly words: readonly QueryWord[]
  readonly filters: IndexFilters
  readonly similar: () => SimilarPeople
  /** Words that are no subject of their own. */
  readonly incidental: readonly string[]
  /** The words of the text, to search for where the question finds no one. */
  readonly inWords: (plain: readonly QueryWord[]) => readonly QueryWord[]
  /** Whether it is no question if someone has all words of the text. */
  readonly mayBeName: boolean
}

/** People to look for by meaning if no one has all that is asked for. */
export interface SimilarPeople {
  /** The text to compare with people; empty if no one else is an answer. */
  readonly subject: string
  readonly filters: IndexFilters
}

/** Undefined for a plain query, which is searched for as it is. */
export function readQuestion(
  index: SearchIndex,
  text: string,
  now: number,
): AskedQuestion | undefined {
  const vocabulary = vocabularyOf(index)
  const worded = withExclusionsInWords(text)
  const excluding =
    worded === undefined ? undefined : understandQuestion(worded, { now, vocabulary })
  const question =
    excluding && excluding.excluded.length > 0
      ? excluding
      : understandQuestion(text, { now, vocabulary })
  const { facets, dates, presence, excluded } = question
  const isUnchanged = question.text === text.trim()
  if (isUnchanged && [facets, dates, presence, excluded].every(({ length }) => length === 0))
    return undefined
  const asked = facetsToFind(index, question)
  return {
    words: [...analyzeQuery(question.text), ...asked.flatMap(wordsOfFacet)].slice(
      0,
      MAX_QUERY_WORDS,
    ),
    filters: filtersOf(question),
    similar: () => similarPeople(question, vocabulary),
    incidental: question.incidental,
    inWords: (plain) => (hasMissingTitle(index, question) ? [] : literalWords(question, plain)),
    mayBeName: asksOnlyInNames(text, vocabulary),
  }
}

/**
 * A question names places and subjects: the D of D'Angelo is not Dubai, Ireland is no typo of Iceland, and someone who has
 * only the words that ask is no answer. A note in another language may answer `who plays the cello` without the verb.
 */
function literalWords(
  { words, asking, incidental, facets }: UnderstoodQuestion,
  plain: readonly QueryWord[],
): readonly QueryWord[] {
  const known = new Set(
    facets.filter(({ terms }) => terms.length > 0).flatMap(({ asked }) => asked),
  )
  const literal = withoutInitials(plain).map(({ text, terms, isOptional }) => ({
    text,
    isOptional:
      isOptional || incidental.includes(text) || (asking.includes(text) && !words.includes(text)),
    terms: known.has(text) ? terms.map(withoutTypos) : terms,
  }))
  return literal.every(({ isOptional }) => isOptional) ? [] : literal
}

/** Whether no one has a title of the question, or a related one. */
function hasMissingTitle(index: SearchIndex, { facets }: UnderstoodQuestion): boolean {
  return facets.some(
    (facet) =>
      facet.kind === 'title' && !wordsOfFacet(facet).some((word) => isKnownWord(index, word)),
  )
}

function withoutTypos(term: QueryTerm): QueryTerm {
  return { ...term, edits: 0 }
}

/**
 * A topic only raises a result, with two exceptions: everyone sells something, so a verb alone does not answer `who sells
 * insurance`; and if no one has to do with gaming, an investor is no answer to `investors in gaming`.
 */
function facetsToFind(
  index: SearchIndex,
  { facets, words, incidental }: UnderstoodQuestion,
): readonly Facet[] {
  const isOnlyVerb = words.length > 0 && words.every((word) => incidental.includes(word))
  if (isOnlyVerb) return facets.map((facet) => (isSpecialty(facet) ? required(facet) : facet))
  const unknown = facets.filter((facet) => facet.kind === 'topic' && !isInNetwork(index, facet))
  if (unknown.length === 0) return facets
  const asksForTitle = facets.some(({ kind }) => kind === 'title')
  return facets.map((facet) => {
    if (facet.kind === 'title') return withoutRelated(facet, isOfTitle)
    const isRequired = asksForTitle && isSpecialty(facet) && unknown.includes(facet)
    return isRequired ? required(withoutRelated(facet)) : facet
  })
}

/** Whether anyone has to do with the topic itself, not only with a related one. */
function isInNetwork(index: SearchIndex, facet: Facet): boolean {
  return wordsOfFacet(withoutRelated(facet)).some((word) => isKnownWord(index, word))
}

/** A lawyer for a seed round need not be a specialist for seed rounds. */
function isSpecialty({ kind, isPurpose }: Facet): boolean {
  return kind === 'topic' && isPurpose !== true
}

function required(facet: Facet): Facet {
  return { ...facet, effect: 'filter' }
}

function isAny(): boolean {
  return true
}

/** Where no one knows the topic, people with a related title or topic are no answer. */
function withoutRelated(facet: Facet, isDropped: (term: ConceptTerm) => boolean = isAny): Facet {
  return { ...facet, terms: facet.terms.filter((one) => one.weight === 1 || !isDropped(one)) }
}

/** The words of the member's own network. */
function vocabularyOf(index: SearchIndex): Vocabulary {
  return { has: (field, words) => hasTerms(index, words, FIELD[field]) }
}

/** The weight of the question's own words in any other field, in hundredths. */
const ELSEWHERE = 50

function wordsOfFacet({ asked, terms, fields, effect, kind }: Facet): QueryWord[] {
  const isOptional = effect === 'boost'
  const isFilter = !isOptional
  const mask = maskOf(fields)
  const concepts = terms.map(({ term, weight }) => ({
    term,
    factor: Math.round(FACTOR.exact * weight),
    fields: mask,
  }))
  const isElsewhere = kind !== 'former-company'
  const mayBeInitials = kind === 'company' || kind === 'former-company'
  const plain = asked.map(withoutInitialsPrefix).map((typed) => {
    const text = typed.toLowerCase()
    const initials = mayBeInitials ? [companyInitials(text)] : []
    return {
      text,
      isOptional,
      isFilter,
      terms: [...askedTerms(text, mask, isElsewhere), ...initials],
    }
  })
  const [only, ...others] = plain
  if (concepts.length === 0 || !only) return plain
  // A phrase of several words matches by its concept; a single word also matches literally.
  const own = others.length === 0 ? only.terms : []
  return [{ text: asked.join(' '), isOptional, isFilter, terms: [...concepts, ...own] }]
}

function askedTerms(term: string, fields: number, isElsewhere: boolean): QueryTerm[] {
  const inFields = { term, factor: FACTOR.exact, isPrefix: true, fields }
  const forms = formTerms(term, fields)
  return isElsewhere
    ? [inFields, { term, factor: ELSEWHERE, isPrefix: true }, ...forms]
    : [inFields, ...forms]
}

function maskOf(fields: readonly SearchField[]): number {
  return fields.reduce((mask, field) => mask | (1 << FIELD[field]), 0)
}

/** With a concept, its terms instead of its words. */
function excludedWords({ asked, terms }: ExcludedFacet): QueryWord[] {
  if (terms.length === 0) return companyWords(asked)
  const own = terms.map(({ term }) => ({ term, factor: FACTOR.exact }))
  return [{ text: asked.join(' '), isOptional: false, terms: own }]
}

const SUBJECTS: ReadonlySet<FacetKind> = new Set(['title', 'topic', 'tag'])

/** Places and companies have to match; no one is similar to those who left a company or were met somewhere. */
function similarPeople(
  { text, words, facets }: UnderstoodQuestion,
  vocabulary: Vocabulary,
): SimilarPeople {
  const wordsOf = (kind: FacetKind) =>
    facets.filter((facet) => facet.kind === kind).flatMap(wordsOfFacet)
  const [company, location] = [wordsOf('company'), wordsOf('location')]
  const isOfPast = facets.some(({ kind }) => kind === 'former-company' || kind === 'event')
  const asked = facets.filter(({ kind }) => SUBJECTS.has(kind)).flatMap((facet) => facet.asked)
  // `Rob from Stripe` is about a person.
  const isName = asked.length === 0 && words.every((word) => vocabulary.has('name', [word]))
  return {
    subject: isOfPast || isName ? '' : [text, ...asked].join(' ').trim(),
    filters: {
      ...(company.length > 0 && { company }),
      ...(location.length > 0 && { location }),
    },
  }
}

function companyWords(asked: readonly string[]): QueryWord[] {
  return analyzeFilter(asked.map(withoutInitialsPrefix).join(' '))
}

/** What dates of notes and interactions are about. */
const CONTACTS: ReadonlySet<DateFacet['about']> = new Set([
  'last-interaction',
  'interaction',
  'met',
])

function filtersOf({ facets, dates, presence, excluded }: UnderstoodQuestion): IndexFilters {
  const former = facets.filter(({ kind }) => kind === 'former-company')
  const connected = dates.find(({ about }) => about === 'connected')
  const occasions = dates.flatMap(({ about, from = '', to = '' }) =>
    about === 'birthday' || about === 'anniversary' ? [{ occasion: about, from, to }] : [],
  )
  const contacts = dates.filter(({ about }) => CONTACTS.has(about))
  return {
    ...(connected?.from !== undefined && { since: dayNumber(connected.from) }),
    ...(connected?.to !== undefined && { before: dayNumber(connected.to) }),
    ...(contacts.length > 0 && {
      contacts: contacts.map(({ about, from, to }) => ({
        isLast: about === 'last-interaction',
        isMet: about === 'met',
        from,
        to,
      })),
    }),
    ...(occasions.length > 0 && { occasions }),
    ...(presence.length > 0 && { presence }),
    ...(excluded.length > 0 && {
      excluded: excluded.map((facet) => ({ field: facet.field, words: excludedWords(facet) })),
    }),
    ...(former.length > 0 && {
      notCompany: former.flatMap(({ asked }) => companyWords(asked)),
    }),
  }
}
