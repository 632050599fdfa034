import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createStore, TEST_NOW } from '../../test/support/store.ts'
import { mintApiToken } from '../access/api-token.ts'
import { DAY, HOUR, MINUTE } from '../base/clock.ts'
import { DEFAULT_MIN_SCORE, listDuplicates } from '../connections/duplicates/duplicate-page.ts'
import { fileImportJob } from '../imports/file-import.job.ts'
import { listJobs } from '../jobs/start-job.ts'
import { memberStatement } from '../db/statement.ts'
import { DEMO_MEMBER } from '../connections/demo/demo-member.ts'
import { disableMember, requireMemberByUsername } from '../members/member.ts'
import { localTimeAt } from '../dates/time-zone.ts'
import { workingTime } from './demo-days.ts'
import { renewDemo, seedDemo } from './seed-demo.ts'

const NAMES = memberStatement<object, { connection_id: number; name: string }>()(
  'select connection_id, name from connections where member_id = :member_id order by connection_id',
)

async function open() {
  const store = await createStore()
  await seedDemo(store.database, TEST_NOW)
  const demo = () => requireMemberByUsername(store.database, DEMO_MEMBER.username)
  const people = async () => store.database.member((await demo()).memberId).all(NAMES, {})
  return { ...store, demo, people, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

test('the demo account is renewed when it is six hours old, with the same people', async () => {
  await using world = await open()
  const { database, people } = world
  const before = await people()
  assert.equal(before.length, 200)
  // The account of the first start has no changes yet.
  assert.equal(await renewDemo(database, TEST_NOW), 'created')
  const renewed = await people()
  assert.deepEqual(renewed.slice(0, before.length), before)
  assert.equal(await renewDemo(database, TEST_NOW + 5 * HOUR), 'present')
  const several = await Promise.all(
    Array.from({ length: 3 }, () => renewDemo(database, TEST_NOW + 9 * DAY)),
  )
  assert.equal(several.filter((state) => state === 'created').length, 1)
  assert.deepEqual(await people(), renewed)
})

test('an import and an agent leave duplicates, of which one is certain', async () => {
  await using world = await open()
  const { database, demo } = world
  await renewDemo(database, TEST_NOW)
  const own = database.member((await demo()).memberId)
  const query = { minScore: DEFAULT_MIN_SCORE, limit: 10, signal: AbortSignal.timeout(60_000) }
  const { groups, total } = await listDuplicates(own, query)
  assert.equal(total, 4)
  const names = groups.map(({ connections }) => connections[0]?.name ?? '')
  assert.deepEqual(
    names.toSorted((one, other) => one.localeCompare(other)),
    ['Cem Aydınoğlu', 'Matteo Bellandi', 'Parveen Sandhu', 'Rafael Quiñones'],
  )
  assert.equal((await listDuplicates(own, { ...query, isCertain: true })).total, 1)
  const [job] = await listJobs(own, { kind: fileImportJob.kind, limit: 10 })
  assert.equal(job?.filename, 'phone.vcf')
  const { created, updated, review, rejected_count } = JSON.parse(job.result ?? '')
  assert.deepEqual({ created, updated, review, rejected_count }, IMPORTED)
})

test('what happened in the demo account was in working hours, in its order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 * 24 * 60 }), fc.nat(2000), (minutes, more) => {
      const earlier = TEST_NOW + minutes * MINUTE
      const [one, other] = [workingTime(earlier), workingTime(earlier + more * MINUTE)]
      assert.ok(one <= earlier && one <= other)
      const hour = (localTimeAt('Europe/Stockholm', one) % DAY) / HOUR
      // A night in which the clock changes may be off by an hour.
      assert.ok(hour >= 7 && hour <= 20, String(hour))
    }),
  )
})

const IMPORTED = { created: 6, updated: 2, review: 3, rejected_count: 0 }

test('a demo account with a credential, a disabled and a missing one are left alone', async () => {
  await using world = await open()
  const { database, demo } = world
  const { memberId } = await demo()
  const token = { name: 'own', holder: 'ai_client', lifetimeDays: null } as const
  await database.member(memberId).write((tx) => mintApiToken(tx, token, TEST_NOW))
  assert.equal(await renewDemo(database, TEST_NOW + DAY), 'present')
  assert.equal((await demo()).memberId, memberId)

  await using other = await open()
  await other.database.write(async (tx) =>
    disableMember(tx, (await other.demo()).memberId, TEST_NOW),
  )
  assert.equal(await renewDemo(other.database, TEST_NOW + DAY), 'present')
})
