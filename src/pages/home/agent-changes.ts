/** What agents changed since the member's last visit, by agent. */

import { DAY, HOUR } from '../../base/clock.ts'
import { readActivityPage } from '../../tools/activity-page.ts'
import { UNDO_ACTION, ACCOUNT_KIND } from '../../tools/activity-action.ts'
import { countOwnChangesSince } from '../../tools/read-activity.ts'
import { MAX_UNDONE } from '../../tools/undo/undo-change.ts'
import { describeChanges, type DescribedChange } from '../activity/described-change.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface AgentChanges {
  readonly actor: string
  /** Newest first; the latest few. */
  readonly latest: readonly DescribedChange[]
  readonly more: number
  readonly since: number
  /** How many changes an undo of all would undo; undefined if it cannot. */
  readonly undoCount: number | undefined
}

/** Changes that are looked at. */
const MAX_READ = 100
const MAX_SHOWN = 3

/** `visitedAt` is the time of the last visit. */
export async function readAgentChanges(
  reader: MemberReader,
  undoers: readonly Undoer[],
  visitedAt: number,
): Promise<AgentChanges[]> {
  const { changes } = await readActivityPage(reader, MAX_READ)
  const recent = changes.filter(
    ({ isByAgent, at, undoneBy, action, subjectKind }) =>
      isByAgent &&
      at > visitedAt &&
      undoneBy === undefined &&
      action !== UNDO_ACTION &&
      subjectKind !== ACCOUNT_KIND,
  )
  const oldest = recent.at(-1)
  if (!oldest) return []
  const counts = await countOwnChangesSince(reader, oldest.activityId)
  const groups = [...Map.groupBy(recent, ({ actor }) => actor)]
  return Promise.all(
    groups.map(async ([actor, own]) => {
      const since = own.at(-1)?.activityId ?? 0
      const count = counts.get(since)
      return {
        actor,
        latest: await describeChanges(reader, own.slice(0, MAX_SHOWN), undoers),
        more: Math.max(own.length - MAX_SHOWN, 0),
        since,
        undoCount: count !== undefined && count <= MAX_UNDONE ? count : undefined,
      }
    }),
  )
}

/** The last visit and the current one, in milliseconds, as a cookie keeps them. */
interface Visits {
  readonly last: number
  readonly current: number
}

/** Opening the page again soon is the same visit. */
const VISIT_MS = 4 * HOUR

/** Without a cookie, a visit a week ago is assumed. */
export function readVisits(cookie: string | undefined, now: number): Visits {
  const [last = NaN, current = NaN] = (cookie ?? '').split('-').map(Number)
  if (!(last <= current && current <= now)) return { last: now - 7 * DAY, current: now }
  return now - current < VISIT_MS ? { last, current: now } : { last: current, current: now }
}

export function visitsText({ last, current }: Visits): string {
  return `${last}-${current}`
}
