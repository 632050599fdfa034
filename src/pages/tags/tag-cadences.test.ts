import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld } from '../../../test/fixtures/member.ts'
import { SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { CONNECTIONS_PATH, TAG_CADENCES_PATH } from '../../html/site-map.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

test('a tag gets a cadence for its people, which one click undoes', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  const bare = await ada.visitor.get(TAG_CADENCES_PATH)
  assert.match(bare.text, /No tags yet/)
  await ada.ask('add_connections', {
    connections: [
      { name: 'Grace', tags: ['choir', HOSTILE] },
      { name: 'Alan', tags: ['choir'] },
    ],
  })
  const list = await ada.visitor.get(CONNECTIONS_PATH)
  const page = await ada.visitor.get(list.links['Cadences of tags'] ?? '')
  assert.match(page.text, /choir 2.people .*<img .* 1.person/)
  assert.ok(!page.html.includes('<img src=x'))
  const send = async (tag: string, cadence: string) =>
    ada.visitor.follow(
      await ada.visitor.post(
        TAG_CADENCES_PATH,
        { form_token: page.formToken, tag, cadence },
        SAME_ORIGIN,
      ),
    )
  const saved = await send('Choir', '3 month')
  assert.match(saved.text, /Changed the cadence of a tag.* Undo/)
  assert.match(saved.html, /<option value="3 month" selected/)
  const { people } = await ada.ask('list_who_to_contact', { limit: 5 })
  assert.deepEqual(people ?? [], [], 'no one is due on the first day')
  assert.match((await ada.visitor.get('/user/connections/c_2')).text, /due in 3 months · by a tag/)
  assert.doesNotMatch((await eve.visitor.get(TAG_CADENCES_PATH)).text, /choir/)

  const undone = await ada.visitor.follow(await ada.visitor.submit(saved, {}, 'a_2'))
  assert.doesNotMatch(undone.html, /<option value="3 month" selected/)
  await send('choir', '1 week')
  const removed = await send('choir', 'none')
  assert.match(removed.html, /<option value="none" selected/)
  for (const wrong of ['often', '9999 month', '-1 day']) {
    const refused = await ada.visitor.post(
      TAG_CADENCES_PATH,
      { form_token: page.formToken, tag: 'choir', cadence: wrong },
      SAME_ORIGIN,
    )
    assert.ok(refused.status >= 400 && refused.status < 500, wrong)
  }
})
