/** What is due after today: the next follow-ups and people with a cadence. */

import { daysLater } from '../../dates/calendar-day.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { FOLLOW_UPS_PATH } from '../../html/site-map.ts'
import { keptRow } from '../../connections/cadence/reconnect-row.page.ts'
import { followUpRow } from '../../connections/follow-ups/follow-up-row.page.ts'
import { listFollowUps, type ListedFollowUp } from '../../connections/follow-ups/follow-up-list.ts'
import { section } from './today-section.ts'
import type { KeptPerson } from '../../connections/cadence/kept-people.ts'
import type { MemberReader } from '../../db/database.ts'
import type { TaskPage } from '../../ui/task-row.ts'

/** Rows, and days after today. */
const [MAX_ROWS, MAX_DAYS] = [8, 31]

export interface Coming {
  /** Next due first, and of a day the follow-ups first. */
  readonly rows: readonly (ListedFollowUp | KeptPerson)[]
  /** Whether there are more follow-ups than these. */
  readonly hasMore: boolean
}

export const NOTHING_COMING: Coming = { rows: [], hasMore: false }

/** `kept`: people with a cadence, next due first. `today`: YYYY-MM-DD. */
export async function readComing(
  db: MemberReader,
  kept: readonly KeptPerson[],
  today: string,
): Promise<Coming> {
  const days = { dueFrom: daysLater(today, 1), dueBefore: daysLater(today, MAX_DAYS + 1) }
  const { entries, hasMore } = await listFollowUps(db, { status: 'open', ...days }, MAX_ROWS)
  const rows = [...entries, ...kept.filter(({ dueOn }) => dueOn < days.dueBefore)]
    .toSorted((one, other) => Date.parse(dueOnOf(one)) - Date.parse(dueOnOf(other)))
    .slice(0, MAX_ROWS)
  return { rows, hasMore: hasMore || entries.some((entry) => !rows.includes(entry)) }
}

function dueOnOf(row: Coming['rows'][number]): string {
  return 'followUp' in row ? row.followUp.dueOn : row.dueOn
}

/** Empty without any. */
export function comingUp({ rows, hasMore }: Coming, page: TaskPage): Html {
  if (rows.length === 0) return NOTHING
  return section('coming', html`Coming up`, {
    more: hasMore ? html`<a href="${FOLLOW_UPS_PATH}">Show more</a>` : NOTHING,
    rows: rows.map((row) => ('followUp' in row ? followUpRow(row, page) : keptRow(row, page))),
  })
}
