/**
 * Answers a query by words, by meaning or by both. `bench/retrieval.ts` measures the quality.
 *
 * People who have every word of a query come first. If they are few, the others are those who have some of the words and
 * those who are similar in meaning, combined by reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009).
 */

import { RequestError } from '../../base/request-error.ts'
import { TimeSlices } from '../../base/time-slices.ts'
import { searchIndex } from '../../search/index/search-index.ts'
import {
  answerFrom,
  SCRATCH,
  type AskedQuery,
  type ConnectionQuery,
  type IndexAnswer,
} from './answer-query.ts'
import { findSimilar, preparationError, type MeaningDeps } from './similar-people.ts'
import type { IndexHit, IndexQuery } from '../../search/index/select-people.ts'
import type { IndexReader, NetworkIndex } from './network-index.ts'

/** `auto` adds people who are similar in meaning if few people have every word. */
export type SearchMode = 'auto' | 'keyword' | 'semantic'

export interface Asked extends Pick<IndexQuery, 'after' | 'limit' | 'among'> {
  readonly query: ConnectionQuery
  readonly plain: AskedQuery
  readonly mode: SearchMode
}

export interface ModeAnswer extends IndexAnswer {
  /** The search mode that was used. */
  readonly mode: 'keyword' | 'semantic' | 'combined'
}

/** Of all members, on this thread: many searches of a large network at once do not delay everyone else. */
export const SEARCHES = new TimeSlices<number>()

/**
 * Without `deps`, the query is only words; otherwise it may be a question.
 *
 * @throws {RequestError} `conflict` when the network is not embedded yet, in mode `semantic`.
 * @throws {RequestError} `unavailable` when the model does not respond, in mode `semantic`.
 */
export async function answerInMode(
  reader: IndexReader,
  index: NetworkIndex,
  { query, plain, mode, ...page }: Asked,
  deps: MeaningDeps | undefined,
): Promise<ModeAnswer> {
  const hasWords = plain.words.length > 0
  if (mode === 'semantic' && deps && hasWords) {
    const answer = await answerByMeaning(reader, index, { query, plain }, deps)
    if (answer) return answer
  }
  const found = await SEARCHES.run(reader.memberId, () =>
    answerFrom(index, { query, plain, now: deps?.now }, page),
  )
  const mayBeMeant =
    mode === 'auto' && hasWords && query.custom === undefined && query.withheld === undefined
  const isOpen = found.isRanked || found.total === 0
  const isStrict = found.asked.words.some((word) => word.isStrict === true)
  if (!deps || !mayBeMeant || !isOpen || isStrict) return { ...found, mode: 'keyword' }
  const isFiltered = Object.keys(plain.filters).length > 0
  const { filters } = found.asked
  const near = await findNear(reader, index, { query, filters, isFiltered }, deps)
  return near.length === 0 ? { ...found, mode: 'keyword' } : combined(found, near)
}

/** A search in a network whose vectors are not computed yet waits so long for them. */
const PATIENCE_MS = 300
/** About 50,000 connections. */
const SEMANTIC_PATIENCE_MS = 5000

interface Near {
  readonly query: ConnectionQuery
  readonly filters: AskedQuery['filters']
  readonly isFiltered: boolean
}

async function findNear(
  reader: IndexReader,
  index: NetworkIndex,
  { query, filters, isFiltered }: Near,
  deps: MeaningDeps,
): Promise<readonly number[]> {
  // Of those who pass the filters of a call, the nearest are always results.
  const minCosine = isFiltered ? 0 : deps.embedder.model.minCosine
  const meaning = { text: query.query, filters, patienceMs: PATIENCE_MS, minCosine }
  try {
    return (await findSimilar(reader, index, meaning, deps)) ?? []
  } catch (error) {
    // Other errors are bugs.
    if (error instanceof RequestError && error.code === 'unavailable') return []
    throw error
  }
}

/** Undefined for a network without text to embed. */
async function answerByMeaning(
  reader: IndexReader,
  index: NetworkIndex,
  { query, plain }: Pick<Asked, 'query' | 'plain'>,
  deps: MeaningDeps,
): Promise<ModeAnswer | undefined> {
  const { filters } = plain
  const meaning = { text: query.query, filters, patienceMs: SEMANTIC_PATIENCE_MS, minCosine: 0 }
  const near = await findSimilar(reader, index, meaning, deps)
  const problem = near ? undefined : preparationError(deps.embedder, reader.memberId)
  if (problem) throw problem
  if (!near) return undefined
  const among = new Set(near)
  const inWords = searchIndex(index, { ...plain, among, limit: near.length }, SCRATCH)
  const hits = fuse([near.map((id) => ({ id, weight: 1 }))], hitsById(inWords.hits))
  return rankedAnswer({ ...inWords, asked: plain }, hits, 'semantic')
}

/** Those who have every word first. */
function combined(found: IndexAnswer, near: readonly number[]): ModeAnswer {
  const complete = found.hits.filter(({ share }) => share === 1)
  const ids = new Set(complete.map(({ connectionId }) => connectionId))
  const others = found.hits.filter(({ connectionId }) => !ids.has(connectionId))
  const lists = [
    others.map(({ connectionId }) => ({ id: connectionId, weight: 1 })),
    near.filter((id) => !ids.has(id)).map((id) => ({ id, weight: 0.3 })),
  ]
  const first = complete.map((hit) => ({ ...hit, score: hit.score / found.maxScore }))
  const last = Math.min(1, first.at(-1)?.score ?? 1)
  const rest = fuse(lists, hitsById(others)).map((hit) => ({ ...hit, score: hit.score * last }))
  return rankedAnswer(found, [...first, ...rest], 'combined')
}

function rankedAnswer(
  found: IndexAnswer,
  hits: readonly IndexHit[],
  mode: ModeAnswer['mode'],
): ModeAnswer {
  return { ...found, hits, total: hits.length, maxScore: 1, isRanked: true, mode }
}

function hitsById(hits: readonly IndexHit[]): ReadonlyMap<number, IndexHit> {
  return new Map(hits.map((hit) => [hit.connectionId, hit]))
}

/** An entry of a ranking and its weight: 1 for a full match. */
interface Weighted {
  readonly id: number
  readonly weight: number
}

/** The usual constant of reciprocal rank fusion: the first rank counts only a little more than the second. */
const RANK_OFFSET = 60

/** Best first, with scores from 0 to 1; ties are sorted by ID. */
function fuse(
  lists: readonly (readonly Weighted[])[],
  hits: ReadonlyMap<number, IndexHit>,
): IndexHit[] {
  const scores = new Map<number, number>()
  for (const list of lists)
    for (const [rank, { id, weight }] of list.entries())
      scores.set(id, (scores.get(id) ?? 0) + weight / (RANK_OFFSET + rank + 1))
  const best = lists.length / (RANK_OFFSET + 1)
  return [...scores]
    .toSorted(([id, score], [otherId, other]) => other - score || id - otherId)
    .map(([id, score]) => ({
      ...(hits.get(id) ?? { connectionId: id, fields: 0, isNamed: false, matched: 0, share: 0 }),
      score: score / best,
    }))
}
