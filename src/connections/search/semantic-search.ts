/**
 * Finds connections by meaning, by words, or by both. `bench/retrieval.ts` measures the quality.
 */

import { writeCursor } from '../../base/cursor.ts'
import { RequestError } from '../../base/request-error.ts'
import { searchIndex } from '../../search/index/search-index.ts'
import { readRows } from './page-rows.ts'
import { rankByBoth, rankByMeaning, type RankedResult, type RankingDeps } from './rankings.ts'
import { SCRATCH, type AskedQuery, type ConnectionQuery } from './answer-query.ts'
import {
  keywordSearchPage,
  readPosition,
  type ConnectionReader,
  type SearchPage,
} from './search.ts'
import { matchesOf } from './search-matches.ts'
import type { NetworkIndex } from './network-index.ts'

/** `auto` combines both when embeddings exist, unless keywords are sufficient: see `rankByBoth`. */
export type SearchMode = 'auto' | 'keyword' | 'semantic'

interface ModeSearch {
  readonly query: ConnectionQuery
  readonly mode: SearchMode
  readonly limit: number
  readonly cursor?: string | undefined
}

interface ModePage extends SearchPage {
  /** The search mode that was used. */
  readonly mode: 'keyword' | 'semantic' | 'combined'
}

/**
 * @throws {RequestError} `conflict` when the network is not embedded yet, in mode `semantic`.
 * @throws {RequestError} `unavailable` when the model does not respond, in mode `semantic`.
 */
export async function searchInMode(
  reader: ConnectionReader,
  search: ModeSearch,
  deps: RankingDeps,
): Promise<ModePage> {
  const { query, mode, limit, cursor } = search
  const question = [reader.memberId, query, mode]
  const after = cursor === undefined ? null : readPosition(question, cursor)
  const isContinued = after?.score === RANKED
  if (query.withheld !== undefined && mode === 'semantic') throw meaningWithheld()
  if (query.custom && mode === 'semantic')
    throw new RequestError('invalid_request', 'custom cannot be combined with mode semantic.', {
      errors: [{ pointer: '/custom', detail: 'is not allowed with mode semantic; use keyword' }],
    })
  if (
    mode !== 'keyword' &&
    !query.custom &&
    query.withheld === undefined &&
    (isContinued || after === null)
  ) {
    const rank = mode === 'auto' ? rankByBoth : rankByMeaning
    const ranked = await rank(reader, { query, isContinued }, deps)
    if (ranked) {
      const from = isContinued ? Math.max(0, Math.floor(after.connectionId)) : 0
      const page = await pageOfRanked(reader, ranked, { question, from, limit })
      return { ...page, mode: mode === 'auto' ? 'combined' : 'semantic' }
    }
  }
  return {
    ...(await keywordSearchPage(reader, { query, limit, question, after, ...moment(deps) })),
    mode: 'keyword',
  }
}

/** Embeddings contain the notes. */
function meaningWithheld(): RequestError {
  return new RequestError(
    'forbidden',
    'Search by meaning includes notes, which the member does not allow this agent to read.',
    { hint: 'Use mode keyword.', members: { limit: 'free_text' } },
  )
}

function moment({ now, network }: RankingDeps) {
  return { now, network }
}

/** A score in cursors that marks a ranked search; the ID is then an index into the ranking. */
const RANKED = -1

interface RankedPage {
  readonly question: unknown
  readonly from: number
  readonly limit: number
}

async function pageOfRanked(
  reader: ConnectionReader,
  { ranked, index, asked }: RankedResult,
  { question, from, limit }: RankedPage,
): Promise<SearchPage> {
  const slice = ranked.slice(from, from + limit)
  const ids = slice.map(({ id }) => id)
  const { rows } = await readRows(reader, ids, index.version)
  const present = slice.flatMap(({ weight }, place) => {
    const row = rows[place]
    return row ? [{ row, score: weight, next: from + place + 1 }] : []
  })
  const fields = fieldsOf(index, asked, ids)
  const hits = present.map(({ row: { listed }, score }) => ({
    connectionId: listed.connectionId,
    score,
    fields: fields.get(listed.connectionId) ?? 0,
  }))
  const shownRows = present.map(({ row }) => row)
  return {
    connections: shownRows.map(({ listed }) => listed),
    rows: shownRows,
    hasMore: from + limit < ranked.length,
    total: ranked.length,
    matches: await matchesOf(reader, { words: asked.words, hits, rows: shownRows, maxScore: 1 }),
    cursorAfter: (place) => writeCursor(question, [RANKED, present[place]?.next ?? from + limit]),
  }
}

/** The fields in which these connections have words of the query. */
function fieldsOf(
  index: NetworkIndex,
  asked: AskedQuery,
  ids: readonly number[],
): ReadonlyMap<number, number> {
  const among = new Set(ids)
  const { hits } = searchIndex(index, { ...asked, limit: ids.length, minShare: 0, among }, SCRATCH)
  return new Map(hits.map(({ connectionId, fields }) => [connectionId, fields]))
}
