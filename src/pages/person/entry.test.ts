import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { createTestWorld, type Person } from '../../../test/fixtures/member.ts'
import {
  ACCOUNT_PATH,
  FOLLOW_UPS_PATH,
  connectionPath,
  entryPath,
  logContactPath,
} from '../../html/site-map.ts'

const PATH = connectionPath('c_1')
const NOTE = entryPath('c_1', 'notes', 'n_1')
const FOLLOW_UP = entryPath('c_1', 'follow-ups', 'f_1')

// Today is 2026-11-21.
async function withGrace(person: Person): Promise<Person> {
  await person.ask('add_connections', { name: 'Grace Hopper' })
  await person.ask('save_note', { people: 'c_1', text: 'Met\nTwice', on: '2026-11-01' })
  const plan = { people: 'c_1', text: 'Call', due_on: '2026-12-01', recurrence: 'monthly' }
  await person.ask('save_follow_up', plan)
  return person
}

test('the page of a person says who wrote each note', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper', note: 'From the start' })
  await ada.ask('add_connections', {
    connections: [{ name: 'Alan Turing', note: 'Bletchley' }],
  })
  await ada.ask('save_note', { people: 'c_1', text: 'By an agent' })
  const { visitor } = ada
  await visitor.submit(await visitor.get(PATH), { note: 'By the member' }, 'Add note')
  const { text } = await visitor.get(PATH)
  assert.match(text, /By the member By you · just now .*By an agent By Claude Agent · just now/)
  assert.match(text, /From the start By Claude Agent · just now/)
  assert.match(
    (await visitor.get(connectionPath('c_2'))).text,
    /Bletchley By Claude Agent · just now/,
  )
})

test('a note is edited in place and the browser returns to its place', async () => {
  await using world = await createTestWorld()
  const { visitor } = await withGrace(await world.join('ada'))
  const page = await visitor.get((await visitor.get(PATH)).links['Edit note'] ?? '')
  assert.equal(page.address, `${world.service.url + PATH}?edit=n_1`)
  const form = page.forms.find(({ fields }) => fields['note'])
  assert.deepEqual([form?.fields['note'], form?.fields['note_on']], ['Met\nTwice', '1 Nov 2026'])
  assert.match(
    page.text,
    /Note .*Call or meeting .*Follow-up .*Timeline/,
    'what adds entries stays',
  )
  const saved = await visitor.submit(page, { note: 'Met\r\nonce ', note_on: '' }, 'Save')
  assert.equal(saved.location, `${world.service.url + PATH}?change=a_4#n_1`)
  const after = await visitor.follow(saved)
  assert.match(
    after.html,
    /<li id="n_1" class="by-agent">\s*<div>\s*<div class="note-text">\s*<p dir="auto">Met<br \/>once<\/p>/,
  )
  assert.match(after.text, /Changed a note about Grace Hopper \. Undo/)
  assert.match(after.text, /Met once By Claude Agent · just now More Edit note/)
  const repeated = await visitor.submit(page, { note: 'Met\r\nonce ', note_on: '' }, 'Save')
  assert.equal(repeated.location, saved.location, 'as by a double click')
})

test('the page of a follow-up without a person has labels and one word for it, and keeps a date that is not changed', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('save_follow_up', { text: 'Renew', due_on: '2026-12-24' })
  const { visitor } = ada
  for (const [language, title, button, due] of [
    ['en', 'Edit follow-up', 'Delete follow-up', '24 Dec 2026 Today Tomorrow In a week'],
    ['de', 'Wiedervorlage bearbeiten', 'Wiedervorlage löschen', '24. Dez. 2026 Heute Morgen'],
  ] as const) {
    await visitor.submit(await visitor.get(ACCOUNT_PATH), { language })
    const page = await visitor.get(`${FOLLOW_UPS_PATH}/f_1`)
    for (const text of [title, button, due]) assert.ok(page.text.includes(text), text)
    for (const field of ['follow_up', 'due_on'])
      assert.match(page.html, new RegExp(`<input id="${field}"[^>]* aria-label="\\w`), field)
    assert.match(page.html, /<button\s*>\s*(?:Save|Speichern)/)
    const form = page.forms.find(({ fields }) => 'follow_up' in fields)
    assert.deepEqual([form?.fields['due_on'], form?.fields['due_day']], ['', '2026-12-24'])
    await visitor.submit(page, { follow_up: `Renew ${language}` })
    const { follow_ups } = await ada.ask('list_follow_ups')
    assert.match(JSON.stringify(follow_ups), new RegExp(`Renew ${language}.*2026-12-24`))
  }
})

test('a follow-up is moved to a day in words, from the page where it is', async () => {
  await using world = await createTestWorld()
  const { visitor } = await withGrace(await world.join('ada'))
  const moved = await visitor.submit(await visitor.get(PATH), {}, 'tomorrow')
  assert.equal(moved.location, `${world.service.url + PATH}?change=a_4#f_1`)
  const page = await visitor.follow(moved)
  assert.match(page.html, /Every month · <time\s+datetime="2026-11-22" title="Sun 22 Nov 2026"/)
  const move = page.forms.find(({ buttons }) => buttons.some(({ label }) => label === 'Snooze'))
  assert.ok(move)
  const words = { ...move.fields, due_on: 'next Friday' }
  await visitor.post(move.action, words, SAME_ORIGIN)
  assert.match((await visitor.get(PATH)).html, /title="Fri 27 Nov 2026"/)
  const wrong = { ...move.fields, due_on: '03/04/2027', form_key: 'another-key-of-22-chars' }
  const told = await visitor.post(move.action, wrong, SAME_ORIGIN)
  assert.equal(told.status, 422)
  assert.match(told.text, /can mean 3 Apr 2027 or 4 Mar 2027\. Write it as/)
  assert.match((await visitor.get(PATH)).html, /title="Fri 27 Nov 2026"/, 'nothing changed')
})

test('a time that is written with the due date counts for new and for moved follow-ups', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const { visitor } = ada
  const planned = async () => {
    const { follow_ups } = await ada.ask('list_follow_ups')
    return (follow_ups as { due_on: string; time?: string }[]).map(({ due_on, time }) => [
      due_on,
      time,
    ])
  }
  const plan = { follow_up: 'Call', due_on: 'Freitag 15 Uhr' }
  await visitor.submit(await visitor.get(PATH), plan)
  assert.deepEqual(await planned(), [['2026-11-27', '15:00']])
  const page = await visitor.get(PATH)
  const move = page.forms.find(({ buttons }) => buttons.some(({ label }) => label === 'Snooze'))
  assert.ok(move)
  await visitor.post(move.action, { ...move.fields, due_on: 'tomorrow 9:30' }, SAME_ORIGIN)
  assert.deepEqual(await planned(), [['2026-11-22', '09:30']])
  const remind = { remind_on: '2026-12-01 8am' }
  await visitor.submit(await visitor.get(PATH), remind, 'Log contact')
  assert.deepEqual(await planned(), [
    ['2026-11-22', '09:30'],
    ['2026-12-01', '08:00'],
  ])
})

test('a date in words counts for notes and follow-ups', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const { visitor } = ada
  await visitor.submit(await visitor.get(PATH), { note: 'Met', note_on: '9 Dec 1906' }, 'Add note')
  const plan = { follow_up: 'Call', due_on: 'in two weeks' }
  const planned = await visitor.submit(await visitor.get(PATH), plan)
  assert.equal(planned.location, `${world.service.url + PATH}?change=a_3`)
  const shown = await visitor.get(PATH)
  assert.match(shown.html, /title="Sat 5 Dec 2026"/)
  assert.match(shown.text, /Met By you · 9 Dec 1906/)
})

test('a new follow-up is due on one of the usual days, and a written date counts more', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const { visitor } = ada
  for (const [follow_up, typed, due] of [
    ['Call', {}, '2026-11-22'],
    ['Write', { due_day: 'in 7 days' }, '2026-11-28'],
    ['Meet', { due_day: 'in a month', due_on: '5 Dec' }, '2026-12-05'],
    ['Clean', { recurrence: 'every Friday' }, '2026-11-27'],
  ] as const) {
    await visitor.submit(await visitor.get(PATH), { follow_up, ...typed }, 'Add follow-up')
    assert.match((await visitor.get(PATH)).html, new RegExp(`datetime="${due}"`), follow_up)
  }
  // Each is shown once while it is open, and among the changes.
  const shown = await visitor.get(PATH)
  assert.doesNotMatch(shown.text, /Follow-up: Call/)
  assert.match(
    (await visitor.get(`${PATH}?show=changes`)).text,
    /Follow-up: Call , tomorrow By you/,
  )
  const edited = await visitor.get(`${PATH}?edit=f_1`)
  const form = edited.forms.find(({ fields }) => fields['follow_up'] === 'Call')
  assert.deepEqual([form?.fields['due_on'], form?.fields['due_day']], ['', '2026-11-22'])
  assert.match(
    (await visitor.follow(await visitor.submit(shown, {}, 'f_1'))).text,
    /Completed: Call/,
  )
})

test('a note that changed meanwhile is overwritten only after a warning', async () => {
  await using world = await createTestWorld()
  const ada = await withGrace(await world.join('ada'))
  const { visitor } = ada
  const page = await visitor.get(NOTE)
  await ada.ask('save_note', { note_id: 'n_1', text: 'By an agent' })
  const told = await visitor.submit(page, { note: 'Mine' })
  assert.equal(told.status, 409)
  assert.match(told.text, /changed this note while you were editing\. .* Save again to overwrite/)
  assert.equal(told.forms.find(({ fields }) => 'note' in fields)?.fields['note'], 'Mine')
  await visitor.submit(told, { note: 'Mine' })
  assert.match((await visitor.get(PATH)).text, /Mine By Claude Agent · 1 Nov 2026/)
})

test('errors are shown at their fields and nothing typed is lost', async () => {
  await using world = await createTestWorld()
  const { visitor } = await withGrace(await world.join('ada'))
  const empty = await visitor.submit(await visitor.get(NOTE), { note: ' ', note_on: '2026-02-31' })
  assert.equal(empty.status, 422)
  const errors = empty.forms.find(({ fields }) => 'note' in fields)?.errors ?? {}
  assert.match(errors['note'] ?? '', /required/)
  assert.match(errors['note_on'] ?? '', /Day .*/)
  const typed = { follow_up: 'Write', due_on: '1066-10-14' }
  const early = await visitor.submit(await visitor.get(FOLLOW_UP), typed)
  const form = early.forms.find(({ fields }) => 'follow_up' in fields)
  assert.deepEqual([early.status, form?.fields['follow_up']], [422, 'Write'])
  assert.match(form?.errors['due_on'] ?? '', /must be between 1900/)
})

test('a note is deleted on its page, and the notice undoes it', async () => {
  await using world = await createTestWorld()
  const { visitor } = await withGrace(await world.join('ada'))
  const page = await visitor.get(NOTE)
  const deleted = await visitor.follow(await visitor.submit(page, {}, 'Delete note'))
  assert.equal(new URL(deleted.address).pathname, PATH)
  assert.match(deleted.text, /Deleted a note about Grace Hopper \. Undo/)
  assert.doesNotMatch(deleted.html, /id="n_1"/)
  const repeated = await visitor.submit(page, {}, 'Delete note')
  assert.equal(repeated.status, 303, 'as by a double click')
  const late = await visitor.submit(page, { note: 'Late' })
  assert.equal(late.status, 404)
  assert.match(late.text, /Note not found/)
  await visitor.submit(deleted, {}, 'a_4')
  assert.match((await visitor.get(PATH)).html, /id="n_1"/)
})

test('a follow-up is changed and deleted from both pages that list it', async () => {
  await using world = await createTestWorld()
  const { visitor } = await withGrace(await world.join('ada'))
  const list = await visitor.get(FOLLOW_UPS_PATH)
  const page = await visitor.get(list.links['Call'] ?? '')
  const changed = { follow_up: 'Write', due_on: '2026-12-24', recurrence: 'yearly' }
  const saved = await visitor.submit(page, changed, 'Save')
  assert.equal(saved.location, `${world.service.url + FOLLOW_UPS_PATH}?change=a_4`)
  assert.match((await visitor.follow(saved)).text, /Write Grace Hopper Every year · 24 Dec/)

  const person = await visitor.get(PATH)
  const again = await visitor.get(person.links['Write'] ?? '')
  const deleted = await visitor.follow(await visitor.submit(again, {}, 'Delete follow-up'))
  assert.equal(new URL(deleted.address).pathname, PATH)
  assert.match(deleted.text, /Deleted a follow-up with Grace Hopper \. Undo/)
  await visitor.submit(deleted, {}, 'a_5')
  assert.match((await visitor.get(PATH)).html, /title="Thu 24 Dec 2026"/)
})

test('entries of other members, of other connections and completed ones are not found', async () => {
  await using world = await createTestWorld()
  const ada = await withGrace(await world.join('ada'))
  const eve = await world.join('eve')
  await ada.ask('add_connections', { name: 'Alan Turing' })
  await ada.ask('save_follow_up', { follow_up_id: 'f_1', done: true })
  const form_token = (await eve.visitor.get(FOLLOW_UPS_PATH)).formToken
  for (const path of [NOTE, FOLLOW_UP]) {
    assert.equal((await eve.visitor.get(path)).status, 404)
    for (const act of ['', '/delete'])
      assert.equal((await eve.visitor.post(path + act, { form_token })).status, 404)
  }
  for (const path of [entryPath('c_2', 'notes', 'n_1'), FOLLOW_UP, `${PATH}/notes/x`])
    assert.equal((await ada.visitor.get(path)).status, 404, path)
  assert.match((await ada.visitor.get(PATH)).html, /id="n_1"/)
})

test('after an edit, older notes are shown again', async () => {
  await using world = await createTestWorld()
  const ada = await withGrace(await world.join('ada'))
  for (let count = 1; count <= 20; count += 1)
    await ada.ask('save_note', { people: 'c_1', text: `Note ${count}` })
  const { visitor } = ada
  const older = await visitor.get((await visitor.get(PATH)).links['Older'] ?? '')
  assert.doesNotMatch(older.text, /Note 20/)
  const page = await visitor.get(older.links['Edit note'] ?? '')
  const after = await visitor.follow(await visitor.submit(page, { note: 'Edited' }, 'Save'))
  assert.match(
    after.html,
    /<li id="n_1" class="by-agent">\s*<div>\s*<div class="note-text">\s*<p dir="auto">Edited/,
  )
})

test('a note that says so logs the contact, says the last contact, and one undo takes both back', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  for (const name of ['Ben Ode', 'Rosa Luz', 'Tilda Kim'])
    await ada.ask('add_connections', { name })
  await ada.ask('log_interaction', { people: ['c_3'], kind: 'call', on: '2026-11-19' })
  const lastContact = async (id: string) => {
    const found = JSON.stringify(await ada.ask('get_connections', { people: [id] }))
    return /"last_contact[a-z_]*":"(\d[^"]*)"/.exec(found)?.[1]
  }
  const write = async (note: string, note_on = '') =>
    visitor.follow(await visitor.submit(await visitor.get(PATH), { note, note_on }, 'Add note'))
  const noted = await write('Called @Rosa yesterday, she moves.\r\nMet @Tilda on 3 Nov 2026.')
  assert.match(
    noted.text,
    /Added a note about Ben Ode \. Last contact with Rosa Luz : yesterday \. Contact with Tilda Kim on 3 Nov 2026 logged\. Undo/,
  )
  assert.deepEqual(
    [await lastContact('c_1'), await lastContact('c_2'), await lastContact('c_3')],
    [undefined, '2026-11-20', '2026-11-19'],
  )
  // Her page has the contact with what was said, and the entry.
  const rosa = await visitor.get(connectionPath('c_2'))
  assert.match(rosa.text, /Call Called Rosa yesterday, she moves\. yesterday/)
  assert.match(rosa.text, /logged a contact with Rosa Luz and Tilda Kim/)
  assert.match((await visitor.get('/user/activity')).text, /; logged a contact with Rosa Luz/)
  const undone = await visitor.follow(await visitor.submit(noted, {}, 'a_5'))
  assert.match(undone.text, /Undid: Added a note about Ben Ode/)
  assert.equal(await lastContact('c_2'), undefined)
  assert.doesNotMatch((await visitor.get(connectionPath('c_2'))).text, /she moves/)
  assert.doesNotMatch(undone.html, /id="n_1"/)
  const redone = await visitor.follow(await visitor.submit(undone, {}, 'a_6'))
  assert.match(redone.html, /id="n_1"/)
  assert.equal(await lastContact('c_2'), '2026-11-20')

  // What does not say so, repeats a contact, or is written by an agent, logs nothing.
  for (const note of [
    'Called @Rosa yesterday',
    'did not meet @Rosa',
    'will meet @Rosa',
    'met @Rosa?',
  ])
    assert.match((await write(note)).text, /Added a note about Ben Ode \. Undo/, note)
  await ada.ask('save_note', { people: 'c_1', text: 'met @Rosa today' })
  assert.equal(await lastContact('c_2'), '2026-11-20')
  await ada.ask('update_connections', { people: 'c_2', birthday: '2026-11-02' })
  assert.match((await write('met @Rosa', '2026-11-01')).text, /Added a note about Ben Ode \. Undo/)
})

test('the notice asks about a contact that a note only seems to tell of', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  for (const name of ['Ben Ode', 'Rosa Luz']) await ada.ask('add_connections', { name })
  const page = await visitor.get(PATH)
  const clear = await visitor.follow(
    await visitor.submit(page, { note: 'Met @Ben for lunch in Lisbon', note_on: '' }, 'Add note'),
  )
  assert.match(
    clear.text,
    /Added a note about Ben Ode \. Last contact with Ben Ode : today \. Undo/,
  )
  const noted = await visitor.follow(
    await visitor.submit(page, { note: 'Met @Rosa at university', note_on: '' }, 'Add note'),
  )
  assert.match(noted.text, /Added a note about Ben Ode \. Log contact with Rosa Luz \? Undo/)
  const link = Object.entries(noted.links).find(([label]) =>
    label.includes('Log contact with Rosa'),
  )
  assert.equal(link?.[1], world.service.url + logContactPath('c_2'))
})

test('the notice of such a note is in the language of the member', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Rosa Luz' })
  await visitor.submit(await visitor.get(ACCOUNT_PATH), { language: 'de' })
  const page = await visitor.get(PATH)
  const noted = await visitor.follow(
    await visitor.submit(page, { note: 'Habe @Rosa gestern getroffen' }, 'Notiz hinzufügen'),
  )
  assert.match(noted.text, /Letzter Kontakt mit Rosa Luz : gestern \. Rückgängig/)
})
