/** The people who pass filters by columns that the search index does not have. Each filter reads an index of the database. */

import { dayCount } from '../../dates/calendar-day.ts'
import { cityOf, kilometersBetween } from '../../search/questions/cities.ts'
import { memberStatement, WHOLE_NETWORK } from '../../db/statement.ts'
import { openReviews } from '../matching/match-reviews.ts'
import type { MemberReader } from '../../db/database.ts'
import type { RowFilters } from './people-query.ts'

export interface Filtered {
  /** Undefined for everyone. */
  readonly among: ReadonlySet<number> | undefined
  /** People who do not pass. All are in the network. */
  readonly without: ReadonlySet<number>
}

/** Reads off the main thread, because a filter may let most of a network pass. */
export async function filteredPeople(
  { heavy }: { readonly heavy: MemberReader },
  filters: RowFilters,
): Promise<Filtered> {
  const { source, silentSince, dueBy, addedSince, changedJobs, metIn } = filters
  const found: Promise<readonly Row[]>[] = []
  if (source !== undefined) found.push(heavy.all(BY_SOURCE, { source }))
  if (dueBy !== undefined) found.push(heavy.all(DUE, { due_by: dayCount(dueBy), day: dueBy }))
  if (addedSince !== undefined) found.push(heavy.all(ADDED, { since: addedSince }))
  if (changedJobs === true) found.push(heavy.all(CHANGED_JOBS, {}))
  // A tilde sorts after every digit and hyphen.
  if (metIn !== undefined) found.push(heavy.all(MET, { from: metIn, to: `${metIn}~` }))
  if (filters.contactedIn) found.push(heavy.all(IN_INTERACTIONS, filters.contactedIn))
  if (filters.near) found.push(peopleNear(heavy, filters.near))
  if (filters.possibleDuplicates === true) found.push(duplicates(heavy))
  if (filters.contacted === 'ever') found.push(heavy.all(CONTACTED, { since: '' }))
  const since = filters.contacted === 'never' ? '' : silentSince
  const [sets, contacted] = await Promise.all([
    Promise.all(found),
    since === undefined ? [] : heavy.all(CONTACTED, { since }),
  ])
  return { among: intersectionOf(sets.map(idsOf)), without: idsOf(contacted) }
}

interface Row {
  readonly id: number
}

function idsOf(rows: readonly Row[]): ReadonlySet<number> {
  return new Set(rows.map(({ id }) => id))
}

/** Undefined without sets. */
export function intersectionOf(
  sets: readonly (ReadonlySet<number> | undefined)[],
): ReadonlySet<number> | undefined {
  const known = sets.filter((set) => set !== undefined)
  return known.length === 0 ? undefined : known.reduce((one, other) => one.intersection(other))
}

async function peopleNear(
  reader: MemberReader,
  { city, kilometers }: NonNullable<RowFilters['near']>,
): Promise<Row[]> {
  if (!city) return []
  const rows = await reader.all(LOCATED, {})
  return rows.filter(({ location }) => {
    const other = cityOf(location)
    return other !== undefined && kilometersBetween(city, other) <= kilometers
  })
}

const LOCATED = memberStatement<object, Row & { readonly location: string }>()(`
  ${WHOLE_NETWORK} select connection_id as id, location from connections
  where member_id = :member_id and location is not null and deleted_at is null`)

/** Both of each pair that an import queued for a decision. */
async function duplicates(reader: MemberReader): Promise<Row[]> {
  const reviews = await openReviews(reader)
  return reviews.flatMap(({ firstId, secondId }) => [{ id: firstId }, { id: secondId }])
}

/** By connections_by_source. */
const BY_SOURCE = memberStatement<{ source: string }, Row>()(`
  select connection_id as id from connections
  where member_id = :member_id and source = :source and deleted_at is null`)

/** By contact_times_by_due. Without people who are paused on that day. */
const DUE = memberStatement<{ due_by: number; day: string }, Row>()(`
  select t.connection_id as id from contact_times t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and t.due_day <= :due_by and t.basis <> 'rhythm' and t.is_muted = 0
    and (t.paused_until is null or t.paused_until <= :day) and c.deleted_at is null`)

/** By connections_by_added. */
const ADDED = memberStatement<{ since: number }, Row>()(`
  select connection_id as id from connections
  where member_id = :member_id and created_at >= :since and deleted_at is null`)

/** By connections_by_job_end. */
const CHANGED_JOBS = memberStatement<object, Row>()(`
  select connection_id as id from connections
  where member_id = :member_id and job_ended_on is not null and deleted_at is null`)

/** By connections_by_day. */
const MET = memberStatement<{ from: string; to: string }, Row>()(`
  select connection_id as id from connections
  where member_id = :member_id and coalesce(connected_on, '') >= :from and coalesce(connected_on, '') < :to
    and deleted_at is null`)

/** By interactions_by_time. */
const IN_INTERACTIONS = memberStatement<{ from: number; to: number }, Row>()(`
  select distinct p.connection_id as id from interactions i
  join interaction_people p on p.member_id = :member_id and p.interaction_id = i.interaction_id
  join connections c on c.member_id = :member_id and c.connection_id = p.connection_id
  where i.member_id = :member_id and i.local_at >= :from and i.local_at < :to
    and i.deleted_at is null and p.deleted_at is null and c.deleted_at is null`)

/** By contact_times_by_last. */
const CONTACTED = memberStatement<{ since: string }, Row>()(`
  select t.connection_id as id from contact_times t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and t.last_contact_on >= :since and c.deleted_at is null`)
