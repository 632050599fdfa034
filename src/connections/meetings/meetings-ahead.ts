/**
 * What lies ahead: the meetings of connected calendars and those that the member typed, for a day, a period or a person.
 * A meeting that is in both is listed once.
 */

import { peopleIn } from '../last-contact/interaction-people.ts'
import { dayAt } from '../../dates/calendar-day.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { MINUTE } from '../../base/clock.ts'
import { formatPublicId } from '../../base/public-id.ts'
import { memberStatement } from '../../db/statement.ts'
import { emailKey } from '../../contact-files/contact/contact-keys.ts'
import { listMeetings } from './meeting-store.ts'
import { findByEmail } from '../model/find-by-email.ts'
import { contactTimesOf } from '../last-contact/read-contact-times.ts'
import { findConnections } from '../model/connection-store.ts'
import { asListed, type Connection, type Listed } from '../model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

/** Someone in a meeting. */
export interface MetPerson {
  readonly name: string
  /** Present for a guest who is not a connection. */
  readonly email?: string
  readonly connection?: Listed
  readonly lastContactOn: string | null
}

export interface AheadMeeting {
  /** The same for all readings of a meeting. */
  readonly key: string
  readonly title: string | null
  /** Present for a typed meeting: `call`, `meeting`, … */
  readonly kind?: string
  /** Null if only the day is known. */
  readonly startsAt: number | null
  /** Null for a typed one. */
  readonly endsAt: number | null
  /** YYYY-MM-DD, in the time zone of the member or of the typed meeting. */
  readonly on: string
  readonly people: readonly MetPerson[]
}

interface AheadQuery {
  /** Calendar meetings start from here on; typed ones also after `now`. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly now: number
  readonly timeZone: string
  readonly limit: number
  /** Only meetings whose time is known. */
  readonly isTimed?: boolean
  /** Only meetings with this person. */
  readonly person?: Pick<Connection, 'connectionId' | 'emails'>
}

/** The first ones, in order. */
export async function listAhead(
  db: MemberReader,
  query: AheadQuery,
): Promise<{ readonly meetings: readonly AheadMeeting[]; readonly hasMore: boolean }> {
  const { limit, timeZone } = query
  const [planned, typed] = await Promise.all([
    calendarMeetings(db, query),
    typedMeetings(db, query),
  ])
  const twice = (one: Sketch) =>
    planned.some((other) => isNear(one, other) && sharePerson(one, other))
  const all = [...planned, ...typed.filter((one) => !twice(one))].toSorted(
    (one, other) => startOf(one, timeZone) - startOf(other, timeZone),
  )
  const shown = all.slice(0, limit)
  return { meetings: await withPeople(db, shown), hasMore: all.length > limit }
}

/** A meeting before its people are read. */
interface Sketch extends Omit<AheadMeeting, 'people'> {
  readonly people: readonly {
    readonly id?: number
    readonly email?: string
    readonly name?: string
  }[]
}

/** In local milliseconds; a day without a time begins at midnight. */
function startOf({ startsAt, on }: Sketch, timeZone: string): number {
  return startsAt === null ? Date.parse(on) : localTimeAt(timeZone, startsAt)
}

/** Two entries of one meeting start at most this far apart. */
const SAME_START = 15 * MINUTE

function isNear(one: Sketch, other: Sketch): boolean {
  if (one.startsAt === null || other.startsAt === null) return one.on === other.on
  return Math.abs(one.startsAt - other.startsAt) <= SAME_START
}

function sharePerson(one: Sketch, other: Sketch): boolean {
  const ids = new Set(one.people.map(({ id }) => id))
  return other.people.some(({ id }) => id !== undefined && ids.has(id))
}

/** Read for one person, whose meetings are among them. */
const MAX_SCANNED = 1000

async function calendarMeetings(
  db: MemberReader,
  { from, to, limit, timeZone, person }: AheadQuery,
): Promise<Sketch[]> {
  const stored = await listMeetings(db, { from, to, limit: person ? MAX_SCANNED : limit + 1 })
  const keys = new Set(person?.emails.map(emailKey))
  const wanted = person
    ? stored.filter(({ people }) => people.some(({ email }) => keys.has(emailKey(email))))
    : stored
  const emails = wanted.flatMap(({ people }) => people.map(({ email }) => email))
  const ids = await findByEmail(db, emails)
  return wanted.map(({ key, title, startsAt, endsAt, people }) => ({
    key,
    title,
    startsAt,
    endsAt,
    on: dayAt(localTimeAt(timeZone, startsAt)),
    people: people.map(({ email, name }) => {
      const id = ids.get(email)
      return {
        email,
        ...(name !== undefined && name !== null && { name }),
        ...(id !== undefined && { id }),
      }
    }),
  }))
}

async function typedMeetings(
  db: MemberReader,
  { from, to, now, timeZone, limit, person, isTimed = false }: AheadQuery,
): Promise<Sketch[]> {
  const [local_from, local_to, local_now] = [from, to, now].map((at) => localTimeAt(timeZone, at))
  const range = {
    local_from: Math.max(local_from ?? 0, (local_now ?? 0) + 1),
    local_to: local_to ?? 0,
    limit: limit + 1,
    is_timed: Number(isTimed),
  }
  const rows = person
    ? await db.all(TYPED_WITH, { ...range, connection_id: person.connectionId })
    : await db.all(TYPED, range)
  const together = await peopleIn(
    db,
    rows.map(({ interaction_id }) => interaction_id),
  )
  return rows.map((row) => ({
    key: formatPublicId('i', row.interaction_id),
    title: row.subject,
    kind: row.kind,
    startsAt: row.happened_at,
    endsAt: null,
    on: dayAt(row.local_at),
    people: (together.get(row.interaction_id) ?? []).map((id) => ({ id })),
  }))
}

/** With what the network knows about their people. */
async function withPeople(db: MemberReader, sketches: readonly Sketch[]): Promise<AheadMeeting[]> {
  const ids = sketches.flatMap(({ people }) => people.flatMap(({ id }) => id ?? []))
  const found = await findConnections(db, [...new Set(ids)])
  const live = found.filter(({ deletedAt }) => deletedAt === null)
  const connections = new Map(live.map((one) => [one.connectionId, asListed(one)]))
  const times = await contactTimesOf(db, [...connections.keys()])
  return sketches.map((meeting) => ({
    ...meeting,
    people: meeting.people.flatMap(({ id = 0, email, name }) => {
      const connection = connections.get(id)
      if (!connection && email === undefined) return []
      return {
        name: connection?.name ?? name ?? email ?? '',
        ...(connection ? { connection } : email !== undefined && { email }),
        lastContactOn: times.get(id)?.lastContactOn ?? null,
      }
    }),
  }))
}

interface TypedRow {
  readonly interaction_id: number
  readonly kind: string
  readonly local_at: number
  readonly happened_at: number | null
  readonly subject: string | null
}

type TypedRange = Readonly<Record<'local_from' | 'local_to' | 'limit' | 'is_timed', number>>

const TYPED_COLUMNS = 'i.interaction_id, i.kind, i.local_at, i.happened_at, i.subject' as const

/** By index interactions_by_time. */
const TYPED = memberStatement<TypedRange, TypedRow>()(`
  select ${TYPED_COLUMNS} from interactions i
  where i.member_id = :member_id and i.local_at >= :local_from and i.local_at < :local_to and i.deleted_at is null
    and (:is_timed = 0 or i.happened_at is not null)
  order by i.local_at, i.interaction_id limit :limit`)

/** By primary keys. */
const TYPED_WITH = memberStatement<TypedRange & { connection_id: number }, TypedRow>()(`
  select ${TYPED_COLUMNS} from interaction_people p
  join interactions i on i.member_id = :member_id and i.interaction_id = p.interaction_id
  where p.member_id = :member_id and p.connection_id = :connection_id
    and p.local_at >= :local_from and p.local_at < :local_to and p.deleted_at is null
    and (:is_timed = 0 or i.happened_at is not null)
  order by p.local_at, p.interaction_id limit :limit`)
