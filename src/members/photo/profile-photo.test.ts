import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, rowsOf, type Acting, type World } from '../../../test/fixtures/network.ts'
import { pngOf } from '../../../test/fixtures/photos.ts'
import { DAY } from '../../base/clock.ts'
import { purgeDeletedJob } from '../../connections/deletion/purge-deleted.job.ts'
import { storeAllPhotos } from '../../connections/model/photo-store.ts'
import { createLog } from '../../base/log.ts'
import { startJob } from '../../jobs/start-job.ts'
import { JobWorker } from '../../jobs/worker.ts'
import { requireMember } from '../member.ts'
import { changeProfile } from '../profile-changes.ts'
import { photoCropper } from './crop-photo.ts'

const crop = photoCropper()

/** The ID of the photo. */
async function show(world: World, { db }: Acting, color: readonly [number, number, number]) {
  const cropped = await crop(db.memberId, pngOf(color))
  assert.ok('photo' in cropped)
  const now = world.clock.now()
  await db.write(async (tx) => {
    await storeAllPhotos(tx, cropped.sizes, now)
    const { photo } = cropped
    await changeProfile(tx, await requireMember(tx.shared, tx.memberId), { photo }, now)
  })
  return cropped.photo
}

async function change(world: World, { db }: Acting, photo: string | null): Promise<void> {
  await db.write(async (tx) => {
    const before = await requireMember(tx.shared, tx.memberId)
    await changeProfile(tx, before, { photo }, world.clock.now())
  })
}

async function purge({ database, clock }: World, { db }: Acting): Promise<void> {
  const start = { definition: purgeDeletedJob, input: {}, credentialId: null, charge: true }
  const { job } = await db.write((tx) => startJob(tx, { ...start, quota: 1000, now: clock.now() }))
  const options = { database, jobs: [purgeDeletedJob], clock, log: createLog('silent') }
  await using worker = new JobWorker(options)
  assert.equal((await worker.runToEnd(db.memberId, job.job_id)).state, 'succeeded')
}

async function storedSizes(world: World, member: Acting): Promise<string[]> {
  return (await rowsOf(world, member, 'photos')).map((row) => String(row['photo_id']))
}

test('a replaced photo can be shown again for 30 days, and the shown one is kept', async () => {
  await using world = await createWorld()
  const ada = await world.join()
  const red = await show(world, ada, [200, 0, 0])
  const blue = await show(world, ada, [0, 0, 200])
  world.clock.advance(20 * DAY)
  await change(world, ada, red)
  world.clock.advance(20 * DAY)
  await purge(world, ada)
  assert.equal((await storedSizes(world, ada)).length, 6)
  world.clock.advance(11 * DAY)
  await purge(world, ada)
  assert.deepEqual(await storedSizes(world, ada), [`${red}-256`, `${red}-512`, `${red}-96`])
  await assert.rejects(change(world, ada, blue), /The photo was permanently deleted\./)
  await change(world, ada, null)
  world.clock.advance(31 * DAY)
  await purge(world, ada)
  assert.deepEqual(await storedSizes(world, ada), [])
  const [network] = await rowsOf(world, ada, 'networks')
  assert.equal(network?.['oldest_deletion'], null)
})
