import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { openCalendarSite } from '../../../test/fixtures/calendar-site.ts'
import { createWorld, rowsOf } from '../../../test/fixtures/network.ts'
import { addConnectionTool } from '../../../test/fixtures/one-person.ts'
import { pngHeader, pngOf } from '../../../test/fixtures/photos.ts'
import { OutgoingPool } from '../../base/concurrency/outgoing-pool.ts'
import { createLog } from '../../base/log.ts'
import { startJob } from '../../jobs/start-job.ts'
import { JobWorker } from '../../jobs/worker.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { peopleUndoer } from '../undo/undo-connections.ts'
import { countWithoutPhoto, findPhotosJob } from './find-photos.job.ts'
import { GRAVATAR_URL, gravatarOf } from './gravatar.ts'

/** A service that has these photos, by email address, and a member who looks for them. */
async function openPhotos(photos: Readonly<Record<string, Uint8Array>>) {
  const site = await openCalendarSite()
  const world = await createWorld()
  const member = await world.join()
  const known = new Map(
    Object.entries(photos).map(([email, bytes]) => [hash('sha256', email), bytes]),
  )
  const serve = () =>
    site.answer(({ url = '' }, response) => {
      const [, hashed = ''] = /^\/avatar\/([0-9a-f]{64})\?s=256&d=404$/.exec(url) ?? []
      const bytes = known.get(hashed)
      response.writeHead(bytes ? 200 : 404).end(bytes)
    })
  serve()
  const definition = findPhotosJob({
    outgoing: new OutgoingPool(),
    fetchPolicy: site.fetchPolicy,
    photoService: new URL('/avatar/', site.address).href,
  })
  return {
    site,
    world,
    member,
    serve,
    add: (name: string, emails: readonly string[]) =>
      member.ask(addConnectionTool, { name, emails }),
    photoOf: async (name: string) =>
      (await rowsOf(world, member, 'connections')).find((row) => row['name'] === name)?.['photo'],
    async look() {
      const { database, clock } = world
      const start = { definition, input: {}, credentialId: null, charge: true, quota: 0 }
      const { job } = await member.db.write((tx) => startJob(tx, { ...start, now: clock.now() }))
      await using worker = new JobWorker({
        database,
        jobs: [definition],
        clock,
        log: createLog('silent'),
      })
      const { state, result, error } = await worker.runToEnd(member.caller.memberId, job.job_id)
      return { state, result: JSON.parse(result ?? 'null') as unknown, error }
    },
    async [Symbol.asyncDispose]() {
      site[Symbol.dispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

const RED = pngOf([200, 0, 0])
const BLUE = pngOf([0, 0, 200])
const undo = undoTool({ undoers: [peopleUndoer] })

test('people without a photo get the one of their first address that has one, in one change', async () => {
  await using photos = await openPhotos({ 'ann@example.org': RED, 'ben@work.example': BLUE })
  await photos.add('Ann', ['  Ann@Example.org '])
  await photos.add('Ben', ['ben@example.org', 'ben@work.example'])
  await photos.add('Cy', ['cy@example.org'])
  await photos.add('No Address', [])
  const { state, result } = await photos.look()
  assert.deepEqual([state, result], ['succeeded', { found: 2, not_found: 1, failed: 0 }])
  assert.ok(await photos.photoOf('Ann'))
  assert.ok(await photos.photoOf('Ben'))
  assert.equal(await photos.photoOf('Cy'), null)
  assert.deepEqual(await countWithoutPhoto(photos.member.db), { people: 2, with_email: 1 })
  const paths = photos.site.requests.map(({ url, headers }) => `${url} ${JSON.stringify(headers)}`)
  assert.equal(paths.filter((text) => /example|Ann|Ben/i.test(text)).length, 0)
  const { activity_id } = (await rowsOf(photos.world, photos.member, 'activity')).at(-1) ?? {}
  await photos.member.ask(undo, { activity_id: `a_${String(activity_id)}` })
  assert.equal(await photos.photoOf('Ann'), null)
  assert.equal(await photos.photoOf('Ben'), null)
})

test('a photo that someone has stays, and deleted people are not looked up', async () => {
  await using photos = await openPhotos({ 'ann@example.org': RED })
  await photos.add('Ann', ['ann@example.org'])
  await photos.look()
  const first = await photos.photoOf('Ann')
  await photos.add('Gone', ['gone@example.org'])
  await photos.member.ask(deleteConnectionsTool, { people: ['Gone'] })
  const asked = photos.site.requests.length
  assert.deepEqual((await photos.look()).result, { found: 0, not_found: 0, failed: 0 })
  assert.equal(photos.site.requests.length, asked)
  assert.equal(await photos.photoOf('Ann'), first)
})

test('what is no photo, or far too large, is not stored', async () => {
  await using photos = await openPhotos({
    'text@example.org': Buffer.from('<html>'),
    'wide@example.org': pngHeader(100_000, 2),
    'large@example.org': Buffer.concat([RED, Buffer.alloc(2 * 1024 * 1024)]),
    'good@example.org': RED,
  })
  for (const name of ['text', 'wide', 'large', 'good'])
    await photos.add(name, [`${name}@example.org`])
  const { state, result } = await photos.look()
  assert.deepEqual([state, result], ['succeeded', { found: 1, not_found: 3, failed: 0 }])
})

test('a lookup without an answer is not counted as a person without a photo', async () => {
  await using photos = await openPhotos({})
  for (const name of ['p1', 'p2', 'p3']) await photos.add(name, [`${name}@example.org`])
  let answers = 0
  photos.site.answer((_, response) => {
    answers += 1
    response.writeHead(answers === 2 ? 503 : 404).end()
  })
  const { state, result } = await photos.look()
  assert.deepEqual([state, result], ['succeeded', { found: 0, not_found: 2, failed: 1 }])
})

test('a service that fails ends the job with a reason, and what was found is kept', async () => {
  await using photos = await openPhotos({ 'p1@example.org': RED })
  for (let at = 1; at <= 60; at += 1) await photos.add(`P${at}`, [`p${at}@example.org`])
  let answers = 0
  photos.site.answer((_, response) => {
    answers += 1
    if (answers === 1) response.writeHead(200).end(RED)
    else response.writeHead(answers > 30 ? 503 : 404).end()
  })
  const { state, error } = await photos.look()
  assert.equal(state, 'failed')
  assert.match(error ?? '', /Gravatar could not be reached\./)
  assert.ok(await photos.photoOf('P1'))
  assert.equal(answers, 33)
  photos.serve()
  assert.deepEqual((await photos.look()).result, { found: 0, not_found: 59, failed: 0 })
})

for (const place of [1, 12, 25, 26])
  test(`a photo that was found before the service failed is kept: ${place} of 30 people`, async () => {
    const email = `p${place}@example.org`
    await using photos = await openPhotos({ [email]: RED })
    for (let at = 1; at <= 30; at += 1) await photos.add(`P${at}`, [`p${at}@example.org`])
    const { pathname } = gravatarOf(email, new URL('/avatar/', photos.site.address).href)
    let isFound = false
    photos.site.answer(({ url = '' }, response) => {
      const isPhoto = url.startsWith(pathname)
      response.writeHead(isPhoto ? 200 : isFound ? 503 : 404).end(isPhoto ? RED : undefined)
      isFound ||= isPhoto
    })
    const { state, error } = await photos.look()
    assert.deepEqual([state, photos.site.requests.length], ['failed', place + 3])
    assert.match(error ?? '', /The photos found so far are kept\./)
    assert.ok(await photos.photoOf(`P${place}`))
  })

test('an address has the hash of its documentation', () => {
  const hashed = '84059b07d4be67b806386c0aad8070a23f18836bbaae342275dc0a83414c32ee'
  assert.equal(
    gravatarOf(' MyEmailAddress@example.com ').href,
    `${GRAVATAR_URL}${hashed}?s=256&d=404`,
  )
})
