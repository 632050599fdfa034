import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld, type Person } from '../../../test/fixtures/member.ts'
import { DAY } from '../../base/clock.ts'
import { columnChart } from '../../ui/charts.ts'
import {
  CONNECTIONS_PATH,
  INTRODUCTIONS_PATH,
  NETWORK_PATH,
  connectionPath,
} from '../../html/site-map.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

async function addPeople(ada: Person): Promise<void> {
  await ada.ask('add_connections', {
    connections: [
      { name: 'Grace', company: 'Navy', location: 'Berlin, Germany', connected_on: '2019-03-14' },
      { name: 'Alan', company: 'Navy', location: 'Berlín', connected_on: '2021-05-01' },
      { name: 'Jean', company: 'Navy', location: 'Potsdam' },
      { name: 'Kay', company: 'NPL', location: 'Lisboa' },
      { name: HOSTILE, company: HOSTILE, location: HOSTILE },
      { name: 'Ida' },
    ],
  })
}

async function openWorld() {
  const world = await createTestWorld()
  const ada = await world.join('ada')
  const on = (daysAgo: number) =>
    new Date(world.service.clock.now() - daysAgo * DAY).toISOString().slice(0, 10)
  return { world, ada, on, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

test('without people or with one, the page says what the charts need', async () => {
  await using opened = await openWorld()
  const { ada } = opened
  const show = async () => (await ada.visitor.get(NETWORK_PATH)).text
  assert.match(await show(), /No people yet\. The charts need people with a location/)
  await ada.ask('add_connections', { name: 'Grace' })
  assert.match(await show(), /One person is no network yet\./)
  await ada.ask('add_connections', { name: 'Alan' })
  assert.match(
    await show(),
    /No one has a location yet\. An import .* Last contact 2 people 2 never/,
  )
})

test('people are shown by city in any language, with who heard from the member', async () => {
  await using opened = await openWorld()
  const { ada, on, world } = opened
  await addPeople(ada)
  await ada.ask('log_interaction', { people: ['c_1'], kind: 'call', on: on(3) })
  await ada.ask('log_interaction', { people: ['c_4'], kind: 'call', on: on(800) })
  const { html, text, links } = await ada.visitor.get(NETWORK_PATH)
  assert.match(text, /5 of 6 people have a location\. Half are in Berlin and/)
  assert.match(text, /Berlin 2 1 within a year .* Lisboa 1 silent since 2024/)
  assert.match(
    text,
    /Show as table Places People Heard from you within a year Last contact Berlin 2 1 3 days ago/,
  )
  assert.match(text, /Last contact 6 people 1 in the last 3 months 1 longer ago 4 never/)
  assert.ok(!html.includes('<img src=x'))
  // The map is of shapes whose links are those of the list.
  assert.match(html, /<use\s+class="land"\s+href="\/assets\/land-/)
  assert.match(html, /<title>Berlin and Potsdam: 3, 1 within a year<\/title>/)
  const near = links['Berlin'] ?? ''
  assert.equal(near, `${world.service.url + CONNECTIONS_PATH}?near=Berlin`)
  const list = await ada.visitor.get(near)
  assert.match(list.text, /3 of 6 .*Within 50 km of Berlin/)
  for (const name of ['Grace', 'Alan', 'Jean']) assert.ok(name in list.links, name)
  const only = await ada.visitor.get(`${near}&km=10`)
  assert.match(only.text, /2 of 6 .*Within 10 km of Berlin/)
  assert.match((await ada.visitor.get(`${CONNECTIONS_PATH}?near=Xyzzy`)).text, /0 of 6/)
  assert.equal((await ada.visitor.get(`${CONNECTIONS_PATH}?near=Berlin&km=x`)).status, 400)
  const eve = await world.join('eve')
  assert.doesNotMatch((await eve.visitor.get(NETWORK_PATH)).text, /Berlin/)
})

test('companies and years have charts of their own', async () => {
  await using opened = await openWorld()
  const { ada, on, world } = opened
  await addPeople(ada)
  await ada.ask('log_interaction', { people: ['c_1', 'c_3'], kind: 'call', on: on(0) })
  const { url } = world.service
  const page = await ada.visitor.get(NETWORK_PATH)
  const companies = await ada.visitor.get(page.links['Companies'] ?? '')
  assert.match(companies.text, /People at \d of them heard from you within a year\./)
  // Who is there, and the last contact.
  assert.match(companies.text, /Navy 3 .*Grace.* today/)
  assert.match(companies.html, /<title>Navy: 3, 2 within a year<\/title>\s*<circle class="all"/)
  assert.equal(companies.links['Navy'], `${url + CONNECTIONS_PATH}?company=Navy`)
  const years = await ada.visitor.get(page.links['Years'] ?? '')
  assert.match(years.text, /You met most people in 2019 and 2021: 1 each\. 1 contact was logged/)
  assert.match(years.text, /When you met .* Show as table Year people 2019 1 2021 1/)
  const week =
    /href="([^"]*contacted[^"]*)"[^>]*>\s*<title>[^<]*: 1.contact</.exec(years.html)?.[1] ?? ''
  const list = await ada.visitor.get(week.replaceAll('&#61;', '='))
  assert.match(list.text, /2 of 6 .*Contacted in the week of/)
})

test('the people around one person or company are drawn with how they are related', async () => {
  await using opened = await openWorld()
  const { ada, on, world } = opened
  const { url } = world.service
  await addPeople(ada)
  await ada.ask('log_interaction', { people: ['c_1', 'c_4'], kind: 'meeting', on: on(10) })
  const around = await ada.visitor.get(`${NETWORK_PATH}?around=c_1`)
  assert.match(around.text, /Grace knows 1 of your people, and you know 2 more at Navy\./)
  assert.match(around.text, /Who knows Grace Kay met together .* Colleagues Alan/)
  assert.equal(around.links['Alan'], url + connectionPath('c_2'))
  // From the member to each of both.
  assert.equal([...around.html.matchAll(/<path class="quarter"/g)].length, 2)
  assert.ok(!around.html.includes('<img src=x'))
  const chart = `${NETWORK_PATH}?company=Navy`
  const company = await ada.visitor.get(chart)
  assert.match(company.text, /You know 3 people at Navy\. .* Grace .* All 3 at Navy/)
  const empty = await ada.visitor.get(`${NETWORK_PATH}?company=Unknown`)
  assert.match(empty.text, /You know 0 people at Unknown\. Add a relation or a company/)
  assert.match(
    (await ada.visitor.get(`${NETWORK_PATH}?around=c_6`)).text,
    /No one around Ida is known yet\./,
  )
  const choice = await ada.visitor.get(`${NETWORK_PATH}?view=around`)
  assert.equal(choice.links['Grace'], `${url + NETWORK_PATH}?around=c_1`)
  const found = await ada.visitor.get(`${NETWORK_PATH}?view=around&who=Kay`)
  assert.ok('Kay' in found.links && !('Grace' in found.links))
  assert.equal((await ada.visitor.get(`${NETWORK_PATH}?around=c_9`)).status, 404)
  assert.equal((await ada.visitor.get(`${NETWORK_PATH}?around=x`)).status, 400)
})

test('a young network without contacts is not called silent', async () => {
  await using opened = await openWorld()
  const { ada, on } = opened
  const berlin = { location: 'Berlin', connected_on: on(1) }
  await ada.ask('add_connections', {
    connections: [
      { name: 'Grace', ...berlin },
      { name: 'Alan', ...berlin },
    ],
  })
  const young = await ada.visitor.get(NETWORK_PATH)
  assert.match(young.text, /Half are in Berlin\..*Places 1 Berlin 2 /)
  assert.doesNotMatch(young.text, /silent|ever heard from you|not heard/)
  await ada.ask('update_connections', { people: 'c_1', connected_on: on(400) })
  const older = await ada.visitor.get(NETWORK_PATH)
  // What was never logged says nothing about silence.
  assert.match(older.text, /Half are in Berlin\..*Places 1 Berlin 2 /)
  assert.doesNotMatch(older.text, /silent|ever heard from you|not heard/)
  await ada.ask('log_interaction', { people: ['c_1'], kind: 'call', on: on(400) })
  const silent = await ada.visitor.get(NETWORK_PATH)
  assert.match(silent.text, /Berlin has not heard from you for a year\. .* silent since \d{4}/)
})

test('a person in the network needs no introduction, and the ways to others are drawn', async () => {
  await using opened = await openWorld()
  const { ada, on } = opened
  await addPeople(ada)
  const known = await ada.visitor.get(`${INTRODUCTIONS_PATH}?to=Grace`)
  assert.match(known.text, /You know them already .*You no contact yet Grace 2 people close to/)
  assert.match(
    known.html,
    /<details class="reached"\s*>\s*<summary\s*>\s*<h2>2 people close to them/,
  )
  await ada.ask('log_interaction', { people: ['Kay'], kind: 'call', on: on(3) })
  const company = await ada.visitor.get(`${INTRODUCTIONS_PATH}?to=NPL`)
  assert.match(company.text, /Who can introduce you You .* Kay works there NPL/)
  assert.match(company.html, /<span class="tie quarter">/)
  assert.doesNotMatch(company.text, /You know them already/)
  const none = await ada.visitor.get(INTRODUCTIONS_PATH)
  assert.equal(none.links['NPL'], `${opened.world.service.url}${INTRODUCTIONS_PATH}?to=NPL`)
})

test('a relation is said on the line between two people', async () => {
  await using opened = await openWorld()
  const { ada } = opened
  await addPeople(ada)
  const relations = (name: string) => [`relations=[{"name":"${name}","relation":"sister"}]`]
  await ada.ask('update_connections', { people: 'c_1', details: relations('Kay') })
  const known = await ada.visitor.get(`${INTRODUCTIONS_PATH}?to=Kay`)
  assert.match(known.html, /<span class="tie">(?:Sister|Sibling)</)
  await ada.ask('update_connections', { people: 'c_2', details: relations('Max Outside') })
  const outside = await ada.visitor.get(`${INTRODUCTIONS_PATH}?to=Max+Outside`)
  assert.match(outside.text, /Who can introduce you You .* Sister Max Outside/)
})

test('a way leads through people with contact, and the others who are there are listed', async () => {
  await using opened = await openWorld()
  const { ada, on } = opened
  await ada.ask('add_connections', {
    connections: ['Ann', 'Ben', 'Cy'].map((name) => ({ name, company: 'Acme' })),
  })
  const show = async (to: string) => (await ada.visitor.get(`${INTRODUCTIONS_PATH}?to=${to}`)).text
  const there = await show('Acme')
  assert.doesNotMatch(there, /Who can introduce you|no contact yet/)
  // The reason and the company, which are the same for all, are said once.
  assert.match(there, /People you know there Acme · 3 Ann Ben Cy Today/)
  await ada.ask('log_interaction', { people: ['Ben'], kind: 'call', on: on(300) })
  await ada.ask('log_interaction', { people: ['Cy'], kind: 'call', on: on(3) })
  assert.match(
    await show('Acme'),
    /Who can introduce you You 3 days ago Cy works there Acme You .{11} Ben works there Acme People you know there 1 Ann/,
  )
  await ada.ask('update_connections', { people: 'c_1', title: 'Investor' })
  assert.match(await show('Investor'), /People you know with that title 1 Ann Investor/)
})

test('where most people are is said only if it is so', async () => {
  await using opened = await openWorld()
  const { ada } = opened
  const cities = [
    'Berlin',
    'Kiel',
    'Hamburg',
    'London',
    'Paris',
    'Lisbon',
    'Madrid',
    'Rome',
    'Vienna',
    'Prague',
    'Oslo',
  ]
  const add = (location: string, name: string) =>
    ada.ask('add_connections', { connections: [{ name, location }] })
  for (const [at, city] of cities.entries()) await add(city, `Person ${at}`)
  assert.doesNotMatch((await ada.visitor.get(NETWORK_PATH)).text, /More are in|Half are in/)
  await add('Oslo', 'One more')
  assert.match(
    (await ada.visitor.get(NETWORK_PATH)).text,
    /More are in Oslo than anywhere else: 2\./,
  )
})

test('columns have numbers, a scale of at least four, and the present one in its color', () => {
  const bar = { label: '2025', path: '/x' }
  const texts = { title: 'Years', unit: 'call', caption: '', height: 100 }
  const chart = columnChart(
    [
      { ...bar, count: 1, tick: '2025' },
      { ...bar, count: 0 },
      { ...bar, count: 2, isNow: true },
    ],
    texts,
  ).toString()
  const heights = [...chart.matchAll(/width="16" height="(\d+)"/g)].map(([, height]) => height)
  assert.deepEqual(heights, ['25', '0', '50'])
  assert.deepEqual(
    [...chart.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text),
    ['1', '2025', '2'],
  )
  assert.equal([...chart.matchAll(/class="now"/g)].length, 1)
  // The title is the name of a link. A label beside it would lack the visible text.
  const links = [...chart.matchAll(/<a\s([^>]*)>\s*<title>([^<]*)<\/title>(.*?)<\/a>/gs)]
  assert.equal(links.length, 3)
  for (const [, attributes = '', name = '', inside = ''] of links) {
    assert.doesNotMatch(attributes, /aria-label/)
    const [, text = ''] = /<text[^>]*>([^<]*)</.exec(inside) ?? []
    assert.ok(name.split(': ')[1]?.startsWith(text), `${name} has no ${text}`)
    assert.ok(!inside.includes('2025'))
  }
})

test('the charts of large companies and of many places are bounded', async () => {
  await using opened = await openWorld()
  const { ada } = opened
  const connections = Array.from({ length: 90 }, (_, at) => ({
    name: `Person ${at}`,
    company: 'Acme',
    location: `Place ${at}`,
  }))
  for (const from of [0, 45])
    await ada.ask('add_connections', { connections: connections.slice(from, from + 45) })
  const { html, links } = await ada.visitor.get(`${NETWORK_PATH}?company=Acme`)
  assert.equal([...html.matchAll(/class="who"/g)].length, 12)
  assert.match(links['All 90 at Acme'] ?? '', /company=Acme$/)
  const places = await ada.visitor.get(NETWORK_PATH)
  assert.equal([...places.html.matchAll(/<tr>/g)].length, 61)
})
