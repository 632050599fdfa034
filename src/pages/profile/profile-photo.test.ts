import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { createTestWorld, type Person, type World } from '../../../test/fixtures/member.ts'
import { pngHeader, pngOf } from '../../../test/fixtures/photos.ts'
import { SAME_ORIGIN, type Page } from '../../../test/support/visitor.ts'
import {
  ACTIVITY_PATH,
  PROFILE_PATH,
  PROFILE_PHOTO_PATH,
  REMOVE_PROFILE_PHOTO_PATH,
} from '../../html/site-map.ts'

const RED = pngOf([200, 0, 0])

async function send({ visitor }: Person, bytes: Uint8Array<ArrayBuffer>): Promise<Page> {
  const form = new FormData()
  form.append('form_token', (await visitor.get(PROFILE_PATH)).formToken)
  form.append('photo', new File([bytes], 'photo.svg', { type: 'image/svg+xml' }))
  return visitor.post(PROFILE_PHOTO_PATH, form, SAME_ORIGIN)
}

/** The avatar_url of the public profile. */
async function avatarOf({ service }: World, username: string): Promise<string | null> {
  const profile = await fetch(`${service.url}/api/human/${username}`)
  return ((await profile.json()) as { avatar_url: string | null }).avatar_url
}

test('a photo is cropped to squares without metadata, and shown to everyone and link previews', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  // A red square in the middle of a wide image that is stored upside down.
  const wide = await sharp({ create: { width: 300, height: 100, channels: 3, background: '#00f' } })
    .composite([{ input: await sharp(RED).resize(100, 100).png().toBuffer() }])
    .withExif({ IFD0: { Copyright: 'in Ada’s garden', Orientation: '3' } })
    .jpeg()
    .toBuffer()
  assert.ok(wide.includes('in Ada'))
  const saved = await ada.visitor.follow(await send(ada, new Uint8Array(wide)))
  assert.match(saved.text, /Photo saved\./)
  const url = (await avatarOf(world, 'ada')) ?? ''
  assert.match(url, /\/human\/ada\/photo\/[\w-]{43}-512\.jpg$/)
  for (const side of [96, 256, 512]) {
    const image = await fetch(url.replace('512', String(side)))
    assert.equal(image.headers.get('content-type'), 'image/jpeg')
    assert.equal(image.headers.get('cache-control'), 'public, max-age=86400, immutable')
    assert.equal(image.headers.get('content-security-policy'), "default-src 'none'; sandbox")
    assert.equal(image.headers.get('set-cookie'), null)
    const bytes = Buffer.from(await image.arrayBuffer())
    assert.ok(!bytes.includes('in Ada'))
    const { width, height, exif } = await sharp(bytes).metadata()
    assert.deepEqual([width, height, exif], [side, side, undefined])
  }
  const page = await ada.visitor.get('/human/ada')
  assert.match(page.html, /<img class="face" src="\/human\/ada\/photo\/[\w-]{43}-256\.jpg"/)
  assert.ok(page.html.includes(`<meta property="og:image" content="${url}"`))
  assert.ok(page.html.includes(`"image":"${url}"`))
})

test('a photo is replaced, undone, removed and restored', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const undoLatest = async () => {
    const page = await ada.visitor.get(ACTIVITY_PATH)
    const [, latest = ''] = /value="(a_\d+)"/.exec(page.html) ?? []
    return ada.visitor.follow(await ada.visitor.submit(page, {}, latest))
  }
  await send(ada, RED)
  const red = (await avatarOf(world, 'ada')) ?? ''
  await send(ada, RED)
  const blue = await ada.visitor.follow(await send(ada, pngOf([0, 0, 200])))
  assert.equal((await fetch(red)).status, 404)
  assert.match((await ada.visitor.get(ACTIVITY_PATH)).text, /Photo A photo becomes Another photo/)
  await undoLatest()
  assert.equal(await avatarOf(world, 'ada'), red)
  const removed = await ada.visitor.follow(await ada.visitor.submit(blue, {}, 'Remove photo'))
  assert.match(removed.text, /Photo removed\./)
  assert.equal(await avatarOf(world, 'ada'), null)
  assert.doesNotMatch((await ada.visitor.get('/human/ada')).html, /<img/)
  await undoLatest()
  assert.equal((await fetch(red)).status, 200)
})

test('the photo of a private profile is shown only to its member', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  await send(ada, RED)
  const url = (await avatarOf(world, 'ada')) ?? ''
  await ada.ask('update_profile', { is_public: false })
  assert.equal((await fetch(url)).status, 404)
  const [, path = ''] =
    /<img class="face" src="([^"]*)"/.exec((await ada.visitor.get(PROFILE_PATH)).html) ?? []
  assert.equal((await ada.visitor.get(path)).status, 200)
  assert.equal((await eve.visitor.get(path)).status, 404)
  const form_token = (await eve.visitor.get(PROFILE_PATH)).formToken
  await eve.visitor.post(REMOVE_PROFILE_PHOTO_PATH, { form_token }, SAME_ORIGIN)
  assert.equal((await ada.visitor.get(path)).status, 200)
  const forged = await ada.visitor.post(REMOVE_PROFILE_PHOTO_PATH, { form_token: 'x' }, SAME_ORIGIN)
  assert.equal(forged.status, 403)
})

test('files that are no photos are errors beside the field', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  for (const [bytes, error] of [
    [Buffer.from('<svg/>'), /The photo must be a JPEG, PNG, WebP or GIF image\./],
    [pngHeader(20, 20), /The photo is damaged\. Open it in another program/],
    [pngHeader(9000, 20), /is 9000 × 20 pixels\. The maximum is 8192 pixels per side\./],
    [Buffer.alloc(21 << 20), /must not be larger than 20 MB\./],
    [Buffer.alloc(0), /The photo is required\./],
  ] as const) {
    const page = await send(ada, bytes)
    assert.equal(page.status, 422)
    const form = page.forms.find(({ action }) => action.endsWith(PROFILE_PHOTO_PATH))
    assert.match(form?.errors['photo'] ?? '', error)
  }
  assert.equal(await avatarOf(world, 'ada'), null)
})
