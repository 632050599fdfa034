/** The notice after a change on the page *Today*, with what comes next. */

import { listKeptPeople } from '../../connections/cadence/kept-people.ts'
import { contactTimesOf } from '../../connections/last-contact/read-contact-times.ts'
import { readConnectionId } from '../../connections/model/connection.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { changeNotice } from '../../ui/change-notice.ts'
import { readNoticed } from '../activity/read-noticed.ts'
import { recordedIn } from '../activity/change-subjects.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { weekdayDate } from '../../ui/calendar-date.ts'
import type { PageRequest } from '../../forms/page-route.ts'
import type { MemberReader } from '../../db/database.ts'
import type { ReturnTo } from '../../ui/return-to.ts'
import type { Undoer } from '../../tools/undo.ts'

/** Empty without a change. */
export async function noticeOf(
  { undoers }: { readonly undoers: readonly Undoer[] },
  { db, search, browser }: Pick<PageRequest, 'db' | 'search' | 'browser'>,
  back: ReturnTo,
): Promise<Html> {
  const noticed = await readNoticed(db, search, undoers)
  if (!noticed) return NOTHING
  const query = new URLSearchParams(search)
  const person = query.get('logged')
  const next = query.has('chosen')
    ? await firstDue(db, dayInZone(browser.timeZone, noticed.change.at))
    : person === null
      ? nextIn(noticed.change.after)
      : await nextContact(db, readConnectionId(person))
  return changeNotice(noticed, { back, browser }, next)
}

/** The next occurrence of the follow-up just completed. */
function nextIn(after: Parameters<typeof recordedIn>[0]): Html {
  const { next } = recordedIn(after)
  const day = typeof next === 'object' && next !== null && 'due_on' in next && next.due_on
  return typeof day === 'string' ? html`Next due on ${weekdayDate(day)}.` : NOTHING
}

/** Enough people to find the next one among them. */
const MAX_KEPT = 100

/** What the ten choices of the first day lead to. */
async function firstDue(db: MemberReader, today: string): Promise<Html> {
  const people = await listKeptPeople(db, today, MAX_KEPT)
  const first = people.find(({ dueOn }) => dueOn > today)
  if (!first) return NOTHING
  return html`Ten people chosen: first due <bdi>${first.connection.name}</bdi> on
    ${weekdayDate(first.dueOn)}.`
}

async function nextContact(db: MemberReader, connectionId = 0): Promise<Html> {
  const dueOn = (await contactTimesOf(db, [connectionId])).get(connectionId)?.dueOn ?? null
  return dueOn === null ? NOTHING : html`Next contact by ${weekdayDate(dueOn)}.`
}
