/** Agents that changed more than a member expects. */

import { daysLater, startOfDay } from '../dates/calendar-day.ts'
import { dayInZone, instantAt } from '../dates/time-zone.ts'
import { memberStatement } from '../db/statement.ts'
import type { MemberReader } from '../db/database.ts'

interface AgentQuery {
  /** YYYY-MM-DD */
  readonly day: string
  readonly timeZone: string
  readonly days: number
  /** See `ReminderSettings`. */
  readonly agentChanges: number | null
}

export interface BusyAgent {
  /** The name of the agent. */
  readonly actor: string
  /** Changed records. A change of several people counts each. */
  readonly count: number
}

/** The latest changes of a member that are looked at. */
const MAX_READ = 2000

/** Agents with more changes than the limit on one of the days before `day`, most first. */
export async function readBusyAgents(
  db: MemberReader,
  { day, timeZone, days, agentChanges: limit }: AgentQuery,
): Promise<readonly BusyAgent[]> {
  if (limit === null) return []
  const from = instantAt(timeZone, startOfDay(daysLater(day, -days)))
  const until = instantAt(timeZone, startOfDay(day))
  const latest = await db.all(LATEST, { limit: MAX_READ })
  const changes = latest.filter(({ at, isByAgent }) => isByAgent === 1 && at >= from && at < until)
  const first = changes.at(-1)?.activityId
  if (first === undefined) return []
  const people = new Map(
    (await db.all(PEOPLE, { first })).map(({ activityId, count }) => [activityId, count]),
  )
  const busy = new Map<string, number>()
  for (const own of Map.groupBy(changes, dayOf(timeZone)).values()) {
    const count = own.reduce((sum, one) => sum + Math.max(1, people.get(one.activityId) ?? 1), 0)
    const { actor = '' } = own[0] ?? {}
    if (count > limit) busy.set(actor, (busy.get(actor) ?? 0) + count)
  }
  return [...busy].map(([actor, count]) => ({ actor, count })).toSorted((a, b) => b.count - a.count)
}

interface Latest {
  readonly activityId: number
  readonly at: number
  readonly actor: string
  readonly isByAgent: 0 | 1
}

function dayOf(timeZone: string): (change: Latest) => string {
  return ({ actor, at }) => `${dayInZone(timeZone, at)} ${actor}`
}

/** By primary key, from its end. */
const LATEST = memberStatement<{ limit: number }, Latest>()(`
  select activity_id as "activityId", at, actor, case when credential_id is null then 0 else 1 end as "isByAgent"
  from activity where member_id = :member_id order by activity_id desc limit :limit`)

/** Reads the member's part of the primary key. */
const PEOPLE = memberStatement<
  { first: number },
  { readonly activityId: number; readonly count: number }
>()(`
  select activity_id as "activityId", cast(count(*) as integer) as count from activity_connections
  where member_id = :member_id and activity_id >= :first group by activity_id`)
