/** Removes purged connections from interactions, and interactions without people. */

import { memberStatement } from '../../db/statement.ts'
import { interactionsWith, peopleIn } from '../last-contact/interaction-people.ts'
import { withoutPeople } from './synced-people.ts'
import type { MemberTransaction } from '../../db/database.ts'

/** Returns the interactions that were only with these connections, which no longer exist. */
export async function purgeInteractions(
  tx: MemberTransaction,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return []
  const concerned = [...new Set([...(await interactionsWith(tx, ids)).values()].flat())]
  await tx.run(DELETE_PEOPLE, { ids })
  await tx.run(DELETE_TIMES, { ids })
  const left = await peopleIn(tx, concerned)
  const alone = concerned.filter((id) => !left.has(id))
  if (alone.length > 0) await tx.run(DELETE, { ids: alone })
  await forgetAttendees(tx, [...left.keys()], new Set(ids))
  return alone
}

/** Forgets by which addresses calendars know the people. */
async function forgetAttendees(
  tx: MemberTransaction,
  interactions: readonly number[],
  purged: ReadonlySet<number>,
): Promise<void> {
  if (interactions.length === 0) return
  const rows = await tx.all(ATTENDEES, { ids: interactions })
  await tx.updateMany({
    table: 'interactions',
    key: ['interaction_id'],
    columns: ['attendees'],
    rows: rows.map((one) => [one.interaction_id, withoutPeople(one.attendees, purged)]),
  })
}

/** Removes interactions that an undone import left without people. */
export async function purgeAbandoned(tx: MemberTransaction, before: number): Promise<void> {
  await tx.run(DELETE_ABANDONED, { before })
}

/** Scans the member's interactions. */
const DELETE_ABANDONED = memberStatement<{ before: number }>()(`
  delete from interactions where member_id = :member_id and updated_at <= :before and not exists (
    select 1 from interaction_people p
    where p.member_id = :member_id and p.interaction_id = interactions.interaction_id)`)

/** By primary key. */
const DELETE_PEOPLE = memberStatement<{ ids: readonly number[] }>()(`
  delete from interaction_people where member_id = :member_id and connection_id in (:ids...bigint)`)

/** By primary key. */
const DELETE_TIMES = memberStatement<{ ids: readonly number[] }>()(`
  delete from contact_times where member_id = :member_id and connection_id in (:ids...bigint)`)

/** By primary key. */
const ATTENDEES = memberStatement<
  { ids: readonly number[] },
  { interaction_id: number; attendees: string }
>()(`
  select i.interaction_id, i.attendees from interactions i each (interaction_id = :ids...bigint)
  where i.member_id = :member_id and i.attendees is not null`)

/** By primary key. */
const DELETE = memberStatement<{ ids: readonly number[] }>()(`
  delete from interactions where member_id = :member_id and interaction_id in (:ids...bigint)`)
