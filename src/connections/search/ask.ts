/** Reads what a search asks for: its words and filters as typed, and where its page begins. */

import { readCursor } from '../../base/cursor.ts'
import { RequestError } from '../../base/request-error.ts'
import { analyzeFilter, analyzeLocation, analyzeQuery } from '../../search/query/analyze-query.ts'
import { labeledWords } from '../../search/query/field-labels.ts'
import { dayNumber, tagTerm } from '../../search/index/special-terms.ts'
import { tagOf } from '../model/tag-store.ts'
import type { ContactFilter } from './filters/contact-arguments.ts'
import type { HitPosition } from '../../search/scoring/best-hits.ts'
import type { IndexFilters } from '../../search/index/index-filters.ts'
import type { IndexQuery } from '../../search/scoring/score-people.ts'
import type { QueryWord } from '../../search/index/query-word.ts'
import type { IndexReader, NetworkIndex } from './index/network-index.ts'
import type { MeaningDeps } from './meaning/similar-people.ts'

export interface ConnectionQuery {
  /** Words to find in any field, each whole or as a prefix. Empty matches every connection that passes the filters. */
  readonly query: string
  readonly company?: string | undefined
  /** Whether companies, titles and locations need the last word whole, too, not only a word that begins with it. */
  readonly isWhole?: boolean
  /** Whether a word that only begins with one of the query is a guess in every field. */
  readonly isWholeWord?: boolean
  /** Whether the query is the name of a person in a question about them: everyone who only mentions it is a guess. */
  readonly isPerson?: boolean
  readonly title?: string | undefined
  readonly location?: string | undefined
  readonly tag?: string | undefined
  /** YYYY-MM-DD, inclusive. */
  readonly connectedAfter?: string | undefined
  /** Conditions for custom fields: `Tier=Gold`, `Score>=5`, `Tier=*` for any value. */
  readonly custom?: readonly string[] | undefined
  readonly contact?: ContactFilter | undefined
  /** A bit mask of fields that are not searched: see `withheldFields`. */
  readonly withheld?: number | undefined
}

export interface AskedQuery {
  readonly words: readonly QueryWord[]
  readonly filters: IndexFilters
}

/** `auto` adds people who are similar in meaning if few people have every word. */
export type SearchMode = 'auto' | 'keyword' | 'semantic'

export interface Asked extends Pick<IndexQuery, 'after' | 'limit' | 'among'> {
  /** If it is known, the query is read as a question. */
  readonly now?: number | undefined
  /** Where the member is, which decides what is today. UTC by default. */
  readonly timeZone?: string | undefined
  readonly query: ConnectionQuery
  readonly plain: AskedQuery
  readonly mode: SearchMode
}

/** A search of a member's index. */
export interface Search {
  readonly reader: IndexReader
  readonly index: NetworkIndex
  readonly asked: Asked
  /** Without them, only words are compared. */
  readonly deps: MeaningDeps | undefined
}

/** Undefined if the query or a filter has text but nothing to search for, such as only punctuation. */
export function ask(query: ConnectionQuery): AskedQuery | undefined {
  const { labeled, rest } = labeledWords(query.query)
  const words = [...labeled, ...analyzeQuery(rest)]
  const [company, title] = [query.company, query.title].map((text) =>
    text === undefined ? undefined : analyzeFilter(text),
  )
  const location = query.location === undefined ? undefined : analyzeLocation(query.location)
  const isVoid = (text: string | undefined, list: readonly QueryWord[] | undefined) =>
    text !== undefined && text.trim() !== '' && list?.length === 0
  if (
    isVoid(query.query, words) ||
    isVoid(query.company, company) ||
    isVoid(query.title, title) ||
    isVoid(query.location, location)
  )
    return undefined
  const filters = {
    ...(company && { company: query.isWhole === true ? company.map(wholeWord) : company }),
    ...(title && { title: query.isWhole === true ? title.map(wholeWord) : title }),
    ...(location && { location: query.isWhole === true ? location.map(wholeWord) : location }),
    ...(query.tag !== undefined && { tag: tagTerm(tagOf(query.tag).key) }),
    ...(query.connectedAfter !== undefined && { since: dayNumber(query.connectedAfter) }),
  }
  return { words, filters }
}

function wholeWord(word: QueryWord): QueryWord {
  return { ...word, terms: word.terms.map(({ isPrefix: _beginning, ...term }) => term) }
}

/** @throws {RequestError} `forbidden` or `invalid_request` when a query cannot be searched for by meaning. */
export function assertMayBeMeant({ withheld, custom }: ConnectionQuery): void {
  if (withheld !== undefined)
    throw new RequestError(
      'forbidden',
      'Search by meaning includes notes, which the member does not allow this agent to read.',
      { hint: 'Use mode keyword.', members: { limit: 'free_text' } },
    )
  if (custom)
    throw new RequestError('invalid_request', 'custom cannot be combined with mode semantic.', {
      errors: [{ pointer: '/custom', detail: 'is not allowed with mode semantic; use keyword' }],
    })
}

/** A score in cursors that marks a ranked search; the ID is then an index into the ranking. */
export const RANKED = -1

/** @throws {RequestError} `invalid_request` when the cursor belongs to another query. */
export function readPosition(question: unknown, cursor: string): HitPosition {
  const [score, connectionId] = readCursor(question, cursor, ['number', 'number'])
  return { score, connectionId }
}

/** After the last connection of the previous page, which may have been a page of another kind. */
export function startInRanking(
  hits: readonly HitPosition[],
  { score, connectionId }: HitPosition,
): number {
  if (score === RANKED) return Math.max(0, Math.floor(connectionId))
  return hits.findIndex((hit) => hit.connectionId === connectionId) + 1
}
