import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../../test/support/service.ts'
import { openVisitor, SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { createTestWorld } from '../../../test/fixtures/member.ts'
import { CONNECTIONS_PATH, NEW_CONNECTION_PATH, TOUR_PATH } from '../../html/site-map.ts'

test('the home page leads to a tour of the demo account that cannot change anything', async () => {
  await using service = await startTestService()
  const visitor = openVisitor(service.url)
  const home = await visitor.get('/')
  await visitor.follow(await visitor.get(home.links['Look around'] ?? ''))
  const list = await visitor.get(CONNECTIONS_PATH)
  assert.equal(list.status, 200)
  assert.match(list.text, /This is a tour of a demo account/)
  const people = [...list.html.matchAll(/href="(\/user\/connections\/c_\d+)/g)]
  assert.ok(people.length > 10)
  assert.equal((await visitor.get(people[0]?.[1] ?? '')).status, 200)

  const form = await visitor.get(NEW_CONNECTION_PATH)
  const refused = await visitor.submit(form, { name: 'Xquzzwy' })
  assert.equal(refused.status, 403)
  assert.match(refused.text, /The tour is read-only, so no changes were made/)
  assert.match((await visitor.get(`${CONNECTIONS_PATH}?q=xquzzwy`)).text, /No results/)

  // Elsewhere, no one is signed in, so no app can be connected to the demo account.
  assert.match((await visitor.get('/sign-in')).text, /Password/)
  await visitor.post('/sign-out', { form_token: list.formToken }, SAME_ORIGIN)
  assert.match((await visitor.get(CONNECTIONS_PATH)).location ?? '', /\/sign-in/)
})

test('a signed-in member stays in the own account', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('ada')
  await visitor.get(TOUR_PATH)
  assert.doesNotMatch((await visitor.get(NEW_CONNECTION_PATH)).text, /This is a tour/)
})

test('WEFT_DEMO=off removes the tour', async () => {
  await using service = await startTestService({ demo: 'off' })
  const visitor = openVisitor(service.url)
  assert.equal((await visitor.get('/')).links['Look around'], undefined)
  assert.equal((await visitor.get(TOUR_PATH)).status, 404)
})
