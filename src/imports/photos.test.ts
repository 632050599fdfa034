import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addConnectionTool,
  updateConnectionTool,
  getConnectionTool,
} from '../../test/fixtures/one-person.ts'
import { createWorld, rowsOf, type Acting, type World } from '../../test/fixtures/network.ts'
import { latestArchive, runExport } from '../../test/fixtures/export.ts'
import { pngHeader, pngOf } from '../../test/fixtures/photos.ts'
import { readWhole } from '../../test/fixtures/reading.ts'
import { DAY } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { photoPath } from '../html/site-map.ts'
import { startJob } from '../jobs/start-job.ts'
import { JobWorker } from '../jobs/worker.ts'
import { undoTool } from '../tools/undo/undo.tool.ts'
import { deleteConnectionsTool } from '../connections/deletion/delete-connections.tool.ts'
import { purgeDeletedJob } from '../connections/deletion/purge-deleted.job.ts'
import { resolveDuplicatesTool } from '../connections/duplicates/resolve-duplicates.tool.ts'
import { setPhoto } from '../connections/editing/set-photo.ts'
import { readPhoto, type Photo } from '../contact-files/contact/photo.ts'
import { storePhotos } from '../connections/model/photo-store.ts'
import { peopleUndoer } from '../connections/undo/undo-connections.ts'
import { recordChange } from '../tools/activity.ts'
import { fileImportJob } from './file-import.job.ts'
import { importUndoer } from './undo-import.ts'
import type { Job } from '../jobs/job.ts'

const undo = undoTool({ undoers: [peopleUndoer, importUndoer] })

const [RED, BLUE] = [photoOf(pngOf([200, 0, 0])), photoOf(pngOf([0, 0, 200]))]

function photoOf(bytes: Uint8Array): Photo {
  const photo = readPhoto(bytes)
  assert.ok('photoId' in photo)
  return photo
}

function base64({ bytes }: Pick<Photo, 'bytes'>): string {
  return Buffer.from(bytes).toString('base64')
}

function cardWith(photo: string, name = 'Grace Hopper', email = 'g@x.example'): string {
  return `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\nEMAIL:${email}\r\n${photo}\r\nEND:VCARD\r\n`
}

async function run(
  { database, clock }: World,
  { db }: Acting,
  definition: Job,
  input: object,
): Promise<Readonly<Record<string, unknown>>> {
  const start = { definition, input, credentialId: null, charge: true, quota: 1000 }
  const { job } = await db.write((tx) => startJob(tx, { ...start, now: clock.now() }))
  await using worker = new JobWorker({
    database,
    jobs: [definition],
    clock,
    log: createLog('silent'),
  })
  const { state, result, error } = await worker.runToEnd(db.memberId, job.job_id)
  assert.equal(state, 'succeeded', error ?? '')
  return JSON.parse(result ?? '{}') as Readonly<Record<string, unknown>>
}

async function importFile(world: World, member: Acting, content: string) {
  return run(world, member, fileImportJob, { content })
}

/** The path that get_connections returns. */
async function photoIn(member: Acting, connection_id = 'c_1'): Promise<string | undefined> {
  const { details } = await member.ask<{ details?: { photo?: string } }>(getConnectionTool, {
    connection_id,
  })
  return details?.photo
}

async function upload({ db, caller }: Acting, id: string, photo: Photo, now = 0): Promise<void> {
  await db.write(async (tx) => {
    const by = { credentialId: caller.credential.id, actor: 'Ada', now }
    await setPhoto({ tx, now, record: (change) => recordChange(tx, by, change) }, id, photo)
  })
}

async function storedIds(world: World, member: Acting): Promise<string[]> {
  return (await rowsOf(world, member, 'photos')).map((row) => String(row['photo_id']))
}

test('photos are read from every version of vCard, folded in any way', async () => {
  const data = base64(RED)
  const folded = data.replaceAll(/.{40}/g, '$&\r\n ')
  const photos = [
    `PHOTO;ENCODING=b;TYPE=PNG:${data}`,
    `PHOTO;TYPE=PNG;ENCODING=B:${folded}`,
    `item1.PHOTO;X-ABCROP-RECTANGLE="a:b;c";ENCODING=b:${data}`,
    `PHOTO;PNG;ENCODING=BASE64:\r\n ${folded}\r\n`,
    `PHOTO;ENCODING=BASE64;PNG:${data.replaceAll(/.{40}/g, '$&\r\n')}\r\n`,
    `PHOTO:data:image/png;base64,${folded}`,
    `PHOTO;VALUE=uri:data:image/png;base64\\,${data}`,
    `PHOTO;ENCODING=b:${data}\r\nPHOTO;ENCODING=b:${base64(BLUE)}`,
  ]
  for (const text of photos) {
    const { rows } = await readWhole(cardWith(text))
    const [row] = rows
    assert.ok(row && 'contact' in row && row.photo, text)
    assert.deepEqual(row.photo, RED, text)
    assert.deepEqual(row.contact.details, { photo: RED.photoId }, text)
    assert.equal(row.contact.emails[0], 'g@x.example')
  }
})

test('invalid photos are reported, and a URL is kept but not fetched', async () => {
  const huge = Buffer.concat([pngOf([1, 2, 3]), Buffer.alloc(1024 * 1024)]).toString('base64')
  for (const data of [
    huge,
    base64({ bytes: pngHeader(9000, 10) }),
    'PHN2Zz48L3N2Zz4=',
    '!!!!AAAA',
  ]) {
    const { rows } = await readWhole(cardWith(`PHOTO;ENCODING=b:${data}`))
    const [row] = rows
    assert.ok(row && 'contact' in row)
    assert.deepEqual([row.cut, row.contact.details], [['photo'], undefined])
  }
  for (const nothing of ['PHOTO:', 'PHOTO;VALUE=uri:', 'PHOTO:cid:part1']) {
    const { rows } = await readWhole(cardWith(nothing))
    assert.deepEqual(rows[0] && 'contact' in rows[0] && rows[0].cut, undefined, nothing)
  }
  const { contacts } = await readWhole(cardWith('PHOTO;VALUE=uri:https://x.example/g.png'))
  assert.deepEqual(contacts[0]?.details?.custom, [
    { field: 'PHOTO', value: 'https://x.example/g.png' },
  ])
})

test('an import stores a photo once, changes nothing again, and never replaces an uploaded one', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const file = (photo: Photo) =>
    ['Grace Hopper', 'Jean Bartik']
      .map((name, at) => cardWith(`PHOTO;ENCODING=b:${base64(photo)}`, name, `${at}@x.example`))
      .join('')
  assert.equal((await importFile(world, member, file(RED)))['created'], 2)
  assert.deepEqual(await storedIds(world, member), [RED.photoId])
  assert.equal(await photoIn(member), photoPath(RED.photoId))
  assert.equal((await importFile(world, member, file(RED)))['unchanged'], 2)
  await upload(member, 'c_2', BLUE)
  const newer = await importFile(world, member, file(photoOf(pngOf([0, 200, 0]))))
  assert.equal(newer['updated'], 1)
  assert.equal(await photoIn(member, 'c_2'), photoPath(BLUE.photoId))
  assert.notEqual(await photoIn(member, 'c_1'), photoPath(RED.photoId))
  const { changes } = await member.ask<{ changes?: unknown }>(undo, {
    activity_id: `a_${(await rowsOf(world, member, 'activity')).length}`,
  })
  assert.equal(changes, undefined)
  assert.equal(await photoIn(member, 'c_1'), photoPath(RED.photoId))
  assert.equal(await photoIn(member, 'c_2'), photoPath(BLUE.photoId))
})

test('a photo is undone, merged, split off and cleared like every other field', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Grace Hopper' })
  await member.ask(addConnectionTool, { name: 'Grace B. Hopper' })
  await upload(member, 'c_2', RED)
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id: 'c_1', merge_ids: ['c_2'] })
  assert.equal(await photoIn(member), photoPath(RED.photoId))
  await member.ask(resolveDuplicatesTool, { action: 'split', keep_id: 'c_1' })
  assert.equal(await photoIn(member), undefined)
  assert.equal(await photoIn(member, 'c_2'), photoPath(RED.photoId))
  await upload(member, 'c_2', BLUE)
  await member.ask(undo, { activity_id: 'a_6' })
  assert.equal(await photoIn(member, 'c_2'), photoPath(RED.photoId))
  await member.ask(updateConnectionTool, { connection_id: 'c_2', details: { photo: null } })
  assert.equal(await photoIn(member, 'c_2'), undefined)
  const refused = await member.refused(updateConnectionTool, {
    connection_id: 'c_2',
    details: { photo: 'https://x.example/p.png' },
  })
  assert.equal(refused.code, 'invalid_request')
})

test('unused photos are purged after 30 days, with or without their connection', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const { clock } = world
  const purge = () => run(world, member, purgeDeletedJob, {})
  for (const name of ['Grace Hopper', 'Jean Bartik', 'Alan Turing'])
    await member.ask(addConnectionTool, { name })
  await upload(member, 'c_1', RED, clock.now())
  await upload(member, 'c_2', BLUE, clock.now())
  await upload(member, 'c_3', RED, clock.now())
  clock.advance(20 * DAY)
  await member.ask(updateConnectionTool, { connection_id: 'c_1', details: { photo: null } })
  await member.ask(deleteConnectionsTool, { people: ['c_2'] })
  clock.advance(20 * DAY)
  await purge()
  assert.equal((await storedIds(world, member)).length, 2)
  clock.advance(11 * DAY)
  await purge()
  assert.deepEqual(await storedIds(world, member), [RED.photoId])
  assert.equal(await photoIn(member, 'c_3'), photoPath(RED.photoId))
  await member.ask(updateConnectionTool, { connection_id: 'c_3', details: { photo: null } })
  const cleared = (await rowsOf(world, member, 'activity')).length
  clock.advance(31 * DAY)
  await purge()
  assert.deepEqual(await storedIds(world, member), [])
  const late = await member.refused(undo, { activity_id: `a_${cleared}` })
  assert.match(late.message, /the photo of c_3 was permanently deleted/)
  const [network] = await rowsOf(world, member, 'networks')
  assert.equal(network?.['oldest_deletion'], null)
})

test('an import is undone without a photo that was purged since', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const fileWith = (photo: Photo) => cardWith(`PHOTO;ENCODING=b:${base64(photo)}`)
  await importFile(world, member, fileWith(RED))
  await importFile(world, member, fileWith(BLUE))
  const second = (await rowsOf(world, member, 'activity')).length
  world.clock.advance(31 * DAY)
  await run(world, member, purgeDeletedJob, {})
  assert.deepEqual(await storedIds(world, member), [BLUE.photoId])
  await member.ask(undo, { activity_id: `a_${second}` })
  assert.equal(await photoIn(member), undefined)
})

test('photos beyond the quota of a network are not stored', async () => {
  await using world = await createWorld()
  const { db } = await world.join()
  const most = RED.bytes.byteLength + BLUE.bytes.byteLength - 1
  const store = (...photos: Photo[]) => db.write((tx) => storePhotos(tx, photos, 0, most))
  assert.deepEqual([...(await store(RED, RED, BLUE))], [RED.photoId])
  assert.deepEqual([...(await store(BLUE))], [])
  assert.deepEqual([...(await store(RED))], [RED.photoId])
})

test('the archive contains photos in its vCards and JSON, and both can be imported', async () => {
  await using world = await createWorld()
  const ada = await world.join()
  await ada.ask(addConnectionTool, { name: 'Jean Bartik' })
  await ada.ask(addConnectionTool, { name: 'Grace Hopper', emails: ['g@x.example'] })
  await upload(ada, 'c_2', RED)
  await runExport(world, ada.db)
  const archive = await latestArchive(world, ada.db)
  for (const name of ['connections.vcf', 'connections.json'] as const) {
    const eve = await world.join()
    assert.equal((await importFile(world, eve, archive[name] ?? ''))['created'], 2)
    assert.deepEqual(await storedIds(world, eve), [RED.photoId])
    assert.equal(await photoIn(eve, 'c_1'), undefined)
    assert.equal(await photoIn(eve, 'c_2'), photoPath(RED.photoId))
    assert.equal((await importFile(world, eve, archive[name] ?? ''))['unchanged'], 2)
  }
  const lines = (archive['connections.vcf'] ?? '').split('\r\n')
  assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75))
})
