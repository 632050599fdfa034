import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { createTestWorld } from '../../../test/fixtures/member.ts'
import { NEW_CONNECTION_PATH, SHARE_PATH } from '../../html/site-map.ts'

const SHARED = new URLSearchParams({
  title: 'Ada Lovelace',
  text: 'Ada Lovelace, met at the <b>fair</b>',
  url: 'https://example.org/ada',
})

test('the manifest names icons that exist and a page that receives shared text', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('grace')
  const answer = await fetch(`${world.service.url}/manifest.webmanifest`)
  assert.equal(answer.headers.get('content-type'), 'application/manifest+json')
  const manifest = (await answer.json()) as {
    readonly icons: readonly { readonly src: string; readonly purpose: string }[]
    readonly share_target: { readonly action: string }
  }
  for (const { src } of manifest.icons)
    assert.equal((await fetch(world.service.url + src)).headers.get('content-type'), 'image/png')
  const purposes = manifest.icons.map(({ purpose }) => purpose)
  assert.deepEqual([...new Set(purposes)], ['any', 'maskable'], 'one purpose an icon')
  const page = await visitor.get(`${manifest.share_target.action}?${SHARED.toString()}`)
  assert.equal(page.status, 200)
  assert.match(page.html, /<link rel="manifest" href="\/manifest\.webmanifest"/)
})

test('shared text becomes a new person, or a note about a person that the member picks', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('grace')
  const shared = await visitor.get(`${SHARE_PATH}?${SHARED.toString()}`)
  assert.match(shared.text, /Ada Lovelace, met at the <b>fair<\/b> https:\/\/example\.org\/ada/)
  const form = await visitor.get(shared.links['Add person'] ?? '')
  assert.ok(form.address.includes(NEW_CONNECTION_PATH))
  const person = await visitor.follow(await visitor.submit(form, {}, 'Add'))
  assert.match(person.text, /Ada Lovelace.*met at the <b>fair<\/b>/s)
  assert.match(person.html, /href="https:\/\/example\.org\/ada"/)

  const unknown = await visitor.submit(shared, { person: 'Zacharias' })
  assert.match(unknown.text, /No results/)
  const found = await visitor.submit(shared, { person: 'lovelace' })
  assert.match(found.text, /Add note to Ada Lovelace/)
  const noted = await visitor.follow(await visitor.submit(found, {}, 'Add note to Ada Lovelace'))
  assert.match(noted.html, /id="n_2"/)
  assert.doesNotMatch(person.html, /id="n_2"/)
})

test('long and empty texts are saved as far as they fit', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('grace')
  assert.match((await visitor.get(SHARE_PATH)).text, /Nothing was shared/)
  const long = new URLSearchParams({ title: 't'.repeat(3000), text: '\u0301'.repeat(800) })
  assert.equal((await visitor.get(`${SHARE_PATH}?${long.toString()}`)).status, 200)
})

test('without shared text, the page has a bookmark and a shortcut that fill it', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('ada')
  const page = await visitor.get(SHARE_PATH)
  const { url } = world.service
  assert.match(page.text, /Save from other pages and apps/)
  const [bookmark = ''] = /javascript:location[^<]*/.exec(page.text) ?? []
  assert.ok(bookmark.startsWith(`javascript:location.href='${url}/user/share?title='+`))
  // What the bookmark opens on a page.
  const location = { href: 'https://navy.example/?a=1' }
  const code = bookmark.slice('javascript:'.length).replace(/ Copy.*/s, '')
  runInNewContext(code, {
    document: { title: 'Grace & co' },
    location,
    getSelection: () => 'Rear admiral',
  })
  const address = location.href
  const filled = await visitor.get(address.replace(url, ''))
  assert.match(filled.text, /Grace & co Rear admiral https:\/\/navy\.example\/\?a=1/)
  assert.doesNotMatch(filled.text, /Save from other pages/)
})
