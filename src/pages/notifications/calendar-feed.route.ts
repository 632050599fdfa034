/** `/calendar/<token>.ics`: a member's reminders for calendar apps. The secret in the address is the access. */

import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { writeCalendar } from '../../calendar/write-calendar.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { content } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { FEED_ROUTE } from '../../html/site-map.ts'
import { inLanguage } from '../../languages/language.ts'
import { readLanguage } from '../../members/member-language.ts'
import { findMember, memberTimeZone } from '../../members/member.ts'
import {
  findFeedMember,
  listFeedEntries,
  readFeedState,
  recordFeedRead,
} from '../../reminders/calendar-feed.ts'
import { readReminderSettings } from '../../reminders/reminder-settings.ts'
import type { PageDeps } from '../../forms/page-route.ts'

const TYPE = 'text/calendar; charset=utf-8'

export function calendarFeedRoute(deps: PageDeps & { readonly publicUrl: string }): Route {
  const { database, clock, publicUrl } = deps
  return defineRoute({
    method: 'GET',
    path: FEED_ROUTE,
    operationId: 'readCalendarFeed',
    summary: 'A member’s reminders as a calendar (RFC 5545), at a secret address',
    access: 'public',
    forPeople: true,
    params: Type.Object({ token: Type.String() }),
    limit: LIMITS.calendar_feed,
    answers: {
      200: { description: 'The calendar', type: TYPE, headers: ['ETag'] },
      404: { description: 'The address is unknown or was revoked', type: 'problem' },
    },
    async handle({ params: { token } }) {
      const memberId = await findFeedMember(database, token)
      const member = memberId === undefined ? undefined : await findMember(database, memberId)
      if (!member || member.disabledAt !== null)
        throw new RequestError('not_found', 'No calendar at this address.', {
          hint: 'Its member may have replaced the address. Copy the new one from the notifications page.',
        })
      const db = database.member(member.memberId)
      const [{ parts }, { initialsOnly }, timeZone, language] = await Promise.all([
        readFeedState(db),
        readReminderSettings(db),
        memberTimeZone(database, member.memberId),
        readLanguage(database, member.memberId),
      ])
      const context = { publicUrl, timeZone, initialsOnly }
      const body = await inLanguage(language ?? 'en', async () =>
        writeCalendar({ name: 'Weft', entries: await listFeedEntries(db, parts, context) }),
      )
      await db.write((tx) => recordFeedRead(tx, clock.now()))
      return content(body, TYPE, 200, { 'cache-control': 'private, no-cache' })
    },
  })
}
