import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../../test/support/service.ts'
import { openVisitor, SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { createTestWorld } from '../../../test/fixtures/member.ts'
import { DAY } from '../../base/clock.ts'
import {
  ACTIVITY_PATH,
  CONNECTIONS_PATH,
  DUPLICATES_PATH,
  FOLLOW_UPS_PATH,
  JOBS_PATH,
  NETWORK_PATH,
  NEW_CONNECTION_PATH,
  TOUR_PATH,
  USER_PATH,
} from '../../html/site-map.ts'

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
  const own = await visitor.get(list.links['Make it yours'] ?? '')
  assert.match(own.text, /Open the single-use link/, 'only by invitation')
  assert.match(list.text, /Tidy up 4 /, 'known before the page is opened')
  const person = await visitor.get(people[0]?.[1] ?? '')
  assert.equal(person.status, 200)
  assert.doesNotMatch(person.html, /\?edit=(?:title|company|location|birthday)/, 'no pencils')

  const form = await visitor.get(NEW_CONNECTION_PATH)
  const refused = await visitor.submit(form, { name: 'Xquzzwy' })
  assert.equal(refused.status, 403)
  assert.match(refused.text, /This is a tour: nothing can be changed\. Sign in to work/)
  assert.match((await visitor.get(`${CONNECTIONS_PATH}?q=xquzzwy`)).text, /No results/)

  // Elsewhere, no one is signed in, so no app can be connected to the demo account.
  assert.match((await visitor.get('/sign-in')).text, /Password/)
  await visitor.post('/sign-out', { form_token: list.formToken }, SAME_ORIGIN)
  assert.match((await visitor.get(CONNECTIONS_PATH)).location ?? '', /\/sign-in/)
})

test('a visitor sees what happened today, also a year later', async () => {
  await using service = await startTestService()
  for (const later of [0, 400]) {
    service.clock.advance(later * DAY)
    const visitor = openVisitor(service.url)
    await visitor.follow(await visitor.get(TOUR_PATH))
    const activity = await visitor.get(ACTIVITY_PATH)
    assert.match(activity.text, /Today .* Claude (?:changed|added)/)
    assert.match(
      activity.text,
      /Yesterday .* Claude changed Rafael Quiñones and 3 others: location/,
    )
    assert.match(activity.text, /phone\.vcf brought 6 people and changed 2/)
    const tidy = await visitor.get(DUPLICATES_PATH)
    assert.match(tidy.text, /Merge 1 certain .* 1 of 3 to review/)
    const jobs = await visitor.get(JOBS_PATH)
    const report = await visitor.get(jobs.links['Import of phone.vcf'] ?? '')
    assert.match(report.text, /Created 6 To review 3 Updated 2/)
    const due = await visitor.get(FOLLOW_UPS_PATH)
    assert.match(due.text, /Send the peat numbers/)
    const person = await visitor.get(`${CONNECTIONS_PATH}/c_1`)
    assert.match(person.text, /Jonas Vogelsang/)
    assert.match(person.html, /<img class="face"/)
    for (const path of [USER_PATH, NETWORK_PATH])
      assert.equal((await visitor.get(path)).status, 200, path)
  }
})

test('a member takes the tour and returns to the own network, still signed in', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { visitor } = ada
  await ada.ask('add_connections', { name: 'Xquzzwy Own' })
  await visitor.get(TOUR_PATH)
  const tour = await visitor.get(CONNECTIONS_PATH)
  assert.match(tour.text, /This is a tour of a demo account/)
  assert.doesNotMatch(tour.text, /Xquzzwy/)
  const refused = await visitor.submit(await visitor.get(NEW_CONNECTION_PATH), { name: 'New' })
  assert.equal(refused.status, 403)
  // Elsewhere, the member is signed in as usual.
  assert.doesNotMatch((await visitor.get('/sign-in')).text, /Password/)
  const back = await visitor.follow(await visitor.get(tour.links['Back to your network'] ?? ''))
  assert.doesNotMatch(back.text, /This is a tour/)
  assert.match((await visitor.get(CONNECTIONS_PATH)).text, /Xquzzwy Own/)

  await visitor.get(TOUR_PATH)
  const again = await visitor.get(CONNECTIONS_PATH)
  const out = await visitor.post('/sign-out', { form_token: again.formToken }, SAME_ORIGIN)
  assert.equal(out.status, 303)
  assert.match((await visitor.get(CONNECTIONS_PATH)).text, /Xquzzwy Own/)
})

test('where anyone can join, the tour leads there', async () => {
  await using service = await startTestService({ signUp: 'open' })
  const visitor = openVisitor(service.url)
  await visitor.get(TOUR_PATH)
  const form = await visitor.get(NEW_CONNECTION_PATH)
  assert.match(form.links['Make it yours'] ?? '', /\/join$/)
  const refused = await visitor.submit(form, { name: 'Xquzzwy' })
  assert.match(refused.text, /This is a tour: nothing can be changed\. Join to start your own/)
})

test('WEFT_DEMO=off removes the tour', async () => {
  await using service = await startTestService({ demo: 'off' })
  const visitor = openVisitor(service.url)
  assert.equal((await visitor.get('/')).links['Look around'], undefined)
  assert.equal((await visitor.get(TOUR_PATH)).status, 404)
})
