/**
 * When each person was last contacted and is next due: the table `contact_times`, which is derived from interactions,
 * cadences and tags in the transaction that changes them.
 */

import { dayAt } from '../../dates/calendar-day.ts'
import { dayInZone, localTimeAt } from '../../dates/time-zone.ts'
import { DAY, HOUR } from '../../base/clock.ts'
import { memberStatement, statement } from '../../db/statement.ts'
import type { Cadence } from '../../dates/cadence.ts'
import { dueOf, type Due, type TaggedCadence } from './cadence-days.ts'
import { RHYTHM_CONTACTS, rhythmOf } from './rhythm.ts'
import { column, selected, valuesOf, type RowOf } from '../../records/columns.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** The local date and time of the member, in milliseconds as if it were UTC. */
export async function localNowOf(tx: MemberTransaction, now: number): Promise<number> {
  return localTimeAt(await zoneOf(tx), now)
}

async function zoneOf(tx: MemberTransaction): Promise<string> {
  const member = await tx.shared.get(ZONE, { member_id: tx.memberId })
  return member?.time_zone ?? 'UTC'
}

/**
 * Derives the last and the next contact and the due date of these connections again. Call it in the transaction that
 * adds, changes, moves or deletes their interactions. `localNow`: see `localNowOf`; what is later does not count yet.
 */
export async function refreshContactTimes(
  tx: MemberTransaction,
  ids: readonly number[],
  localNow: number,
): Promise<void> {
  if (ids.length === 0) return
  const wanted = [...new Set(ids)]
  const [recent, stored, tags] = await Promise.all([
    tx.all(RECENT, { ids: wanted, limit: RHYTHM_CONTACTS }),
    readStored(tx, wanted),
    tagCadencesOf(tx, wanted),
  ])
  const times = Map.groupBy(recent, ({ connection_id }) => connection_id)
  const rows: DerivedRow[] = []
  for (const id of wanted) {
    const contacts = await contactsOf(tx, id, times.get(id) ?? [], localNow)
    const before = stored.get(id)
    if (!before && contacts.lastContactOn === null && contacts.nextContactOn === null)
      if (!tags.has(id)) continue
    rows.push({ ...NOT_SET, ...before, ...contacts, connectionId: id })
  }
  await saveTimes(tx, rows, { stored, tags })
}

/**
 * Derives the due dates of these connections again, from the stored last contact. Call it in the transaction that changes
 * their cadence or tags.
 */
export async function refreshDueDates(
  tx: MemberTransaction,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  const wanted = [...new Set(ids)]
  const stored = await readStored(tx, wanted)
  const tags = await tagCadencesOf(tx, wanted)
  const rows = wanted.flatMap((id) =>
    stored.has(id) || tags.has(id) ? [{ ...NOT_SET, ...stored.get(id), connectionId: id }] : [],
  )
  await saveTimes(tx, rows, { stored, tags })
}

/** As `refreshDueDates`, for callers that changed tags. Only reads the tags if none has a cadence. */
export async function refreshTaggedDueDates(
  tx: MemberTransaction,
  ids: readonly number[],
): Promise<void> {
  if (ids.length > 0 && (await tx.get(ANY_TAG_CADENCE, {}))) await refreshDueDates(tx, ids)
}

/** Stores the contacts of connections that have just been created; `days` are in the past or today. As fast as possible without cadences of tags. */
export async function insertContactTimes(
  tx: MemberTransaction,
  contacted: ReadonlyMap<number, readonly number[]>,
  localNow: number,
): Promise<void> {
  if (contacted.size > 0 && (await tx.get(ANY_TAG_CADENCE, {})))
    return refreshContactTimes(tx, [...contacted.keys()], localNow)
  const rows: DerivedRow[] = []
  for (const [connectionId, days] of contacted) {
    const latest = days.toSorted((one, other) => other - one).slice(0, RHYTHM_CONTACTS)
    const lastContactOn = dayAt((latest[0] ?? 0) * DAY)
    rows.push({ ...NOT_SET, connectionId, lastContactOn, rhythmDays: rhythmOf(latest) })
  }
  await saveTimes(tx, rows, { stored: new Map(), tags: new Map() })
}

/** What a member set for a person. */
export const OWN_CADENCE = {
  every: column<number | null>(),
  unit: column<Cadence['unit'] | null>(),
  setOn: column<string | null>(),
  /** YYYY-MM-DD: suggested again on that day. */
  pausedUntil: column<string | null>(),
  /** 1: never suggested. */
  isMuted: column<number>(),
}

export type OwnCadence = RowOf<typeof OWN_CADENCE>

/** What is set for a person who has no cadence, is not paused and not muted. */
export const NO_CADENCE: OwnCadence = {
  every: null,
  unit: null,
  setOn: null,
  pausedUntil: null,
  isMuted: 0,
}

const CONTACTS = {
  lastContactOn: column<string | null>(),
  nextContactOn: column<string | null>(),
  rhythmDays: column<number | null>(),
}

type Contacts = RowOf<typeof CONTACTS>

/** A row without the due date, which is derived from it. */
export const CONTACT_TIMES = { connectionId: column<number>(), ...CONTACTS, ...OWN_CADENCE }

type DerivedRow = RowOf<typeof CONTACT_TIMES>

export const DUE_DATE = {
  basis: column<Due['basis'] | null>(),
  cadenceDays: column<number | null>(),
  dueDay: column<number | null>(),
}

const NOT_SET = { lastContactOn: null, nextContactOn: null, rhythmDays: null, ...NO_CADENCE }

interface TimeRow {
  readonly connection_id: number
  readonly local_at: number
}

/** `latest` are the newest contacts of the person, which may all be in the future. */
async function contactsOf(
  tx: MemberTransaction,
  connection_id: number,
  latest: readonly TimeRow[],
  localNow: number,
): Promise<Contacts> {
  let past = latest.filter(({ local_at }) => local_at <= localNow)
  let [next] = latest.filter(({ local_at }) => local_at > localNow).slice(-1)
  if (next) {
    const at = { connection_id, local_now: localNow }
    past = await tx.all(PAST, { ...at, limit: RHYTHM_CONTACTS })
    next = (await tx.get(NEXT, at)) ?? next
  }
  const [last] = past
  return {
    lastContactOn: last ? dayAt(last.local_at) : null,
    nextContactOn: next ? dayAt(next.local_at) : null,
    rhythmDays: rhythmOf(past.map(({ local_at }) => Math.floor(local_at / DAY))),
  }
}

interface StoredTimes {
  readonly stored: ReadonlyMap<number, DerivedRow>
  readonly tags: ReadonlyMap<number, readonly TagCadence[]>
}

async function saveTimes(
  tx: MemberTransaction,
  rows: readonly DerivedRow[],
  { stored, tags }: StoredTimes,
): Promise<void> {
  const zone = tags.size === 0 ? 'UTC' : await zoneOf(tx)
  const datedTags = (id: number) =>
    (tags.get(id) ?? []).map((tag) =>
      Object.assign({ added_on: dayInZone(zone, tag.created_at) }, tag),
    )
  const valuesIn = (some: readonly DerivedRow[]) =>
    valuesOf(
      { ...CONTACT_TIMES, ...DUE_DATE },
      some.map((row) => ({ ...row, ...dueOf(row, datedTags(row.connectionId)) })),
    )
  const isKnown = ({ connectionId }: DerivedRow) => stored.has(connectionId)
  const table = 'contact_times'
  await tx.insertMany({ table, ...valuesIn(rows.filter((row) => !isKnown(row))) })
  const known = valuesIn(rows.filter(isKnown))
  const [key = '', ...columns] = known.columns
  await tx.updateMany({ table, key: [key], columns, rows: known.rows })
}

async function readStored(
  tx: MemberTransaction,
  ids: readonly number[],
): Promise<Map<number, DerivedRow>> {
  const rows = await tx.all(STORED, { ids })
  return new Map(rows.map((row) => [row.connectionId, row]))
}

interface TagCadence extends Omit<TaggedCadence, 'added_on'> {
  readonly connection_id: number
  readonly tag: string
  /** When the person was added. */
  readonly created_at: number
}

/** The cadences of the tags of each of these people. */
export async function tagCadencesOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, TagCadence[]>> {
  if (ids.length === 0 || !(await reader.get(ANY_TAG_CADENCE, {}))) return new Map()
  return Map.groupBy(await reader.all(TAG_CADENCES, { ids }), ({ connection_id }) => connection_id)
}

/** Whether planned contacts of the member may have become past, in the easternmost time zone. */
export async function hasPlannedContacts(reader: MemberReader, now: number): Promise<boolean> {
  return (await reader.get(ANY_PLANNED, { today: dayAt(now + 14 * HOUR) })) !== undefined
}

/** Renews people of a member whose planned contacts have become past. Returns their numbers, for what search shows. */
export async function renewPlannedContacts(tx: MemberTransaction, now: number): Promise<number[]> {
  const localNow = await localNowOf(tx, now)
  const due = await tx.all(PLANNED, { today: dayAt(localNow), limit: MAX_RENEWED })
  const ids = due.map(({ connection_id }) => connection_id)
  await refreshContactTimes(tx, ids, localNow)
  return ids
}

/** Per member and sweep; the rest are renewed by the next. */
const MAX_RENEWED = 500

const ZONE = statement<{ member_id: number }, { time_zone: string | null }>(
  'select time_zone from members where member_id = :member_id',
)

/** By primary key. */
const RECENT = memberStatement<{ ids: readonly number[]; limit: number }, TimeRow>()(`
  select p.connection_id, p.local_at
  from interaction_people p newest (connection_id = :ids...bigint by local_at limit :limit)
  where p.member_id = :member_id order by p.connection_id, p.local_at desc`)

/** By primary key. */
const PAST = memberStatement<
  { connection_id: number; local_now: number; limit: number },
  TimeRow
>()(`
  select connection_id, local_at from interaction_people
  where member_id = :member_id and connection_id = :connection_id and local_at <= :local_now
    and deleted_at is null
  order by local_at desc, interaction_id desc limit :limit`)

/** By primary key. */
const NEXT = memberStatement<{ connection_id: number; local_now: number }, TimeRow>()(`
  select connection_id, local_at from interaction_people
  where member_id = :member_id and connection_id = :connection_id and local_at > :local_now
    and deleted_at is null
  order by local_at, interaction_id limit 1`)

/** By primary key. */
const STORED = memberStatement<{ ids: readonly number[] }, DerivedRow>()(`
  select ${selected(CONTACT_TIMES, 't')}
  from contact_times t each (connection_id = :ids...bigint)
  where t.member_id = :member_id`)

const ANY_TAG_CADENCE = memberStatement<object, { every: number }>()(
  'select every from tag_cadences where member_id = :member_id limit 1',
)

/** By connection_tags_by_connection. */
const TAG_CADENCES = memberStatement<{ ids: readonly number[] }, TagCadence>()(`
  select t.connection_id, r.tag, r.every, r.unit, r.set_on, c.created_at
  from connection_tags t each (connection_id = :ids...bigint)
  join tag_cadences r on r.member_id = :member_id and r.tag_key = t.tag_key
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id order by t.connection_id, t.tag_key`)

/** By index contact_times_by_next. */
const ANY_PLANNED = memberStatement<{ today: string }, { connection_id: number }>()(`
  select connection_id from contact_times
  where member_id = :member_id and next_contact_on <= :today limit 1`)

/** By index contact_times_by_next. */
const PLANNED = memberStatement<{ today: string; limit: number }, { connection_id: number }>()(`
  select connection_id from contact_times
  where member_id = :member_id and next_contact_on <= :today
  order by next_contact_on limit :limit`)
