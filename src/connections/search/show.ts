/** Shows the people of a page: how well they match, in which fields, and where in a text. */

import { writeCursor, type Page } from '../../base/cursor.ts'
import { lazy } from '../../base/lazy.ts'
import { memberStatement } from '../../db/statement.ts'
import { findConnections } from '../model/connection-store.ts'
import { customFieldsOf } from '../custom-fields/custom-fields.ts'
import { detailLines } from '../person/detail-lines.ts'
import { newestNotesOf, olderNotesOf } from '../notes/notes.ts'
import { FIELD, matchedFieldsOf, type MatchedField } from '../../search/index/search-fields.ts'
import { scoreWithin, type HitPosition, type IndexHit } from '../../search/scoring/best-hits.ts'
import { NAME_GUESSES } from '../../search/index/query-word.ts'
import { snippetFinder } from '../../search/index/snippet.ts'
import { RANKED, type Asked } from './ask.ts'
import { unknownNameText } from './unknown-name.ts'
import { weakerMatches, weakerText, type WeakerMatch } from './weaker-match.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Listed } from '../model/connection.ts'
import type { PageRow } from './index/page-rows.ts'
import type { Ranking } from './rank.ts'

/** One page, best first. */
export interface ConnectionPage extends Omit<Page<Listed>, 'entries'> {
  readonly connections: readonly Listed[]
}

export interface SearchPage extends ConnectionPage {
  /** The same as `connections`, with tags. */
  readonly rows: readonly PageRow[]
  /** All matches, on all pages. */
  readonly total: number
  /** Matches that have every word itself, on all pages. They come first. */
  readonly complete: number
  /** What the query names that no one has, as a sentence. */
  readonly unknown?: string | undefined
  /** In the order of `connections`; empty if the query has no words. */
  readonly matches: readonly SearchMatch[]
  readonly mode: Ranking['mode']
  readonly isWithoutMeaning: boolean
  /** Whether people were filtered or sorted by when they were contacted or are due. */
  readonly isByContact: boolean
}

export const EMPTY_PAGE: SearchPage = {
  connections: [],
  rows: [],
  hasMore: false,
  total: 0,
  complete: 0,
  matches: [],
  mode: 'keyword',
  isWithoutMeaning: false,
  isByContact: false,
  cursorAfter: () => '',
}

export interface FoundPage {
  readonly asked: Pick<Asked, 'query'>
  readonly limit: number
  readonly ranking: Ranking
  /** The people of the page, and perhaps one more. */
  readonly hits: readonly IndexHit[]
  /** The connections of the first `limit` hits, in their order. */
  readonly rows: readonly (PageRow | undefined)[]
  /** Where the page begins in a ranking. */
  readonly from: number
}

/** The people of a page who still exist. Its cursors are bound to `question`. */
export async function showPage(
  reader: MemberReader,
  { asked: { query }, limit, ranking, hits, rows, from }: FoundPage,
  question: unknown,
): Promise<SearchPage> {
  const present = rows.flatMap((row, place) => {
    const hit = hits[place]
    return row && hit ? [{ row, hit, place }] : []
  })
  const shown = present.map(({ row }) => row)
  const { asked, total, complete, mode, isRanked, isWithoutMeaning = false } = ranking
  const shownHits = present.map(({ hit }) => hit)
  const matches = await matchesOf(reader, { ranking, hits: shownHits, rows: shown })
  const listedMatches = matches.map((match, at) =>
    Object.assign({ name: shown[at]?.listed.name ?? '' }, match),
  )
  return {
    connections: shown.map(({ listed }) => listed),
    rows: shown,
    hasMore: hits.length > limit,
    total,
    complete,
    unknown: unknownNameText(ranking, listedMatches),
    mode,
    isWithoutMeaning,
    isByContact: query.contact !== undefined || asked.filters.contacts !== undefined,
    matches,
    cursorAfter(index) {
      const { hit = hits[limit - 1] ?? START, place = limit - 1 } = present[index] ?? {}
      if (isRanked) return writeCursor(question, [RANKED, from + place + 1])
      return writeCursor(question, [hit.score, hit.connectionId])
    },
  }
}

const START: HitPosition = { score: 0, connectionId: 0 }

/** Why a connection is in a result. */
export interface SearchMatch {
  /** 0 to 1: how well it matches. */
  readonly score: number
  readonly fields: readonly MatchedField[]
  /** What it has of the query if it does not match completely. */
  readonly weaker?: WeakerMatch
  /** The part of a note, a follow-up or a detail, or the email, that matches. */
  readonly snippet?: string
}

interface Matching {
  readonly ranking: Pick<Ranking, 'asked' | 'fieldsOf' | 'guessesOf' | 'maxScore'>
  readonly hits: readonly IndexHit[]
  /** The connections of the hits, in their order. */
  readonly rows: readonly PageRow[]
}

/** In the order of the hits; empty if the query has no words. */
export async function matchesOf(
  reader: MemberReader,
  { ranking, hits, rows }: Matching,
): Promise<readonly SearchMatch[]> {
  const { words } = ranking.asked
  if (words.length === 0) return []
  const masks = ranking.fieldsOf(hits)
  const anyFields = masks.reduce((all, mask) => all | mask, 0)
  const idsWith = (bit: number) =>
    (anyFields & bit) === 0
      ? []
      : hits.flatMap(({ connectionId }, at) =>
          ((masks[at] ?? 0) & bit) === 0 ? [] : [connectionId],
        )
  const [inNotes, inDetails] = [idsWith(NOTE_BIT), idsWith(DETAIL_BIT)]
  const inFollowUps = idsWith(FOLLOW_UP_BIT)
  const details = inDetails.length > 0 ? await detailLinesOf(reader, inDetails) : undefined
  const followUps = inFollowUps.length > 0 ? await openFollowUpsOf(reader, inFollowUps) : undefined
  const finder = lazy(() => snippetFinder(words))
  const snippetIn = (text: string) => finder()(text)
  const weakerOf = weakerMatches(words)
  const ofNotes = await noteSnippetsOf(reader, inNotes, snippetIn)
  return hits.map((hit, index) => {
    const { connectionId } = hit
    const guesses = () => ranking.guessesOf(hit)
    const weaker = weakerOf({ hit, guesses, row: rows[index] })
    const fields = masks[index] ?? 0
    const snippet =
      ofNotes.get(connectionId) ??
      firstOf(followUps?.get(connectionId), ({ text }) => snippetIn(text)) ??
      firstOf(details?.get(connectionId), snippetIn) ??
      (weaker || (fields & EMAIL_BITS) === 0
        ? undefined
        : firstOf(rows[index]?.listed.emails, snippetIn))
    return {
      score: shareOfMax(scoreWithin(hit), ranking.maxScore),
      fields: matchedFieldsOf(fields),
      ...(weaker && { weaker }),
      ...(snippet !== undefined && { snippet }),
    }
  })
}

/** Whether someone matches every word of a query; without words, everyone does. Weaker matches are guesses. */
export function isCompleteMatch(match: SearchMatch | undefined): boolean {
  return match?.weaker === undefined
}

/** Whether the whole query is the name of a person in a similar spelling. */
export function isSimilarName({ weaker, fields }: SearchMatch): boolean {
  if (!weaker || weaker.words.length < weaker.of || !fields.includes('name')) return false
  return weaker.guesses.every(({ guess }) => guess === 'beginning' || NAME_GUESSES.has(guess))
}

/** Whether the last word of a query that is still being typed is only the beginning of one. */
export function isCompleteSoFar({ weaker }: SearchMatch): boolean {
  if (!weaker) return true
  const { words, of, guesses } = weaker
  return words.length === of && guesses.every(({ guess }) => guess === 'beginning')
}

/** Why a match is only a weaker one; undefined for a complete one. */
export function partialMatchText({ weaker }: SearchMatch): string | undefined {
  return weaker && weakerText(weaker)
}

interface OpenFollowUp {
  readonly connection_id: number
  readonly text: string
}

async function openFollowUpsOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly OpenFollowUp[]>> {
  const rows = await reader.all(OPEN_FOLLOW_UPS, { ids })
  return Map.groupBy(rows, ({ connection_id }) => connection_id)
}

/** By follow_ups_by_connection. */
const OPEN_FOLLOW_UPS = memberStatement<{ ids: readonly number[] }, OpenFollowUp>()(`
  select connection_id, text from follow_ups f each (connection_id = :ids...bigint)
  where f.member_id = :member_id and f.completed_at is null and f.deleted_at is null
  order by connection_id, due_on, follow_up_id`)

/** Their details as lines, in which a match is shown. */
async function detailLinesOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const connections = await findConnections(reader, ids)
  const fields = await customFieldsOf(reader, ...connections.map(({ details }) => details))
  return new Map(
    connections.map((connection) => [connection.connectionId, detailLines({ connection, fields })]),
  )
}

const DETAIL_BIT = (1 << FIELD.detail) | (1 << FIELD.custom)
const NOTE_BIT = 1 << FIELD.note
const FOLLOW_UP_BIT = 1 << FIELD.followUp
const EMAIL_BITS = (1 << FIELD.email) | (1 << FIELD.emailWord)

/** Two decimals; a whole name can exceed the score of its words. */
function shareOfMax(score: number, maxScore: number): number {
  return maxScore === 0 ? 0 : Math.max(0.01, Math.round(100 * Math.min(1, score / maxScore)) / 100)
}

/** Notes of a connection that are read at first, together with those of other connections. */
export const FIRST_NOTES = 32
/** Notes of one connection that are read at a time. */
const MAX_NOTES = 1024

/** The snippet of the newest note of each connection that has one. */
export async function noteSnippetsOf(
  reader: MemberReader,
  ids: readonly number[],
  snippetIn: (text: string) => string | undefined,
): Promise<ReadonlyMap<number, string>> {
  const snippets = new Map<number, string>()
  if (ids.length === 0) return snippets
  for (const [connectionId, newest] of await newestNotesOf(reader, ids, FIRST_NOTES)) {
    let notes = newest
    for (let limit = FIRST_NOTES; ;) {
      const snippet = firstOf(notes, ({ text }) => snippetIn(text))
      if (snippet !== undefined) snippets.set(connectionId, snippet)
      const last = notes.at(-1)
      if (snippet !== undefined || !last || notes.length < limit) break
      limit = Math.min(4 * limit, MAX_NOTES)
      notes = await olderNotesOf(reader, { connectionId, before: last.noteId, limit })
    }
  }
  return snippets
}

/** The first text that `read` finds. */
function firstOf<T>(
  values: readonly T[] | undefined,
  read: (value: T) => string | undefined,
): string | undefined {
  if (!values) return undefined
  for (const value of values) {
    const text = read(value)
    if (text !== undefined) return text
  }
  return undefined
}
