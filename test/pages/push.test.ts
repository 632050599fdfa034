/** Web push in a real browser: its service worker shows what the server encrypted for it, and a click opens the item. */

import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import ece from 'http_ece'
import type { BrowserContext, Page } from 'playwright-core'
import { HOUR } from '../../src/base/clock.ts'
import { createLog } from '../../src/base/log.ts'
import { NOTIFICATIONS_PATH, PUSH_WORKER_PATH } from '../../src/html/site-map.ts'
import { createReminderScheduler } from '../../src/reminders/reminder-scheduler.ts'
import { openCalendarSite } from '../fixtures/calendar-site.ts'
import { askTool } from '../fixtures/member.ts'
import { openWholeBrowser, wholeBrowserMissing } from '../support/browser.ts'
import { memberBrowser } from '../support/oauth.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { evaluate } from './judge.ts'
import { openWindow } from './windows.ts'

/** A push service whose messages only the keys of the device can read. */
async function openPushService() {
  const site = await openCalendarSite()
  const device = createECDH('prime256v1')
  const p256dh = device.generateKeys('base64url')
  const auth = randomBytes(16).toString('base64url')
  const arrived = Promise.withResolvers<Buffer>()
  site.answer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      arrived.resolve(Buffer.concat(chunks))
      response.writeHead(201).end()
    })
  })
  return {
    fetchPolicy: site.fetchPolicy,
    subscription: { endpoint: new URL('/push/1', site.address).href, keys: { p256dh, auth } },
    message: async () =>
      ece
        .decrypt(await arrived.promise, {
          version: 'aes128gcm',
          privateKey: device,
          authSecret: auth,
        })
        .toString(),
    [Symbol.dispose]: () => site[Symbol.dispose](),
  }
}

/** Subscribes on the page. Chromium's own push service is on the internet, so the subscription comes from the test. */
async function subscribe(page: Page, subscription: object): Promise<void> {
  await page.addInitScript(
    `PushManager.prototype.subscribe = async () => (${JSON.stringify(subscription)})`,
  )
  await page.goto(NOTIFICATIONS_PATH)
  // Saved at once, and the focus stays.
  await page.getByRole('checkbox', { name: /^Show initials/ }).check()
  await page.getByText('Saved.').waitFor()
  await page.locator('#initials_only-yes:checked:focus').waitFor()
  await page.getByRole('button', { name: 'Notify me on this device' }).click()
  await page.waitForURL(/notice=device/)
}

/** Plans a follow-up and lets it become due. */
async function remind({ service }: { readonly service: TestService }): Promise<void> {
  const { database, clock, url } = service
  const token = await service.mintToken()
  await askTool(url, token, 'add_connections', { name: 'Grace Hopper' })
  await askTool(url, token, 'save_follow_up', {
    people: 'Grace Hopper',
    text: 'Send <b>Folien</b>',
    due_on: 'today',
    time: '12:30',
  })
  await using scheduler = createReminderScheduler({ database, clock, log: createLog('silent') })
  await scheduler.remindDue()
  clock.advance(HOUR)
  await scheduler.remindDue()
}

/** Delivers a message to the service worker of the only registration. */
async function pushTo(context: BrowserContext, page: Page, data: string): Promise<void> {
  const client = await context.newCDPSession(page)
  const registered = Promise.withResolvers<string>()
  client.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [one] = registrations
    if (one) registered.resolve(one.registrationId)
  })
  await client.send('ServiceWorker.enable')
  const registrationId = await registered.promise
  const { origin } = new URL(page.url())
  await client.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  await client.detach()
}

/** The notifications that are shown, once there is one. */
function shown(page: Page): Promise<unknown> {
  return evaluate(
    page,
    `(async () => {
      const registration = await navigator.serviceWorker.ready
      for (;;) {
        const list = await registration.getNotifications()
        if (list.length > 0) return list.map(({ title, body, tag }) => ({ title, body, tag }))
        await new Promise((done) => setTimeout(done, 20))
      }
    })()`,
  )
}

/** Clicks the notification. Returns the pages that this opens, and how many notifications are left. */
async function click(context: BrowserContext): Promise<unknown> {
  const [worker] = context.serviceWorkers()
  assert.ok(worker)
  // Only a click of a person may open a window, so the address is recorded.
  return worker.evaluate(`(async () => {
    const opened = []
    clients.openWindow = async (url) => opened.push(url)
    const [notification] = await registration.getNotifications()
    dispatchEvent(new NotificationEvent('notificationclick', { notification }))
    return { opened, left: (await registration.getNotifications()).length }
  })()`)
}

test(
  'a follow-up that is due is shown on the device, without its name, and a click opens it',
  { skip: wholeBrowserMissing },
  async () => {
    using pushService = await openPushService()
    await using service = await startTestService({
      secretKey: 'k'.repeat(32),
      calendarFetch: pushService.fetchPolicy,
    })
    await using opened = await openWholeBrowser()
    const ada = await memberBrowser(service, { username: 'ada', name: 'Ada Lovelace' })
    const context = await openWindow(opened.browser, ada)
    await context.grantPermissions(['notifications'], { origin: service.url })
    const page = await context.newPage()
    await subscribe(page, pushService.subscription)
    const registration = await evaluate(
      page,
      `(async () => {
        const registration = await navigator.serviceWorker.ready
        const { scope, active } = registration
        await registration.update()
        const [{ workerStart }] = performance.getEntriesByType('navigation')
        const isSame = registration.active === active && !registration.installing
        return { scope, script: active.scriptURL, isSame, workerStart }
      })()`,
    )
    assert.deepEqual(registration, {
      scope: `${service.url}/`,
      script: service.url + PUSH_WORKER_PATH,
      isSame: true,
      workerStart: 0, // no page passes through it
    })
    await remind({ service })
    const message = await pushService.message()
    await pushTo(context, page, message)
    assert.deepEqual(await shown(page), [
      {
        title: 'Follow-up due',
        body: 'GH: Send <b>Folien</b>',
        tag: 'follow_up.due f_1 2026-11-21 12:30',
      },
    ])
    const address = `${service.url}/user/follow-ups#f_1`
    assert.deepEqual(await click(context), { opened: [address], left: 0 })
    await page.goto(address)
    const target = page.locator('li:target')
    assert.match(await target.innerText(), /Send <b>Folien<\/b>/)
    await target
      .getByRole('button', { name: /Done|Complete/ })
      .first()
      .waitFor()

    await pushTo(context, page, JSON.stringify({ title: 'Elsewhere', path: '//evil.example/x' }))
    await shown(page)
    assert.deepEqual(await click(context), { opened: [], left: 0 })
    await context.close()
  },
)
