/** `/user/notifications`: how a member is reminded, and where messages go. */

import { phrase } from '../../languages/message.ts'
import { browserName } from '../../access/browser-name.ts'
import { resultCookies } from '../../access/result-cookie.ts'
import { hasCode, RequestError } from '../../base/request-error.ts'
import { addDevice, type PushSubscription } from '../../deliveries/push-devices.ts'
import { pushPublicKey } from '../../deliveries/push-request.ts'
import { addWebhook, sendTest, type WebhookDeps } from '../../deliveries/webhooks.ts'
import {
  changeEndpoint,
  listEndpoints,
  removeEndpoint,
  requireEndpoint,
} from '../../deliveries/endpoint-store.ts'
import { wakeReminders } from '../../tools/wake-reminders.ts'
import { NOTHING_TYPED, type FieldValues } from '../../forms/field-errors.ts'
import { formRoute, pageRoute, type PageDeps, type PageRequest } from '../../forms/page-route.ts'
import { submitOnce } from '../../forms/submission.ts'
import {
  DEVICES_PATH,
  FEED_PATH,
  INTEGRATIONS_PATH,
  NOTIFICATIONS_PATH,
  REMINDERS_PATH,
  REMOVE_ENDPOINT_PATH,
  TEST_ENDPOINT_PATH,
  WEBHOOKS_PATH,
} from '../../html/site-map.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { findMember } from '../../members/member.ts'
import { findLastSent } from '../../outbox/outbox.ts'
import {
  changeFeed,
  createFeed,
  isFeed,
  FEED_PARTS,
  readFeedState,
  revokeFeed,
} from '../../reminders/calendar-feed.ts'
import {
  changeReminderSettings,
  EMAIL_FREQUENCIES,
  readReminderSettings,
} from '../../reminders/reminder-settings.ts'
import { rejectedForm } from '../../ui/invalid-form.ts'
import { noticesOf } from '../../ui/notices.ts'
import { notificationsPage, type CreatedSecret } from './notifications.page.ts'
import type { Route } from '../../http/route.ts'

export interface NotificationDeps extends PageDeps, WebhookDeps {
  readonly publicUrl: string
  readonly sendsEmail: boolean
}

export const NOTIFICATION_NOTICES = noticesOf(NOTIFICATIONS_PATH, {
  saved: phrase('Saved.'),
  tested: phrase('Test queued. It arrives within seconds.'),
  removed: phrase('Removed. It no longer gets messages.'),
  device: phrase('This device gets your reminders.'),
  revoked: phrase('Address removed. Calendar apps can no longer read it.'),
})

/** The page and its forms. */
export function notificationRoutes(deps: NotificationDeps): Route[] {
  return [
    showRoute(deps),
    remindersRoute(deps),
    feedRoute(deps),
    deviceRoute(deps),
    webhookRoute(deps),
    testRoute(deps),
    removeRoute(deps),
  ]
}

/** Passes a new secret to the page that shows it once. */
export function createdSecrets(publicUrl: string) {
  return resultCookies<CreatedSecret>(publicUrl, NOTIFICATIONS_PATH)
}

function showRoute(deps: NotificationDeps): Route {
  const secrets = createdSecrets(deps.publicUrl)
  return pageRoute(deps, {
    path: NOTIFICATIONS_PATH,
    handle: (request) =>
      secrets.show(request, (created) => showNotifications(deps, request, { created })),
  })
}

interface Shown {
  readonly created?: CreatedSecret | undefined
  readonly fields?: FieldValues
  readonly problem?: string
}

async function showNotifications(
  deps: NotificationDeps,
  { browser, db, now, search }: Pick<PageRequest, 'browser' | 'db' | 'now' | 'search'>,
  { created, fields = NOTHING_TYPED, problem }: Shown = {},
): Promise<Answer> {
  const { memberId } = browser.member
  const [settings, feed, endpoints, member, sentAt] = await Promise.all([
    readReminderSettings(db),
    readFeedState(db),
    listEndpoints(db),
    findMember(deps.database, memberId),
    findLastSent(deps.database, memberId, 'summary'),
  ])
  return notificationsPage({
    browser,
    now,
    settings,
    feed,
    endpoints,
    email: deps.sendsEmail ? { address: member?.email ?? null, sentAt } : null,
    pushKey: pushKeyOf(deps),
    notice: NOTIFICATION_NOTICES.read(search),
    created,
    fields,
    problem,
  })
}

function pushKeyOf({ sealSecret }: NotificationDeps): string | null {
  try {
    return pushPublicKey(sealSecret())
  } catch (error) {
    if (hasCode(error, 'unavailable')) return null
    throw error
  }
}

function remindersRoute(deps: NotificationDeps): Route {
  return formRoute(deps, {
    path: REMINDERS_PATH,
    async handle({ body, db }) {
      const number = (name: string, max: number) => {
        const value = Number(body.get(name))
        return Number.isInteger(value) ? Math.min(Math.max(value, 0), max) : 0
      }
      const orNull = (name: string, max: number) =>
        (body.get(name) ?? '') === '' ? null : number(name, max)
      await db.write((tx) =>
        changeReminderSettings(tx, {
          email: EMAIL_FREQUENCIES.find((one) => one === body.get('email')) ?? 'daily',
          weekday: Math.max(1, number('weekday', 7)),
          minute: number('minute', 24 * 60 - 1),
          birthdayDays: number('birthday_days', 14),
          meetingMinutes: orNull('meeting_minutes', 24 * 60),
          agentChanges: orNull('agent_changes', 10_000),
          initialsOnly: body.get('initials_only') === 'yes',
        }),
      )
      return seeOther(NOTIFICATION_NOTICES.pathTo('saved'))
    },
  })
}

function feedRoute(deps: NotificationDeps): Route {
  const secrets = createdSecrets(deps.publicUrl)
  return formRoute(deps, {
    path: FEED_PATH,
    async handle({ body, db, browser, submission }) {
      const parts = FEED_PARTS.filter((part) => body.get(part) === 'yes')
      const act = body.get('act')
      if (act === 'create') {
        const token = await db.write((tx) =>
          submitOnce(
            tx,
            submission,
            () => createFeed(tx, parts),
            (earlier) => isFeed(tx, earlier),
          ),
        )
        const address = `${deps.publicUrl}/calendar/${token}.ics`
        return secrets.redirect(browser.member, { kind: 'feed', address })
      }
      await db.write((tx) => (act === 'revoke' ? revokeFeed(tx) : changeFeed(tx, parts)))
      return seeOther(NOTIFICATION_NOTICES.pathTo(act === 'revoke' ? 'revoked' : 'saved'))
    },
  })
}

function deviceRoute(deps: NotificationDeps): Route {
  return formRoute(deps, {
    path: DEVICES_PATH,
    async handle(request) {
      const { body, db, now, header, submission } = request
      const subscription = readSubscription(body.get('subscription') ?? '')
      if (!subscription)
        return showNotifications(deps, request, {
          problem: phrase('Your browser sent no subscription. Try again with JavaScript on.'),
        })
      const device = { subscription, name: browserName(header('user-agent') ?? '') }
      await db.write((tx) =>
        submitOnce(tx, submission, async () => {
          const endpointId = await addDevice(deps.sealSecret, tx, device, now)
          await wakeReminders(tx)
          return { endpointId }
        }),
      )
      return seeOther(NOTIFICATION_NOTICES.pathTo('device'))
    },
  })
}

/** The JSON of a browser's `PushSubscription`; undefined if it is not one. */
function readSubscription(text: string): PushSubscription | undefined {
  try {
    const { endpoint, keys } = JSON.parse(text) as {
      readonly endpoint?: unknown
      readonly keys?: { readonly p256dh?: unknown; readonly auth?: unknown }
    }
    const { p256dh, auth } = keys ?? {}
    const isComplete =
      typeof endpoint === 'string' && typeof p256dh === 'string' && typeof auth === 'string'
    return isComplete ? { endpoint, p256dh, auth } : undefined
  } catch {
    return undefined
  }
}

function webhookRoute(deps: NotificationDeps): Route {
  const secrets = createdSecrets(deps.publicUrl)
  return formRoute(deps, {
    path: WEBHOOKS_PATH,
    async handle(request) {
      const { body, browser, db, now, submission } = request
      const given = (name: string) => body.get(name) ?? ''
      const typed = {
        name: given('name'),
        address: given('address'),
        format: given('format'),
        header: given('header'),
      }
      try {
        const webhook = { ...typed, causes: body.getAll('cause') }
        const created = await db.write((tx) =>
          submitOnce(tx, submission, async () => {
            const { secret } = await addWebhook(deps, tx, webhook, now)
            await wakeReminders(tx)
            return { secret }
          }),
        )
        if (created === undefined) return seeOther(NOTIFICATIONS_PATH)
        const name = typed.name.trim() === '' ? new URL(typed.address.trim()).host : typed.name
        const result = { kind: 'webhook', name, secret: created.secret } as const
        return secrets.redirect(browser.member, result)
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        return showNotifications(deps, request, rejectedForm(error, typed))
      }
    },
  })
}

/** A test also resumes an endpoint that has stopped. */
function testRoute(deps: NotificationDeps): Route {
  return formRoute(deps, {
    path: TEST_ENDPOINT_PATH,
    async handle({ body, db, now }) {
      await db.write(async (tx) => {
        const endpoint = await requireEndpoint(tx, Number(body.get('endpoint_id')))
        if (endpoint.endedAt !== null) await changeEndpoint(tx, endpoint, {})
        await sendTest(tx, endpoint, now)
      })
      return seeOther(NOTIFICATION_NOTICES.pathTo('tested'))
    },
  })
}

function removeRoute(deps: NotificationDeps): Route {
  return formRoute(deps, {
    path: REMOVE_ENDPOINT_PATH,
    async handle({ body, db }) {
      await db.write((tx) => removeEndpoint(tx, Number(body.get('endpoint_id'))))
      if (body.get('back') === 'agents') return seeOther(INTEGRATIONS_PATH)
      return seeOther(NOTIFICATION_NOTICES.pathTo('removed'))
    },
  })
}
