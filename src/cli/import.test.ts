import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text as collect } from 'node:stream/consumers'
import { test } from 'node:test'
import { systemClock } from '../base/clock.ts'
import { fileImportJob } from '../imports/file-import.job.ts'
import { openDatabase } from '../db/engines/open.ts'
import { memberStatement } from '../db/statement.ts'
import { findActiveJob, startJob } from '../jobs/start-job.ts'
import { storeUpload } from '../jobs/store-upload.ts'
import { requireMemberByUsername } from '../members/member.ts'
import { publishJob } from '../jobs/job-record.ts'
import { runProgram } from './program.ts'
import { runWeft } from '../../test/support/in-process.ts'
import { createDatabaseLocation } from '../../test/support/store.ts'

/** "Bjørn" in windows-1252, which is "Bjřrn" in windows-1250. */
const FILE = Buffer.from('Name,Email,Klub\nBj\xf8rn Dahl,bjorn@dahl.example,Rowing\n', 'latin1')

/** A member with an unfinished import of `people.csv`, which no process runs. */
async function createUnfinished(options: object) {
  const location = await createDatabaseLocation()
  const environment = { WEFT_DATABASE: location.address }
  const weft = (...args: string[]) => runWeft(environment, args)
  const made = await weft('member', 'create', '--username', 'ada', '--name', 'Ada')
  assert.equal(made.code, 0, made.stderr)
  const { database } = await openDatabase(location.database, {
    clock: systemClock,
    searchThreads: 1,
  })
  const { memberId } = await requireMemberByUsername(database, 'ada')
  const db = database.member(memberId)
  const now = systemClock.now()
  const { upload_id } = await storeUpload(db, {
    filename: 'people.csv',
    contentType: null,
    now,
    bytes: parts(FILE),
  })
  const input = { upload_id, ...options }
  const start = { definition: fileImportJob, input, credentialId: null, charge: false }
  await db.write((tx) => startJob(tx, { ...start, quota: 0, now }))
  const path = join(location.folder, 'people.csv')
  await writeFile(path, FILE)
  return {
    run: (...args: string[]) => weft('import', path, '--member', 'ada', ...args),
    people: async () => (await db.all(PEOPLE, {})).map(({ name, title }) => [name, title] as const),
    jobs: async () => (await db.all(JOBS, {})).map(({ state }) => state),
    /** The job, and what a terminal shows while it runs. */
    async shown() {
      const job = await findActiveJob(db, fileImportJob.kind)
      assert.ok(job)
      const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
      const progress = collect(stderr)
      const terminal = {
        environment,
        stdin: new PassThrough(),
        stdout: new PassThrough(),
        stderr,
        onStop: () => {},
      }
      const args = ['import', '--resume', '--member', 'ada']
      assert.equal(await runProgram(['node', 'weft', ...args], terminal), 0)
      stderr.end()
      return { job, progress: await progress }
    },
    isUnfinished: async () => (await findActiveJob(db, fileImportJob.kind)) !== undefined,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await location[Symbol.asyncDispose]()
    },
  }
}

async function* parts(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const PEOPLE = memberStatement<object, { name: string; title: string | null }>()(
  'select name, title from connections where member_id = :member_id order by connection_id',
)
const JOBS = memberStatement<object, { state: string }>()(
  'select state from jobs where member_id = :member_id order by created_at, job_id',
)

test('the same file with the same options, however they are spelled, continues its import', async () => {
  const columns = ['Klub=title', 'Name=name']
  await using world = await createUnfinished({ columns, encoding: 'windows-1252' })
  const same = ['--column', 'Name=name', '--column', 'Klub=title', '--encoding', 'cp1252']
  const { code, stderr } = await world.run(...same)
  assert.equal(code, 0, stderr)
  assert.match(stderr, /Continuing the unfinished import of people\.csv\./)
  assert.deepEqual(await world.jobs(), ['succeeded'])
  assert.deepEqual(await world.people(), [['Bjørn Dahl', 'Rowing']])
})

test('the same file with another encoding or other columns is imported again with the new options', async () => {
  await using world = await createUnfinished({ encoding: 'windows-1250' })
  const { code, stderr } = await world.run('--encoding', 'windows-1252', '--column', 'Klub=title')
  assert.equal(code, 0, stderr)
  assert.match(stderr, /was canceled.*\(--format auto --encoding windows-1250\)/)
  assert.doesNotMatch(stderr, /Continuing/)
  assert.deepEqual((await world.jobs()).toSorted(), ['cancelled', 'succeeded'])
  assert.deepEqual(await world.people(), [['Bjørn Dahl', 'Rowing']])
})

test('an import names its file from its start, in the list of jobs too', async () => {
  await using world = await createUnfinished({ encoding: 'windows-1252' })
  const { job, progress } = await world.shown()
  assert.deepEqual([job.state, job.filename], ['queued', 'people.csv'])
  assert.equal(publishJob(job, 'https://weft.example').filename, 'people.csv')
  assert.match(progress, /Importing people\.csv /)
})

test('a column that the file does not have is reported with the names of those it has', async () => {
  await using world = await createUnfinished({})
  const columns = ['--column', 'Clubb=title', '--column', 'Klub=title']
  const { code, stderr } = await world.run('--encoding', 'windows-1252', ...columns)
  assert.equal(code, 0, stderr)
  assert.match(stderr, /The file has no column “Clubb”\. It has: Name, Email, Klub\.\n/)
})

test('an option that is not valid is an error, and the unfinished import stays', async () => {
  await using world = await createUnfinished({ encoding: 'windows-1250' })
  const { code, stderr } = await world.run('--encoding', 'cp9999')
  assert.equal(code, 1)
  assert.match(stderr, /^encoding: must be one of utf-8/)
  assert.equal(await world.isUnfinished(), true)
})

test('an import leaves the vectors and the index for the first search', async () => {
  await using location = await createDatabaseLocation()
  const environment = { WEFT_DATABASE: location.address }
  await runWeft(environment, ['member', 'create', '--username', 'ada', '--name', 'Ada'])
  const path = join(location.folder, 'many.csv')
  const rows = Array.from({ length: 600 }, (_, at) => `Person ${at},p${at}@example.org,Nurse`)
  await writeFile(path, ['Name,Email,Title', ...rows].join('\n'))
  const ran = await runWeft(environment, ['import', path, '--member', 'ada'])
  assert.equal(ran.code, 0, ran.stderr)
  const opened = await openDatabase(location.database, { clock: systemClock, searchThreads: 1 })
  await using database = opened.database
  const { memberId } = await requireMemberByUsername(database, 'ada')
  assert.deepEqual(await database.member(memberId).get(DERIVED, {}), {
    prepare_search_at: null,
    is_embedded: 1,
    is_indexed: 1,
    vectors: 600,
  })
})

const DERIVED = memberStatement<object, object>()(`
  select prepare_search_at,
    case when embedded_version = search_version then 1 else 0 end as is_embedded,
    (select count(*) from search_snapshots s where s.member_id = n.member_id and s.part = 0) as is_indexed,
    (select count(*) from embeddings e where e.member_id = n.member_id) as vectors
  from networks n where n.member_id = :member_id`)
