import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld, type Person } from '../../../test/fixtures/member.ts'
import { openVisitor, SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { createLink } from '../../access/one-time-link.ts'
import { DAY } from '../../base/clock.ts'
import { listEndpoints } from '../../deliveries/endpoint-store.ts'
import { listDeliveries } from '../../deliveries/delivery-store.ts'
import { NOTIFICATIONS_PATH, PUSH_WORKER_PATH, UNSUBSCRIBE_PATH } from '../../html/site-map.ts'
import { readReminderSettings } from '../../reminders/reminder-settings.ts'

const show = ({ visitor }: Person) => visitor.get(NOTIFICATIONS_PATH)

test('the choices of reminders are saved and shown', async () => {
  await using world = await createTestWorld({ secretKey: 'k'.repeat(32) })
  const ada = await world.join('ada')
  const page = await show(ada)
  const choices = {
    email: 'weekly',
    weekday: '3',
    minute: '1080',
    birthday_days: '7',
    meeting_minutes: '30',
  }
  const saved = await ada.visitor.submit(page, choices, 'Save')
  assert.match((await ada.visitor.follow(saved)).text, /Saved\./)
  const settings = await readReminderSettings(world.service.database.member(ada.memberId))
  assert.deepEqual(
    [
      settings.email,
      settings.weekday,
      settings.minute,
      settings.birthdayDays,
      settings.meetingMinutes,
    ],
    ['weekly', 3, 1080, 7, 30],
  )
  const odd = {
    email: 'hourly',
    weekday: '99',
    minute: '-5',
    birthday_days: 'x',
    meeting_minutes: '',
  }
  await ada.visitor.submit(await show(ada), odd, 'Save')
  const clamped = await readReminderSettings(world.service.database.member(ada.memberId))
  assert.deepEqual(
    [clamped.email, clamped.weekday, clamped.minute, clamped.birthdayDays, clamped.meetingMinutes],
    ['daily', 7, 0, 0, null],
  )
})

test('the calendar feed is read at its secret address until it is replaced', async () => {
  await using world = await createTestWorld({ secretKey: 'k'.repeat(32) })
  const ada = await world.join('ada')
  await ada.ask('save_follow_up', { text: 'Taxes', due_on: '2026-12-02' })
  const created = await ada.visitor.submit(await show(ada), {}, 'Create address')
  const page = await ada.visitor.follow(created)
  const address = /https?:\/\/[^\s"<]+\.ics/.exec(page.html)?.[0] ?? ''
  assert.doesNotMatch((await show(ada)).html, /weft_cal_/)
  const feed = await fetch(address)
  assert.equal(feed.headers.get('content-type'), 'text/calendar; charset=utf-8')
  assert.match(await feed.text(), /SUMMARY:Taxes\r\n/)
  const etag = feed.headers.get('etag') ?? ''
  const again = await fetch(address, { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)
  assert.match((await show(ada)).text, /Last read just now/)
  const replaced = await ada.visitor.submit(await show(ada), {}, 'Replace address')
  await ada.visitor.follow(replaced)
  assert.equal((await fetch(address)).status, 404)
  await ada.visitor.submit(await show(ada), {}, 'Remove address')
  assert.match((await show(ada)).text, /Create address/)
})

test('a webhook is added with a secret that is shown once, tested, and removed', async () => {
  await using world = await createTestWorld({ secretKey: 'k'.repeat(32) })
  const ada = await world.join('ada')
  const db = world.service.database.member(ada.memberId)
  const added = await ada.visitor.submit(
    await show(ada),
    { address: 'https://hooks.example.org/weft', name: 'Home', format: 'standard' },
    'Add webhook',
  )
  const page = await ada.visitor.follow(added)
  assert.match(page.html, /whsec_[\w+/=]{40,}/)
  const shown = await show(ada)
  assert.doesNotMatch(shown.html, /whsec_/)
  assert.match(shown.text, /Home hooks\.example\.org\/…weft Nothing delivered yet\./)
  const [endpoint] = await listEndpoints(db)
  assert.ok(endpoint)
  assert.doesNotMatch(JSON.stringify(endpoint), /https:|whsec_/)
  await ada.visitor.submit(shown, {}, 'Send test Home')
  const [delivery] = await listDeliveries(db, endpoint.endpointId, 5)
  assert.equal(delivery?.state, 'queued')
  const detail = await ada.visitor.get(`${NOTIFICATIONS_PATH}/webhooks/${endpoint.endpointId}`)
  assert.match(detail.text, /Summary of the day Test from Weft Queued, 0\sattempts/)
  const eve = await world.join('eve')
  const foreign = await eve.visitor.get(`${NOTIFICATIONS_PATH}/webhooks/${endpoint.endpointId}`)
  assert.equal(foreign.status, 404)
  await ada.visitor.submit(await show(ada), {}, 'Remove Home')
  assert.deepEqual(await listEndpoints(db), [])
})

test('a webhook with mistakes shows them beside the fields and keeps what was typed', async () => {
  await using world = await createTestWorld({ secretKey: 'k'.repeat(32) })
  const ada = await world.join('ada')
  const rejected = await ada.visitor.submit(
    await show(ada),
    { address: 'http://10.0.0.1/', name: 'Home', format: 'standard' },
    'Add webhook',
  )
  assert.equal(rejected.status, 422)
  assert.match(rejected.text, /Address must be a public https address/)
  assert.match(rejected.html, /value="Home"/)
})

test('a browser subscribes its device once', async () => {
  await using world = await createTestWorld({ secretKey: 'k'.repeat(32) })
  const ada = await world.join('ada')
  const page = await show(ada)
  assert.match(page.html, /data-push-key="[\w-]{87}"/)
  const keys = {
    p256dh: Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url'),
    auth: Buffer.alloc(16).toString('base64url'),
  }
  const subscription = JSON.stringify({ endpoint: 'https://push.example.org/1', keys })
  for (let time = 0; time < 2; time += 1)
    await ada.visitor.submit(await show(ada), { subscription }, 'Notify me on this device')
  const devices = await listEndpoints(world.service.database.member(ada.memberId), 'push')
  assert.equal(devices.length, 1)
  for (const broken of ['', '{', '{"endpoint":"http://push.example.org"}', 'null']) {
    const rejected = await ada.visitor.submit(
      await show(ada),
      { subscription: broken },
      'Notify me on this device',
    )
    assert.equal(rejected.status, 422, broken)
  }
  const worker = await fetch(world.service.url + PUSH_WORKER_PATH)
  assert.match(worker.headers.get('content-type') ?? '', /^text\/javascript/)
  // It must not take over pages.
  assert.doesNotMatch(await worker.text(), /'fetch'|skipWaiting|caches\./)
})

test('an email’s link ends reminders with one POST without cookies or a form token', async () => {
  await using world = await createTestWorld({ secretKey: 'k'.repeat(32) })
  const ada = await world.join('ada')
  const { database, clock, url } = world.service
  const { secret } = await database.write((tx) =>
    createLink(
      tx,
      {
        purpose: 'unsubscribe',
        memberId: ada.memberId,
        lifetime: DAY,
        sentTo: { email: 'ada@example.org', emailId: 'e1' },
      },
      clock.now(),
    ),
  )
  const settings = () => readReminderSettings(database.member(ada.memberId))
  const path = `${UNSUBSCRIBE_PATH}?link=${secret}`
  const asked = await openVisitor(url).get(path)
  assert.match(asked.text, /Unsubscribe from reminders/)
  assert.equal((await settings()).email, 'daily')
  const post = (address: string) =>
    fetch(url + address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
      redirect: 'manual',
    })
  const unknown = await post(`${UNSUBSCRIBE_PATH}?link=weft_otl_unknown`)
  const known = await post(path)
  assert.deepEqual([known.status, unknown.status], [200, 200])
  assert.equal(await known.text(), await unknown.text())
  assert.equal((await settings()).email, 'off')
})

test('forms of other members’ endpoints change nothing', async () => {
  await using world = await createTestWorld({ secretKey: 'k'.repeat(32) })
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  await ada.visitor.submit(
    await show(ada),
    { address: 'https://hooks.example.org/weft', name: 'Home', format: 'standard' },
    'Add webhook',
  )
  const page = await show(eve)
  const fields = { form_token: page.formToken, endpoint_id: '1' }
  const tested = await eve.visitor.post(`${NOTIFICATIONS_PATH}/test`, fields, SAME_ORIGIN)
  assert.equal(tested.status, 404)
  await eve.visitor.post(`${NOTIFICATIONS_PATH}/remove`, fields, SAME_ORIGIN)
  assert.equal((await listEndpoints(world.service.database.member(ada.memberId))).length, 1)
})
