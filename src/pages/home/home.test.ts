import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR } from '../../base/clock.ts'
import { addCalendar } from '../../connections/calendars/calendar-store.ts'
import { storeMeetings } from '../../connections/ahead/meeting-store.ts'
import { createTestWorld } from '../../../test/fixtures/member.ts'
import { SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { connectionPath, CONNECTIONS_PATH, USER_PATH } from '../../html/site-map.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

// Today is 2026-11-21.
test('home shows what is due today, and completes and moves it there', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { name: HOSTILE, birthday: '1906-11-21' })
  await ada.ask('add_connections', { name: 'Alan Turing', birthday: '1912-11-24' })
  for (const [text, due_on] of [
    ['Write', '2026-11-20'],
    ['Call', '2026-11-21'],
    ['Plan', '2026-11-22'],
  ])
    await ada.ask('save_follow_up', { people: 'c_2', text, due_on })
  const page = await visitor.get(USER_PATH)
  assert.ok(!page.html.includes('<img'))
  assert.match(page.text, /Today <img .*Birthday .*Write Fri 20 Nov 2026 .*Call Sat 21 Nov 2026/)
  assert.doesNotMatch(page.text, /Alan Turing Birthday (?!on)|Plan Sun/)
  assert.match(page.text, /Coming up Alan Turing Birthday on Tue 24 Nov 2026/)
  const done = await visitor.submit(page, {}, 'f_1')
  assert.equal(done.location, `${world.service.url + USER_PATH}?change=a_6`)
  const after = await visitor.follow(done)
  assert.match(after.text, /Completed a follow-up with Alan Turing \. Undo/)
  const undone = await visitor.submit(after, {}, 'a_6')
  assert.equal(undone.location, `${world.service.url + USER_PATH}?change=a_7`)
  const call = page.forms.find(({ action }) => action.endsWith('/f_2/move'))
  assert.ok(call)
  const moved = await visitor.post(call.action, { ...call.fields, day: 'tomorrow' }, SAME_ORIGIN)
  assert.equal(moved.location, `${world.service.url + USER_PATH}?change=a_8`)
  assert.doesNotMatch((await visitor.get(USER_PATH)).text, /Call Sat/)
})

test('home names who to contact again, and snoozes them', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { name: HOSTILE, title: 'Pirate' })
  assert.doesNotMatch((await visitor.get(USER_PATH)).text, /Reconnect/)
  await ada.ask('log_interaction', { people: ['c_1'], kind: 'call', on: '2026-03-04' })
  await ada.ask('keep_in_touch', { people: ['c_1'], every: 6, unit: 'week' })
  const page = await visitor.get(USER_PATH)
  assert.ok(!page.html.includes('<img'))
  assert.match(page.text, /Reconnect <img .*Pirate Every 6 weeks, last contact 4 Mar/)
  const [, path = ''] =
    Object.entries(page.links).find(([label]) => label.startsWith('Log a contact')) ?? []
  const log = await visitor.get(path)
  assert.match(log.html, /<details id="log" name="composer" open>/)
  const snoozed = await visitor.submit(page, {}, '1 month')
  assert.equal(snoozed.location, `${world.service.url + USER_PATH}?change=a_4`)
  const after = await visitor.follow(snoozed)
  assert.match(after.text, /Changed the cadence of .* Undo/)
  assert.doesNotMatch(after.text, /Reconnect/)
  assert.match((await visitor.get(connectionPath('c_1'))).text, /Paused until 21 Dec 2026/)
  await visitor.submit(after, {}, 'a_4')
  assert.match((await visitor.get(USER_PATH)).text, /Reconnect/)
})

test('home lists the meetings of the day in the time zone of the member', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const startsAt = Date.UTC(2026, 10, 21, 15, 30)
  const meeting = { title: 'Review', startsAt, endsAt: startsAt + HOUR, timeZone: 'UTC' }
  const people = [{ email: 'alan@navy.example', name: HOSTILE }]
  await world.service.database.member(ada.memberId).write(async (tx) => {
    const calendar = { name: 'Work', address: 'sealed', addressHint: 'example.org/….ics' }
    const id = await addCalendar(tx, calendar, { now: 0, isSame: () => false })
    const later = { ...meeting, key: 'b', title: 'Plan', startsAt: startsAt + DAY }
    await storeMeetings(tx, id, [
      { ...meeting, key: 'a', people },
      { ...later, people },
    ])
  })
  const { text, html } = await ada.visitor.get(USER_PATH)
  assert.match(text, /Today Review 15:30–16:30 · <img/)
  assert.doesNotMatch(text, /Plan/)
  assert.ok(!html.includes('<img'))
})

test('home lists what agents changed since the last visit, and undoes all of it', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await ada.ask('save_note', { people: 'c_1', text: 'Met' })
  const page = await visitor.get(USER_PATH)
  const told = /since you joined Claude Agent Added a note about Grace Hopper · Added Grace Hopper/
  assert.match(page.text, told)
  assert.match((await visitor.get(USER_PATH)).text, told, 'the same visit')
  world.service.clock.advance(5 * HOUR)
  assert.doesNotMatch((await visitor.get(USER_PATH)).text, /What agents changed/)
  await ada.ask('update_connections', { people: 'c_1', title: 'Admiral' })
  const later = await visitor.get(USER_PATH)
  assert.match(later.text, /What agents changed since .* Changed Grace Hopper Review/)
  assert.doesNotMatch(later.text, /Added a note/)
  await visitor.submit(later, {}, 'Undo all')
  assert.doesNotMatch((await visitor.get(USER_PATH)).text, /What agents changed/)
  assert.doesNotMatch((await visitor.get(connectionPath('c_1'))).text, /Admiral · /)
})

test('a new member sees three steps, and no box is empty', async () => {
  await using world = await createTestWorld()
  const eve = await world.join('eve')
  const { text } = await eve.visitor.get(USER_PATH)
  assert.match(text, /Set up \d of 3 .*Import your contacts/)
  assert.doesNotMatch(text, /Today|Tidy up \d|Your network|What agents changed/)
})

test('bars of the network link to their people', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace', company: 'Navy', connected_on: '2019-03-14' })
  await ada.ask('add_connections', { name: 'Alan', company: 'Navy', emails: ['alan@navy.example'] })
  const { links, text } = await ada.visitor.get(USER_PATH)
  const { url } = world.service
  assert.match(text, /When you met 2019 1 Companies Navy 2/)
  assert.equal(links['2019 1'], `${url + CONNECTIONS_PATH}?met=2019`)
  assert.equal(links['Navy 2'], `${url + CONNECTIONS_PATH}?company=Navy`)
  assert.equal(links['1 connection without email'], `${url + CONNECTIONS_PATH}?lacks=email`)
})
