import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld } from '../../../test/fixtures/member.ts'
import { ACCOUNT_PATH, CONNECTIONS_PATH, SEARCH_PATH, connectionPath } from '../../html/site-map.ts'

test('people, views, pages and actions are found by what is typed', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { url } = world.service
  const people = [{ name: '<b>Impala</b> Hopper', company: 'Navy' }]
  await ada.ask('add_connections', { connections: people })
  const empty = await ada.visitor.get(SEARCH_PATH)
  assert.match(empty.text, /Actions Add connection .* Pages Home .* Keyboard shortcuts/)
  assert.doesNotMatch(empty.text, /People Impala/)
  const found = await ada.visitor.get(`${SEARCH_PATH}?q=imp`)
  assert.match(
    found.text,
    /People <b>Impala<\/b> Hopper Navy All results for “imp” Actions Import contacts Pages Import/,
  )
  assert.ok(!found.html.includes('<b>Impala'))
  assert.equal(found.links['All results for “imp”'], `${url + CONNECTIONS_PATH}?q=imp`)
  assert.ok(Object.values(found.links).includes(url + connectionPath('c_1')))
  const none = await ada.visitor.get(`${SEARCH_PATH}?q=zzzzzz`)
  assert.match(none.text, /No results/)
  assert.equal((await ada.visitor.get(`${SEARCH_PATH}?q=${'x'.repeat(600)}`)).status, 400)
  const eve = await world.join('eve')
  assert.doesNotMatch((await eve.visitor.get(`${SEARCH_PATH}?q=imp`)).text, /Impala/)
})

test('every member page has the search as a form', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { html } = await ada.visitor.get(ACCOUNT_PATH)
  assert.match(html, /<form class="find" action="\/user\/search" role="search">/)
})

test('single keys are turned off and on again in the account', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('ada')
  const page = await visitor.get(ACCOUNT_PATH)
  const off = await visitor.follow(await visitor.submit(page, {}, 'Turn off single keys'))
  assert.match(off.text, /Keyboard shortcuts Single keys are off/)
  const on = await visitor.follow(await visitor.submit(off, {}, 'Turn on single keys'))
  assert.match(on.text, /Keyboard shortcuts Single keys such as/)
})
