import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { addConnectionTool } from '../../test/fixtures/one-person.ts'
import { mintApiToken } from '../access/api-token.ts'
import { DAY } from '../base/clock.ts'
import { saveNoteTool } from '../connections/notes/save-note.tool.ts'
import { deleteConnectionsTool } from '../connections/deletion/delete-connections.tool.ts'
import { createWorld } from '../../test/fixtures/network.ts'
import { saveFollowUpTool } from '../connections/follow-ups/save-follow-up.tool.ts'
import { memberStatement } from '../db/statement.ts'
import { JobInterrupted, type RunningJob } from '../jobs/job.ts'
import { deleteMember, updateMember } from '../members/member.ts'
import { JOB, latestArchive, runExport } from '../../test/fixtures/export.ts'
import {
  addExportChunks,
  beginExport,
  completeExport,
  findExport,
  findLatestExport,
  readExport,
  sweepExports,
} from './export-store.ts'
import type { MemberDatabase } from '../db/database.ts'

type Row = Readonly<Record<string, unknown>>

const STORED = memberStatement<object, { exports: number; chunks: number }>()(`
  select (select count(*) from exports where member_id = :member_id) as exports,
    (select count(*) from export_chunks where member_id = :member_id) as chunks`)

test('the archive contains all data of the member and no secrets', async () => {
  await using world = await createWorld()
  const ada = await world.join()
  const { db, caller } = ada
  const email = 'ada@example.org'
  await world.database.write((tx) => updateMember(tx, caller.memberId, { email }, 0))
  const token = { name: 'laptop', holder: 'ai_client', lifetimeDays: null } as const
  const { secret } = await db.write((tx) => mintApiToken(tx, token, world.clock.now()))
  await ada.ask(addConnectionTool, { name: 'Grace Hopper', tags: ['navy'], company: 'Navy' })
  await ada.ask(saveNoteTool, { people: 'c_1', text: 'Met at Harvard' })
  const followUp = { people: 'c_1', text: 'Ask about COBOL', due_on: '2026-11-30' }
  await ada.ask(saveFollowUpTool, followUp)
  await ada.ask(addConnectionTool, { name: 'Gone Soon' })
  await ada.ask(deleteConnectionsTool, { people: ['c_2'] })
  const { result } = await runExport(world, db)
  const report = JSON.parse(result ?? '') as Row
  assert.equal(report['filename'], 'weft-member-1-2026-11-21.zip')
  assert.equal(report['expires_at'], '2026-11-28T12:00:00.000Z')
  assert.match(
    String(report['download_url']),
    /^https:\/\/weft\.example\/api\/exports\/exp_[\w-]{22}$/,
  )

  const archive = await latestArchive(world, db)
  for (const [name, text] of Object.entries(archive)) {
    assert.ok(!text.includes(secret), name)
    assert.doesNotMatch(text, /weft_pat_|weft_ses_|argon2|_hash/, name)
    assert.ok(name === 'README.txt' || archive['README.txt']?.includes(name), name)
  }
  const read = (name: string) => JSON.parse(archive[name] ?? '') as Row & Row[]
  assert.equal(read('profile.json')['email'], email)
  const [grace, gone, ...others] = read('connections.json')
  assert.ok(grace && gone)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [grace['connection_id'], grace['company'], grace['tags'], grace['source']],
    ['c_1', 'Navy', ['navy'], 'typed'],
  )
  assert.equal((grace['notes'] as Row[])[0]?.['text'], 'Met at Harvard')
  assert.equal((grace['follow_ups'] as Row[])[0]?.['text'], 'Ask about COBOL')
  assert.equal(gone['deleted_at'], '2026-11-21T12:00:00.000Z')
  assert.doesNotMatch(`${archive['connections.csv']}${archive['connections.vcf']}`, /Gone Soon/)
  assert.equal(read('notes.json')[0]?.['note_id'], 'n_1')
  assert.equal(read('follow-ups.json')[0]?.['follow_up_id'], 'f_1')
  assert.equal(read('activity.json').length, 5)
  assert.ok(read('credits.json').length > 4)
  assert.equal(read('jobs.json')[0]?.['kind'], 'export_data')
  const names = (read('access.json')['api_tokens'] as Row[]).map((one) => one['name'])
  assert.deepEqual(new Set(names), new Set(['laptop', 'test']))
})

test('a network of several pages is complete in every file, with each connection once', async () => {
  await using world = await createWorld()
  const { db } = await world.join()
  await db.write((tx) =>
    tx.insertMany({
      table: 'connections',
      columns: ['connection_id', 'name', 'name_key', 'source', 'created_at', 'updated_at'],
      rows: Array.from({ length: 1000 }, (_, at) => [at + 1, `P ${at}`, 'p', 'typed', 0, 0]),
    }),
  )
  const job = await runExport(world, db)
  assert.equal(job.progress_done, job.progress_total)
  const archive = await latestArchive(world, db)
  const connections = JSON.parse(archive['connections.json'] ?? '') as Row[]
  assert.equal(new Set(connections.map((one) => one['connection_id'])).size, 1000)
  assert.equal(connections.length, 1000)
  assert.equal(archive['connections.csv']?.trimEnd().split('\r\n').length, 1001)
  assert.equal(archive['connections.vcf']?.match(/^FN:P \d+\r$/gm)?.length, 1000)
})

test('the archive contains no data of other members', async () => {
  await using world = await createWorld()
  const [ada, eve] = [await world.join(), await world.join()]
  await ada.ask(addConnectionTool, { name: 'Grace Hopper', note: 'Met at Harvard' })
  await runExport(world, ada.db)
  await runExport(world, eve.db)
  const archive = await latestArchive(world, eve.db)
  assert.doesNotMatch(Object.values(archive).join(''), /Grace|Harvard|member-1/)
  assert.equal(archive['connections.json'], '[]\n')
})

test('a new archive replaces the previous one and expires after a week', async () => {
  await using world = await createWorld()
  const { db } = await world.join()
  const now = () => world.clock.now()
  await runExport(world, db)
  const first = await findLatestExport(db, now())
  world.clock.advance(DAY)
  await runExport(world, db)
  const second = await findLatestExport(db, now())
  assert.ok(first && second)
  assert.notEqual(second.exportId, first.exportId)
  assert.equal(await findExport(db, first.exportId, now()), undefined)
  assert.equal((await db.get(STORED, {}))?.exports, 1)
  world.clock.advance(7 * DAY - 1)
  assert.ok(await findExport(db, second.exportId, now()))
  assert.equal(await sweepExports(world.database, now()), 0)
  world.clock.advance(1)
  assert.equal(await findExport(db, second.exportId, now()), undefined)
  assert.equal(await sweepExports(world.database, now()), 1)
  assert.deepEqual({ ...(await db.get(STORED, {})) }, { exports: 0, chunks: 0 })
})

test('a download of an archive that is replaced or deleted fails instead of ending early', async () => {
  await using world = await createWorld()
  const gone = { name: 'RequestError', code: 'not_found' }
  for (const end of ['replaced', 'deleted'] as const) {
    const { db } = await world.join()
    const now = world.clock.now()
    const stored = await db.write(async (tx) => {
      const exportId = await beginExport(tx, { jobId: 1, filename: 'weft.zip', now })
      await addExportChunks(tx, exportId, 0, [new Uint8Array(2), new Uint8Array(2)])
      return completeExport(tx, exportId, 4, now)
    })
    const pieces = readExport(db, stored)
    assert.equal((await pieces.next()).value?.byteLength, 2)
    if (end === 'replaced') await runExport(world, db)
    else await world.database.write((tx) => deleteMember(tx, db.memberId))
    await assert.rejects(pieces.next(), gone, end)
  }
})

test('a job that was killed midway leaves nothing that the next run would duplicate', async () => {
  await using world = await createWorld()
  const { db } = await world.join()
  await addMany(db)
  // Simulates a killed process: its remaining writes are lost.
  await assert.rejects(JOB.run(running(failingAfter(db, 2), async () => {})), /killed/)
  const left = await db.get(STORED, {})
  assert.ok(left && left.exports === 1 && left.chunks > 0)
  assert.equal(await findLatestExport(db, world.clock.now()), undefined)
  await runExport(world, db)
  assert.equal((await db.get(STORED, {}))?.exports, 1)
  const archive = await latestArchive(world, db)
  assert.equal((JSON.parse(archive['connections.json'] ?? '') as Row[]).length, MANY)
})

test('a canceled job leaves nothing, and the previous archive stays', async () => {
  await using world = await createWorld()
  const { db } = await world.join()
  await addMany(db)
  await runExport(world, db)
  const before = await findLatestExport(db, world.clock.now())
  const chunks = (await db.get(STORED, {}))?.chunks
  const cancel = async () => {
    throw new JobInterrupted('the job was cancelled')
  }
  await assert.rejects(JOB.run(running(db, cancel)), JobInterrupted)
  assert.deepEqual(await findLatestExport(db, world.clock.now()), before)
  assert.deepEqual({ ...(await db.get(STORED, {})) }, { exports: 1, chunks })
})

test('deleting the member deletes the archive', async () => {
  await using world = await createWorld()
  const ada = await world.join()
  await runExport(world, ada.db)
  await world.database.write((tx) => deleteMember(tx, ada.db.memberId))
  assert.deepEqual({ ...(await ada.db.get(STORED, {})) }, { exports: 0, chunks: 0 })
})

const MANY = 1000
const NAME_BYTES = 900

/** An archive of more than one transaction: long names that do not compress well. */
async function addMany(db: MemberDatabase): Promise<void> {
  const name = (at: number) => shake256(`${at}`, NAME_BYTES).toString('base64url')
  await db.write((tx) =>
    tx.insertMany({
      table: 'connections',
      columns: ['connection_id', 'name', 'name_key', 'source', 'created_at', 'updated_at'],
      rows: Array.from({ length: MANY }, (_, at) => [at + 1, name(at), 'p', 'typed', 0, 0]),
    }),
  )
}

function shake256(text: string, outputLength: number): Buffer {
  return createHash('shake256', { outputLength }).update(text).digest()
}

function running(db: MemberDatabase, save: RunningJob['save']): RunningJob {
  const { signal } = new AbortController()
  return {
    jobId: 1,
    db,
    input: {},
    checkpoint: null,
    credentialId: null,
    now: () => 0,
    save,
    signal,
  }
}

/** A database handle whose writes fail after the first few, including those that clean up. */
function failingAfter(db: MemberDatabase, writes: number): MemberDatabase {
  let left = writes
  return {
    memberId: db.memberId,
    heavy: db.heavy,
    memory: db.memory,
    compute: (...computing) => db.compute(...computing),
    get: (statement, params) => db.get(statement, params),
    all: (statement, params) => db.all(statement, params),
    change: (change, params) => db.change(change, params),
    async write(work, options) {
      left -= 1
      if (left < 0) throw new Error('killed')
      return db.write(work, options)
    },
  }
}
