import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { HOUR } from '../../base/clock.ts'
import { ERASED, recordChange } from '../../tools/activity.ts'
import { memberStatement } from '../../db/statement.ts'
import { contact, mergeContacts } from '../../../test/fixtures/network.ts'
import {
  createTestWorld,
  remainingCredits,
  type Person,
  personOf,
} from '../../../test/fixtures/member.ts'
import { ACTIVITY_PATH, UNDO_PATH, UNDO_SINCE_PATH } from '../../html/site-map.ts'
import type { ActivityAction } from '../../tools/activity-action.ts'

const HOSTILE = '<script>alert(1)</script> ‮ & co'

const show = ({ visitor }: Person, search = '') => visitor.get(ACTIVITY_PATH + search)

test('an empty activity page explains what will appear', async () => {
  await using world = await createTestWorld()
  const { status, text } = await show(await world.join('ada'))
  assert.equal(status, 200)
  assert.match(text, /No changes yet\./)
})

test('changes are listed newest first with action, subject, actor, time and values', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper', company: 'Navy' })
  await ada.ask('add_connections', { name: 'Alan Turing' })
  await ada.ask('update_connections', { people: 'c_1', company: 'Eckert–Mauchly' })
  await ada.ask('save_note', { people: 'c_1', text: 'Met at Harvard' })
  await ada.ask('save_follow_up', { people: 'c_2', text: 'Write', due_on: '2026-12-01' })
  await ada.ask('save_follow_up', { follow_up_id: 'f_1', done: true })
  await ada.ask('update_connections', {
    people: ['c_1', 'c_2'],
    tags: { add: ['pioneer'] },
  })
  await ada.ask('delete_connections', { people: ['c_2'] })
  await ada.ask('update_profile', { headline: 'Analyst' })
  world.service.clock.advance(2 * HOUR)
  const { text } = await show(ada)
  const told = [
    'Today 9 changes 12:00 Agent Claude changed your profile Headline Analyst Undo Changed your profile',
    'Claude deleted Alan Turing',
    'Claude changed the tags of Grace Hopper and Alan Turing',
    'Grace Hopper · Tags pioneer Alan Turing · Tags pioneer',
    'Claude completed a follow-up with Alan Turing : “Write”',
    '12:00 Agent Claude added a follow-up with Alan Turing : “Write”',
    'Text Write Due on 1 Dec 2026',
    'Claude added a note about Grace Hopper : “Met at Harvard”',
    'Claude changed Grace Hopper : company Company Navy becomes Eckert–Mauchly',
    'Claude added Grace Hopper and 1 other',
    'Added Alan Turing 12:00',
    'Added Grace Hopper 12:00',
    'Undo all 2 changes',
  ]
  let from = 0
  for (const one of told) {
    const at = text.indexOf(one, from)
    assert.ok(at >= from, `${one}: ${text}`)
    from = at + 1
  }
})

test('a line about several people says how many changes there are if there are more', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { connections: [{ name: 'Grace' }, { name: 'Alan' }] })
  const plan = (people: string, text = 'Write') =>
    ada.ask('save_follow_up', { people, text, due_on: '2026-12-01' })
  for (const people of ['c_1', 'c_2']) await plan(people)
  assert.match((await show(ada)).text, /added 2 follow-ups with Alan and Grace : “Write”/)
  await plan('c_1', 'Call')
  assert.match((await show(ada)).text, /added 3 follow-ups with Grace and Alan (?!:)/)
})

test('a follow-up of no one is added and completed without a name', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('save_follow_up', { text: 'Renew the passport', due_on: '2026-12-01' })
  await ada.ask('save_follow_up', { follow_up_id: 'f_1', done: true })
  const { text } = await show(ada)
  assert.match(text, /Claude completed a follow-up: “Renew the passport”/)
  assert.match(text, /Claude added a follow-up: “Renew the passport”/)
  assert.doesNotMatch(text, /deleted connection/)
})

test('a change is undone on the page for free, and the undo is undone from the notice', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper', company: 'Navy' })
  await ada.ask('update_connections', { people: 'c_1', company: 'Harvard' })
  const before = await remainingCredits(ada)
  const undone = await ada.visitor.submit(await show(ada), {}, 'a_2')
  assert.equal(undone.status, 303)
  assert.equal(undone.location, `${world.service.url + ACTIVITY_PATH}?change=a_3`)
  const after = await ada.visitor.follow(undone)
  assert.match(after.text, /Undid: Changed Grace Hopper \. Undo/)
  assert.match(after.text, /You undid: changed Grace Hopper/)
  assert.match(after.text, /Claude changed Grace Hopper : company undone/)
  assert.deepEqual(await remainingCredits(ada), before)
  assert.equal(await companyOf(ada), 'Navy')
  const notice = after.forms.find(({ buttons }) => buttons.some(({ value }) => value === 'a_3'))
  assert.ok(notice)
  const fields = { ...notice.fields, activity_id: 'a_3' }
  const redone = await ada.visitor.post(notice.action, fields, SAME_ORIGIN)
  const last = await ada.visitor.follow(redone)
  assert.match(last.text, /Redid: Changed Grace Hopper \. Undo/)
  assert.equal(await companyOf(ada), 'Harvard')
})

async function companyOf(person: Person): Promise<unknown> {
  return (await personOf(person))['company']
}

test('an undo that conflicts with a later change is rejected with the reason', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper', company: 'Navy' })
  await ada.ask('update_connections', { people: 'c_1', company: 'Harvard' })
  const stale = await show(ada)
  await ada.ask('update_connections', { people: 'c_1', company: 'Remington' })
  const refused = await ada.visitor.submit(stale, {}, 'a_2')
  assert.equal(refused.status, 409)
  // With the company, the former positions have changed.
  assert.match(
    refused.text,
    /Could not undo This has changed since: c_1 \(company, organizations\)/,
  )
  assert.doesNotMatch(refused.text, /list_activity/)
  assert.equal(refused.links['Back'], world.service.url + ACTIVITY_PATH)
  assert.equal(await companyOf(ada), 'Remington')
  await ada.visitor.submit(await show(ada), {}, 'a_3')
  const twice = await ada.visitor.post(UNDO_PATH, await undoOf(ada, 'a_3'), SAME_ORIGIN)
  assert.match(twice.text, /a_3 is already undone/)
})

/** The import's job: undo data is kept as long as its job. */
const ADD_JOB = memberStatement<{ job_id: number; now: number; expires_at: number }>()(`
  insert into jobs (job_id, member_id, kind, state, input, created_at, finished_at, expires_at)
  values (:job_id, :member_id, 'file_import', 'succeeded', '{}', :now, :now, :expires_at)`)

test('an import is undone as a whole, and connections with later changes are listed', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const db = world.service.database.member(ada.memberId)
  const now = world.service.clock.now()
  await db.write(async (tx) => {
    await tx.run(ADD_JOB, { job_id: 7, now, expires_at: now + HOUR })
    const contacts = ['Grace Hopper', 'Alan Turing'].map((name) => contact({ name }))
    await mergeContacts(tx, contacts, { source: 'linkedin', jobId: 7, now })
    const by = { credentialId: null, actor: 'import', now }
    await recordChange(tx, by, {
      action: 'connections.import',
      subjectKind: 'job',
      subjectId: '7',
      before: null,
      after: { format: 'linkedin', filename: 'people.csv', created: 2, custom_fields: ['cf_1'] },
    })
  })
  await ada.ask('save_note', { people: 'c_1', text: 'Met' })
  const page = await show(ada)
  assert.match(page.text, /people\.csv brought 2 people Format/)
  assert.match(page.text, /Created 2/)
  assert.doesNotMatch(page.text, /cf_1/)
  const done = await ada.visitor.follow(await ada.visitor.submit(page, {}, 'a_1'))
  assert.equal(done.status, 200)
  assert.match(
    done.text,
    /Partly undone .*1.person skipped because of later changes\. c_1 has a new note, contact or follow-up/,
  )
  assert.match(
    (await ada.visitor.get(done.links['Back'] ?? '')).text,
    /Undid: Imported people\.csv \. Undo/,
  )
})

test('changes of other members are not visible and cannot be undone', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const page = await show(eve, '?change=a_1')
  assert.doesNotMatch(page.text, /Grace Hopper/)
  const { visitor } = eve
  const fields = { form_token: page.formToken, activity_id: 'a_1' }
  assert.equal((await visitor.post(UNDO_PATH, fields, SAME_ORIGIN)).status, 404)
  assert.match((await show(ada)).text, /Claude added Grace Hopper/)
  const { forms } = await show(ada)
  assert.ok(forms.some(({ buttons }) => buttons.some(({ value }) => value === 'a_1')))
})

test('member input is escaped, and forged notice URLs show nothing', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: HOSTILE, title: HOSTILE })
  const { html, text } = await show(ada, '?change=a_99')
  assert.ok(!html.includes('<script>alert'))
  assert.ok(text.includes(`Claude added ${HOSTILE}`))
  assert.doesNotMatch(html, /role="status"/)
  for (const change of ['a_0', 'x', '%00', '<b>'])
    assert.equal((await show(ada, `?change=${change}`)).status, 200, change)
  assert.equal((await show(ada, '?cursor=x')).status, 400)
})

test('changes to a permanently deleted connection show no name and cannot be undone', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const db = world.service.database.member(ada.memberId)
  const by = { credentialId: null, actor: 'Claude', now: world.service.clock.now() }
  const subjects = { note: 'n_1', connection: 'c_9' }
  await db.write(async (tx) => {
    for (const [subjectKind, subjectId] of Object.entries(subjects))
      await recordChange(tx, by, {
        action: subjectKind === 'note' ? 'note.add' : 'connection.add',
        subjectKind,
        subjectId,
        before: null,
        after: { [ERASED]: true },
      })
  })
  const { text, forms } = await show(ada)
  assert.match(text, /Claude added a deleted person .* Claude added a note about a deleted person/)
  assert.ok(!forms.some(({ action }) => action.endsWith(UNDO_PATH)))
})

test('older changes are paginated without gaps or duplicates', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const db = world.service.database.member(ada.memberId)
  // As a newer version of Weft would record it.
  const unknown = 'embed.all' as string as ActivityAction
  await db.write(async (tx) => {
    for (let count = 2; count <= 210; count += 1)
      await recordChange(
        tx,
        { credentialId: null, actor: `agent ${count}`, now: world.service.clock.now() },
        { action: unknown, subjectKind: 'x', subjectId: '1', before: null, after: null },
      )
  })
  const seen: string[] = []
  let page = await show(ada)
  assert.match(page.text, /agent 210 embed all/)
  assert.ok(!('Newest' in page.links))
  for (;;) {
    const lines = page.text.matchAll(/agent (\d+) embed all|Claude added Grace/g)
    seen.push(...[...lines].map(([, n]) => n ?? '1'))
    const older = page.links['Older']
    if (older === undefined) break
    page = await ada.visitor.get(older)
    assert.equal(page.links['Newest'], world.service.url + ACTIVITY_PATH)
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 210 }, (_, index) => String(210 - index)),
  )
})

test('the list can be limited to one connection, paginated, and undone from there', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await ada.ask('add_connections', { name: 'Alan Turing' })
  const notes = Array.from({ length: 101 }, (_, at) => `Note ${at + 1}.`)
  for (const text of notes) await ada.ask('save_note', { people: 'c_1', text })
  const page = await show(ada, '?connection=c_1')
  assert.match(page.text, /Showing changes to Grace Hopper \. Show all activity/)
  assert.doesNotMatch(page.text, /Turing/)
  assert.match(page.text, /Note 101\./)
  const older = await ada.visitor.get(page.links['Older'] ?? '')
  assert.match(older.text, /Showing changes to Grace Hopper .* Note 1\. .* added Grace Hopper/)
  assert.doesNotMatch(older.text, /Turing|Note 2\./)
  assert.equal(older.links['Newest'], `${world.service.url + ACTIVITY_PATH}?connection=c_1`)
  const undone = await ada.visitor.follow(await ada.visitor.submit(older, {}, 'a_3'))
  assert.match(undone.text, /Undid: Added a note about Grace Hopper/)
  await ada.ask('delete_connections', { people: ['c_1'] })
  const deleted = await show(ada, '?connection=c_1')
  assert.ok(!('Grace Hopper' in deleted.links))
  assert.match(deleted.text, /Claude deleted Grace Hopper/)
  for (const id of ['c_1', 'c_99', 'x', '', '%00', '%3Cb%3E']) {
    const { status, text } = await show(eve, `?connection=${id}`)
    assert.equal(status, 200)
    assert.match(text, /Showing changes to a deleted person\. .* No changes to this person yet/)
  }
})

test('changes are filtered by author, kind and day, and their people are linked', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await ada.ask('save_note', { people: 'c_1', text: 'Met' })
  await ada.ask('undo', {})
  await ada.ask('save_follow_up', { people: 'c_1', text: 'Write', due_on: '2026-12-01' })
  const { visitor } = ada
  const typed = {
    note: 'By me',
    form_token: (await visitor.get('/user/connections/c_1')).formToken,
  }
  await visitor.post('/user/connections/c_1/note', typed, SAME_ORIGIN)
  const shown = async (search: string) => {
    const { text } = await show(ada, search)
    const titles = /(?:Claude|You) ((?:undid: )?added (?:a \S+ \S+ )?Grace) Hopper/g
    return [...text.matchAll(titles)].map(([, title]) => title)
  }
  const added = 'added Grace'
  const note = 'added a note about Grace'
  const all = [note, 'added a follow-up with Grace', `undid: ${note}`, note, added]
  assert.deepEqual(await shown(''), all)
  assert.deepEqual(await shown('?by=you'), all.slice(0, 1))
  assert.deepEqual(await shown('?by=agent:Claude'), all.slice(1))
  assert.deepEqual(await shown('?by=agents'), all.slice(1))
  assert.deepEqual(await shown('?by=agent:Other'), [])
  assert.deepEqual(await shown('?kind=notes&by=agent:Claude'), all.slice(2, 4))
  assert.deepEqual(await shown('?kind=follow_ups'), all.slice(1, 2))
  assert.deepEqual(await shown('?connection=c_1&kind=connections'), [added])
  assert.deepEqual(await shown('?from=today&until=today'), all)
  assert.deepEqual(await shown('?from=tomorrow'), [])
  assert.deepEqual(await shown('?until=yesterday'), [])
  assert.match((await show(ada, '?from=03/04/26')).text, /From .*Write it as 5 Mar 2027/)
  assert.equal((await show(ada)).links['Agents'], `${world.service.url + ACTIVITY_PATH}?by=agents`)
  const page = await show(ada, '?kind=follow_ups')
  assert.equal(page.links['Grace Hopper'], `${world.service.url}/user/connections/c_1`)
  const undone = await visitor.submit(page, {}, 'a_4')
  assert.equal(undone.location, `${world.service.url + ACTIVITY_PATH}?kind=follow_ups&change=a_6`)
})

async function undoOf(person: Person, activity_id: string) {
  return { form_token: (await show(person)).formToken, activity_id }
}

test('all changes of an agent since a given one are undone at once, and no others', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  for (const name of ['Grace Hopper', 'Alan Turing', 'Jean Jennings']) {
    await ada.ask('add_connections', { name })
    world.service.clock.advance(HOUR)
  }
  const page = await show(ada)
  assert.match(
    page.text,
    /Undo this and later changes by Claude\? Undoes 2 changes by this agent\. If one cannot be undone, none is\./,
  )
  const form = { form_token: page.formToken, activity_id: 'a_2' }
  const undone = await ada.visitor.follow(await ada.visitor.post(UNDO_SINCE_PATH, form))
  assert.match(undone.text, /Undid: Added Alan Turing .* Undid: Added Jean Jennings/)
  assert.doesNotMatch(undone.text, /Undid: Added Grace Hopper/)
  assert.doesNotMatch(undone.text, /Undo since here/)
  const again = await ada.visitor.post(UNDO_SINCE_PATH, form)
  assert.equal(again.status, 404)
  assert.match(again.text, /Could not undo/)
  const byMember = { ...form, activity_id: 'a_4' }
  assert.equal((await ada.visitor.post(UNDO_SINCE_PATH, byMember)).status, 404)
})

test('changes of one author, kind and hour are one line, which is undone at once or one by one', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const names = ['Grace Hopper', 'Alan Turing', 'Jean Jennings', 'Kay McNulty']
  await ada.ask('add_connections', { connections: names.map((name) => ({ name })) })
  world.service.clock.advance(HOUR)
  for (const at of [1, 2, 3, 4])
    await ada.ask('update_connections', { people: `c_${at}`, company: 'ENIAC' })
  for (const text of ['One', 'Two']) await ada.ask('save_note', { people: 'c_1', text })
  const relations = [{ name: 'Tom Turing', relation: 'brother' }]
  await ada.ask('update_connections', { people: 'c_2', details: { relations } })
  world.service.clock.advance(HOUR)
  await ada.ask('update_connections', { people: 'c_1', company: 'Remington' })
  const page = await show(ada)
  assert.match(page.text, /14:00 Agent Claude changed Grace Hopper : company/)
  assert.match(page.text, /13:00 Agent Claude added 2 notes about Grace Hopper/)
  assert.match(page.text, /Claude changed Kay McNulty and 3 others: company/)
  assert.match(page.text, /Claude added a relation of Alan Turing : Tom Turing \( brother \) (?!:)/)
  assert.match(page.text, /Undo all 4 changes/)

  // Newest first, and none if one was changed later.
  const group = 'a_5 a_4 a_3 a_2'
  const refused = await ada.visitor.submit(page, {}, group)
  assert.equal(refused.status, 409)
  assert.equal((await personOf(ada, 'c_4'))['company'], 'ENIAC')
  await ada.visitor.submit(await show(ada), {}, 'a_9')
  world.service.clock.advance(HOUR)
  const undone = await ada.visitor.submit(await show(ada), {}, group)
  assert.equal(undone.status, 303)
  assert.equal(await companyOf(ada), undefined)
  const after = await ada.visitor.follow(undone)
  assert.match(after.text, /You undid: changed Grace Hopper and 3 others/)
  assert.match(after.text, /Claude changed Kay McNulty and 3 others: company undone/)
  assert.match(after.text, /Undid 4 changes\./)
  const [redo = ''] = /a_14 a_13 a_12 a_11/.exec(after.html) ?? []
  assert.equal((await ada.visitor.submit(after, {}, redo)).status, 303)
  assert.equal(await companyOf(ada), 'ENIAC')
})

test('an agent with the name of the member is not the member', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const db = world.service.database.member(ada.memberId)
  const change = { action: 'profile.update', subjectKind: 'profile', subjectId: '1' } as const
  await db.write(async (tx) => {
    const states = { before: { headline: 'A' }, after: { headline: 'B' } }
    const now = world.service.clock.now()
    await recordChange(
      tx,
      { credentialId: 'x', actor: 'Member ada', now },
      { ...change, ...states },
    )
  })
  const { text } = await show(ada)
  assert.match(text, /Agent Member ada changed your profile/)
  assert.doesNotMatch(text, /You changed/)
})
