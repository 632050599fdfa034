import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE } from '../../base/clock.ts'
import { createTestWorld } from '../../../test/fixtures/member.ts'
import { SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { connectionPath, entryPath, logContactPath } from '../../html/site-map.ts'

const PATH = connectionPath('c_1')
const HOSTILE = '<img src=x onerror=alert(1)>'

// Today is 2026-11-21.
test('a contact is logged with a date in words, today by default', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const page = await visitor.get(PATH)
  assert.match(page.text, /Last contact Never/)
  const typed = { contact_kind: 'meeting', contact_on: 'yesterday', contact_text: HOSTILE }
  const logged = await visitor.submit(page, typed, 'Log contact')
  assert.equal(logged.location, `${world.service.url + PATH}?change=a_2`)
  const after = await visitor.follow(logged)
  assert.match(after.text, /Logged a meeting with Grace Hopper \. Undo/)
  assert.match(after.text, /Last contact yesterday/)
  assert.match(after.text, /Timeline .* Meeting <img [^>]*> By you · yesterday/)
  assert.ok(!after.html.includes('<img src=x'))
  await ada.ask('save_note', { people: 'c_1', text: 'Likes tea' })
  world.service.clock.advance(MINUTE)
  await visitor.submit(after, { contact_kind: 'call' }, 'Log contact')
  assert.match((await visitor.get(PATH)).text, /Changes Call By you · today .*Likes tea .*Meeting/)
  const only = await visitor.get((await visitor.get(PATH)).links['Contacts'] ?? '')
  assert.match(only.text, /Timeline .*Call today/)
  assert.doesNotMatch(only.text, /Timeline .*Added .*View full history/)
})

test('a contact that is ahead is planned, and a note of its own day has one date', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const meeting = { people: ['c_1'], kind: 'meeting', subject: 'Review' }
  await ada.ask('log_interaction', { ...meeting, on: '2026-11-22' })
  await ada.ask('log_interaction', { ...meeting, on: '2026-11-21', time: '23:30' })
  await ada.ask('save_note', { people: 'c_1', text: 'Likes tea', on: '2026-11-21' })
  await ada.ask('save_note', { people: 'c_1', text: 'Likes coffee', on: '2026-11-20' })
  const { text } = await ada.visitor.get(PATH)
  assert.match(text, /Meeting: Review Upcoming: tomorrow/)
  assert.match(text, /Meeting: Review Upcoming: today , 23:30/)
  assert.match(text, /Likes tea By Claude/)
  assert.match(text, /Likes coffee By Claude Agent · yesterday/)
})

test('an error is shown at its field and nothing typed is lost', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const page = await visitor.get(logContactPath('c_1'))
  const wrong = { contact_on: '03/04/2027', contact_text: 'Coffee' }
  const told = await visitor.submit(page, wrong, 'Log contact')
  assert.equal(told.status, 422)
  const form = told.forms.find(({ fields }) => 'contact_text' in fields)
  assert.equal(form?.fields['contact_text'], 'Coffee')
  assert.match(form?.errors['contact_on'] ?? '', /can mean 3 Apr 2027 or 4 Mar 2027/)
})

test('a contact is logged with a reminder', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const page = await visitor.get(logContactPath('c_1'))
  const told = await visitor.submit(page, { remind_on: 'someday' }, 'Log contact')
  const form = told.forms.find(({ fields }) => 'remind_on' in fields)
  assert.match(form?.errors['remind_on'] ?? '', /was not understood: “someday”\. Try “next Friday”/)
  const logged = await visitor.submit(told, { remind_on: 'in two weeks' }, 'Log contact')
  const next = await visitor.follow(logged)
  assert.match(next.text, /Next Done: Get in touch again/)
  assert.match(next.html, /title="Sat 5 Dec 2026"/)
})

test('an interaction is changed in place, keeps its time and its people, and is deleted', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await ada.ask('add_connections', { name: 'Alan Turing' })
  await ada.ask('add_connections', { name: 'Ada Byron' })
  const lunch = { people: ['c_1', 'c_2'], kind: 'meeting', on: '2026-11-20', time: '12:30' }
  await ada.ask('log_interaction', { ...lunch, subject: 'Lunch', text: 'Soup' })
  const page = await visitor.get(PATH)
  assert.match(page.text, /Meeting, also with Alan Turing : Lunch Soup By Claude Agent · yesterday/)
  const editing = await visitor.get(page.links['Edit meeting'] ?? '')
  const saved = await visitor.submit(editing, { contact_text: 'Salad' }, 'Save')
  const after = await visitor.follow(saved)
  assert.match(after.text, /Lunch Salad By Claude Agent · yesterday/)
  const { entries } = await ada.ask('list_timeline', {
    people: 'c_2',
    kinds: ['interaction'],
  })
  assert.match(JSON.stringify(entries), /Salad.*T\d\d:30|T\d\d:30.*Salad/)
  const ids = [entryPath('c_3', 'interactions', 'i_1'), entryPath('c_1', 'interactions', 'i_2')]
  for (const path of ids) assert.equal((await visitor.get(path)).status, 404, path)
  const eve = await world.join('eve')
  const foreign = await eve.visitor.get(entryPath('c_1', 'interactions', 'i_1'))
  assert.equal(foreign.status, 404)
  const deleted = await visitor.submit(editing, {}, 'Delete logged contact')
  const gone = await visitor.follow(deleted)
  assert.match(gone.text, /Deleted a meeting with .* Undo/)
  assert.doesNotMatch(gone.html, /id="i_1"/)
})

test('keep in touch sets and removes a cadence, and ends a pause', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const set = await visitor.submit(await visitor.get(PATH), { cadence: '2 week' }, 'Save cadence')
  assert.equal(set.location, `${world.service.url + PATH}?change=a_2`)
  const page = await visitor.follow(set)
  assert.match(page.text, /Changed the cadence of Grace Hopper \. Undo/)
  assert.match(page.text, /Last contact Never Cadence Cadence .*Save cadence due in 2 weeks/)
  await ada.ask('keep_in_touch', {
    people: ['c_1'],
    every: 40,
    unit: 'day',
    paused_until: '2027-01-01',
  })
  const paused = await visitor.get(PATH)
  assert.match(paused.text, /Every 40 days .*paused until 1 Jan 2027/)
  // What falls due during the pause is not said, and has no bar.
  assert.doesNotMatch(paused.html, /datetime="2026-12-31"|<progress/)
  await visitor.submit(paused, {}, 'End pause')
  const resumed = await visitor.get(PATH)
  assert.doesNotMatch(resumed.text.split('Timeline')[0] ?? '', /paused until 1 Jan/)
  assert.match(resumed.html, /datetime="2026-12-31"/)
  const wrong = await visitor.submit(resumed, { cadence: 'often' }, 'Save cadence')
  assert.equal(wrong.status, 422)
  await visitor.submit(resumed, { cadence: 'none' }, 'Save cadence')
  assert.match((await visitor.get(PATH)).text, /Last contact Never Cadence Cadence No cadence/)
})

test('a notice says what was logged, until when a person is snoozed, and whose relation was added', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await ada.ask('keep_in_touch', { people: ['c_1'], every: 1, unit: 'month' })
  const page = await visitor.get(PATH)
  for (const [kind, said] of [
    ['call', 'a call'],
    ['email', 'an email'],
    ['other', 'a contact'],
  ] as const) {
    const logged = await visitor.submit(page, { contact_kind: kind }, 'Log contact')
    const { text } = await visitor.follow(logged)
    assert.ok(text.includes(`Logged ${said} with Grace Hopper . Undo`), text)
  }
  const { formToken: form_token } = page
  for (const [day, said] of [
    ['2026-12-06', '6 Dec'],
    ['2027-12-06', '6 Dec 2027'],
  ] as const) {
    const sent = { form_token, paused_until: day, back: 'today' }
    const snoozed = await visitor.post(`${PATH}/cadence`, sent, SAME_ORIGIN)
    const { text } = await visitor.follow(snoozed)
    assert.ok(text.includes(`Snoozed Grace Hopper until ${said} .`), text)
  }
  const related = { related: 'Vincent', relation: 'Brother', create: '' }
  const added = await visitor.submit(page, related, 'Add relation')
  assert.doesNotMatch(added.location ?? '', /#/, 'the heading stays in sight')
  const { text } = await visitor.follow(added)
  assert.match(text, /Added a relation of Grace Hopper : Vincent \( Brother \)/)
  const german = await visitor.get(PATH, { 'accept-language': 'de' })
  assert.match(german.text, /Bruder/)
  assert.doesNotMatch(german.text, /Brother/)
})
