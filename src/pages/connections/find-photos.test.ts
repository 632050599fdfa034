import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld } from '../../../test/fixtures/member.ts'
import { FIND_PHOTOS_PATH } from '../../html/site-map.ts'

test('the page says how many people have no photo and what is sent, and starts the search once', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  assert.match((await ada.visitor.get(FIND_PHOTOS_PATH)).text, /Everyone has a photo/)
  await ada.ask('add_connections', { connections: [{ name: 'Grace Hopper' }] })
  const without = await ada.visitor.get(FIND_PHOTOS_PATH)
  assert.match(without.text, /1 person has no photo\. 0 have an email address\./)
  assert.doesNotMatch(without.text, /Look for photos/)
  const alan = { name: 'Alan Turing', emails: ['alan@npl.example'] }
  await ada.ask('add_connections', { connections: [alan] })
  const page = await ada.visitor.get(FIND_PHOTOS_PATH)
  assert.match(page.text, /2 people have no photo\. 1 has an email address\./)
  assert.match(page.text, /It sends gravatar\.com a hash of each email address/)
  const job = await ada.visitor.follow(await ada.visitor.submit(page, {}, 'Look for photos'))
  assert.match(job.text, /Look for photos at Gravatar/)
  const again = await ada.visitor.follow(await ada.visitor.submit(page, {}, 'Look for photos'))
  assert.equal(again.address.split('?')[0], job.address.split('?')[0])
})
