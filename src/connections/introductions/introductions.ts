/**
 * Who in the network may know a person, somebody at a company, or people of a trade; each with reasons that stand in the
 * network. Nothing is guessed: without such a reason nobody is named.
 */

import { nameKey, tokenize } from '../../base/tokenize.ts'
import { publicNoteId } from '../model/snapshot.ts'
import { searchConnections, type ConnectionQuery } from '../search/search.ts'
import { notesOf, tagsOf, type Note, type Tag } from '../model/connection-store.ts'
import type { FullText, SearchReader } from '../../db/database.ts'
import type { Listed } from '../model/connection.ts'

/** What a reason says on its own: how likely an introduction comes of it, judged and not measured. */
const WEIGHTS = {
  works_at_target: 0.6,
  works_with_target: 0.6,
  mentioned_in_note: 0.5,
  has_title: 0.5,
  tagged: 0.4,
  same_trade_and_place: 0.2,
  // What brings a tie to life; by themselves they say nothing of the target.
  same_location: 0.1,
  has_notes: 0.1,
  has_email: 0.05,
} as const

export interface IntroductionReason {
  readonly kind: keyof typeof WEIGHTS
  readonly text: string
  /** Of a note or tag, as it was typed. */
  readonly quote?: string
  readonly noteId?: string
}

export interface Introduction {
  readonly connection: Listed
  readonly tags: readonly Tag[]
  /** 0 to 1. */
  readonly score: number
  readonly reasons: readonly IntroductionReason[]
}

export interface Introductions {
  /** Connections that are the very person asked for. */
  readonly known: readonly Listed[]
  /** The most promising first. */
  readonly introductions: readonly Introduction[]
}

export interface IntroductionQuery {
  /** A person's name, a company or a title. */
  readonly target: string
  /** Where that person works, and lives, as far as the one who asks knows. */
  readonly company?: string
  readonly location?: string
}

export type IntroductionReader = SearchReader & { readonly fullText: FullText }

export async function findIntroductions(
  reader: IntroductionReader,
  query: IntroductionQuery,
): Promise<Introductions> {
  const asked = tokenize(query.target)
  if (asked.length === 0) return { known: [], introductions: [] }
  const hits = await search(reader, { query: query.target })
  const known = hits.filter(({ name }) => hasWords(name, asked))
  const goal: Goal = { ...query, asked, known, places: placesOf(query, known) }
  const candidates = await findCandidates(reader, goal, hits)
  const ids = [...candidates.keys()]
  const [tags, notes] = [await tagsOf(reader, ids), await notesOf(reader, ids)]
  const introductions = [...candidates].flatMap(([id, connection]) => {
    const about = { connection, tags: tags.get(id) ?? [], notes: notes.get(id) ?? [] }
    const reasons = reasonsFor(goal, about)
    return reasons.length === 0
      ? []
      : [{ connection, tags: about.tags, reasons, score: scoreOf(reasons) }]
  })
  return {
    known,
    introductions: introductions.sort(
      (one, other) =>
        other.score - one.score || one.connection.connectionId - other.connection.connectionId,
    ),
  }
}

interface Goal extends IntroductionQuery {
  readonly asked: readonly string[]
  readonly known: readonly Listed[]
  /** Companies of the person asked for, folded, each with what is known of it. */
  readonly places: ReadonlyMap<string, string>
}

/** Somebody of the network with all that may be a reason. */
interface Candidate {
  readonly connection: Listed
  readonly tags: readonly Tag[]
  readonly notes: readonly Note[]
}

function placesOf({ target, company }: IntroductionQuery, known: readonly Listed[]) {
  const places = new Map<string, string>()
  for (const person of known)
    if (person.company !== null) places.set(nameKey(person.company), `where ${person.name} works`)
  if (company !== undefined) places.set(nameKey(company), `where you say ${target.trim()} works`)
  places.delete('')
  return places
}

/** As many as one search gives. */
const MAX_FOUND = 50
/** As many persons or companies as are looked around; a name that more have is none to go by. */
const MAX_LOCATIONS = 5

async function search(
  reader: IntroductionReader,
  query: ConnectionQuery,
): Promise<readonly Listed[]> {
  return (await searchConnections(reader, query, MAX_FOUND)).connections
}

async function findCandidates(
  reader: IntroductionReader,
  { target, known, places }: Goal,
  hits: readonly Listed[],
): Promise<Map<number, Listed>> {
  const around: ConnectionQuery[] = [
    { query: '', company: target },
    { query: '', title: target },
    ...[...places.keys()].slice(0, MAX_LOCATIONS).map((company) => ({ query: '', company })),
    ...known.slice(0, MAX_LOCATIONS).flatMap(tradeAndPlaceOf),
  ]
  const found = await Promise.all(around.map((query) => search(reader, query)))
  const candidates = new Map(
    [...hits, ...found.flat()].map((connection) => [connection.connectionId, connection]),
  )
  for (const { connectionId } of known) candidates.delete(connectionId)
  return candidates
}

function tradeAndPlaceOf({ title, location }: Listed): ConnectionQuery[] {
  const trade = tradeOf(title)
  return trade.length === 0 || location === null
    ? []
    : [{ query: '', title: trade.join(' '), location }]
}

/** Ranks, and words between them: what is left of a title is the trade. */
const RANKS = new Set(
  'senior junior lead leader head chief principal staff associate assistant interim deputy vice president vp svp evp director manager of the and for in at to a sr jr i ii iii'.split(
    ' ',
  ),
)

function tradeOf(title: string | null): string[] {
  return tokenize(title ?? '').filter((word) => !RANKS.has(word))
}

function reasonsFor(goal: Goal, candidate: Candidate): IntroductionReason[] {
  const ties = [
    ...companyReasons(goal, candidate),
    ...titleReasons(goal, candidate),
    ...writtenReasons(goal, candidate),
    ...tradeReasons(goal, candidate),
  ]
  return ties.length === 0 ? [] : [...ties, ...strengths(goal, candidate)]
}

function companyReasons(
  { asked, places }: Goal,
  { connection: { company, title } }: Candidate,
): IntroductionReason[] {
  if (company === null) return []
  const as = title === null ? '' : ` as ${title}`
  if (hasWords(company, asked))
    return [{ kind: 'works_at_target', text: `Works at ${company}${as}.` }]
  for (const [place, why] of places)
    if (nameKey(company) === place)
      return [{ kind: 'works_with_target', text: `Works at ${company}${as}, ${why}.` }]
  return []
}

function titleReasons({ asked }: Goal, { connection: { title } }: Candidate): IntroductionReason[] {
  if (title === null || !hasWords(title, asked)) return []
  return [{ kind: 'has_title', text: `Is ${title}.` }]
}

/** Characters of a note around what it mentions. */
const QUOTED = 160

function writtenReasons({ asked }: Goal, { tags, notes }: Candidate): IntroductionReason[] {
  const tag = tags.find((one) => hasWords(one.tag, asked))
  const note = notes.findLast(({ text }) => hasWords(text, asked))
  return [
    ...(note ? [noteReason(note, asked)] : []),
    ...(tag
      ? [{ kind: 'tagged', text: 'Has a tag with these words.', quote: tag.tag } as const]
      : []),
  ]
}

function noteReason(note: Note, asked: readonly string[]): IntroductionReason {
  const { noteId, text, happenedOn } = note
  const on = happenedOn === null ? '' : ` of ${happenedOn}`
  // Sentence by sentence, and of a long one the beginning: somewhere in it the words stand.
  const sentences = text.split(/(?<=[.!?])\s+|\n+/)
  const telling = sentences.find((one) => hasWords(one, asked)) ?? text
  return {
    kind: 'mentioned_in_note',
    text: `A note${on} has these words.`,
    quote: telling.slice(0, QUOTED).toWellFormed(),
    noteId: publicNoteId(noteId),
  }
}

function tradeReasons({ known }: Goal, { connection }: Candidate): IntroductionReason[] {
  const trade = tradeOf(connection.title)
  const colleague = known.find(
    ({ title, location }) =>
      location !== null &&
      connection.location !== null &&
      nameKey(location) === nameKey(connection.location) &&
      tradeOf(title).length > 0 &&
      tradeOf(title).every((word) => trade.includes(word)),
  )
  if (!colleague) return []
  const text = `Is ${connection.title} in ${connection.location}, and ${colleague.name} is ${colleague.title} there.`
  return [{ kind: 'same_trade_and_place', text }]
}

function strengths({ location }: Goal, { connection, notes }: Candidate): IntroductionReason[] {
  const place = connection.location
  return [
    ...(location !== undefined && place !== null && hasWords(place, tokenize(location))
      ? [{ kind: 'same_location', text: `Lives in ${place}.` } as const]
      : []),
    ...(notes.length > 0 ? [{ kind: 'has_notes', text: notesText(notes.length) } as const] : []),
    ...(connection.emails.length > 0
      ? [{ kind: 'has_email', text: 'Their e-mail address is known.' } as const]
      : []),
  ]
}

function notesText(count: number): string {
  return count === 1 ? 'There is a note about them.' : `There are ${count} notes about them.`
}

/** Whole words, in any order. */
function hasWords(text: string, asked: readonly string[]): boolean {
  if (asked.length === 0) return false
  const there = new Set(tokenize(text))
  return asked.every((word) => there.has(word))
}

function scoreOf(reasons: readonly IntroductionReason[]): number {
  const doubt = reasons.reduce((product, { kind }) => product * (1 - WEIGHTS[kind]), 1)
  return Math.round((1 - doubt) * 100) / 100
}
