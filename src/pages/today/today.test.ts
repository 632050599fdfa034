import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR } from '../../base/clock.ts'
import { addCalendar } from '../../connections/calendars/calendar-store.ts'
import { storeMeetings } from '../../connections/meetings/meeting-store.ts'
import { createTestWorld, type Person } from '../../../test/fixtures/member.ts'
import { SAME_ORIGIN, type Page } from '../../../test/support/visitor.ts'
import {
  ACTIVITY_PATH,
  BRIEFING_PATH,
  connectionPath,
  FIRST_DAY_PATH,
  LOG_CONTACT_PATH,
  USER_PATH,
} from '../../html/site-map.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

/** Ends the first day, whose suggestions name people too. */
async function openEarlierMember(
  world: Awaited<ReturnType<typeof createTestWorld>>,
): Promise<Person> {
  const ada = await world.join('ada')
  const { formToken } = await ada.visitor.get(USER_PATH)
  await ada.visitor.post(FIRST_DAY_PATH, { form_token: formToken, end: 'yes' }, SAME_ORIGIN)
  return ada
}

async function logIn(page: Page, fields: Record<string, string>, { visitor }: Person) {
  const form = page.forms.find(({ action }) => action.endsWith(LOG_CONTACT_PATH))
  assert.ok(form, page.text)
  const sent = Object.fromEntries(
    Object.entries({ ...form.fields, ...fields }).filter(([, value]) => value !== ''),
  )
  return visitor.post(form.action, sent, SAME_ORIGIN)
}

// Today is 2026-11-21, a Saturday.
test('the page shows what is due today in relative days, and completes and moves it there', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  const { visitor } = ada
  await ada.ask('add_connections', { name: HOSTILE, birthday: '1906-11-21' })
  await ada.ask('add_connections', { name: 'Alan Turing', birthday: '1912-11-24' })
  for (const [text, due_on] of [
    ['Return', '2026-08-01'],
    ['Write', '2026-11-20'],
    ['Call', '2026-11-21'],
    ['Plan', '2026-11-22'],
  ])
    await ada.ask('save_follow_up', { people: 'c_2', text, due_on })
  const page = await visitor.get(USER_PATH)
  assert.ok(!page.html.includes('<img'))
  assert.match(page.text, /Saturday 21 November .*3 follow-ups/)
  assert.match(
    page.text,
    /Return Alan Turing 3 months late .*Write Alan Turing 1 day late .*Call Alan Turing today/,
  )
  assert.match(page.html, /datetime="2026-11-20" title="Fri 20 Nov 2026"\s*>1 day late/)
  assert.match(page.text, /Coming up .*Plan Alan Turing tomorrow/)
  assert.match(page.text, /Birthdays .*<img .*turns 120 today .*Alan Turing 24 Nov · 114/)
  const day = (await visitor.get(`${USER_PATH}?day=2026-11-24`)).text
  assert.match(day, /Birthday of Alan Turing .*Birthdays Alan Turing turns 114/)
  assert.doesNotMatch(day, /24 Nov ·/)
  const done = await visitor.submit(page, {}, 'f_2')
  assert.equal(done.location, `${world.service.url + USER_PATH}?change=a_7`)
  const after = await visitor.follow(done)
  assert.match(after.text, /Completed a follow-up with Alan Turing \. Undo/)
  const undone = await visitor.submit(after, {}, 'a_7')
  assert.equal(undone.location, `${world.service.url + USER_PATH}?change=a_8`)
  const call = page.forms.find(({ action }) => action.endsWith('/f_3/move'))
  assert.ok(call)
  const moved = await visitor.post(call.action, { ...call.fields, day: 'tomorrow' }, SAME_ORIGIN)
  assert.equal(moved.location, `${world.service.url + USER_PATH}?change=a_9`)
  assert.match(
    (await visitor.get(USER_PATH)).text,
    /Follow-ups 2 .*Coming up .*Call Alan Turing tomorrow/,
  )
})

test('seven days with their counts lead to the pages of those days, and forms return to them', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  await ada.ask('add_connections', { name: 'Grace Hopper', birthday: '1906-11-22' })
  for (const [text, due_on] of [
    ['Ago', '2026-11-20'],
    ['Soon', '2026-11-22'],
  ])
    await ada.ask('save_follow_up', { people: 'c_1', text, due_on })
  const today = await ada.visitor.get(USER_PATH)
  assert.match(today.text, /Fri 20 • : 1 entry Sat 21 .*: 1 entry Sun 22 .*: 2 entries Mon 23/)
  assert.equal(today.html.match(/aria-current="date"/g)?.length, 1)
  const path = `${USER_PATH}?day=2026-11-22`
  assert.ok(Object.values(today.links).includes(world.service.url + path))
  const page = await ada.visitor.get(path)
  assert.match(page.text, /Sunday 22 November .*Soon Grace Hopper tomorrow/)
  assert.doesNotMatch(page.text, /Ago Grace/, 'what is overdue belongs to today')
  assert.match(page.text, /Done d Log/)
  // Who is due on the day, not who was due before it.
  await ada.ask('add_connections', { connections: [{ name: 'Was Due' }, { name: 'Will Be' }] })
  for (const [id, on] of [
    ['c_2', '2026-10-01'],
    ['c_3', '2026-10-22'],
  ] as const) {
    await ada.ask('log_interaction', { people: [id], kind: 'call', on })
    await ada.ask('keep_in_touch', { people: [id], every: 'month' })
  }
  assert.match((await ada.visitor.get(USER_PATH)).text, /Get in touch 1 .*Was Due/)
  const ahead = await ada.visitor.get(path)
  assert.match(ahead.text, /Get in touch 1 Will Be Every month · due on 22 Nov/)
  assert.doesNotMatch(ahead.text, /Was Due|Due this week/)
  const same = await ada.visitor.get(`${BRIEFING_PATH}?day=2026-11-22`)
  assert.equal(same.location, world.service.url + path)
  const done = await ada.visitor.submit(page, {}, 'f_2')
  assert.equal(done.location, `${world.service.url + path}&change=a_9`)
  const undone = await ada.visitor.submit(await ada.visitor.follow(done), {}, 'a_9')
  assert.equal(undone.location, `${world.service.url + path}&change=a_10`)
  const week = await ada.visitor.get(today.links['Week after'] ?? '')
  assert.match(week.text, /Thursday 26 November .*Nothing is due on this day/)
  assert.equal(week.links['Week before'], world.service.url + `${USER_PATH}?day=2026-11-19`)
  const last = await ada.visitor.get(`${USER_PATH}?day=2026-11-20`)
  assert.match(last.text, /Friday 20 November .*Ago Grace Hopper/)
  assert.match((await ada.visitor.get(`${USER_PATH}?day=nonsense`)).text, /Saturday 21 November/)
})

test('each day has as many entries as its page shows, and the sidebar as many as are due', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  const { visitor } = ada
  const names = ['Late', 'Soon', 'Later', 'Snoozed', 'Muted', 'Planned', 'Met']
  await ada.ask('add_connections', { connections: names.map((name) => ({ name })) })
  await ada.ask('add_connections', { name: 'Child', birthday: '1990-11-30' })
  for (const [at, on] of [
    [1, '2026-09-01'],
    [2, '2026-10-23'],
    [3, '2026-11-20'],
    [4, '2026-10-01'],
    [5, '2026-10-01'],
    [6, '2026-10-01'],
  ] as const) {
    const people = [`c_${at}`]
    await ada.ask('log_interaction', { people, kind: 'call', on })
    await ada.ask('keep_in_touch', { people, every: 1, unit: 'month' })
  }
  await ada.ask('keep_in_touch', { people: ['c_4'], paused_until: '2026-11-27' })
  await ada.ask('keep_in_touch', { people: ['c_5'], mute: true })
  await ada.ask('log_interaction', { people: ['c_6'], kind: 'meeting', on: '2026-11-28' })
  for (const [on, time] of [
    ['2026-11-18'],
    ['2026-11-21', '09:00'],
    ['2026-11-21', '20:00'],
    ['2026-11-24'],
  ])
    await ada.ask('log_interaction', {
      people: ['c_7'],
      kind: 'meeting',
      on,
      ...(time && { time }),
    })
  for (const due_on of ['2026-11-10', '2026-11-20', '2026-11-21', '2026-11-25', '2026-12-02'])
    await ada.ask('save_follow_up', { people: 'c_7', text: due_on, due_on })
  const shown: [string, number][] = []
  for (const week of [
    '2026-11-10',
    '2026-11-17',
    '2026-11-21',
    '2026-11-27',
    '2026-12-04',
    '2026-12-11',
    '2026-12-18',
  ])
    for (const day of daysOf(await visitor.get(`${USER_PATH}?day=${week}`))) {
      const page = await visitor.get(`${USER_PATH}?day=${day.on}`)
      const own = page.html.replaceAll(
        /<aside[^]*?<\/aside>|<section aria-labelledby="coming"[^]*?<\/section>/g,
        '',
      )
      const rows = own.match(/data-keys|<li>\s*<time title|<small\s*><time/g) ?? []
      assert.equal(rows.length, day.count, `${day.on}: ${page.text}`)
      assert.equal(day.count === 0, /Nothing is due (today|on this day)/.test(page.text), day.on)
      if (day.count > 0) shown.push([day.on, day.count])
    }
  assert.deepEqual(Object.fromEntries(shown), {
    '2026-11-10': 1,
    '2026-11-18': 1,
    '2026-11-20': 2,
    '2026-11-21': 5,
    '2026-11-23': 1,
    '2026-11-24': 1,
    '2026-11-25': 1,
    '2026-11-27': 1,
    '2026-11-28': 1,
    '2026-11-30': 1,
    '2026-12-02': 1,
    '2026-12-20': 1,
  })
  const today = await visitor.get(USER_PATH)
  assert.match(today.text, /3 follow-ups, 1 person to contact/)
  for (const page of [today, await visitor.get(ACTIVITY_PATH)])
    assert.equal(page.html.match(/<small class="due">4<\/small>/g)?.length, 2)
})

/** The days of the switch with their counts. */
function daysOf({ html }: Page): { on: string; count: number }[] {
  const days = /<nav class="days"[^]*?<\/nav>/.exec(html)?.[0] ?? ''
  return [...days.matchAll(/title="\w+ (\d+ \w+ \d+)"[^]*?<\/a>/g)].map(([link, date = '']) => ({
    on: new Date(`${date} UTC`).toISOString().slice(0, 10),
    count: Number(/: (\d+) entr/.exec(link)?.[1] ?? 0),
  }))
}

test('the sidebar says 99+ of more', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  for (const letter of ['A', 'B']) {
    const names = Array.from({ length: 51 }, (_, at) => `Person ${letter}${at}`)
    const connections = names.map((name) => ({ name, tags: ['all'] }))
    await ada.ask('add_connections', { connections })
  }
  await ada.ask('keep_in_touch', { tag: 'all', every: 1, unit: 'week' })
  world.service.clock.advance(10 * DAY)
  const page = await ada.visitor.get(USER_PATH)
  assert.match(page.text, /102 people to contact/)
  assert.equal(page.html.match(/<small class="due">99\+<\/small>/g)?.length, 2)
})

test('a day that is over shows the meetings that its dots count', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const met = { people: ['c_1'], kind: 'meeting', on: '2026-11-20' }
  await ada.ask('log_interaction', met)
  assert.match((await ada.visitor.get(USER_PATH)).text, /Fri 20 • : 1 entry Sat 21/)
  const day = await ada.visitor.get(`${USER_PATH}?day=2026-11-20`)
  assert.match(day.text, /1 meeting .*Meeting Grace Hopper/)
})

test('the page names who to contact again, and snoozes them', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  const { visitor } = ada
  await ada.ask('add_connections', { name: HOSTILE, title: 'Pirate' })
  assert.doesNotMatch((await visitor.get(USER_PATH)).text, /Get in touch/)
  await ada.ask('log_interaction', { people: ['c_1'], kind: 'call', on: '2026-03-04' })
  await ada.ask('keep_in_touch', { people: ['c_1'], every: 6, unit: 'week' })
  const page = await visitor.get(USER_PATH)
  assert.ok(!page.html.includes('<img'))
  assert.match(page.text, /Get in touch 1 .*Pirate Every 6 weeks · 9 months ago/)
  assert.match(page.text, /Keeping up .* late 1 late/)
  const snoozed = await visitor.submit(page, {}, '1 month')
  assert.equal(snoozed.location, `${world.service.url + USER_PATH}?change=a_4`)
  const after = await visitor.follow(snoozed)
  assert.match(after.text, /Snoozed .* Undo/)
  assert.doesNotMatch(after.text, /Get in touch/)
  assert.match((await visitor.get(connectionPath('c_1'))).text, /paused until 21 Dec 2026/)
  await visitor.submit(after, {}, 'a_4')
  assert.match((await visitor.get(USER_PATH)).text, /Get in touch/)
})

test('the page counts all people to contact, also those it does not list', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  const people = Array.from({ length: 7 }, (_, at) => `c_${at + 1}`)
  for (const name of people) await ada.ask('add_connections', { name: `Person ${name}` })
  await ada.ask('log_interaction', { people, kind: 'call', on: '2026-03-04' })
  await ada.ask('keep_in_touch', { people, every: 1, unit: 'month' })
  const page = await ada.visitor.get(`${USER_PATH}?log=c_1`)
  assert.match(page.text, /7 people to contact .*Get in touch 7 /)
  const after = await ada.visitor.follow(await logIn(page, { contact_kind: 'call' }, ada))
  assert.match(after.text, /6 people to contact .*Get in touch 6 /)
})

test('contacts are logged one after the other, with the follow-ups that they complete', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  const { visitor } = ada
  for (const name of ['Wiktor Duarte', 'Dr. Rosa', HOSTILE])
    await ada.ask('add_connections', { name })
  for (const id of ['c_2', 'c_3']) {
    await ada.ask('log_interaction', { people: [id], kind: 'call', on: '2026-03-04' })
    await ada.ask('keep_in_touch', { people: [id], every: Number(id[2]), unit: 'month' })
  }
  await ada.ask('save_follow_up', { people: 'c_1', text: 'Send it', due_on: '2026-11-20' })
  const page = await visitor.get(`${USER_PATH}?log=f_1`)
  assert.match(page.text, /Done: Send it .*Log, then Dr\. Rosa/)
  assert.doesNotMatch(page.text, /Next contact by/)
  const logged = await logIn(
    page,
    { contact_kind: 'meeting', contact_text: 'Lisbon', done: 'on' },
    ada,
  )
  assert.match(logged.location ?? '', /\/user\?log=c_2&logged=c_1&change=a_9$/)
  const second = await visitor.follow(logged)
  assert.match(second.text, /Logged a meeting with Wiktor Duarte ; completed the follow-up\. Undo/)
  assert.doesNotMatch(second.text, /Send it/)
  assert.match(second.text, /Next contact by Thu 21 Jan 2027 .*Log, then <img/)
  assert.ok(!second.html.includes('<img'))
  const third = await visitor.follow(await logIn(second, { contact_kind: 'call' }, ada))
  assert.match(third.text, /Logged .*Dr\. Rosa \. Next contact by Thu 21 Jan 2027/)
  assert.match(third.text, /Next contact by Sun 21 Feb 2027 .*Log contact/)
  const last = await logIn(third, { contact_kind: 'call' }, ada)
  assert.match(last.location ?? '', /\/user\?logged=c_3&change=a_11$/)
  const end = await visitor.follow(last)
  assert.match(end.text, /Nothing is due today/)
  const { entries } = await ada.ask('list_timeline', { person: 'c_1' })
  assert.match(JSON.stringify(entries), /"meeting".*Lisbon/)
})

test('one undo after a contact restores the follow-up that it completed, from each page that has it', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Rosa Luz' })
  await ada.ask('keep_in_touch', { people: 'c_1', every: 1, unit: 'month' })
  await ada.ask('save_follow_up', { people: 'c_1', text: 'Send it', due_on: '2026-11-20' })
  const plan = { people: 'c_1', text: 'Call', due_on: '2026-11-19', recurrence: 'weekly' }
  await ada.ask('save_follow_up', plan)
  const stateOf = async () => [
    await ada.ask('list_follow_ups', { status: 'all' }),
    await ada.ask('list_timeline', { person: 'c_1', kinds: ['interaction', 'follow_up'] }),
    await ada.ask('get_connections', { people: ['c_1'] }),
  ]
  const before = await stateOf()
  const logs: unknown[] = []
  for (const key of ['f_1', 'f_2'])
    for (const place of [undefined, connectionPath('c_1'), ACTIVITY_PATH]) {
      const page = await visitor.get(`${USER_PATH}?log=${key}`)
      const done = await visitor.follow(
        await logIn(page, { contact_kind: 'call', contact_text: 'Lisbon', done: 'on' }, ada),
      )
      assert.match(done.text, /Logged a call with Rosa Luz ; completed the follow-up\./)
      logs.push(await stateOf())
      const from = place === undefined ? done : await visitor.get(place)
      const activityId = /change=(a_\d+)/.exec(done.address)?.[1] ?? ''
      await visitor.submit(from, {}, activityId)
      assert.deepEqual(await stateOf(), before, `${key} ${place}`)
    }
  assert.notDeepEqual(logs[0], before)
  // The undo is undone, too: completed again.
  const [first] = (await visitor.get(ACTIVITY_PATH)).html.match(/value="a_\d+"/g) ?? []
  await visitor.submit(await visitor.get(ACTIVITY_PATH), {}, first?.slice(7, -1) ?? '')
  assert.notDeepEqual(await stateOf(), before)
})

test('a follow-up that was changed since is not restored by the undo of the contact', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Rosa Luz' })
  const plan = { people: 'c_1', text: 'Call', due_on: '2026-11-19', recurrence: 'weekly' }
  await ada.ask('save_follow_up', plan)
  const page = await visitor.get(`${USER_PATH}?log=f_1`)
  const done = await visitor.follow(await logIn(page, { contact_kind: 'call', done: 'on' }, ada))
  await ada.ask('save_follow_up', { follow_up_id: 'f_2', text: 'Write' })
  const activityId = /change=(a_\d+)/.exec(done.address)?.[1] ?? ''
  const undone = await visitor.submit(done, {}, activityId)
  assert.equal(undone.status, 409)
  const { entries } = await ada.ask('list_timeline', { person: 'c_1' })
  assert.match(JSON.stringify(entries), /"call"/)
})

test('a contact that is rejected stays in its row with what was typed', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await ada.ask('save_follow_up', { people: 'c_1', text: 'Call', due_on: '2026-11-21' })
  const page = await ada.visitor.get(`${USER_PATH}?log=f_1`)
  const typed = { contact_kind: 'call', contact_on: 'never ever', contact_text: HOSTILE }
  const rejected = await logIn(page, typed, ada)
  assert.equal(rejected.status, 422)
  assert.match(rejected.html, /value="never ever"/)
  assert.match(rejected.html, /id="contact_on-error"/)
  assert.match(rejected.html, /alert\(1\)&#62;<\/textarea>/)
  assert.ok(!rejected.html.includes('<img'))
  await ada.ask('delete_connections', { connection_ids: ['c_1'] })
  const gone = await logIn(page, { contact_kind: 'call' }, ada)
  assert.equal(gone.status, 404)
  assert.match(gone.text, /c_1/)
})

test('the page lists the meetings of the day with the last contact, in the time zone of the member', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  const startsAt = Date.UTC(2026, 10, 21, 15, 30)
  const meeting = { title: 'Review', startsAt, endsAt: startsAt + HOUR, timeZone: 'UTC' }
  await ada.ask('add_connections', { name: 'Grace Hopper', emails: ['grace@navy.example'] })
  await ada.ask('log_interaction', { people: ['c_1'], kind: 'call', on: '2026-10-15' })
  const people = [
    { email: 'grace@navy.example', name: 'Grace' },
    { email: 'alan@navy.example', name: HOSTILE },
  ]
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
  assert.match(text, /1 meeting .*15:30 .*Review Grace Hopper , last contact 5 weeks ago · <img/)
  assert.match(html, /title="15:30–16:30"/)
  assert.doesNotMatch(text, /Plan/)
  assert.match((await ada.visitor.get(`${USER_PATH}?day=2026-11-22`)).text, /15:30 .*Plan/)
  assert.ok(!html.includes('<img'))
})

test('the page lists what agents changed since the last visit, and undoes all of it', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await ada.ask('save_note', { people: 'c_1', text: 'Met' })
  const page = await visitor.get(USER_PATH)
  const told =
    /Changed by agents since you joined Claude wrote 1 note, added 1 person just now wrote 1 note Grace Hopper added 1 person Grace Hopper/
  assert.match(page.text, told)
  assert.match((await visitor.get(USER_PATH)).text, told, 'the same visit')
  world.service.clock.advance(5 * HOUR)
  assert.doesNotMatch((await visitor.get(USER_PATH)).text, /Changed by agents/)
  await ada.ask('update_connections', { people: 'c_1', title: 'Admiral' })
  const later = await visitor.get(USER_PATH)
  assert.match(later.text, /Changed by agents since your visit .* changed 1 person/)
  assert.doesNotMatch(later.text, /wrote 1 note/)
  await visitor.submit(later, {}, 'Undo')
  assert.doesNotMatch((await visitor.get(USER_PATH)).text, /Changed by agents/)
  assert.doesNotMatch((await visitor.get(connectionPath('c_1'))).text, /Admiral · /)
})

test('new jobs and the contacts of the last weeks are beside the day', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  await ada.ask('add_connections', { name: 'Grace Hopper', company: 'Navy' })
  for (const on of ['2026-11-21', '2026-11-12'])
    await ada.ask('log_interaction', { people: ['c_1'], kind: 'call', on })
  assert.doesNotMatch(
    (await ada.visitor.get(USER_PATH)).text,
    /This week/,
    'two weeks need no chart',
  )
  await ada.ask('log_interaction', { people: ['c_1'], kind: 'call', on: '2026-11-03' })
  const { html, text } = await ada.visitor.get(USER_PATH)
  assert.match(text, /This week 1 contact/)
  assert.match(html, /\?contacted&#61;2026-11-16"/)
})

test('a day shows the follow-ups that come next, and who is kept up with', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  const { visitor } = ada
  const people = ['Grace Hopper', 'Alan Turing', 'Ada Yonath', 'Emmy Noether'].map((name) => ({
    name,
    title: 'Professor',
  }))
  await ada.ask('add_connections', { connections: people })
  for (const [id, unit] of [
    ['c_1', 'week'],
    ['c_2', 'month'],
    ['c_3', 'month'],
  ] as const) {
    await ada.ask('log_interaction', { people: [id], kind: 'call', on: '2026-11-18' })
    await ada.ask('keep_in_touch', { people: [id], every: unit === 'week' ? 1 : 3, unit })
  }
  assert.match(
    (await visitor.get(USER_PATH)).text,
    /Coming up Grace Hopper in 4 days Alan Turing 18 Feb 2027 Ada Yonath 18 Feb 2027 .*Keeping up/,
    'without follow-ups, the next people',
  )
  await ada.ask('save_follow_up', { people: 'c_4', text: 'Write', due_on: '2026-11-25' })
  await ada.ask('save_follow_up', { people: 'c_4', text: 'Call', due_on: '2026-12-23' })
  const page = await visitor.get(USER_PATH)
  assert.match(
    page.text,
    /Nothing is due today\. .*Coming up .*Write Emmy Noether in 4 days .*Keeping up Grace in 4 days Alan 18 Feb 2027 Ada 18 Feb 2027 3 on time/,
  )
  assert.doesNotMatch(page.text, /Call Emmy/, 'more than a month ahead')
  assert.doesNotMatch(page.text, /Professor/, 'people who are not due have no row')
  const added = await visitor.submit(page, { follow_up: 'Buy paper' }, 'Add follow-up')
  assert.equal(new URL(added.location ?? '').pathname, USER_PATH)
  assert.match((await visitor.follow(added)).text, /1 follow-up .*Buy paper today/)
  const rejected = await visitor.submit(page, { due_on: 'never' }, 'Add follow-up')
  assert.equal(rejected.status, 422)
  assert.match(rejected.text, /Saturday 21 November/)
  assert.match(rejected.html, /value="never"/)
})

test('people who are kept up with have distinct names, and each shows whether it is time', async () => {
  await using world = await createTestWorld()
  const ada = await openEarlierMember(world)
  const names = ['Wanda Silva', 'Wanda Novák', 'Rosa Luz', 'Rosa Lemke', 'Mei Lindqvist']
  const others = Array.from({ length: 9 }, (_, at) => `Person${String.fromCodePoint(65 + at)} Kim`)
  const connections = [...names, ...others].map((name) => ({ name }))
  await ada.ask('add_connections', { connections })
  for (const [at, on] of ['2026-08-01', '2026-10-20', '2026-11-02', '2026-11-01'].entries())
    await ada.ask('log_interaction', { people: [`c_${at + 1}`], kind: 'call', on })
  const people = connections.map((_, at) => `c_${at + 1}`)
  await ada.ask('keep_in_touch', { people, every: 1, unit: 'month' })
  const { text } = await ada.visitor.get(USER_PATH)
  assert.match(
    text,
    /Keeping up Wanda S\. late Wanda N\. due Rosa Lemke 1 Dec Rosa Luz 2 Dec Mei 21 Dec .* \+2 12 on time · 1 due · 1 late/,
  )
})
