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
  assert.match(shown.text, /Overdue .*Taxes Every 2 weeks · 1 day late · 15:30/)
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

const READ: readonly (readonly [typed: string, text: string, read: Record<string, unknown>])[] = [
  ['Call the plumber tomorrow', 'Call the plumber', { due_on: '2026-11-22' }],
  ['Tomorrow, call the plumber', 'Call the plumber', { due_on: '2026-11-22' }],
  ['Call by Friday at 3pm', 'Call', { due_on: '2026-11-27', time: '15:00' }],
  ['Renew the passport next month', 'Renew the passport', { due_on: '2026-12-01' }],
  ['Pay in March', 'Pay', { due_on: '2027-03-01' }],
  ['Meet at 5pm', 'Meet', { due_on: '2026-11-21', time: '17:00' }],
  ['Meet at 8:30 a.m., then write', 'Meet then write', { due_on: '2026-11-22', time: '08:30' }],
  ['Um 17 Uhr Bericht', 'Bericht', { due_on: '2026-11-21', time: '17:00' }],
  ['Tomorrow, call Mia at noon', 'Call Mia', { due_on: '2026-11-22', time: '12:00' }],
  ['remind me to buy tea on 5 Dec', 'Buy tea', { due_on: '2026-12-05' }],
  ['Water the plants every Monday', 'Water the plants', { due_on: '2026-11-23', recurrence: true }],
  ['Pay the rent every 2 months', 'Pay the rent', { due_on: '2026-11-21', recurrence: true }],
  ['Klempner morgen anrufen', 'Klempner anrufen', { due_on: '2026-11-22' }],
  ['Am Freitag um 15 Uhr Bericht', 'Bericht', { due_on: '2026-11-27', time: '15:00' }],
  ['jeden Montag Blumen gießen', 'Blumen gießen', { due_on: '2026-11-23', recurrence: true }],
  ['Call @Wanda Silva on Friday', 'Call Wanda Silva', { due_on: '2026-11-27', person: 'c_1' }],
  ['Call @Wanda Lemke, then write', 'Call Wanda Lemke, then write', { person: 'c_2' }],
  ['@Wanda Silva: send the deck', 'Send the deck', { person: 'c_1' }],
  ['Call @Mei (c_4) about June', 'Call Mei about June', { person: 'c_4' }],
  ['@Mei (c_4)', 'Mei', { person: 'c_4' }],
  ['Call Wanda Lemke', 'Call Wanda Lemke', { person: 'c_2' }],
  ['write to June Day on Monday', 'Write to June Day', { due_on: '2026-11-23', person: 'c_5' }],
]
/** Nothing is read from these. */
const PLAIN = [
  'Tomorrow',
  'Plan the June trip',
  'Ask about the second of May',
  'Read chapter 5.12',
  'Look at 5.12',
  'Meet at 25:00',
  'Add 10:30 to the title',
  'Buy 3 apples',
  'Ask mum what she did yesterday',
  'Call @Wanda',
  'call Wanda',
  'Remind me: tea',
  'Write to mei@example.org',
  `${'tomorrow @Wanda '.repeat(25)}!`,
] as const

test('the field of a new follow-up shows what it reads before it saves it', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  const connections = ['Wanda Silva', 'Wanda Lemke', 'Mei', 'Mei', 'June Day'].map((name, at) => ({
    name,
    email: `${at}@example.org`,
  }))
  await ada.ask('add_connections', { connections })
  const saved = async () =>
    (await ada.ask('list_follow_ups'))['follow_ups'] as Record<string, unknown>[]
  const add = async (follow_up: string) =>
    visitor.submit(await show(ada), { follow_up }, 'Add follow-up')
  for (const [typed, text, read] of READ) {
    const before = (await saved()).map(({ follow_up_id }) => follow_up_id)
    const shown = await add(typed)
    assert.equal(shown.status, 422, typed)
    assert.match(shown.text, / Remove Check this, then add it\./, typed)
    assert.equal((await saved()).length, before.length, typed)
    assert.equal((await visitor.submit(shown, {}, 'Add follow-up')).status, 303, typed)
    const one = (await saved()).find(({ follow_up_id }) => !before.includes(follow_up_id)) ?? {}
    const { due_on = '2026-11-21', time, person } = read
    assert.deepEqual(
      [one['text'], one['due_on'], one['time'], one['connection_id'], 'recurrence' in one],
      [text, due_on, time, person, 'recurrence' in read],
      typed,
    )
  }
  for (const typed of PLAIN) {
    assert.equal((await add(typed)).status, 303, typed)
    assert.ok(
      (await saved()).some(({ text }) => text === typed),
      typed,
    )
  }
})

test('what the field of a new follow-up reads can be removed, and a date in its own field counts more', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Wanda Silva' })
  const follow_up = 'Call @Wanda Silva tomorrow'
  const shown = await visitor.submit(await show(ada), { follow_up }, 'Add follow-up')
  const undated = await visitor.submit(shown, {}, 'day')
  assert.match(undated.text, /Add follow-up Wanda Silva Remove No open/)
  const alone = await visitor.submit(undated, {}, 'person')
  assert.doesNotMatch(alone.text, /Remove/)
  assert.equal((await visitor.submit(alone, {}, 'Add follow-up')).status, 303)
  const dated = { follow_up: 'Write about tomorrow', due_on: '1 Dec' }
  await visitor.submit(await show(ada), dated, 'Add follow-up')
  assert.match(
    (await show(ada)).text,
    /Due today 1 .*Call Wanda Silva tomorrow today .*Write about tomorrow 1 Dec/,
  )
  const changed = {
    ...shown.forms.find(({ fields }) => 'seen' in fields)?.fields,
    follow_up: 'Call on Friday',
  }
  const read = await visitor.post('/user/follow-ups/reading', changed, SAME_ORIGIN)
  assert.match(read.text, /^in 6 days Remove$/)
  assert.equal((await visitor.post(FOLLOW_UPS_PATH, changed, SAME_ORIGIN)).status, 422)
  const wanda = { ...changed, follow_up: 'Call @Wanda Silva' }
  const eve = await world.join('eve')
  const other = await eve.visitor.post(
    '/user/follow-ups/reading',
    { ...wanda, form_token: (await show(eve)).formToken },
    SAME_ORIGIN,
  )
  assert.equal(other.text, '', 'people of other members are not found')
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
