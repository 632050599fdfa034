import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld, type Person } from '../../../test/fixtures/member.ts'
import { SAME_ORIGIN } from '../../../test/support/visitor.ts'
import {
  connectionPath,
  END_TOUR_PATH,
  FIRST_DAY_PATH,
  NEW_CONNECTION_PATH,
  USER_PATH,
} from '../../html/site-map.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

const show = ({ visitor }: Person, search = '') => visitor.get(USER_PATH + search)

/** The names of the suggested people, in order. */
async function suggested(person: Person, search = ''): Promise<string[]> {
  const { html } = await show(person, search)
  return [...html.matchAll(/<legend class="unseen">Cadence for ([^<]*)<\/legend>/g)].map(
    ([, name = '']) => name,
  )
}

async function pick(person: Person, fields: Readonly<Record<string, string>>) {
  const { formToken } = await show(person)
  return person.visitor.post(FIRST_DAY_PATH, { form_token: formToken, ...fields }, SAME_ORIGIN)
}

// Today is 2026-11-21.
test('a new member sees three steps with their reasons, and which of them are done', async () => {
  await using world = await createTestWorld()
  const eve = await world.join('eve')
  const bare = await show(eve)
  assert.match(bare.text, /Welcome, Member .*1 Import contacts .*2 Connect an agent .*3 Write one/)
  assert.match(bare.text, /This line turns green with the first call/)
  assert.doesNotMatch(bare.text, /Pick the people|Nothing is due|Next birthdays/)
  assert.equal(bare.html.match(/class="now"/g)?.length, 1)
  for (const why of ['So that Weft knows the people', 'then answer from', 'Agents introduce you'])
    assert.ok(bare.text.includes(why), why)
  const form = await eve.visitor.get(`${NEW_CONNECTION_PATH}?name=Grace+Hopper`)
  assert.match(form.html, /value="Grace Hopper"/)
  const tour = await eve.visitor.get(bare.links['See it with invented people'] ?? '')
  assert.match((await eve.visitor.follow(tour)).text, /This is a tour/)
  await eve.visitor.get(END_TOUR_PATH)
  await eve.ask('add_connections', { name: 'Grace Hopper' })
  const begun = await show(eve)
  assert.match(begun.text, /1 person is here, Member .*Import contacts , done 1 person/)
  assert.match(begun.text, /Connect an agent , done .*connected, last call just now/)
  await eve.ask('update_profile', { headline: 'Mathematician' })
  assert.doesNotMatch((await show(eve)).text, /Write one line|Set up/)
})

test('the likeliest people come first, each with one reason', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const add = (name: string, more: object = {}) => ada.ask('add_connections', { name, ...more })
  await add('Plain Person')
  await add('Met Lately', { connected_on: '2026-10-20' })
  await add('Met Early', { connected_on: '2009-10-20', location: 'Turin' })
  await add('Has Birthday', { birthday: '1980-02-29', phones: ['+44 20 7946 0000'] })
  await add('Has Note')
  await ada.ask('save_note', { people: 'c_5', text: `${HOSTILE} ${'word '.repeat(40)}` })
  await add('Is Family', { tags: ['Familie'] })
  await add('Is Tagged', { tags: ['choir'] })
  await add('Heard Of')
  await ada.ask('log_interaction', { people: ['c_8'], kind: 'call', on: '2026-11-01' })
  assert.deepEqual(await suggested(ada), [
    'Is Family',
    'Has Note',
    'Heard Of',
    'Has Birthday',
    'Met Early',
    'Met Lately',
    'Is Tagged',
    'Plain Person',
  ])
  const { text, html } = await show(ada)
  for (const reason of [
    'Is Family Tagged Familie',
    'Heard Of Last contact 3 weeks ago',
    'Has Birthday Birthday on 29 Feb',
    'Met Early Turin · Met in 2009, before all others',
    'Met Lately Met 5 weeks ago',
    'Is Tagged Tagged choir',
    'Plain Person Cadence',
  ])
    assert.ok(text.includes(reason), `${reason}: ${text}`)
  assert.match(text, /Has Note “<img .* word word…”/)
  assert.ok(!html.includes('<img'))
})

test('relations to the member are family, as tags are', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const add = (name: string, relation?: string) =>
    ada.ask('add_connections', {
      connections: [
        {
          name,
          ...(relation !== undefined && {
            details: [`relations=${JSON.stringify([{ name: 'me', relation }])}`],
          }),
        },
      ],
    })
  await add('Plain Person')
  await add('Some Boss', 'direct report')
  await add('Other Mother', 'daughter')
  await add('One Brother', 'brother of')
  const first = (await suggested(ada)).slice(0, 2)
  assert.deepEqual(new Set(first), new Set(['Other Mother', 'One Brother']))
  const { text } = await show(ada)
  assert.match(text, /One Brother Family: brother/)
  assert.match(text, /Other Mother Family: parent/)
  assert.doesNotMatch(text, /Family: manager/)
})

test('reasons are mixed: four alike, then what else is known; a birthday that is near comes first', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const connections = Array.from({ length: 10 }, (_, at) => ({
    name: `Cousin ${at}`,
    title: `Title ${at}`,
    location: 'Turin',
    tags: ['Family'],
    ...(at < 8 && { birthday: at === 0 ? '1990-11-21' : `1990-05-1${at}` }),
    phones: [`+44 20 7946 000${at}`],
  }))
  await ada.ask('add_connections', { connections })
  const { text } = await show(ada)
  assert.match(text, /Cousin 0 Title 0 · Birthday today/)
  assert.equal(text.split('· Tagged Family').length - 1, 4)
  assert.equal(text.split(/· Birthday on 1\d May/).length - 1, 3)
  assert.equal(text.split('· Phone number known').length - 1, 2)
})

test('a cadence is chosen in one click, keeps the order, and can be undone', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  for (let one = 1; one <= 23; one += 1)
    await ada.ask('add_connections', { name: `Person ${one}`, connected_on: '2020-01-05' })
  const before = await suggested(ada)
  assert.equal(before.length, 10)
  const saved = await pick(ada, { c_1: '1 month', c_2: '12 month', c_3: 'often', x: '1 month' })
  assert.match(saved.location ?? '', /\/user\?change=a_\d+$/)
  const page = await ada.visitor.follow(saved)
  assert.match(page.text, /2 of 10 .*Changed the cadence of .*Undo/)
  assert.match(page.html, /id="c_1-1" name="c_1" value="1 month" checked/)
  assert.match(page.html, /id="c_2-12" name="c_2" value="12 month" checked/)
  assert.deepEqual(await suggested(ada), before)
  const again = await pick(ada, { c_1: '1 month', c_2: '12 month' })
  assert.equal(again.location, world.service.url + USER_PATH, 'nothing changed')
  assert.match((await ada.visitor.get(connectionPath('c_1'))).text, /due in 4 weeks/)
  const back = await ada.visitor.follow(await pick(ada, { c_1: 'none', c_2: '12 month' }))
  assert.match(back.text, /1 of 10 .*Changed the cadence of .*Undo/)
  assert.doesNotMatch(back.html, /name="c_1" value="(1 month" checked|none)/)
  assert.match(back.html, /name="c_2" value="none"/, 'only a cadence can be removed')
  assert.deepEqual(await suggested(ada), before)
  const others = await suggested(ada, '?others=1')
  assert.equal(new Set([...before, ...others]).size, 20)
  assert.equal((await suggested(ada, '?others=2')).length, 3)
  for (const wrong of ['9999999', '-1', 'x', '1e99'])
    assert.equal((await show(ada, `?others=${wrong}`)).status, 200)
})

test('the first day ends with ten cadences or when the member ends it', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  for (let one = 1; one <= 10; one += 1) {
    await ada.ask('add_connections', { name: `Person ${one}` })
    await eve.ask('add_connections', { name: `Person ${one}` })
  }
  const nine = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((one) => [`c_${one}`, '3 month']))
  assert.match((await ada.visitor.follow(await pick(ada, nine))).text, /9 of 10/)
  const ten = await ada.visitor.follow(await pick(ada, { c_10: '1 month' }))
  assert.match(ten.text, /10 people are here, Member .*10 of 10/)
  assert.match(ten.text, /Ten people chosen: first due Person 10 on Mon 21 Dec 2026 \./)
  const today = await ada.visitor.get(ten.links['Go to Today'] ?? '')
  assert.match(today.text, /Saturday 21 November .*Nothing is due today/)
  assert.match(
    today.text,
    /Write one line about you .*Keeping up Person 10 21 Dec (?:Person \d\.? 21 Feb 2027 ){9}10 on time/,
  )
  assert.doesNotMatch(today.text, /Connect an agent/, 'done')
  await ada.visitor.submit(today, {}, 'Hide')
  assert.doesNotMatch((await show(ada)).text, /Write one line about you/)
  const ended = await eve.visitor.submit(await show(eve), {}, 'Hide these suggestions')
  assert.equal(ended.location, world.service.url + USER_PATH)
  assert.match((await show(eve)).text, /Saturday 21 November/)
  assert.doesNotMatch((await show(eve)).text, /Pick the people/)
})

test('what is due is above the suggestions', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  await ada.ask('save_follow_up', { people: 'c_1', text: 'Call', due_on: '2026-11-20' })
  const { text } = await show(ada)
  assert.match(text, /1 person is here.*Sat 21 .*Call Grace Hopper 1 day late .*Pick the people/)
})

test('the side shows the next birthdays and who was met in this month of earlier years', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const met = [
    ['Old Friend', '2011-11-05'],
    ['Other Month', '2011-10-05'],
    ['This Year', '2026-11-02'],
    ...['One', 'Two', 'Three', 'Four', 'Five'].map((name) => [name, '2019-11-30']),
  ]
  for (const [name, connected_on] of met) await ada.ask('add_connections', { name, connected_on })
  await ada.ask('add_connections', { name: 'Young', birthday: '2000-12-24' })
  await ada.ask('add_connections', { name: 'Soon', birthday: '--11-23' })
  const { text, links } = await show(ada)
  assert.match(text, /Next birthdays .*Soon 23 Nov .*Young 24 Dec · 26 November in earlier years/)
  assert.match(text, /earlier years 2011 .*Old Friend 2019 .*One , Two , Three and 2 more/)
  assert.doesNotMatch(text, /earlier years .*(?:Other Month|This Year)/)
  assert.match(links['and 2 more'] ?? '', /met=2019$/)
})

test('suggestions and cadences are those of the member', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  assert.doesNotMatch((await show(eve)).text, /Grace Hopper/)
  assert.equal((await pick(eve, { c_1: '1 month' })).status, 404)
  assert.match((await show(ada)).text, /0 of 10/)
  const forged = await ada.visitor.post(FIRST_DAY_PATH, { form_token: 'x', end: 'yes' })
  assert.equal(forged.status, 403)
})

test('without a demo account, the first day has no link to it', async () => {
  await using world = await createTestWorld({ demo: 'off' })
  const eve = await world.join('eve')
  const bare = await show(eve)
  assert.match(bare.text, /What this page then shows you/)
  assert.equal(bare.links['See it with invented people'], undefined)
})
