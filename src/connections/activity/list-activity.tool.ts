/** list_activity: changes to the member's data with their credentials, newest first. */

import * as Type from '../../base/type.ts'
import { daysLater, startOfDay } from '../../dates/calendar-day.ts'
import { instantAt } from '../../dates/time-zone.ts'
import { rfc3339 } from '../../base/clock.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import { AgentName, requireAgentName } from '../../tools/activity-log/agent-name.ts'
import { CalendarDay } from '../../tools/arguments/date-argument.ts'
import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import { readActivityPage, type ActivityItem } from '../../tools/activity-log/activity-page.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { namesOf } from '../../tools/activity-log/read-activity.ts'
import {
  CURSOR,
  PAGE_END,
  DEFAULT_PAGE_SIZE,
  pageLimit,
  pageOf,
  hintIfEmpty,
} from '../../tools/result-pages.ts'
import {
  ChangedFields,
  MAX_CHANGED_FIELDS,
  summarizeChange,
  summarizeEach,
} from '../../tools/activity-log/change-summary.ts'
import { requireConnections, resolvePeople } from '../editing/require-connection.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Connection } from '../model/connection.ts'
import { peopleRefs } from '../person/people-argument.ts'
import { defineReadTool } from '../../tools/tool.ts'

const ActivityEntry = Type.Closed({
  activity_id: Type.String(),
  at: Type.String(),
  by: Type.String(),
  action: Type.String(),
  subject_id: Type.String(),
  names: Type.Optional(Type.Array(Type.String(), { description: 'Of people' })),
  changes: ChangedFields,
  more_changes: Type.Optional(Type.Integer()),
  undoes: Type.Optional(Type.String()),
  undone_by: Type.Optional(Type.String()),
})

export const listActivityTool = defineReadTool({
  name: 'list_activity',
  title: 'List activity',
  description:
    'What changed: history of changes by me and by agents, newest first, with old and new ' +
    'values. To revert one use undo.',
  credits: 0,
  input: Type.Closed({
    limit: pageLimit(),
    cursor: Type.Optional(CURSOR),
    people: Type.Optional(peopleRefs()),
    agent: Type.Optional(AgentName('Changed by this agent, or me')),
    since: Type.Optional({ ...CalendarDay('First date', 'latest-first'), [PLAIN_KEYWORD]: true }),
    until: Type.Optional({ ...CalendarDay('Last date', 'latest-last'), [PLAIN_KEYWORD]: true }),
  }),
  output: Type.Closed({ activity: Type.Array(ActivityEntry), ...PAGE_END }),
  async run({ db, caller }, { people, agent, since, until, limit = DEFAULT_PAGE_SIZE, cursor }) {
    const found = people && (await findPeople(db, people))
    const page = await readActivityPage(db, limit, {
      cursor,
      people: found?.map(({ connectionId }) => connectionId),
      agent: agent === undefined ? undefined : await agentNamed(db, agent),
      from: since === undefined ? undefined : startIn(caller.timeZone, requireDay(since, 'since')),
      until:
        until === undefined
          ? undefined
          : startIn(caller.timeZone, daysLater(requireDay(until, 'until'), 1)),
    })
    const entries = page.changes.map(async (change) => entryOf(change, await namesOf(db, change)))
    const { items: activity, end } = pageOf({ ...page, entries: await Promise.all(entries) })
    return { activity, ...end, ...hintIfEmpty(activity, 'No changes match.') }
  },
})

/** Null for the member. */
async function agentNamed(reader: MemberReader, agent: string): Promise<string | null> {
  return agent.trim().toLowerCase() === 'me' ? null : requireAgentName(reader, agent)
}

function startIn(timeZone: string, day: string): number {
  return instantAt(timeZone, startOfDay(day))
}

/** Also deleted connections, by ID. */
async function findPeople(reader: MemberReader, people: readonly string[]): Promise<Connection[]> {
  const resolved = await resolvePeople(reader, people)
  const deleted = resolved.flatMap((one) => one.deleted ?? [])
  const others = resolved.filter((one) => !one.deleted).map(({ given }) => given)
  return [...deleted, ...(await requireConnections(reader, others))]
}

function entryOf(
  change: ActivityItem,
  names: readonly string[],
): Type.Static<typeof ActivityEntry> {
  const { undoes, undoneBy, jobChange } = change
  const changes = [
    ...(jobChange ? summarizeChange(jobChange.before, jobChange.after) : []),
    ...summarizeEach(change.before, change.after),
  ]
  const more = changes.length - MAX_CHANGED_FIELDS
  return {
    activity_id: publicActivityId(change.activityId),
    at: rfc3339(change.at),
    by: change.actor,
    action: change.action,
    subject_id: change.subjectId,
    ...(names.length > 0 && { names: [...names] }),
    changes: changes.slice(0, MAX_CHANGED_FIELDS),
    ...(more > 0 && { more_changes: more }),
    ...(undoes !== null && { undoes: publicActivityId(undoes) }),
    ...(undoneBy !== undefined && { undone_by: publicActivityId(undoneBy) }),
  }
}
