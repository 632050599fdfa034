import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld, type Person } from '../../../test/fixtures/member.ts'
import { CONNECTIONS_PATH, NETWORK_PATH, connectionPath } from '../../html/site-map.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

async function addPeople(ada: Person): Promise<void> {
  await ada.ask('add_connections', {
    connections: [
      {
        name: 'Grace',
        company: 'Navy',
        location: 'Berlin',
        tags: ['cobol'],
        connected_on: '2019-03-14',
      },
      { name: 'Alan', company: 'Navy', tags: ['cobol', HOSTILE], connected_on: '2021-05-01' },
      { name: HOSTILE, company: 'NPL' },
    ],
  })
}

test('every chart links to its people', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { url } = world.service
  assert.match((await ada.visitor.get(NETWORK_PATH)).text, /No connections yet/)
  await addPeople(ada)
  const on = new Date(world.service.clock.now()).toISOString().slice(0, 10)
  await ada.ask('log_interaction', { people: ['c_1', 'c_3'], kind: 'call', on })
  const { html, text, links } = await ada.visitor.get(NETWORK_PATH)
  assert.match(text, /When you met .* Show as table Year connections 2019 1 2021 1/)
  assert.match(text, /Companies Navy 2 NPL 1 Show as table/)
  assert.equal(links['Berlin 1'], `${url + CONNECTIONS_PATH}?place=Berlin`)
  assert.match(html, /aria-label="2021: 1.connection"/)
  assert.ok(html.includes(`href="${CONNECTIONS_PATH}?company&#61;Navy&#38;tag&#61;cobol"`))
  assert.ok(!html.includes('<img'))
  const week = /href="([^"]*contacted[^"]*)" aria-label="[^"]*: 1.contact"/.exec(html)?.[1] ?? ''
  const list = await ada.visitor.get(week.replaceAll('&#61;', '='))
  assert.match(list.text, /2 of 3 .*Contacted in the week of/)
  const eve = await world.join('eve')
  assert.doesNotMatch((await eve.visitor.get(NETWORK_PATH)).text, /Navy/)
})

test('the people around one person or company are drawn with how they are related', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { url } = world.service
  await addPeople(ada)
  await ada.ask('log_interaction', { people: ['c_1', 'c_3'], kind: 'meeting' })
  const around = await ada.visitor.get(`${NETWORK_PATH}?around=c_1`)
  assert.match(around.text, /Around Grace .* met together .* Alan colleague/)
  assert.equal(around.links['Alan'], url + connectionPath('c_2'))
  assert.ok(!around.html.includes('<img'))
  const chart = `${NETWORK_PATH}?company=Navy`
  for (const path of [connectionPath('c_1'), `${CONNECTIONS_PATH}?company=Navy`])
    assert.equal((await ada.visitor.get(path)).links['Chart of Navy'], url + chart, path)
  const company = await ada.visitor.get(chart)
  assert.match(company.text, /Around Navy .* Alan works here .* Grace works here/)
  assert.match((await ada.visitor.get(`${NETWORK_PATH}?company=Nobody`)).text, /No other people/)
  assert.equal((await ada.visitor.get(`${NETWORK_PATH}?around=c_9`)).status, 404)
  assert.equal((await ada.visitor.get(`${NETWORK_PATH}?around=x`)).status, 400)
})

test('a chart of a large company is bounded and leads to its list', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const connections = Array.from({ length: 45 }, (_, at) => ({
    name: `Person ${at}`,
    company: 'Acme',
  }))
  await ada.ask('add_connections', { connections })
  const { html, links } = await ada.visitor.get(`${NETWORK_PATH}?company=Acme`)
  assert.equal([...html.matchAll(/, works here">/g)].length, 40)
  assert.equal(
    links['Show everyone in the list'],
    `${world.service.url + CONNECTIONS_PATH}?company=Acme`,
  )
})
