import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { createLog } from '../../../base/log.ts'
import { memberStatement } from '../../../db/statement.ts'
import { openEmbedder, type Embedder } from '../../../embeddings/embedder.ts'
import { saveNoteTool } from '../../notes/save-note.tool.ts'
import { searchConnectionsTool } from '../search-connections.tool.ts'
import { GIVEN_UP_MS, prepareNetwork } from './prepare-network.ts'
import { GATHER_MS, preparingRound } from './prepare-networks.ts'
import { createWorld, type Acting, type World } from '../../../../test/fixtures/network.ts'
import { recordStatements } from '../../../../test/support/recorded.ts'

const PEOPLE = [
  { name: 'Cem Aydin', title: 'Venture partner' },
  { name: 'Otis Reed', title: 'Dentist' },
]

/** One round of a node, each time that it is called. */
function node(
  { database, clock }: Pick<World, 'database' | 'clock'>,
  embedder: Embedder,
  stop = new AbortController().signal,
): () => Promise<void> {
  const log = createLog('silent')
  return preparingRound({ database, embedder, clock, log }, stop)
}

/** A round that sees the changes, and one after they were gathered. */
async function gatherAndPrepare({ clock }: World, round: () => Promise<void>): Promise<void> {
  await round()
  clock.advance(GATHER_MS)
  await round()
}

/** More people than a search prepares by itself. */
const MANY = Array.from({ length: 150 }, (_, at) => ({
  name: `Person ${at}`,
  title: `Nurse ${at}`,
}))

/** Embeds with the built-in model, under another name, and counts the texts. */
function countingEmbedder(name: string, isLocal = true): Embedder & { texts: number } {
  const embedder = openEmbedder(null)
  const counting = {
    ...embedder,
    // Workers with other marks and the same process ID are dead.
    worker: `${hostname()}:${process.pid}:test`,
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
  readonly prepare_worker: string | null
  readonly prepare_attempts: number
  readonly vectors: number
}

async function stateOf({ db }: Acting): Promise<Prepared | undefined> {
  return db.get(STATE, {})
}

const STATE = memberStatement<object, Prepared>()(`
  select embedded_model, prepare_search_at, prepare_worker, prepare_attempts, (
    select count(*) from embeddings e where e.member_id = n.member_id) as vectors
  from networks n where n.member_id = :member_id`)

const DONE = {
  embedded_model: 'local',
  prepare_search_at: null,
  prepare_worker: null,
  prepare_attempts: 0,
}

test('changes are gathered for minutes, and prepared together', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const embedder = countingEmbedder('local')
  const round = node(world, embedder)
  await member.import(MANY)
  await round()
  world.clock.advance(GATHER_MS - 1)
  await member.ask(saveNoteTool, { people: 'c_2', text: 'Keeps bees.' })
  await round()
  assert.equal(embedder.texts, 0)
  world.clock.advance(1)
  await round()
  assert.deepEqual(await stateOf(member), { ...DONE, vectors: MANY.length })
  const { texts } = embedder
  await gatherAndPrepare(world, round)
  assert.equal(embedder.texts, texts)
})

test('few changes are left to the next search, so that a note causes no preparation', async () => {
  await using world = await createWorld()
  const statements = new Set<string>()
  const member = await world.join()
  const embedder = countingEmbedder('local')
  const database = recordStatements(world.database, statements)
  const round = node({ database, clock: world.clock }, embedder)
  await member.import(PEOPLE)
  await gatherAndPrepare(world, round)
  assert.deepEqual(await stateOf(member), { ...DONE, vectors: 2 })
  const { texts } = embedder
  await member.ask(saveNoteTool, { people: 'c_2', text: 'Keeps bees.' })
  statements.clear()
  for (let nth = 0; nth < 20; nth += 1) await round()
  const writes = () => [...statements].filter((text) => !/^\s*select/.test(text))
  assert.deepEqual(writes(), [], 'rounds only read while changes are gathered')
  world.clock.advance(GATHER_MS)
  await round()
  assert.equal(writes().length, 1, 'the mark is removed')
  assert.equal(embedder.texts, texts)
  const search = searchConnectionsTool({ embedder })
  const found = await member.ask<{ connections: { name: string }[] }>(search, {
    query: 'honey from a beekeeper',
    mode: 'semantic',
  })
  assert.equal(found.connections[0]?.name, 'Otis Reed')
  assert.ok(embedder.texts > texts)
  assert.deepEqual(await stateOf(member), { ...DONE, vectors: 2 })
})

test('a network waits for the end of an import', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const embedder = countingEmbedder('local')
  const round = node(world, embedder)
  await member.import(MANY)
  await member.db.write((tx) => tx.run(START_IMPORT, { now: world.clock.now() }))
  for (let nth = 0; nth < 3; nth += 1) {
    await round()
    world.clock.advance(GATHER_MS)
  }
  assert.equal(embedder.texts, 0)
  await member.db.write((tx) => tx.run(END_IMPORT, {}))
  await gatherAndPrepare(world, round)
  assert.equal((await stateOf(member))?.vectors, MANY.length)
})

const START_IMPORT = memberStatement<{ now: number }>()(`
  insert into jobs (job_id, member_id, kind, state, input, created_at)
  values (9, :member_id, 'file_import', 'running', '{}', :now)`)

const END_IMPORT = memberStatement()(`
  update jobs set state = 'succeeded' where member_id = :member_id`)

test('two nodes and a search embed each network once', async () => {
  await using world = await createWorld()
  const ada = await world.join()
  await ada.import(PEOPLE)
  const [one, two, three] = [1, 2, 3].map(() => countingEmbedder('local'))
  assert.ok(one && two && three)
  const rounds = [node(world, one), node(world, two)]
  for (const round of rounds) await round()
  world.clock.advance(GATHER_MS)
  const search = searchConnectionsTool({ embedder: three })
  await Promise.all([
    ...rounds.map((round) => round()),
    ada.call(search, { query: 'capital', mode: 'semantic' }),
  ])
  assert.equal(one.texts + two.texts + three.texts, 2)
  assert.equal((await stateOf(ada))?.vectors, 2)
})

/** An embedder whose model fails, and counts its attempts. */
function failingEmbedder() {
  const embedder = countingEmbedder('local')
  const failing = {
    ...embedder,
    attempts: 0,
    model: {
      ...embedder.model,
      embed() {
        failing.attempts += 1
        return Promise.reject(new Error('out of memory'))
      },
    },
  }
  return failing
}

test('a network that fails three times is left alone for a week, also by searches', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(PEOPLE)
  const failing = failingEmbedder()
  const round = node(world, failing)
  await gatherAndPrepare(world, round)
  assert.equal(failing.attempts, 1)
  await round()
  assert.equal(failing.attempts, 1, 'a pause before the second attempt')
  for (let nth = 0; nth < 10; nth += 1) {
    world.clock.advance(60_000)
    await member.ask(saveNoteTool, { people: 'c_2', text: `Note ${nth}` })
    await round()
  }
  assert.equal(failing.attempts, 3)
  const query = { query: 'capital', mode: 'semantic' }
  const refused = await member.refused(searchConnectionsTool({ embedder: failing }), query)
  assert.equal(refused.code, 'preparing')
  assert.equal(failing.attempts, 3)
  world.clock.advance(GIVEN_UP_MS)
  await gatherAndPrepare(world, node(world, countingEmbedder('local')))
  assert.deepEqual(await stateOf(member), { ...DONE, vectors: 2 })
})

test('the network of a process that died is taken over at once, but not after three deaths', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(PEOPLE)
  await node(world, countingEmbedder('local'))()
  for (const nth of [1, 2, 3]) {
    world.clock.advance(GATHER_MS)
    await diesWhilePreparing(world, member)
    assert.equal((await stateOf(member))?.prepare_attempts, nth)
  }
  const next = countingEmbedder('local')
  await node(world, next)()
  assert.equal(next.texts, 0)
  const { prepare_search_at: at, prepare_worker } = (await stateOf(member)) ?? {}
  assert.deepEqual([at, prepare_worker], [world.clock.now() + GIVEN_UP_MS, null])
})

test('another process of this machine continues after a crash, before the lease ends', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(PEOPLE)
  await node(world, countingEmbedder('local'))()
  world.clock.advance(GATHER_MS)
  await diesWhilePreparing(world, member)
  await node(world, countingEmbedder('local'))()
  assert.deepEqual(await stateOf(member), { ...DONE, vectors: 2 })
})

/** A process that claims the network and ends before it has done or released anything. */
async function diesWhilePreparing({ clock }: World, { db }: Acting): Promise<void> {
  const embedder = failingEmbedder()
  let isDead = false
  const dead = { ...embedder, worker: `${hostname()}:${process.pid}:earlier` }
  await prepareNetwork(
    db,
    async (step) => {
      if (!isDead) await db.write(step)
      isDead = true
    },
    { embedder: dead, now: () => clock.now(), dead: [dead.worker] },
  )
}

test('a node that stops leaves its network to the next one at once', async () => {
  await using world = await createWorld()
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
  await gatherAndPrepare(world, node(world, stopped, stopping.signal))
  const { prepare_worker, prepare_attempts, vectors } = (await stateOf(member)) ?? {}
  assert.deepEqual([prepare_worker, prepare_attempts, vectors], [null, 0, 0])
  await node(world, embedder)()
  assert.equal((await stateOf(member))?.vectors, 2)
})

test('another local model replaces all vectors; an endpoint embeds only networks that use it', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(PEOPLE)
  await gatherAndPrepare(world, node(world, countingEmbedder('local')))
  await node(world, countingEmbedder('other'))()
  assert.deepEqual(await stateOf(member), { ...DONE, embedded_model: 'other', vectors: 2 })
  const remote = countingEmbedder('remote', false)
  await member.ask(saveNoteTool, { people: 'c_2', text: 'Keeps bees.' })
  await gatherAndPrepare(world, node(world, remote))
  assert.equal(remote.texts, 0)
  assert.equal((await stateOf(member))?.prepare_search_at, null)
})
