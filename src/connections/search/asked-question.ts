/** Converts a parsed question to words and filters of the search index. */

import { memberStatement } from '../../db/statement.ts'
import {
  analyzeFilter,
  analyzeQuery,
  MAX_QUERY_WORDS,
  type QueryTerm,
  type QueryWord,
} from './index/analyze-query.ts'
import { dayNumber } from './index/analyze-document.ts'
import { FACTOR, FIELD } from './index/fields.ts'
import { hasTerms, type IndexFilters, type SearchIndex } from './index/search-index.ts'
import { understandQuestion } from './questions/understand-question.ts'
import type { Details } from '../model/details.ts'
import type { MemberReader } from '../../db/database.ts'
import type { SearchField } from './questions/expand-word.ts'
import type { DateFacet, Facet, UnderstoodQuestion, Vocabulary } from './questions/question.ts'

interface AskedQuestion {
  readonly words: readonly QueryWord[]
  readonly filters: IndexFilters
  /** Dates of notes, which the index does not contain. */
  readonly noteDates: readonly DateFacet[]
}

/** Undefined for a plain query, which has only words. */
export function readQuestion(
  index: SearchIndex,
  text: string,
  now: number,
): AskedQuestion | undefined {
  const question = understandQuestion(text, { now, vocabulary: vocabularyOf(index) })
  if (question.facets.length === 0 && question.dates.length === 0) return undefined
  return {
    words: [...analyzeQuery(question.text), ...question.facets.flatMap(wordsOfFacet)].slice(
      0,
      MAX_QUERY_WORDS,
    ),
    filters: filtersOf(question),
    noteDates: question.dates.filter(({ about }) => about !== 'connected'),
  }
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
  const plain = asked.map((text) => ({
    text,
    isOptional,
    isFilter,
    terms: askedTerms(text, mask, isElsewhere),
  }))
  const [only, ...others] = plain
  if (concepts.length === 0 || !only) return plain
  // A phrase of several words matches by its concept; a single word also matches literally.
  const own = others.length === 0 ? only.terms : []
  return [{ text: asked.join(' '), isOptional, isFilter, terms: [...concepts, ...own] }]
}

function askedTerms(term: string, fields: number, isElsewhere: boolean): QueryTerm[] {
  const inFields = { term, factor: FACTOR.exact, isPrefix: true, fields }
  return isElsewhere ? [inFields, { term, factor: ELSEWHERE, isPrefix: true }] : [inFields]
}

function maskOf(fields: readonly SearchField[]): number {
  return fields.reduce((mask, field) => mask | (1 << FIELD[field]), 0)
}

function filtersOf({ facets, dates }: UnderstoodQuestion): IndexFilters {
  const former = facets.filter(({ kind }) => kind === 'former-company')
  const connected = dates.find(({ about }) => about === 'connected')
  return {
    ...(connected?.from !== undefined && { since: dayNumber(connected.from) }),
    ...(connected?.to !== undefined && { before: dayNumber(connected.to) }),
    ...(former.length > 0 && {
      notCompany: former.flatMap(({ asked }) => analyzeFilter(asked.join(' '))),
    }),
  }
}

/** Decides whether a connection's notes fit the dates; undefined without dates. */
export async function noteDateFilter(
  reader: MemberReader,
  dates: readonly DateFacet[],
): Promise<((connectionId: number) => boolean) | undefined> {
  if (dates.length === 0) return undefined
  const interactions = dates.some(({ about }) => about !== 'connected')
    ? await readInteractions(reader)
    : []
  const checks = await Promise.all(dates.map((date) => noteDateCheck(reader, date, interactions)))
  return (id) => checks.every((check) => check(id))
}

async function noteDateCheck(
  reader: MemberReader,
  { about, from = FIRST_DAY, to = LAST_DAY }: DateFacet,
  interactions: readonly DatedInteraction[],
): Promise<(connectionId: number) => boolean> {
  const metBetween = async (start: string, end: string) => {
    const rows = await reader.all(NOTED_BETWEEN, {
      from: start,
      to: end,
      ...milliseconds(start, end),
    })
    const met = interactions.filter(({ on }) => on >= start && on < end)
    return new Set([...rows, ...met].map(({ connection_id }) => connection_id))
  }
  if (about === 'interaction') {
    const met = await metBetween(from, to)
    return (id) => met.has(id)
  }
  // The newest note or interaction is in the range, or there is none: none after it, and if there is one before, one within.
  const [inRange, later, ever] = await Promise.all([
    metBetween(from, to),
    metBetween(to, LAST_DAY),
    metBetween(FIRST_DAY, LAST_DAY),
  ])
  return (id) => !ever.has(id) || (inRange.has(id) && !later.has(id))
}

interface DatedInteraction {
  readonly connection_id: number
  /** YYYY-MM-DD */
  readonly on: string
}

async function readInteractions(reader: MemberReader): Promise<DatedInteraction[]> {
  const rows = await reader.all(WITH_INTERACTIONS, {})
  return rows.flatMap(({ connection_id, details }) => {
    // Written by the service.
    const { interactions = [] } = JSON.parse(details) as Details
    return interactions.map(({ on }) => ({ connection_id, on }))
  })
}

const FIRST_DAY = '0000-00-00'
const LAST_DAY = '9999-99-99'

/** Notes without a date count from when they were written. */
function milliseconds(from: string, to: string) {
  const at = (day: string, fallback: number) => {
    const time = Date.parse(`${day}T00:00:00Z`)
    return Number.isNaN(time) ? fallback : time
  }
  return { from_ms: at(from, 0), to_ms: at(to, Number.MAX_SAFE_INTEGER) }
}

/** Scans the member's connections. */
const WITH_INTERACTIONS = memberStatement<object, { connection_id: number; details: string }>()(`
  select connection_id, details from connections
  where member_id = :member_id and details like '%"interactions":%'`)

/** Reads the member's notes. */
const NOTED_BETWEEN = memberStatement<
  { from: string; to: string; from_ms: number; to_ms: number },
  { connection_id: number }
>()(`
  select distinct connection_id from notes
  where member_id = :member_id and deleted_at is null and (
    (happened_on is not null and happened_on >= :from and happened_on < :to)
    or (happened_on is null and created_at >= :from_ms and created_at < :to_ms))`)
