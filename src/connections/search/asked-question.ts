/** Turns an understood question into words and filters of the search index. */

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
import type { MemberReader } from '../../db/database.ts'
import type { SearchField } from './questions/expand-word.ts'
import type { DateFacet, Facet, UnderstoodQuestion, Vocabulary } from './questions/question.ts'

interface AskedQuestion {
  readonly words: readonly QueryWord[]
  readonly filters: IndexFilters
  /** Dates of notes, which the index does not know. */
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

/** In any other field, the asked words themselves count this much, in hundredths. */
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
  // A phrase of several words is met by its concept; a single word also as it is.
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
  const checks = await Promise.all(dates.map((date) => noteDateCheck(reader, date)))
  return (id) => checks.every((check) => check(id))
}

async function noteDateCheck(
  reader: MemberReader,
  { about, from = '0000-00-00', to = '9999-99-99' }: DateFacet,
): Promise<(connectionId: number) => boolean> {
  if (about === 'interaction') {
    const rows = await reader.all(NOTED_BETWEEN, { from, to, ...milliseconds(from, to) })
    const noted = new Set(rows.map(({ connection_id }) => connection_id))
    return (id) => noted.has(id)
  }
  // The newest note is in the range, or there is none: no note after it, and if there is one before, one within.
  const [within, outside] = await Promise.all([
    reader.all(NOTED_BETWEEN, { from, to, ...milliseconds(from, to) }),
    reader.all(NOTED_BETWEEN, { from: to, to: LAST_DAY, ...milliseconds(to, LAST_DAY) }),
  ])
  const any = await reader.all(NOTED_BETWEEN, {
    from: FIRST_DAY,
    to: LAST_DAY,
    ...milliseconds(FIRST_DAY, LAST_DAY),
  })
  const ids = (rows: typeof any) => new Set(rows.map(({ connection_id }) => connection_id))
  const [inRange, later, noted] = [ids(within), ids(outside), ids(any)]
  return (id) => !noted.has(id) || (inRange.has(id) && !later.has(id))
}

const FIRST_DAY = '0000-00-00'
const LAST_DAY = '9999-99-99'

/** Notes without a date of their own are dated by when they were written. */
function milliseconds(from: string, to: string) {
  const at = (day: string, fallback: number) => {
    const time = Date.parse(`${day}T00:00:00Z`)
    return Number.isNaN(time) ? fallback : time
  }
  return { from_ms: at(from, 0), to_ms: at(to, Number.MAX_SAFE_INTEGER) }
}

/** Reads the member's notes. */
const NOTED_BETWEEN = memberStatement<
  { from: string; to: string; from_ms: number; to_ms: number },
  { connection_id: number }
>()(`
  select distinct connection_id from notes
  where member_id = :member_id and deleted_at is null and (
    (happened_on is not null and happened_on >= :from and happened_on < :to)
    or (happened_on is null and created_at >= :from_ms and created_at < :to_ms))`)
