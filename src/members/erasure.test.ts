import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { DAY } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { TEST_ENGINE } from '../../test/support/store.ts'
import { saveNoteTool } from '../connections/notes/save-note.tool.ts'
import { deleteConnectionsTool } from '../connections/deletion/delete-connections.tool.ts'
import {
  createSeparateWorld,
  createWorld,
  type Acting,
  type World,
} from '../../test/fixtures/network.ts'
import { purgeDeletedJob } from '../connections/deletion/purge-deleted.job.ts'
import { startJob } from '../jobs/start-job.ts'
import { NO_UPLOAD_QUOTA, storeUpload } from '../jobs/store-upload.ts'
import { JobWorker } from '../jobs/worker.ts'
import { deleteMember, updateMember } from './member.ts'
import { searchDirectory } from './directory.ts'

/** Eight of these exceed the size of a file that is rewritten. */
const LARGE = 'x'.repeat(9 * 1024 * 1024)

/** A marker in all data that must be erased. */
const MARK = 'zyxwvut'

test('a deleted member leaves nothing in the files, and other members are unchanged', async () => {
  await using world = await createSeparateWorld()
  const [mark, ann] = [await world.join(), await world.join()]
  await describe(world, mark, MARK)
  await describe(world, ann, 'ordinary')
  // Alternating, so that the data of both is adjacent.
  for (let at = 0; at < 600; at += 50) {
    await fill(mark, MARK, at)
    await fill(ann, 'ordinary', at)
  }
  assert.ok(countIn(await world.everything()) > 1000)
  await world.database.write((tx) => deleteMember(tx, mark.db.memberId))
  assert.equal(await world.database.erase(), true)
  assert.equal(countIn(await world.everything()), 0)
  const found = await searchDirectory(
    world.database,
    { q: 'ordinary-thinking' },
    'https://w.example',
  )
  assert.deepEqual(
    found.members.map(({ username }) => username),
    ['member-2'],
  )
})

test('former profile values leave nothing either', async () => {
  await using world = await createSeparateWorld()
  const [mark, ann] = [await world.join(), await world.join()]
  await describe(world, ann, 'sharedword')
  await describe(world, mark, `sharedword ${MARK}`)
  await describe(world, mark, 'quiet')
  await world.database.erase()
  assert.equal(countIn(await world.everything()), 0)
  // A word that another member also has is still found by its prefix.
  const found = await searchDirectory(world.database, { q: 'sharedwo' }, 'https://w.example')
  assert.equal(found.members.length, 1)
})

test('purged connections leave nothing in the files', async () => {
  await using world = await createSeparateWorld()
  const member = await world.join()
  await fill(member, MARK, 0)
  await fill(member, 'ordinary', 50)
  const connection_ids = Array.from({ length: 50 }, (_, index) => `c_${index + 1}`)
  await member.ask(deleteConnectionsTool, { people: connection_ids })
  world.clock.advance(30 * DAY)
  await purge(world, member)
  await world.database.erase()
  assert.equal(countIn(await world.everything()), 0)
})

const ofSqlite = { skip: TEST_ENGINE !== 'sqlite' && 'for SQLite only: PostgreSQL has autovacuum' }

test('a small file is rewritten, so that no page keeps old data', ofSqlite, async () => {
  await using world = await createWorld()
  const member = await world.join()
  for (let at = 0; at < 1000; at += 50) await fill(member, 'ordinary', at)
  const { bytes } = await world.database.describe()
  await world.database.write((tx) => deleteMember(tx, member.db.memberId))
  await world.database.erase()
  const after = await world.database.describe()
  assert.ok(after.bytes < bytes / 1.5, `${after.bytes} of ${bytes}`)
})

test('a formerly large file is rewritten if little is left in it', ofSqlite, async () => {
  await using world = await createWorld()
  const member = await world.join()
  for (let at = 0; at < 8; at += 1)
    await storeUpload(member.db, {
      filename: 'large.txt',
      contentType: 'text/plain',
      bytes: Readable.from([Buffer.from(LARGE)]),
      now: world.clock.now(),
      quota: NO_UPLOAD_QUOTA,
    })
  assert.ok((await world.database.describe()).bytes > 64 * 1024 * 1024)
  assert.equal(await world.database.erase(), false)
  await world.database.write((tx) => deleteMember(tx, member.db.memberId))
  assert.equal(await world.database.erase(), true)
  assert.ok((await world.database.describe()).bytes < 1024 * 1024)
})

test(
  'while another process reads the log, erasure is incomplete and reports it',
  ofSqlite,
  async () => {
    await using world = await createSeparateWorld()
    const member = await world.join()
    await fill(member, MARK, 0)
    using other = new DatabaseSync(world.address.replace('sqlite:', ''), { readOnly: true })
    other.exec('begin; select count(*) from connections')
    await world.database.write((tx) => deleteMember(tx, member.db.memberId))
    assert.equal(await world.database.erase(), false)
    other.exec('commit')
    assert.equal(await world.database.erase(), true)
    assert.equal(countIn(await world.everything()), 0)
  },
)

async function describe(world: World, { db }: Acting, word: string): Promise<void> {
  const fields = {
    name: `Someone ${word}`,
    headline: `All about ${word}-thinking`,
    email: `${word.replace(' ', '.')}@example.org`,
    skills: [word],
  }
  await world.database.write((tx) => updateMember(tx, db.memberId, fields, 0))
}

/** Fifty connections, and some more notes. */
async function fill(member: Acting, word: string, from: number): Promise<void> {
  const contacts = Array.from({ length: 50 }, (_, index) => ({
    name: `Friend ${from + index} ${word}${from + index}`,
    company: `${word} Ltd ${index}`,
    emails: [`f${from + index}@${word}.org`],
    note: `Note ${word} ${'lorem '.repeat((from + index) % 40)}`,
    labels: [`${word} tag`],
  }))
  await member.import(contacts, { jobId: from + 1 })
  const note = { people: `c_${from + 1}`, text: `Once more ${word}` }
  await member.ask(saveNoteTool, note)
}

async function purge({ database, clock }: World, { db }: Acting): Promise<void> {
  const start = { definition: purgeDeletedJob, input: {}, credentialId: null, charge: false }
  const { job } = await db.write((tx) => startJob(tx, { ...start, quota: 0, now: clock.now() }))
  const log = createLog('silent')
  await using worker = new JobWorker({ database, jobs: [purgeDeletedJob], clock, log })
  assert.equal((await worker.runToEnd(db.memberId, job.job_id)).state, 'succeeded')
}

function countIn(everything: string): number {
  return everything.toLowerCase().split(MARK).length - 1
}
