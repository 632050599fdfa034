import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { createTestWorld, type Person, personOf } from '../../../test/fixtures/member.ts'
import { pngOf } from '../../../test/fixtures/photos.ts'
import { SAME_ORIGIN, type Page } from '../../../test/support/visitor.ts'
import { connectionPath, CONNECTIONS_PATH } from '../../html/site-map.ts'

const C1 = connectionPath('c_1')

async function send(
  { visitor }: Person,
  bytes: Uint8Array<ArrayBuffer>,
  id = 'c_1',
  token?: string,
): Promise<Page> {
  const form = new FormData()
  form.append('form_token', token ?? (await visitor.get(CONNECTIONS_PATH)).formToken)
  // Only the content counts, not what the browser says about it.
  form.append('photo', new File([bytes], 'photo.svg', { type: 'image/svg+xml' }))
  return visitor.post(connectionPath(id, 'photo'), form, SAME_ORIGIN)
}

function imagesOn({ html }: Page): string[] {
  return [...html.matchAll(/<img [^>]*src="([^"]*)"/g)].map(([, src = '']) => src)
}

test('a photo is uploaded, shown on every page about the person, replaced, undone and removed', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper', company: 'Navy' })
  const red = pngOf([200, 0, 0])
  const uploaded = await ada.visitor.follow(await send(ada, red))
  assert.match(uploaded.text, /Changed Grace Hopper \. Undo/)
  const [path = ''] = imagesOn(uploaded)
  for (const page of [CONNECTIONS_PATH, `${CONNECTIONS_PATH}?q=grace`])
    assert.deepEqual(imagesOn(await ada.visitor.get(page)), [`${path}/small`], page)
  assert.deepEqual(imagesOn(await ada.visitor.get(`${C1}/edit`)), [path])
  const { details } = await personOf(ada)
  assert.deepEqual(details, { photo: path })
  const image = await fetch(world.service.url + path, { headers: { cookie: ada.visitor.cookie } })
  assert.deepEqual(Buffer.from(await image.arrayBuffer()), red)
  const names = [
    'content-type',
    'cache-control',
    'content-security-policy',
    'x-content-type-options',
    'cross-origin-resource-policy',
  ]
  assert.deepEqual(
    names.map((name) => image.headers.get(name)),
    [
      'image/png',
      'private, max-age=31536000, immutable',
      "default-src 'none'; sandbox",
      'nosniff',
      'same-origin',
    ],
  )
  const same = await send(ada, red)
  assert.equal(same.location, world.service.url + C1)
  const replaced = await ada.visitor.follow(await send(ada, pngOf([0, 0, 200])))
  assert.notDeepEqual(imagesOn(replaced), [path])
  assert.match(replaced.text, /Photo : A photo → Another photo/)
  const undone = await ada.visitor.follow(await ada.visitor.submit(replaced, {}, 'a_3'))
  assert.deepEqual(imagesOn(undone), [path])
  const form = await ada.visitor.get(`${C1}/edit`)
  const removed = await ada.visitor.follow(await ada.visitor.submit(form, {}, 'Remove photo'))
  assert.deepEqual(imagesOn(removed), [])
  const again = await ada.visitor.submit(form, {}, 'Remove photo')
  assert.equal(again.location, world.service.url + C1)
})

test('a file that is no photo, or too large, is an error beside the field', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  for (const [bytes, error] of [
    [Buffer.from('<svg/>'), /The photo must be a JPEG, PNG, WebP or GIF image\./],
    [Buffer.concat([pngOf([1, 1, 1]), Buffer.alloc(3 << 20)]), /must not be larger than 1 MB\./],
    [pngOf([1, 1, 1], 8200, 1), /is 8200 × 1 pixels\. The maximum is 8192 pixels per side\./],
    [Buffer.alloc(0), /The photo is required\./],
  ] as const) {
    const page = await send(ada, bytes)
    assert.equal(page.status, 422)
    const form = page.forms.find(({ action }) => action.endsWith('/photo'))
    assert.match(form?.errors['photo'] ?? '', error)
  }
  assert.deepEqual(imagesOn(await ada.visitor.get(C1)), [])
})

test('no one else sees, sets or removes a photo', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const [path = ''] = imagesOn(await ada.visitor.follow(await send(ada, pngOf([200, 0, 0]))))
  assert.equal((await eve.visitor.get(path)).status, 404)
  assert.equal((await ada.visitor.get(path.slice(0, -1))).status, 404)
  const signedOut = await fetch(world.service.url + path, { redirect: 'manual' })
  assert.equal(signedOut.status, 303)
  assert.equal((await send(eve, pngOf([0, 0, 200]))).status, 404)
  assert.equal((await send(ada, pngOf([0, 0, 200]), 'c_9')).status, 404)
  assert.equal((await send(ada, pngOf([0, 0, 200]), 'c_1', 'x')).status, 403)
  const form_token = (await eve.visitor.get(CONNECTIONS_PATH)).formToken
  const remove = connectionPath('c_1', 'remove-photo')
  assert.equal((await eve.visitor.post(remove, { form_token }, SAME_ORIGIN)).status, 404)
  assert.deepEqual(imagesOn(await ada.visitor.get(C1)), [path])
})

test('lists show a small size of a large photo, which is made once', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  // Noise does not compress.
  const noise = Buffer.from(
    Array.from({ length: 300 * 300 * 3 }, (_, at) => (at * at * 7919) % 251),
  )
  const large = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
    .jpeg()
    .toBuffer()
  await send(ada, new Uint8Array(large))
  const [small = ''] = imagesOn(await ada.visitor.get(CONNECTIONS_PATH))
  const [whole = ''] = imagesOn(await ada.visitor.get(C1))
  assert.equal(small, `${whole}/small`)
  const read = async (path: string) => {
    const image = await fetch(world.service.url + path, { headers: { cookie: ada.visitor.cookie } })
    assert.equal(image.headers.get('cache-control'), 'private, max-age=31536000, immutable')
    return Buffer.from(await image.arrayBuffer())
  }
  assert.deepEqual(await read(whole), large)
  // Requests at the same time, as from a page with many faces, and later ones.
  const images = await Promise.all(Array.from({ length: 8 }, () => read(small)))
  for (const image of [...images, await read(small)]) assert.deepEqual(image, images[0])
  const { width, height, size } = await sharp(images[0]).metadata()
  assert.deepEqual([width, height], [96, 96])
  assert.ok((size ?? 0) < large.byteLength / 4)
  const bea = await world.join('bea')
  assert.equal((await bea.visitor.get(small)).status, 404)
})
