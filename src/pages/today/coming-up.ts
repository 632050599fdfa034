/** The follow-ups that are due after today. */

import { daysLater } from '../../dates/calendar-day.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { FOLLOW_UPS_PATH } from '../../html/site-map.ts'
import { followUpRow } from '../../connections/follow-ups/follow-up-row.page.ts'
import { listFollowUps, type ListedFollowUp } from '../../connections/follow-ups/follow-up-list.ts'
import { section } from './today-section.ts'
import type { Page } from '../../base/cursor.ts'
import type { MemberReader } from '../../db/database.ts'
import type { TaskPage } from '../../ui/task-row.ts'

/** Rows, and days after today. */
const [MAX_ROWS, MAX_DAYS] = [8, 31]

export type Coming = Pick<Page<ListedFollowUp>, 'entries' | 'hasMore'>

export const NOTHING_COMING: Coming = { entries: [], hasMore: false }

/** Next due first. `today`: YYYY-MM-DD. */
export function readComing(db: MemberReader, today: string): Promise<Coming> {
  const days = { dueFrom: daysLater(today, 1), dueBefore: daysLater(today, MAX_DAYS + 1) }
  return listFollowUps(db, { status: 'open', ...days }, MAX_ROWS)
}

/** Empty without any. */
export function comingUp({ entries, hasMore }: Coming, page: TaskPage): Html {
  if (entries.length === 0) return NOTHING
  return section('coming', html`Coming up`, {
    more: hasMore ? html`<a href="${FOLLOW_UPS_PATH}">Show more</a>` : NOTHING,
    rows: entries.map((one) => followUpRow(one, page)),
  })
}
