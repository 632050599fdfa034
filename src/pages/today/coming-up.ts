/** The follow-ups that are due after today. */

import { daysLater } from '../../dates/calendar-day.ts'
import { nearDayText } from '../../dates/format-date.ts'
import { face } from '../../html/face.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { FOLLOW_UPS_PATH } from '../../html/site-map.ts'
import { followUpRow } from '../../connections/follow-ups/follow-up-row.page.ts'
import { nameLink } from '../../connections/person/person-link.page.ts'
import { listFollowUps, type ListedFollowUp } from '../../connections/follow-ups/follow-up-list.ts'
import { section } from './today-section.ts'
import type { Page } from '../../base/cursor.ts'
import type { KeptPerson } from '../../connections/cadence/kept-people.ts'
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

/** People whose next contact is shown. */
const MAX_NEXT = 3

/** The people who are to be contacted next, in one line; empty without any. `today`: YYYY-MM-DD. */
export function nextContacts(people: readonly KeptPerson[], today: string): Html {
  const next = people.filter(({ dueOn }) => dueOn > today).slice(0, MAX_NEXT)
  if (next.length === 0) return NOTHING
  return html`<section aria-labelledby="coming">
    <h2 id="coming">Coming up</h2>
    <ul class="short-list next">
      ${next.map(
        ({ connection, dueOn }) =>
          html`<li>
            ${face(connection)} ${nameLink(connection)}
            <small><time datetime="${dueOn}">${nearDayText(dueOn, today)}</time></small>
          </li>`,
      )}
    </ul>
  </section>`
}

/** Empty without any. */
export function comingUp({ entries, hasMore }: Coming, page: TaskPage): Html {
  if (entries.length === 0) return NOTHING
  return section('coming', html`Coming up`, {
    more: hasMore ? html`<a href="${FOLLOW_UPS_PATH}">Show more</a>` : NOTHING,
    rows: entries.map((one) => followUpRow(one, page)),
  })
}
