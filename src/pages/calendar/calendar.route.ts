/** `/user/calendar`: connects calendars, shows their state, and suggests people from their meetings. */

import { phrase, t } from '../../languages/message.ts'
import { hasCode } from '../../base/request-error.ts'
import {
  changeOwnEmails,
  connectCalendar,
  disconnectCalendar,
  syncNow,
} from '../../connections/calendars/manage-calendars.ts'
import { NOTHING_TYPED, type FieldValues } from '../../forms/field-errors.ts'
import { formRoute, pageRoute, type PageDeps } from '../../forms/page-route.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { notFoundPage } from '../../html/message.page.ts'
import {
  CALENDAR_PATH,
  DISCONNECT_CALENDAR_PATH,
  OWN_EMAILS_PATH,
  SYNC_CALENDAR_PATH,
} from '../../html/site-map.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { readNoticed } from '../activity/read-noticed.ts'
import { changeManually } from '../../ui/manual-change.ts'
import { rejectedForm } from '../../ui/invalid-form.ts'
import { noticesOf } from '../../ui/notices.ts'
import { showCalendars } from './calendar.page.ts'
import type { CalendarAccess } from '../../connections/calendars/calendar-deps.ts'
import type { Route } from '../../http/route.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface CalendarPageDeps extends PageDeps {
  readonly calendars: CalendarAccess
  readonly undoers: readonly Undoer[]
}

const NOTICES = noticesOf(CALENDAR_PATH, {
  connected: phrase('Calendar connected. Past meetings with your people now count as contacts.'),
  synced: phrase('Calendar synced.'),
  syncing: phrase('This calendar is being synced.'),
  failed: phrase('The calendar could not be synced. The reason is below.'),
  disconnected: phrase('Calendar disconnected. The meetings that it brought are kept.'),
  saved: phrase('Addresses saved. They count from the next sync.'),
})

export function calendarRoutes(deps: CalendarPageDeps): Route[] {
  return [
    showRoute(deps),
    connectRoute(deps),
    syncRoute(deps),
    disconnectRoute(deps),
    ownEmailsRoute(deps),
  ]
}

function showRoute(deps: CalendarPageDeps): Route {
  return pageRoute(deps, {
    path: CALENDAR_PATH,
    async handle(request) {
      const notice = NOTICES.read(request.search)
      const noticed = await readNoticed(request.db, request.search, deps.undoers)
      return showCalendars(request, { notice, noticed, fields: NOTHING_TYPED })
    },
  })
}

function connectRoute(deps: CalendarPageDeps): Route {
  return formRoute(deps, {
    path: CALENDAR_PATH,
    limit: LIMITS.work,
    async handle(request) {
      const { body, browser } = request
      const typed = {
        secret_address: body.get('secret_address') ?? '',
        name: body.get('name') ?? '',
      }
      return orRejected(request, typed, async () => {
        await connectCalendar({ ...deps, ...deps.calendars }, browser.member.memberId, typed)
        return seeOther(NOTICES.pathTo('connected'))
      })
    },
  })
}

function syncRoute(deps: CalendarPageDeps): Route {
  return formRoute(deps, {
    path: SYNC_CALENDAR_PATH,
    limit: LIMITS.work,
    gone,
    async handle({ body, browser }) {
      const calendarId = Number(body.get('calendar_id'))
      const { memberId } = browser.member
      try {
        const { error } = await syncNow({ ...deps, ...deps.calendars }, memberId, calendarId)
        return seeOther(NOTICES.pathTo(error === null ? 'synced' : 'failed'))
      } catch (error) {
        if (!hasCode(error, 'conflict')) throw error
        return seeOther(NOTICES.pathTo('syncing'))
      }
    },
  })
}

function disconnectRoute(deps: CalendarPageDeps): Route {
  return formRoute(deps, {
    path: DISCONNECT_CALENDAR_PATH,
    gone,
    async handle(request) {
      const { body } = request
      const calendarId = Number(body.get('calendar_id'))
      const keep = body.get('interactions') !== 'delete'
      const activityId = await changeManually(
        request,
        (changing) => disconnectCalendar(changing, calendarId, { keep }),
        { bulk: true },
      )
      return seeOther(
        activityId === undefined
          ? NOTICES.pathTo('disconnected')
          : changeNoticePath(CALENDAR_PATH, activityId),
      )
    },
  })
}

function ownEmailsRoute(deps: CalendarPageDeps): Route {
  return formRoute(deps, {
    path: OWN_EMAILS_PATH,
    async handle(request) {
      const { body, db } = request
      const typed = { own_emails: body.get('own_emails') ?? '' }
      return orRejected(request, typed, async () => {
        await db.write((tx) => changeOwnEmails(tx, typed.own_emails))
        return seeOther(NOTICES.pathTo('saved'))
      })
    },
  })
}

/** Shows the form again with the errors of its fields. */
async function orRejected(
  request: Parameters<typeof showCalendars>[0],
  typed: FieldValues['typed'],
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!hasCode(error, 'invalid_request', 'conflict', 'unavailable')) throw error
    return showCalendars(request, rejectedForm(error, typed))
  }
}

function gone(): Answer {
  return notFoundPage(
    t('Calendar not found'),
    t('It may have been disconnected since you loaded the page. No changes were made.'),
    { href: CALENDAR_PATH, label: t('Back to calendar') },
  )
}
