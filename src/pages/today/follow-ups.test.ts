import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { DAY } from '../../base/clock.ts'
import { createTestWorld, remainingCredits, type Person } from '../../../test/fixtures/member.ts'
import { COMPLETE_FOLLOW_UP_PATH, FOLLOW_UPS_PATH } from '../../html/site-map.ts'

const HOSTILE = '<img src=x onerror=alert(1)> ‮'

// Today is 2026-11-21, a Saturday.
const show = ({ visitor }: Person, search = '') => visitor.get(FOLLOW_UPS_PATH + search)
const plan = (person: Person, text: string, due_on: string, more: object = {}) =>
  person.ask('save_follow_up', { people: 'c_1', text, due_on, ...more })

test('an empty page explains how to add a follow-up', async () => {
  await using world = await createTestWorld()
  assert.match((await show(await world.join('ada'))).text, /No open follow-ups\. Add one/)
})

test('overdue follow-ups come first, then those due today, then the rest', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await plan(ada, 'Later', '2026-11-22', { recurrence: 'quarterly' })
  await plan(ada, 'Now', '2026-11-21')
  await plan(ada, 'Much later', '2026-11-29')
  await plan(ada, 'Long ago', '2025-01-31', { recurrence: 'monthly' })
  await plan(ada, 'Ago', '2026-11-20')
  const { text } = await show(ada)
  assert.match(
    text,
    /Overdue .*Long ago Grace Hopper Every month · 21 months late .* Ago Grace Hopper 1 day late .*Due today 1 .*Now Grace Hopper today .*Next 7 days 1 .*Later Grace Hopper Every 3 months · tomorrow .*Later 1 .*Much later Grace Hopper/,
  )
  world.service.clock.advance(DAY)
  assert.match(
    (await show(ada)).text,
    /Ago Grace Hopper 2 days late.* Now Grace Hopper 1 day late.*Due today .*Later Grace Hopper Every 3 months · today/,
  )
})

test('one click completes a follow-up for free, a second does nothing, and the notice undoes it', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await plan(ada, 'Call', '2026-11-20', { recurrence: 'monthly' })
  const before = await remainingCredits(ada)
  const page = await show(ada)
  const done = await ada.visitor.submit(page, {}, 'f_1')
  assert.equal(done.status, 303)
  const after = await ada.visitor.follow(done)
  assert.match(
    after.text,
    /Completed a follow-up with Grace Hopper \. Next due on Sun 20 Dec 2026 \. Undo/,
  )
  assert.doesNotMatch(after.text, /Overdue/)
  assert.deepEqual(await remainingCredits(ada), before)
  const again = await ada.visitor.submit(page, {}, 'f_1')
  assert.equal(again.location, world.service.url + FOLLOW_UPS_PATH)
  const { activity } = await ada.ask('list_activity')
  const [entry, ...earlier] = activity as { action: string; by: string }[]
  assert.equal(`${entry?.action} ${entry?.by}`, 'follow_up.complete Member ada')
  assert.equal(earlier.length, 2)
  const undone = await ada.visitor.follow(await ada.visitor.submit(after, {}, 'a_3'))
  assert.equal(new URL(undone.address).pathname, FOLLOW_UPS_PATH)
  assert.match(undone.text, /Undid: Completed a follow-up with Grace Hopper \. Undo/)
  assert.match(undone.text, /Overdue .*Call Grace Hopper Every month · 1 day late/)
  assert.doesNotMatch(undone.text, /in a month|20 Dec/)
})

test('a to-do without a person is added, edited, moved and deleted on the page', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  const to_do = {
    follow_up: 'Taxes',
    due_on: '2026-11-20',
    due_time: '15:30',
    recurrence: 'every 2 weeks',
  }
  const shown = await visitor.follow(await visitor.submit(await show(ada), to_do, 'Add follow-up'))
  assert.match(shown.text, /Overdue .*Taxes Every 2 weeks · 1 day late 15:30/)
  const rejected = await visitor.submit(
    await show(ada),
    { ...to_do, recurrence: 'sometimes' },
    'Add follow-up',
  )
  assert.equal(rejected.status, 422)
  assert.match(rejected.html, /value="sometimes"/)
  const form = await visitor.get(shown.links['Taxes'] ?? '')
  assert.equal(form.address, `${world.service.url + FOLLOW_UPS_PATH}?edit=f_1`)
  assert.match(form.html, /value="15:30"/)
  const edited = await visitor.submit(form, { follow_up: 'Tax return', due_time: '' }, 'Save')
  assert.match(
    (await visitor.follow(edited)).text,
    /Overdue .*Tax return Every 2 weeks · 1 day late Done d Snooze/,
  )
  const moved = await visitor.post(
    '/user/follow-ups/f_1/move',
    { form_token: form.formToken, due_on: 'tomorrow' },
    SAME_ORIGIN,
  )
  assert.match(
    (await visitor.follow(moved)).text,
    /Next 7 days 1 .*Tax return Every 2 weeks · tomorrow/,
  )
  const eve = await world.join('eve')
  assert.equal((await eve.visitor.get('/user/follow-ups/f_1')).status, 404)
  const deleted = await visitor.post(
    '/user/follow-ups/f_1/delete',
    { form_token: form.formToken },
    SAME_ORIGIN,
  )
  assert.match((await visitor.follow(deleted)).text, /No open follow-ups/)
})

test('follow-ups of other members are not accessible', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await plan(ada, 'Call', '2026-11-20')
  const page = await show(eve)
  assert.doesNotMatch(page.text, /Grace Hopper/)
  const form_token = page.formToken
  for (const follow_up_id of ['f_1', 'x', '']) {
    const sent = await eve.visitor.post(
      COMPLETE_FOLLOW_UP_PATH,
      { form_token, follow_up_id },
      SAME_ORIGIN,
    )
    assert.equal(sent.status, 404)
    assert.match(sent.text, /Follow-up not found/)
  }
  const forged = await eve.visitor.post(COMPLETE_FOLLOW_UP_PATH, {
    form_token: 'x',
    follow_up_id: 'f_1',
  })
  assert.equal(forged.status, 403)
  assert.match((await show(ada)).text, /Overdue .*Call Grace Hopper 1 day late/)
})

test('member input is escaped', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: HOSTILE })
  await plan(ada, HOSTILE, '2026-11-20')
  const { html } = await show(ada)
  assert.ok(!html.includes('<img'))
})

test('many follow-ups are paginated without gaps', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  for (let count = 1; count <= 51; count += 1) await plan(ada, `Call ${count}.`, '2026-11-21')
  const first = await show(ada)
  assert.match(first.text, /Call 50\./)
  assert.doesNotMatch(first.text, /Call 51\./)
  const second = await ada.visitor.get(first.links['Next page'] ?? '')
  assert.match(second.text, /Due today .*Call 51\. Grace Hopper today/)
  assert.equal(second.links['First page'], world.service.url + FOLLOW_UPS_PATH)
  assert.ok(!('Next page' in second.links))
  assert.equal((await show(ada, '?cursor=x')).status, 400)
})
