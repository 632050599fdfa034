import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR } from '../../base/clock.ts'
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
  await ada.ask('add_connections', { name: 'Alan Turing', birthday: '1912-06-23' })
  for (const [text, due_on] of [
    ['Write', '2026-11-20'],
    ['Call', '2026-11-21'],
    ['Plan', '2026-11-22'],
  ])
    await ada.ask('set_follow_up', { connection_id: 'c_2', text, due_on })
  const page = await visitor.get(USER_PATH)
  assert.ok(!page.html.includes('<img'))
  assert.match(page.text, /Today <img .*Birthday .*Write Fri 20 Nov 2026 .*Call Sat 21 Nov 2026/)
  assert.doesNotMatch(page.text, /Alan Turing Birthday|Plan Sun/)
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

test('home lists what agents changed since the last visit, and undoes all of it', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await ada.ask('add_note', { connection_id: 'c_1', text: 'Met' })
  const page = await visitor.get(USER_PATH)
  const told = /since 14 Nov 2026 Claude Agent Added a note about Grace Hopper · Added Grace Hopper/
  assert.match(page.text, told)
  assert.match((await visitor.get(USER_PATH)).text, told, 'the same visit')
  world.service.clock.advance(5 * HOUR)
  assert.doesNotMatch((await visitor.get(USER_PATH)).text, /What agents changed/)
  await ada.ask('update_connections', { connection_id: 'c_1', title: 'Admiral' })
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
  assert.equal(links['2019'], `${url + CONNECTIONS_PATH}?met=2019`)
  assert.equal(links['Navy'], `${url + CONNECTIONS_PATH}?company=Navy`)
  assert.equal(links['1 connection without email'], `${url + CONNECTIONS_PATH}?lacks=email`)
})
