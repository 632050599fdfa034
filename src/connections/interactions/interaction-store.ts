/**
 * Interactions: calls, meetings and messages with 1 to 50 people. Every function that writes also derives the last
 * contact of the people (`last-contact/contact-times.ts`) and records what search has to read again. Pages and tools read
 * `timeline.ts` and `contact-overview.ts`; a sync uses `sync-interactions.ts`.
 */

import { reserveNumbers } from '../../tools/network-numbers.ts'
import { dayAt, startOfDay } from '../../base/calendar-day.ts'
import { formatPublicId, parsePublicId } from '../../base/public-id.ts'
import { RequestError } from '../../base/request-error.ts'
import { asProperties, memberStatement } from '../../db/statement.ts'
import { localNowOf, refreshContactTimes } from '../last-contact/contact-times.ts'
import { peopleIn } from '../last-contact/interaction-people.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export const INTERACTION_KINDS = ['call', 'meeting', 'message', 'email', 'event', 'other'] as const
export type InteractionKind = (typeof INTERACTION_KINDS)[number]

export const MAX_INTERACTION_PEOPLE = 50

/** A day, or an instant with the time zone in which it happened. */
export interface InteractionTime {
  /** The local date and time in milliseconds as if it were UTC; midnight if only the day is known. */
  readonly localAt: number
  readonly happenedAt: number | null
  readonly zone: string | null
}

export interface InteractionDraft extends InteractionTime {
  readonly kind: InteractionKind
  /** `out`: by the member. */
  readonly direction: 'in' | 'out' | null
  readonly subject: string | null
  readonly text: string | null
  /** `typed`, or the import or feed that brought it. */
  readonly source: string
  /** Identifies it within the source. */
  readonly sourceKey: string | null
  /** Numbers of the connections, in ascending order. */
  readonly people: readonly number[]
  /** For which people the attendees of a synced event stand; see `synced-people.ts`. */
  readonly attendees?: string | null
}

export interface Interaction extends InteractionDraft {
  readonly interactionId: number
  /** 1: deleted because its source no longer has it. */
  readonly isGone: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly deletedAt: number | null
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

/** The interaction's number; 0, which is never used, if the text is not an interaction ID. */
export function interactionNumber(publicId: string): number {
  return parsePublicId('i', publicId) ?? 0
}

/** Includes deleted ones, because an undo can restore them. */
export async function findInteractions(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Interaction[]> {
  if (ids.length === 0) return []
  return withPeople(reader, await reader.all(BY_IDS, { ids: [...new Set(ids)] }))
}

/**
 * The interaction with a public ID.
 *
 * @throws {RequestError} `not_found` when it does not exist, is deleted or belongs to another member.
 */
export async function requireInteraction(
  reader: MemberReader,
  publicId: string,
): Promise<Interaction> {
  const [found] = await findInteractions(reader, [interactionNumber(publicId)])
  if (found?.deletedAt === null) return found
  throw new RequestError('not_found', `Interaction ${publicId.slice(0, 20)} was not found.`, {
    hint: 'Find its interaction_id with list_timeline.',
  })
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
  const [added, localNow] = await Promise.all([
    insertInteractions(tx, drafts, now),
    localNowOf(tx, now),
  ])
  await peopleChanged(
    tx,
    added.flatMap(({ people }) => people),
    localNow,
  )
  return added
}

/** As `addInteractions`, for a caller that derives the contact times itself. */
export async function insertInteractions(
  tx: MemberTransaction,
  drafts: readonly InteractionDraft[],
  now: number,
): Promise<Interaction[]> {
  if (drafts.length === 0) return []
  const first = await reserveNumbers(tx, 'last_interaction', drafts.length)
  const added = drafts.map((draft, index) => ({
    ...draft,
    interactionId: first + index,
    isGone: 0,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }))
  await Promise.all([
    tx.insertMany({ table: 'interactions', columns: COLUMNS, rows: added.map(valuesOf) }),
    insertPeople(tx, added),
  ])
  return added
}

/** A stored interaction and its new state. */
interface InteractionUpdate {
  readonly before: Interaction
  readonly after: Interaction
}

/** Stores every field and the people of existing interactions, `deletedAt` included. */
export async function storeInteractions(
  tx: MemberTransaction,
  updates: readonly InteractionUpdate[],
  now: number,
): Promise<void> {
  if (updates.length === 0) return
  const after = updates.map((update) => ({ ...update.after, updatedAt: now }))
  const [key, ...columns] = COLUMNS
  await tx.updateMany({ table: 'interactions', key: [key], columns, rows: after.map(valuesOf) })
  const ids = after.map(({ interactionId }) => interactionId)
  await tx.run(DELETE_PEOPLE, { ids })
  await insertPeople(tx, after)
  await peopleChanged(
    tx,
    updates.flatMap((update) => [...update.before.people, ...update.after.people]),
    await localNowOf(tx, now),
  )
}

/** Whether two states differ in what a member sees. */
export function isSameInteraction(one: InteractionDraft, other: InteractionDraft): boolean {
  return (
    SEEN.every((field) => one[field] === other[field]) &&
    one.people.length === other.people.length &&
    one.people.every((id, index) => id === other.people[index])
  )
}

const SEEN = [
  'kind',
  'direction',
  'localAt',
  'happenedAt',
  'zone',
  'subject',
  'text',
] as const satisfies (keyof InteractionDraft)[]

async function peopleChanged(
  tx: MemberTransaction,
  people: readonly number[],
  localNow: number,
): Promise<void> {
  const ids = [...new Set(people)]
  await Promise.all([refreshContactTimes(tx, ids, localNow), recordSearchChanges(tx, ids)])
}

async function insertPeople(
  tx: MemberTransaction,
  interactions: readonly Interaction[],
): Promise<void> {
  await tx.insertMany({
    table: 'interaction_people',
    columns: ['connection_id', 'local_at', 'interaction_id', 'deleted_at'],
    rows: interactions.flatMap(({ people, localAt, interactionId, deletedAt }) =>
      people.map((id) => [id, localAt, interactionId, deletedAt]),
    ),
  })
}

/** Adds their people to rows of `INTERACTION_COLUMNS`. */
export async function withPeople(
  reader: MemberReader,
  rows: readonly InteractionRow[],
): Promise<Interaction[]> {
  const people = await peopleIn(
    reader,
    rows.map(({ interactionId }) => interactionId),
  )
  return rows.map((row) => ({ ...row, people: people.get(row.interactionId) ?? [] }))
}

export type InteractionRow = Omit<Interaction, 'people'>

export const INTERACTION_COLUMNS = asProperties(
  'i.interaction_id, i.kind, i.direction, i.local_at, i.happened_at, i.zone, i.subject, i.text, i.source, i.source_key, i.attendees, i.is_gone, i.created_at, i.updated_at, i.deleted_at',
)

const COLUMNS = [
  'interaction_id',
  'kind',
  'direction',
  'local_at',
  'happened_at',
  'zone',
  'subject',
  'text',
  'source',
  'source_key',
  'attendees',
  'is_gone',
  'created_at',
  'updated_at',
  'deleted_at',
] as const

/** In the order of `COLUMNS`. */
function valuesOf(one: InteractionRow) {
  return [
    one.interactionId,
    one.kind,
    one.direction,
    one.localAt,
    one.happenedAt,
    one.zone,
    one.subject,
    one.text,
    one.source,
    one.sourceKey,
    one.attendees ?? null,
    one.isGone,
    one.createdAt,
    one.updatedAt,
    one.deletedAt,
  ]
}

/** By primary key. */
const BY_IDS = memberStatement<{ ids: readonly number[] }, InteractionRow>()(`
  select ${INTERACTION_COLUMNS} from interactions i each (interaction_id = :ids...bigint)
  where i.member_id = :member_id order by i.interaction_id`)

/** By index interactions_by_source. */
const BY_KEYS = memberStatement<{ source: string; keys: readonly string[] }, InteractionRow>()(`
  select ${INTERACTION_COLUMNS} from interactions i each (source = :source and source_key = :keys...text)
  where i.member_id = :member_id and i.source_key is not null order by i.interaction_id`)

const DELETE_PEOPLE = memberStatement<{ ids: readonly number[] }>()(`
  delete from interaction_people where member_id = :member_id and interaction_id in (:ids...bigint)`)
