import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  calendarEvent,
  calendarOf,
  openCalendarSite,
} from '../../../test/fixtures/calendar-site.ts'
import { startTestService } from '../../../test/support/service.ts'
import { openSignedIn } from '../../../test/support/visitor.ts'
import { DAY } from '../../base/clock.ts'
import { CALENDAR_PATH, NEW_CONNECTION_PATH } from '../../html/site-map.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

async function openPage() {
  const site = await openCalendarSite()
  const service = await startTestService({
    calendarFetch: site.fetchPolicy,
    secretKey: 'k'.repeat(32),
  })
  const ada = await service.addMember({ email: 'ada@example.org' })
  const visitor = await openSignedIn(service, ada)
  return {
    site,
    service,
    visitor,
    show: () => visitor.get(CALENDAR_PATH),
    async [Symbol.asyncDispose]() {
      site[Symbol.dispose]()
      await service[Symbol.asyncDispose]()
    },
  }
}

test('a member connects a calendar, adds a suggested person, and disconnects it with its interactions', async () => {
  await using world = await openPage()
  const { site, service, visitor } = world
  const at = service.clock.now() - DAY
  const lines = [`ATTENDEE;CN="${HOSTILE}":mailto:eve@example.org`, `SUMMARY:${HOSTILE}`]
  site.serve([
    calendarEvent({ uid: 'a', at }),
    calendarEvent({ uid: 'b', at, people: [], more: lines }),
  ])
  const form = { secret_address: site.address, name: HOSTILE }
  const connected = await visitor.follow(await visitor.submit(await world.show(), form))
  assert.match(connected.text, /Calendar connected\. .* localhost:\d+\/….ics 0 past meetings/)
  assert.match(connected.text, /Next sync within 31 minutes, synced just now/)
  assert.match(connected.text, /not in your network ann@example\.org 1 meeting Add/)
  assert.ok(!connected.html.includes('<img') && !connected.html.includes('abcdefgh'))
  const add = await visitor.get(`${NEW_CONNECTION_PATH}?name=Ann&email=ann@example.org`)
  await visitor.submit(add, { name: 'Ann' })
  const synced = await visitor.follow(await visitor.submit(await world.show(), {}, '1'))
  assert.match(synced.text, /Calendar synced\. .* 1 past meeting,/)
  const disconnected = await visitor.follow(await visitor.submit(synced, {}, 'delete'))
  assert.match(disconnected.text, /Undo/)
  assert.doesNotMatch(disconnected.text, /Connected calendars/)
  const again = await visitor.submit(synced, {}, '1')
  assert.equal(again.status, 404)
})

test('forty simultaneous requests to sync a calendar fetch it once, and too many are rejected', async () => {
  await using world = await openPage()
  const { site, visitor } = world
  site.serve([])
  const connect = { secret_address: site.address, name: 'Work' }
  const page = await visitor.follow(await visitor.submit(await world.show(), connect))
  const before = site.requests.length
  const asked = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  site.answer((_, response) => {
    asked.resolve()
    void released.then(() => response.end(calendarOf([])))
  })
  const sync = () => visitor.submit(page, {}, '1')
  const first = sync()
  await asked.promise
  const others = await Promise.all(Array.from({ length: 39 }, sync))
  release()
  assert.equal(site.requests.length - before, 1)
  for (const other of others.slice(0, 2))
    assert.match((await visitor.follow(other)).text, /This calendar is being synced\./)
  assert.match((await visitor.follow(await first)).text, /Calendar synced\./)
  const more = await Promise.all(Array.from({ length: 30 }, sync))
  assert.ok(more.some(({ status }) => status === 429))
})

test('the page says what is wrong with an address, and why a calendar cannot be read', async () => {
  await using world = await openPage()
  const { site, service, visitor } = world
  const wrong = await visitor.submit(await world.show(), { secret_address: 'nothing' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /Secret address must be the https address of a calendar/)
  const mails = { own_emails: 'me' }
  assert.match(
    (await visitor.submit(await world.show(), mails)).text,
    /“me” is not an email address/,
  )
  const saved = await visitor.submit(await world.show(), { own_emails: 'Me@work.example' })
  assert.match((await visitor.follow(saved)).html, /me@work\.example/)
  site.serve([])
  await visitor.submit(await world.show(), { secret_address: site.address })
  const twice = await visitor.submit(await world.show(), { secret_address: site.address })
  assert.match(twice.text, /This calendar is already connected/)
  site.answer((_, response) => void response.writeHead(404).end())
  const failed = await visitor.follow(await visitor.submit(await world.show(), {}, '1'))
  assert.match(
    failed.text,
    /could not be synced.*was not found at its address.*next attempt is within/,
  )
  assert.ok(!(await service.everything()).includes('abcdefgh'))
})
