import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateConnectionTool } from '../../../../test/fixtures/one-person.ts'
import { createLog } from '../../../base/log.ts'
import { memberStatement } from '../../../db/statement.ts'
import { requestCancel, startJob } from '../../../jobs/start-job.ts'
import { JobWorker } from '../../../jobs/worker.ts'
import { openEmbedder, type Embedder } from '../../../embeddings/embedder.ts'
import { saveNoteTool } from '../../notes/save-note.tool.ts'
import { deleteConnectionsTool } from '../../deletion/delete-connections.tool.ts'
import { embedObjectsJob } from './embed-objects.job.ts'
import { createWorld, type Acting, type World } from '../../../../test/fixtures/network.ts'
import { restoreConnectionsTool } from '../../deletion/restore-connections.tool.ts'
import type { EmbeddingModel } from '../../../embeddings/embedding-model.ts'
import type { StoredJob } from '../../../jobs/job-record.ts'

const PEOPLE = ['Venture partner', 'Nurse', 'Carpenter'].map((title, at) => ({
  name: `Person ${at}`,
  title,
  profileUrl: `https://www.linkedin.com/in/${at}`,
}))

async function start(world: World, member: Acting, embedder: Embedder): Promise<StoredJob> {
  const definition = embedObjectsJob(embedder)
  const options = { definition, input: {}, credentialId: null, charge: false, quota: 0 }
  const { job } = await member.db.write((tx) =>
    startJob(tx, { ...options, now: world.clock.now() }),
  )
  return job
}

async function runJob(
  { database, clock }: World,
  member: Acting,
  job: StoredJob,
  embedder: Embedder,
) {
  const jobs = [embedObjectsJob(embedder)]
  await using worker = new JobWorker({ database, jobs, clock, log: createLog('silent') })
  return await worker.runToEnd(member.caller.memberId, job.job_id)
}

async function embed(world: World, member: Acting, embedder: Embedder) {
  const ended = await runJob(world, member, await start(world, member, embedder), embedder)
  assert.equal(ended.state, 'succeeded')
  return JSON.parse(ended.result ?? '') as object
}

/** The bundled model, which also records its inputs. */
function notingMeaning(name = 'noting'): Embedder & { readonly texts: string[] } {
  const embedder = openEmbedder(null)
  const texts: string[] = []
  const model: EmbeddingModel = {
    name,
    isLocal: false,
    minCosine: 0,
    embed(some, signal) {
      texts.push(...some)
      return embedder.model.embed(some, signal)
    },
  }
  return { ...embedder, model, texts }
}

const ROWS = memberStatement<object, { connection_id: number; model: string }>()(
  'select connection_id, model from embeddings where member_id = :member_id order by connection_id',
)
const idsEmbedded = async ({ db }: Acting) =>
  (await db.all(ROWS, {})).map((row) => row.connection_id)

test('embeds all connections, then only changed ones', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(PEOPLE)
  const embedder = openEmbedder(null)
  const model = embedder.model.name
  assert.deepEqual(await embed(world, member, embedder), {
    embedded: 3,
    unchanged: 0,
    dropped: 0,
    model,
  })
  assert.deepEqual(await embed(world, member, embedder), {
    embedded: 0,
    unchanged: 3,
    dropped: 0,
    model,
  })
  await member.ask(saveNoteTool, { people: 'c_2', text: 'Keeps bees.' })
  await member.ask(updateConnectionTool, { connection_id: 'c_3', birthday: '1980-01-01' })
  const report = await embed(world, member, embedder)
  assert.deepEqual(report, { embedded: 1, unchanged: 2, dropped: 0, model })
})

test('embeds title, company, location, tags and notes, but no name', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import([
    {
      name: 'Zoë Okonkwo',
      title: 'Carpenter',
      company: 'Oak & Co',
      location: 'Lagos',
      labels: ['boats'],
      note: 'Zoe built a dinghy. ZOË sails.',
    },
    { name: 'Ann Lee', title: 'Nurse', profileUrl: 'https://www.linkedin.com/in/ann' },
    { name: 'Bo', profileUrl: 'https://www.linkedin.com/in/bo' },
  ])
  const embedder = notingMeaning()
  await embed(world, member, embedder)
  const heading = 'Carpenter. Oak & Co. Lagos. boats'
  const note = ' built a dinghy.  sails.'
  assert.deepEqual(embedder.texts, [`${heading}\n${note}`, heading, note, 'Nurse'])
  // A connection without text is recorded too, and not embedded again.
  assert.deepEqual(await embed(world, member, embedder), {
    embedded: 0,
    unchanged: 3,
    dropped: 0,
    model: 'noting',
  })
})

test('drops vectors of deleted connections and recreates them after a restore', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(PEOPLE)
  const embedder = openEmbedder(null)
  await embed(world, member, embedder)
  await member.ask(deleteConnectionsTool, { people: ['c_1', 'c_3'] })
  const model = embedder.model.name
  const report = await embed(world, member, embedder)
  assert.deepEqual(report, { embedded: 0, unchanged: 1, dropped: 2, model })
  assert.deepEqual(await idsEmbedded(member), [2])
  await member.ask(restoreConnectionsTool, { people: ['c_3'] })
  await embed(world, member, embedder)
  assert.deepEqual(await idsEmbedded(member), [2, 3])
})

test('a different model replaces all vectors', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(PEOPLE)
  await embed(world, member, openEmbedder(null))
  const report = await embed(world, member, notingMeaning('other'))
  assert.deepEqual(report, { embedded: 3, unchanged: 0, dropped: 0, model: 'other' })
  assert.deepEqual(
    (await member.db.all(ROWS, {})).map((row) => row.model),
    ['other', 'other', 'other'],
  )
})

test('a stopped worker keeps its progress, and the next one resumes from there', async () => {
  await using world = await createWorld()
  const { database, clock } = world
  const member = await world.join()
  await member.import(
    Array.from({ length: 300 }, (_, at) => ({
      name: `Person ${at}`,
      title: `Engineer ${at}`,
      profileUrl: `https://www.linkedin.com/in/${at}`,
    })),
  )
  const embedder = notingMeaning()
  const job = await start(world, member, embedder)
  const worker = new JobWorker({
    database,
    jobs: [embedObjectsJob(embedder)],
    clock,
    log: createLog('silent'),
  })
  let stopping: Promise<void> | undefined
  await worker.runToEnd(member.caller.memberId, job.job_id, () => {
    stopping ??= worker[Symbol.asyncDispose]()
  })
  await stopping
  const left = await idsEmbedded(member)
  assert.ok(left.length > 0 && left.length < 300, `${left.length} were embedded`)
  const ended = await runJob(world, member, job, embedder)
  assert.deepEqual(JSON.parse(ended.result ?? ''), {
    embedded: 300,
    unchanged: 0,
    dropped: 0,
    model: 'noting',
  })
  assert.equal((await idsEmbedded(member)).length, 300)
})

test('a job can be canceled, even while the model is computing', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(PEOPLE)
  const job: { id?: number } = {}
  const embedder: Embedder = {
    ...openEmbedder(null),
    model: {
      name: 'slow',
      isLocal: false,
      minCosine: 0,
      async embed(texts) {
        await member.db.write((tx) => requestCancel(tx, job.id ?? 0, world.clock.now()))
        return texts.map(() => Float32Array.of(1, 0))
      },
    },
  }
  const started = await start(world, member, embedder)
  job.id = started.job_id
  const ended = await runJob(world, member, started, embedder)
  assert.equal(ended.state, 'cancelled')
  assert.deepEqual(await idsEmbedded(member), [])
})

test('a connection purged while the model is computing is not embedded', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(PEOPLE)
  const embedder: Embedder = {
    ...openEmbedder(null),
    model: {
      name: 'slow',
      isLocal: false,
      minCosine: 0,
      async embed(texts) {
        await member.db.write((tx) => tx.run(REMOVE, { connection_id: 2 }))
        return texts.map(() => Float32Array.of(1, 0))
      },
    },
  }
  await embed(world, member, embedder)
  assert.deepEqual(await idsEmbedded(member), [1, 3])
})

const REMOVE = memberStatement<{ connection_id: number }>()(
  'delete from connections where member_id = :member_id and connection_id = :connection_id',
)

test('a job embeds only connections of its own member', async () => {
  await using world = await createWorld()
  const [ada, grace] = [await world.join(), await world.join()]
  await ada.import(PEOPLE)
  await grace.import(PEOPLE)
  await embed(world, ada, openEmbedder(null))
  assert.deepEqual(await idsEmbedded(grace), [])
  assert.deepEqual(await idsEmbedded(ada), [1, 2, 3])
})
