/**
 * Finds connections who may know a person, someone at a company, or people with an occupation. Every result has reasons
 * that come from the network's own data; nothing is guessed.
 */

import { nameKey, tokenize } from '../../base/tokenize.ts'
import { relatedPeople, type RelatedPerson } from './related-people.ts'
import { publicNoteId, notesOf, type Note } from '../notes/notes.ts'
import type { ConnectionQuery } from '../search/ask.ts'
import { searchConnections } from '../search/search.ts'
import type { IndexReader } from '../search/index/network-index.ts'
import { tagsOf, type Tag } from '../model/tag-store.ts'
import type { Listed } from '../model/connection.ts'

/** How likely each reason alone leads to an introduction. These are estimates, not measurements. */
const WEIGHTS = {
  works_at_target: 0.6,
  works_with_target: 0.6,
  related_to_target: 0.6,
  mentioned_in_note: 0.5,
  has_title: 0.5,
  tagged: 0.4,
  same_trade_and_place: 0.2,
  // These only strengthen other reasons.
  same_location: 0.1,
  has_notes: 0.1,
  has_email: 0.05,
} as const

interface IntroductionReason {
  readonly kind: keyof typeof WEIGHTS
  readonly text: string
  /** The text of a note or tag, exactly as typed. */
  readonly quote?: string
  readonly noteId?: string
  /** What the two are to each other: `Sister`. */
  readonly relation?: string
}

export interface Introduction {
  readonly connection: Listed
  readonly tags: readonly Tag[]
  /** 0 to 1. */
  readonly score: number
  readonly reasons: readonly IntroductionReason[]
}

interface Introductions {
  /** Connections that are the target person. */
  readonly known: readonly Listed[]
  /** Best first. */
  readonly introductions: readonly Introduction[]
}

interface IntroductionQuery {
  /** A person's name, a company, a title, or a title at a company. */
  readonly target: string
  /** Decides what `last year` means in it. */
  readonly now: number
  /** Where that person works and lives, if the caller knows. */
  readonly company?: string
  readonly location?: string
}

/** `withheld` is a bit mask of fields that are not searched: see `withheldFields`. */
export async function findIntroductions(
  reader: IndexReader,
  query: IntroductionQuery,
  withheld?: number,
): Promise<Introductions> {
  const tokens = tokenize(query.target)
  if (tokens.length === 0) return { known: [], introductions: [] }
  const asked = { query: query.target, withheld }
  const found = await searchConnections(reader, { query: asked, limit: MAX_FOUND, now: query.now })
  const hits = found.connections
  const known = hits.filter(({ name }) => hasWords(name, tokens))
  const meant = new Set(hits.slice(0, found.complete).map(({ connectionId }) => connectionId))
  const companies = targetCompanies(query, known)
  const goal: Goal = { ...query, withheld, tokens, known, meant, companies }
  const candidates = await findCandidates(reader, goal, hits)
  const related = withheld === undefined ? await relatedPeople(reader, tokens, { known, hits }) : []
  for (const { connection } of related)
    if (!known.some(({ connectionId }) => connectionId === connection.connectionId))
      candidates.set(connection.connectionId, connection)
  const ids = [...candidates.keys()]
  const readable = withheld === undefined ? ids : []
  const [tags, notes] = await Promise.all([tagsOf(reader, ids), notesOf(reader, readable)])
  const introductions = [...candidates].flatMap(([id, connection]) => {
    const candidate = {
      connection,
      tags: tags.get(id) ?? [],
      notes: notes.get(id) ?? [],
      related: related.filter((one) => one.connection.connectionId === id),
    }
    const reasons = reasonsFor(goal, candidate)
    return reasons.length === 0
      ? []
      : [{ connection, tags: candidate.tags, reasons, score: scoreOf(reasons) }]
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
  /** Name tokens of the target. */
  readonly tokens: readonly string[]
  readonly withheld: number | undefined
  readonly known: readonly Listed[]
  /** Numbers of the connections that the target describes, read as a question: `Nurse at Heron Health`. */
  readonly meant: ReadonlySet<number>
  /** Normalized names of the target person's companies, each with a phrase for reasons. */
  readonly companies: ReadonlyMap<string, string>
}

/** A connection with everything that may be a reason to ask them. */
interface Candidate {
  readonly connection: Listed
  readonly tags: readonly Tag[]
  readonly notes: readonly Note[]
  /** What the connection is to the target. */
  readonly related: readonly Pick<RelatedPerson, 'text' | 'relation'>[]
}

function targetCompanies({ target, company }: IntroductionQuery, known: readonly Listed[]) {
  const companies = new Map<string, string>()
  for (const person of known)
    if (person.company !== null)
      companies.set(nameKey(person.company), `where ${person.name} works`)
  if (company !== undefined) companies.set(nameKey(company), `where you say ${target.trim()} works`)
  companies.delete('')
  return companies
}

/** Results per search. */
const MAX_FOUND = 50
/** Maximum number of people and companies to start from; a name shared by more people does not identify anyone. */
const MAX_LOOKUPS = 5

async function search(reader: IndexReader, query: ConnectionQuery): Promise<readonly Listed[]> {
  return (await searchConnections(reader, { query, limit: MAX_FOUND })).connections
}

async function findCandidates(
  reader: IndexReader,
  { target, known, companies, withheld }: Goal,
  hits: readonly Listed[],
): Promise<Map<number, Listed>> {
  const queries: ConnectionQuery[] = [
    { query: '', company: target },
    { query: '', title: target },
    ...[...companies.keys()].slice(0, MAX_LOOKUPS).map((company) => ({ query: '', company })),
    ...known.slice(0, MAX_LOOKUPS).flatMap(occupationAndLocation),
  ]
  const found = await Promise.all(queries.map((query) => search(reader, { ...query, withheld })))
  const candidates = new Map(
    [...hits, ...found.flat()].map((connection) => [connection.connectionId, connection]),
  )
  for (const { connectionId } of known) candidates.delete(connectionId)
  return candidates
}

function occupationAndLocation({ title, location }: Listed): ConnectionQuery[] {
  const occupation = occupationOf(title)
  return occupation.length === 0 || location === null
    ? []
    : [{ query: '', title: occupation.join(' '), location }]
}

/** Ranks and connecting words. What remains of a title is the occupation. */
const RANKS = new Set(
  'senior junior lead leader head chief principal staff associate assistant interim deputy vice president vp svp evp director manager of the and for in at to a sr jr i ii iii'.split(
    ' ',
  ),
)

function occupationOf(title: string | null): string[] {
  return tokenize(title ?? '').filter((word) => !RANKS.has(word))
}

function reasonsFor(goal: Goal, candidate: Candidate): IntroductionReason[] {
  const reasons = [
    ...candidate.related.map(
      ({ text, relation }) => ({ kind: 'related_to_target', text, relation }) as const,
    ),
    ...companyReasons(goal, candidate),
    ...titleReasons(goal, candidate),
    ...mentionReasons(goal, candidate),
    ...occupationReasons(goal, candidate),
  ]
  return reasons.length === 0 ? [] : [...reasons, ...supportingReasons(goal, candidate)]
}

function companyReasons(
  { tokens, meant, companies }: Goal,
  { connection: { connectionId, company, title } }: Candidate,
): IntroductionReason[] {
  if (company === null) return []
  const as = title === null ? '' : ` as ${title}`
  const isMeant = meant.has(connectionId) && tokenize(company).some((word) => tokens.includes(word))
  if (isMeant || hasWords(company, tokens))
    return [{ kind: 'works_at_target', text: `Works at ${company}${as}.` }]
  for (const [known, why] of companies)
    if (nameKey(company) === known)
      return [{ kind: 'works_with_target', text: `Works at ${company}${as}, ${why}.` }]
  return []
}

function titleReasons(
  { tokens }: Goal,
  { connection: { title } }: Candidate,
): IntroductionReason[] {
  if (title === null || !hasWords(title, tokens)) return []
  return [{ kind: 'has_title', text: `Works as ${title}.` }]
}

/** Characters quoted from a note. */
const MAX_QUOTE_LENGTH = 160

function mentionReasons({ tokens }: Goal, { tags, notes }: Candidate): IntroductionReason[] {
  const tag = tags.find((one) => hasWords(one.tag, tokens))
  const note = notes.findLast(({ text }) => hasWords(text, tokens))
  return [
    ...(note ? [noteReason(note, tokens)] : []),
    ...(tag ? [{ kind: 'tagged', text: 'Has a matching tag.', quote: tag.tag } as const] : []),
  ]
}

function noteReason(note: Note, tokens: readonly string[]): IntroductionReason {
  const { noteId, text, happenedOn } = note
  const date = happenedOn === null ? '' : ` from ${happenedOn}`
  // Quotes the sentence that contains all words, or else the beginning of the note.
  const sentences = text.split(/(?<=[.!?])\s+|\n+/)
  const quoted = sentences.find((sentence) => hasWords(sentence, tokens)) ?? text
  return {
    kind: 'mentioned_in_note',
    text: `Mentioned in a note${date}.`,
    quote: quoted.slice(0, MAX_QUOTE_LENGTH).toWellFormed(),
    noteId: publicNoteId(noteId),
  }
}

function occupationReasons({ known }: Goal, { connection }: Candidate): IntroductionReason[] {
  const occupation = occupationOf(connection.title)
  const colleague = known.find(
    ({ title, location }) =>
      location !== null &&
      connection.location !== null &&
      nameKey(location) === nameKey(connection.location) &&
      occupationOf(title).length > 0 &&
      occupationOf(title).every((word) => occupation.includes(word)),
  )
  if (!colleague) return []
  const text = `Works as ${connection.title} in ${connection.location}, where ${colleague.name} works as ${colleague.title}.`
  return [{ kind: 'same_trade_and_place', text }]
}

function supportingReasons(
  { location }: Goal,
  { connection, notes }: Candidate,
): IntroductionReason[] {
  const { location: theirs } = connection
  return [
    ...(location !== undefined && theirs !== null && hasWords(theirs, tokenize(location))
      ? [{ kind: 'same_location', text: `Lives in ${theirs}.` } as const]
      : []),
    ...(notes.length > 0 ? [{ kind: 'has_notes', text: notesText(notes.length) } as const] : []),
    ...(connection.emails.length > 0
      ? [{ kind: 'has_email', text: 'You have their email address.' } as const]
      : []),
  ]
}

function notesText(count: number): string {
  return count === 1 ? 'You have a note about them.' : `You have ${count} notes about them.`
}

/** Whether the text has all these words as whole words, in any order. */
function hasWords(text: string, tokens: readonly string[]): boolean {
  if (tokens.length === 0) return false
  const words = new Set(tokenize(text))
  return tokens.every((word) => words.has(word))
}

function scoreOf(reasons: readonly IntroductionReason[]): number {
  const doubt = reasons.reduce((product, { kind }) => product * (1 - WEIGHTS[kind]), 1)
  return Math.round((1 - doubt) * 100) / 100
}
