import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../base/log.ts'
import { memberStatement } from '../../db/statement.ts'
import { openEmbedder, type Embedder } from '../../embeddings/embedder.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { updateConnectionTool } from '../../../test/fixtures/one-person.ts'
import { preparingRound } from './prepare-networks.ts'
import { createWorld, type Acting, type World } from '../../../test/fixtures/network.ts'

const PEOPLE = [
  { name: 'Cem Aydin', title: 'Venture partner' },
  { name: 'Otis Reed', title: 'Dentist' },
]

/** One round of a node, each time that it is called. */
function node({ database, clock }: World, embedder: Embedder): () => Promise<void> {
  const log = createLog('silent')
  return preparingRound({ database, embedder, clock, log }, new AbortController().signal)
}

/** Embeds with the built-in model, under another name, and counts the texts. */
function countingEmbedder(name: string, isLocal = true): Embedder & { texts: number } {
  const embedder = openEmbedder(null)
  const counting = {
    ...embedder,
    texts: 0,
    model: {
      ...embedder.model,
      name,
      isLocal,
      embed(texts: readonly string[]) {
        counting.texts += texts.length
        return embedder.model.embed(texts)
      },
    },
  }
  return counting
}

interface Prepared {
  readonly embedded_model: string | null
  readonly prepare_search_at: number | null
  readonly vectors: number
}

async function stateOf({ db }: Acting): Promise<Prepared | undefined> {
  return db.get(STATE, {})
}

const STATE = memberStatement<object, Prepared>()(`
  select embedded_model, prepare_search_at, (
    select count(*) from embeddings e where e.member_id = n.member_id) as vectors
  from networks n where n.member_id = :member_id`)

test('a network is embedded once it has stopped changing', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const embedder = countingEmbedder('local')
  const round = node(world, embedder)
  await member.import(PEOPLE)
  await round()
  assert.equal(embedder.texts, 0)
  await member.ask(saveNoteTool, { people: 'c_2', text: 'Keeps bees.' })
  await round()
  assert.equal(embedder.texts, 0)
  await round()
  const done = { embedded_model: 'local', prepare_search_at: null, vectors: 2 }
  assert.deepEqual(await stateOf(member), done)
  const { texts } = embedder
  await member.ask(updateConnectionTool, { connection_id: 'c_1', title: 'Investor' })
  for (let nth = 0; nth < 3; nth += 1) await round()
  assert.equal(embedder.texts, texts + 1)
  assert.deepEqual(await stateOf(member), done)
})

test('a network that changes all the time is embedded after half a minute', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const embedder = countingEmbedder('local')
  const round = node(world, embedder)
  await member.import(PEOPLE)
  for (let nth = 0; nth < 4; nth += 1) {
    assert.equal(embedder.texts, 0)
    await member.ask(saveNoteTool, { people: 'c_2', text: `Note ${nth}` })
    await round()
    world.clock.advance(10_000)
  }
  assert.ok(embedder.texts > 0)
})

test('a network waits for the end of an import', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const embedder = countingEmbedder('local')
  const round = node(world, embedder)
  await member.import(PEOPLE)
  await member.db.write((tx) => tx.run(START_IMPORT, { now: world.clock.now() }))
  for (let nth = 0; nth < 3; nth += 1) {
    await round()
    world.clock.advance(60_000)
  }
  assert.equal(embedder.texts, 0)
  await member.db.write((tx) => tx.run(END_IMPORT, {}))
  await round()
  await round()
  assert.equal((await stateOf(member))?.vectors, 2)
})

const START_IMPORT = memberStatement<{ now: number }>()(`
  insert into jobs (job_id, member_id, kind, state, input, created_at)
  values (9, :member_id, 'file_import', 'running', '{}', :now)`)

const END_IMPORT = memberStatement()(`
  update jobs set state = 'succeeded' where member_id = :member_id`)

test('two nodes embed each network once, and a restarted one continues', async () => {
  await using world = await createWorld()
  const [ada, grace] = [await world.join(), await world.join()]
  await ada.import(PEOPLE)
  const [one, two] = [countingEmbedder('local'), countingEmbedder('local')]
  const rounds = [node(world, one), node(world, two)]
  for (let nth = 0; nth < 3; nth += 1) await Promise.all(rounds.map((round) => round()))
  assert.equal(one.texts + two.texts, 2)
  assert.equal((await stateOf(ada))?.vectors, 2)
  await grace.import(PEOPLE)
  const restarted = node(world, countingEmbedder('local'))
  await restarted()
  await restarted()
  assert.equal((await stateOf(grace))?.vectors, 2)
})

test('what failed is tried again, by any node', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(PEOPLE)
  const embedder = countingEmbedder('local')
  const broken = {
    ...embedder,
    model: { ...embedder.model, embed: () => Promise.reject(new Error('out of memory')) },
  }
  const failing = node(world, broken)
  for (let nth = 0; nth < 3; nth += 1) await failing()
  const round = node(world, embedder)
  world.clock.advance(11 * 60_000)
  await round()
  await round()
  assert.equal((await stateOf(member))?.vectors, 2)
})

test('a node that stops leaves its network to the next one at once', async () => {
  await using world = await createWorld()
  const { database, clock } = world
  const member = await world.join()
  await member.import(PEOPLE)
  const stopping = new AbortController()
  const embedder = countingEmbedder('local')
  const stopped = {
    ...embedder,
    model: {
      ...embedder.model,
      embed(texts: readonly string[], signal?: AbortSignal) {
        stopping.abort()
        signal?.throwIfAborted()
        return embedder.model.embed(texts)
      },
    },
  }
  const deps = { database, embedder: stopped, clock, log: createLog('silent') }
  const round = preparingRound(deps, stopping.signal)
  await round()
  await round()
  assert.deepEqual(await stateOf(member), {
    embedded_model: null,
    prepare_search_at: 0,
    vectors: 0,
  })
  const next = node(world, embedder)
  await next()
  await next()
  assert.equal((await stateOf(member))?.vectors, 2)
})

test('another local model replaces all vectors; an endpoint embeds only networks that use it', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(PEOPLE)
  const first = node(world, countingEmbedder('local'))
  await first()
  await first()
  await node(world, countingEmbedder('other'))()
  assert.deepEqual(await stateOf(member), {
    embedded_model: 'other',
    prepare_search_at: null,
    vectors: 2,
  })
  const remote = countingEmbedder('remote', false)
  await member.ask(saveNoteTool, { people: 'c_2', text: 'Keeps bees.' })
  const round = node(world, remote)
  for (let nth = 0; nth < 3; nth += 1) await round()
  assert.equal(remote.texts, 0)
  assert.equal((await stateOf(member))?.prepare_search_at, null)
})
