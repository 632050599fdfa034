/**
 * Ranks the people of a search by words, by meaning or by both. `bench/search-quality.ts` measures the quality.
 *
 * People who have every word of a query come first. If they are few, the others are those who have some of the words and
 * those who are similar in meaning.
 */

import { idsOf } from '../model/connection.ts'
import { RequestError } from '../../base/request-error.ts'
import { hasConnection, searchIndex } from '../../search/search-index.ts'
import { ALL_WORDS, scoreWithin, type IndexHit } from '../../search/scoring/best-hits.ts'
import { completeIn } from '../../search/scoring/complete-hits.ts'
import { FIELD } from '../../search/index/search-fields.ts'
import { KIN_PREFIX } from '../../search/questions/kinship.ts'
import { isNameWord } from '../../search/query/proper-nouns.ts'
import { findSimilar, preparationError, type MeaningDeps } from './meaning/similar-people.ts'
import { askedRelatives } from './questions/asked-relatives.ts'
import { isUnknownName } from './unknown-name.ts'
import type { AskedQuery, Search } from './ask.ts'
import type { Found } from './find.ts'
import type { QueryWord } from '../../search/index/query-word.ts'

export interface Ranking extends Found {
  readonly mode: 'keyword' | 'semantic' | 'combined'
  /** True if it should include people of a similar meaning, but their vectors or the model were not ready. */
  readonly isWithoutMeaning?: boolean
}

/** Ranks the people who have words of a query, with those who are similar in meaning and the relatives that it asks for. */
export async function rankPeople(search: Search, found: Found): Promise<Ranking> {
  const { query, plain } = search.asked
  const named = withoutOthers(found)
  const ranking = await withNear(search, named)
  const isWhole = named.isRanked || named.hits.length === named.total
  const isFiltered = Object.keys(named.asked.filters).length > 0
  if (!search.deps || !isWhole || isFiltered || query.withheld !== undefined) return ranking
  if (!plain.words.some(namesRelative)) return ranking
  return withRelatives(ranking, await relativesIn(search, named.hits))
}

/** Keeps only similar spellings of the whole name, for a name that no one has. */
function withoutOthers(found: Found): Found {
  if (!found.isRanked || !isUnknownName(found)) return found
  const { words } = found.asked
  const hits = found.hits.filter(({ having }) =>
    words.every(({ isOptional }, at) => isOptional || (having & (1 << at)) !== 0),
  )
  return { ...found, hits, total: hits.length }
}

/** Adds people who are similar in meaning, in mode `auto`. */
async function withNear(search: Search, found: Found): Promise<Ranking> {
  const { query, plain, mode } = search.asked
  const mayBeMeant =
    mode === 'auto' &&
    plain.words.length > 0 &&
    query.custom === undefined &&
    query.withheld === undefined
  const isOpen = found.isRanked || found.total === 0
  const isStrict = found.asked.words.some((word) => word.isStrict === true)
  if (!search.deps || !mayBeMeant || !isOpen || isStrict || isUnknownName(found))
    return { ...found, mode: 'keyword' }
  const near = await findNear(search, search.deps, found.asked.filters)
  if (near === 'preparing') return { ...found, mode: 'keyword', isWithoutMeaning: true }
  return near.length === 0 ? { ...found, mode: 'keyword' } : combined(found, near)
}

/** Results that may name the person whose relatives are asked for. */
const MAX_NAMING = 10

async function relativesIn(
  { reader, index, asked }: Search,
  hits: readonly IndexHit[],
): Promise<readonly number[]> {
  const ids = hits.slice(0, MAX_NAMING).map(({ connectionId }) => connectionId)
  return (await askedRelatives(reader, asked.query.query, ids)).filter((id) =>
    hasConnection(index, id),
  )
}

function namesRelative({ terms }: QueryWord): boolean {
  return terms.some(({ term }) => term.startsWith(KIN_PREFIX))
}

/** Before everyone else, because the query asks for them. */
function withRelatives(ranking: Ranking, ids: readonly number[]): Ranking {
  if (ids.length === 0) return ranking
  const hits = hitsById(ranking.hits)
  const relatives = ids.map((id) => ({ ...(hits.get(id) ?? withoutWords(id)), ...AS_ASKED }))
  const others = ranking.hits.filter(({ connectionId }) => !ids.includes(connectionId))
  const { mode, maxScore } = ranking
  const all = [...relatives, ...others.map((hit) => withScore(hit, scoreWithin(hit) / maxScore))]
  return rankedAs(ranking, all, mode)
}

/** With all words. */
const AS_ASKED = { score: 1, share: 1, matched: -1, having: -1, certain: -1, isComplete: true }

/** A search in a network whose vectors are not computed yet waits so long for them. */
const PATIENCE_MS = 300
/** About 50,000 connections. */
const SEMANTIC_PATIENCE_MS = 5000

async function findNear(
  { reader, index, asked: { query, plain } }: Search,
  deps: MeaningDeps,
  filters: AskedQuery['filters'],
): Promise<readonly number[] | 'preparing'> {
  // The nearest of those who pass the filters of a call are always results.
  const isFiltered = Object.keys(plain.filters).length > 0
  const minCosine = isFiltered ? 0 : deps.embedder.model.minCosine
  const meaning = { text: query.query, filters, patienceMs: PATIENCE_MS, minCosine }
  try {
    const near = await findSimilar(reader, index, meaning, deps)
    return near === 'none' ? [] : near
  } catch (error) {
    // Other errors are bugs.
    if (error instanceof RequestError && error.code === 'unavailable') return 'preparing'
    throw error
  }
}

/**
 * Ranks by meaning alone. Undefined for a query without words, and for a network without text to embed.
 *
 * @throws {RequestError} `preparing` when the vectors are being computed or read.
 * @throws {RequestError} `conflict` when the job `embed_objects` must run before.
 * @throws {RequestError} `unavailable` when the model does not respond.
 */
export async function rankByMeaning({
  reader,
  index,
  asked: { query, plain },
  deps,
}: Search): Promise<Ranking | undefined> {
  if (!deps || plain.words.length === 0) return undefined
  const { filters } = plain
  const meaning = { text: query.query, filters, patienceMs: SEMANTIC_PATIENCE_MS, minCosine: 0 }
  const near = await findSimilar(reader, index, meaning, deps)
  if (typeof near === 'string') {
    const problem = preparationError(deps.embedder, near)
    if (problem) throw problem
    return undefined
  }
  const among = new Set(near)
  const inWords = searchIndex(index, { ...plain, among, limit: near.length })
  const hits = joinRankings([], near, hitsById(inWords.hits))
  const found = { ...inWords, asked: plain, hasHanNames: () => false }
  return rankedAs(found, hits, 'semantic')
}

/** People who are only similar in meaning, beside people who have every word or other words for it. */
const MAX_SIMILAR = 5

/** People who have every word come first, then people who have other words for some. */
function combined(found: Found, near: readonly number[]): Ranking {
  const typos = typosIn(found)
  const whole = found.hits.filter((hit) => hit.score >= ALL_WORDS && !typos.has(hit))
  const ids = new Set(idsOf(whole))
  const others = found.hits.filter((hit) => !ids.has(hit.connectionId) && !typos.has(hit))
  let last = 1
  const first = whole.map((hit) =>
    withScore(hit, (last = Math.min(last, scoreWithin(hit) / found.maxScore))),
  )
  const similar = near.filter((id) => !ids.has(id))
  const all = joinRankings(others, similar, hitsById(others))
  const withoutWord = all.filter(({ share }) => share === 0)
  const left = new Set(first.length > 0 ? withoutWord.slice(MAX_SIMILAR) : [])
  const shown = all.filter((hit) => !left.has(hit))
  const meant = new Set(idsOf(all))
  const least = shown.at(-1)?.score ?? 1
  const after = [...typos].filter(({ connectionId }) => !meant.has(connectionId))
  const rest = [...shown, ...after.map((hit) => withScore(hit, least * LAST))]
  return rankedAs(
    found,
    [...first, ...rest.map((hit) => withScore(hit, hit.score * last))],
    'combined',
  )
}

/** The rank of a person with only a typo, beside the last of those who are similar in meaning. */
const LAST = 0.9

/**
 * In a question without a name, those who have nothing of it but a word that is spelled like one of it. A name is not among
 * them: it may be what is asked for, in small letters.
 */
function typosIn(found: Found): ReadonlySet<IndexHit> {
  const { words } = found.asked
  const isQuestion = words.some(({ isOptional }) => isOptional)
  const isNamed = words.some(
    (word) => !word.isOptional && (word.isEmployer === true || isNameWord(word)),
  )
  if (!isQuestion || isNamed) return new Set()
  const required = words.reduce(
    (mask, { isOptional }, at) => (isOptional ? mask : mask | (1 << at)),
    0,
  )
  const isTypo = (hit: IndexHit) =>
    hit.at >= 0 &&
    (hit.certain & required) === 0 &&
    found.guessesOf(hit).every(({ guess }) => guess === 'spelling')
  const hits = found.hits.filter(isTypo)
  const fields = found.fieldsOf(hits)
  return new Set(hits.filter((_, at) => ((fields[at] ?? 0) & NAME) === 0))
}

const NAME = 1 << FIELD.name

function rankedAs(found: Found, hits: readonly IndexHit[], mode: Ranking['mode']): Ranking {
  const complete = completeIn(hits)
  return { ...found, hits, total: hits.length, complete, maxScore: 1, isRanked: true, mode }
}

function hitsById(hits: readonly IndexHit[]): ReadonlyMap<number, IndexHit> {
  return new Map(hits.map((hit) => [hit.connectionId, hit]))
}

/** Weight of the nearest person in meaning; the person who has most of the words has 1. */
const NEAREST_WEIGHT = 0.25

/** Best first, with scores from 0 to 1; ties are sorted by ID. Of `near`, only the order counts. */
function joinRankings(
  inWords: readonly IndexHit[],
  near: readonly number[],
  hits: ReadonlyMap<number, IndexHit>,
): IndexHit[] {
  const scores = new Map<number, number>()
  const most = Math.max(1, ...inWords.map(scoreWithin))
  for (const hit of inWords) scores.set(hit.connectionId, scoreWithin(hit) / most)
  for (const [rank, id] of near.entries())
    scores.set(id, (scores.get(id) ?? 0) + NEAREST_WEIGHT * (1 - rank / near.length))
  const best = inWords.length > 0 ? 1 + NEAREST_WEIGHT : NEAREST_WEIGHT
  return [...scores]
    .toSorted(([id, score], [otherId, other]) => other - score || id - otherId)
    .map(([id, score]) => withScore(hits.get(id) ?? withoutWords(id), score / best))
}

function withScore(hit: IndexHit, score: number): IndexHit {
  return { ...hit, score }
}

function withoutWords(connectionId: number): IndexHit {
  return {
    at: -1,
    connectionId,
    score: 0,
    matched: 0,
    having: 0,
    certain: 0,
    share: 0,
    isComplete: false,
  }
}
