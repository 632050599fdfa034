/**
 * Interactions: calls, meetings and messages with 1 to 50 people. Every function that writes also derives the last
 * contact of the people (`last-contact/contact-times.ts`) and records what search has to read again. Pages and tools read
 * `timeline.ts` and `read-contact-times.ts`; a sync uses `sync-interactions.ts`.
 */

import { rfc3339 } from '../../base/clock.ts'
import { dayAt, startOfDay } from '../../dates/calendar-day.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { formatPublicId } from '../../base/public-id.ts'
import { memberStatement } from '../../db/statement.ts'
import { column, linked, selected } from '../../records/columns.ts'
import {
  addRows,
  findRows,
  insertDrafts,
  recordedTable,
  requireRow,
  type RowIn,
} from '../../records/recorded-table.ts'
import { undoerOf, type Present } from '../../records/undo-rows.ts'
import { FOLLOW_UPS } from '../follow-ups/follow-ups.ts'
import { publicConnectionId, readConnectionId } from '../model/connection.ts'
import { localNowOf, refreshContactTimes } from '../last-contact/contact-times.ts'
import { peopleIn } from '../last-contact/interaction-people.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export const INTERACTION_KINDS = ['call', 'meeting', 'message', 'email', 'event', 'other'] as const
export type InteractionKind = (typeof INTERACTION_KINDS)[number]

/** A day, or an instant with the time zone in which it happened. */
export interface InteractionTime {
  /** The local date and time in milliseconds as if it were UTC; midnight if only the day is known. */
  readonly localAt: number
  readonly happenedAt: number | null
  readonly zone: string | null
}

export const INTERACTIONS = recordedTable({
  table: 'interactions',
  key: 'interactionId',
  counter: 'last_interaction',
  prefix: 'i',
  noun: 'interaction',
  plural: 'interactions',
  title: 'Interaction',
  listedBy: 'list_timeline',
  actions: {
    add: 'interaction.set',
    change: 'interaction.set',
    remove: 'interaction.delete',
    several: 'interactions.sync',
  },
  isKept: true,
  isWhole: true,
  columns: {
    interactionId: column<number>(),
    kind: column<InteractionKind>(),
    /** `out`: by the member. */
    direction: column<'in' | 'out' | null>(),
    localAt: column<number>(),
    happenedAt: column<number | null>(),
    zone: column<string | null>(),
    subject: column<string | null>(),
    text: column<string | null>(),
    /** `typed`, or the import or feed that brought it. */
    source: column<string>(),
    /** Identifies it within the source. */
    sourceKey: column<string | null>(),
    /** For which people the attendees of a synced event stand; see `synced-people.ts`. */
    attendees: column<string | null>(),
    /** 1: deleted because its source no longer has it. */
    isGone: column<number>(),
    createdAt: column<number>(),
    updatedAt: column<number>(),
    /** Numbers of the connections, in ascending order. */
    people: linked<readonly number[]>(),
  },
  logged: {
    people: {
      write: ({ people }) => people.map(publicConnectionId),
      // Safe: as written above. A restored one is its source's again.
      read: (ids) => ({
        people: (ids as string[]).map((id) => readConnectionId(id) ?? 0),
        isGone: 0,
      }),
    },
    kind: 'kind',
    direction: 'direction',
    on: {
      write: (one) => dayOfInteraction(one),
      read: (day, { at, zone }) => timeOf(String(day), at, zone),
    },
    // Absent if only the day is known.
    at: { write: (one) => instantOf(one)?.at, read: () => ({}) },
    zone: { write: (one) => instantOf(one)?.zone, read: () => ({}) },
    subject: 'subject',
    text: 'text',
  },
  people: ({ people }) => people,
  complete: withPeople,
  async written(tx, { changes, people, now }) {
    const stored = changes.filter(({ before }) => before).map(({ after }) => after.interactionId)
    if (stored.length > 0) await tx.run(DELETE_PEOPLE, { ids: stored })
    const [localNow] = await Promise.all([
      localNowOf(tx, now),
      insertPeople(
        tx,
        changes.map(({ after }) => after),
      ),
    ])
    await Promise.all([refreshContactTimes(tx, people, localNow), recordSearchChanges(tx, people)])
  },
})

type InteractionRow = RowIn<typeof INTERACTIONS>

export type Interaction = Present<InteractionRow>

export type InteractionDraft = Omit<
  InteractionRow,
  'interactionId' | 'isGone' | 'createdAt' | 'updatedAt' | 'attendees'
> & {
  readonly attendees?: string | null
}

/** Also reverts the follow-up that was planned with an interaction. */
export const interactionUndoer = undoerOf(INTERACTIONS, FOLLOW_UPS)

function instantOf({ happenedAt, zone }: Pick<InteractionTime, 'happenedAt' | 'zone'>) {
  return happenedAt === null || zone === null ? undefined : { at: rfc3339(happenedAt), zone }
}

function timeOf(day: string, at: unknown, zone: unknown): InteractionTime {
  if (typeof at !== 'string' || typeof zone !== 'string') return onDay(day)
  const happenedAt = Date.parse(at)
  return { localAt: localTimeAt(zone, happenedAt), happenedAt, zone }
}

/** A time of which only the day is known: YYYY-MM-DD. */
export function onDay(day: string): InteractionTime {
  return { localAt: startOfDay(day), happenedAt: null, zone: null }
}

/** Its day, where it happened: YYYY-MM-DD. */
export function dayOfInteraction({ localAt }: Pick<InteractionTime, 'localAt'>): string {
  return dayAt(localAt)
}

export const NO_CONTENT = {
  direction: null,
  subject: null,
  text: null,
  source: 'typed',
  sourceKey: null,
} as const satisfies Partial<InteractionDraft>

/** Such as `i_12`. */
export function publicInteractionId(interactionId: number): string {
  return formatPublicId('i', interactionId)
}

/** Includes deleted ones, because an undo can restore them. */
export async function findInteractions(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Interaction[]> {
  return findRows(INTERACTIONS, reader, ids)
}

/** @throws {RequestError} `not_found` when it does not exist, is deleted or belongs to another member. */
export async function requireInteraction(
  reader: MemberReader,
  publicId: string,
): Promise<Interaction> {
  return requireRow(INTERACTIONS, reader, publicId)
}

/** The interactions of a source with these keys, including deleted ones. */
export async function findBySourceKeys(
  reader: MemberReader,
  source: string,
  keys: readonly string[],
): Promise<Interaction[]> {
  if (keys.length === 0) return []
  return withPeople(reader, await reader.all(BY_KEYS, { source, keys: [...new Set(keys)] }))
}

/** Inserts them in order, with new numbers. */
export async function addInteractions(
  tx: MemberTransaction,
  drafts: readonly InteractionDraft[],
  now: number,
): Promise<Interaction[]> {
  return addRows(INTERACTIONS, tx, drafts.map(completed(now)), now)
}

/** As `addInteractions`, for a caller that derives the contact times itself. */
export async function insertInteractions(
  tx: MemberTransaction,
  drafts: readonly InteractionDraft[],
  now: number,
): Promise<Interaction[]> {
  const added = await insertDrafts(INTERACTIONS, tx, drafts.map(completed(now)))
  await insertPeople(tx, added)
  return added
}

function completed(now: number) {
  return (draft: InteractionDraft) => ({ attendees: null, ...draft, isGone: 0, createdAt: now })
}

interface WithPeople {
  readonly interactionId: number
  readonly localAt: number
  readonly people: readonly number[]
  readonly deletedAt?: number | null
}

async function insertPeople(
  tx: MemberTransaction,
  interactions: readonly WithPeople[],
): Promise<void> {
  if (interactions.length === 0) return
  await tx.insertMany({
    table: 'interaction_people',
    columns: ['connection_id', 'local_at', 'interaction_id', 'deleted_at'],
    rows: interactions.flatMap(({ people, localAt, interactionId, deletedAt = null }) =>
      people.map((id) => [id, localAt, interactionId, deletedAt]),
    ),
  })
}

/** Adds their people to rows of `INTERACTION_COLUMNS`. */
export async function withPeople<Row extends { readonly interactionId: number }>(
  reader: MemberReader,
  rows: readonly Row[],
): Promise<(Row & Pick<WithPeople, 'people'>)[]> {
  const people = await peopleIn(
    reader,
    rows.map(({ interactionId }) => interactionId),
  )
  return rows.map((row) => ({ ...row, people: people.get(row.interactionId) ?? [] }))
}

/** An interaction without its people, as these columns select it. */
export type SelectedInteraction = Omit<Interaction, 'people'>

export const INTERACTION_COLUMNS = `${selected(INTERACTIONS.columns, 'i')}, i.deleted_at as "deletedAt"`

/** By index interactions_by_source. */
const BY_KEYS = memberStatement<
  { source: string; keys: readonly string[] },
  SelectedInteraction
>()(`
  select ${INTERACTION_COLUMNS} from interactions i each (source = :source and source_key = :keys...text)
  where i.member_id = :member_id and i.source_key is not null order by i.interaction_id`)

const DELETE_PEOPLE = memberStatement<{ ids: readonly number[] }>()(`
  delete from interaction_people where member_id = :member_id and interaction_id in (:ids...bigint)`)
