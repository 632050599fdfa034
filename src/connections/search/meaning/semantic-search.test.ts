import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addConnectionTool } from '../../../../test/fixtures/one-person.ts'
import { createLog } from '../../../base/log.ts'
import { RequestError } from '../../../base/request-error.ts'
import { creditBalance } from '../../../credits/account.ts'
import { startJob } from '../../../jobs/start-job.ts'
import { JobWorker } from '../../../jobs/worker.ts'
import { openEmbedder, type Embedder } from '../../../embeddings/embedder.ts'
import { deleteConnectionsTool } from '../../deletion/delete-connections.tool.ts'
import { embedNetwork } from './embed-network.ts'
import { embedObjectsJob } from './embed-objects.job.ts'
import { createWorld, type Acting, type World } from '../../../../test/fixtures/network.ts'
import { TEST_NOW } from '../../../../test/support/store.ts'
import { searchConnectionsTool } from '../search-connections.tool.ts'
import type { ImportedContact } from '../../../contact-files/contact/contact.ts'
import type { PageOfMatches } from '../connection-page.ts'

type Query = Record<string, unknown>
type Answer = PageOfMatches & { readonly mode: string; readonly without_meaning?: boolean }

/** A member and functions to search their embedded network. */
interface Searching {
  readonly member: Acting
  readonly embedder: Embedder
  ask(query: Query): Promise<Answer>
  names(query: Query): Promise<string[]>
  /** The IDs on all pages of a query, in order. */
  allPages(query: Query): Promise<string[]>
}

async function join(world: World, embedder = openEmbedder(null)): Promise<Searching> {
  const member = await world.join()
  const tool = searchConnectionsTool({ embedder })
  const ask = (query: Query) => member.ask<Answer>(tool, query)
  return {
    member,
    embedder,
    ask,
    names: async (query) => (await ask(query)).connections.map(({ name }) => name),
    async allPages(query) {
      const ids: string[] = []
      for (let cursor: string | undefined; ;) {
        const page = await ask(cursor === undefined ? query : { ...query, cursor })
        ids.push(...page.connections.map(({ connection_id }) => connection_id))
        cursor = page.next_cursor
        if (cursor === undefined) return ids
      }
    },
  }
}

async function embed({ database, clock }: World, { member, embedder }: Searching): Promise<void> {
  const definition = embedObjectsJob(embedder)
  const start = { definition, input: {}, credentialId: null, charge: false, quota: 0 }
  const { job } = await member.db.write((tx) => startJob(tx, { ...start, now: clock.now() }))
  await using worker = new JobWorker({
    database,
    jobs: [definition],
    clock,
    log: createLog('silent'),
  })
  const ended = await worker.runToEnd(member.caller.memberId, job.job_id)
  assert.equal(ended.state, 'succeeded')
}

const PEOPLE = [
  {
    name: 'Cem Aydin',
    title: 'Venture partner',
    company: 'Kesselhain',
    location: 'Potsdam, Germany',
  },
  { name: 'Otis Reed', title: 'Dentist', company: 'Bright Teeth', location: 'Lyon, France' },
  { name: 'Mae Holt', title: 'Landscape gardener', location: 'Berlin, Germany', labels: ['club'] },
  { name: 'Ida Berlin', title: 'Violinist', location: 'Oslo, Norway', connectedOn: '2024-05-01' },
  { name: 'Jon Bell', title: 'Nurse', location: 'Lyon, France', note: 'Plays the cello.' },
].map((person, at): Partial<ImportedContact> =>
  Object.assign(person, { profileUrl: `https://www.linkedin.com/in/${at}` }),
)

const QUESTION = 'who could help us with capital from investors in Berlin'

test('finds people by meaning without any shared words', async () => {
  await using world = await createWorld()
  const one = await join(world)
  await one.member.import(PEOPLE)
  await embed(world, one)
  const semantic = await one.ask({ query: QUESTION, mode: 'semantic' })
  assert.equal(semantic.connections[0]?.name, 'Cem Aydin')
  assert.equal(semantic.mode, 'semantic')
  const both = await one.ask({ query: QUESTION, location: 'germany' })
  assert.ok(both.connections.slice(0, 3).some(({ name }) => name === 'Cem Aydin'))
  assert.equal(both.mode, 'combined')
  const keyword = await one.ask({ query: QUESTION, mode: 'keyword' })
  assert.equal(keyword.mode, 'keyword')
  assert.ok(keyword.connections.every(({ partial_match }) => partial_match !== undefined))
})

test('auto uses keyword search for names and for queries without words', async () => {
  await using world = await createWorld()
  const one = await join(world)
  await one.member.import(PEOPLE)
  await embed(world, one)
  assert.equal((await one.ask({ query: 'dentist' })).mode, 'combined')
  for (const query of ['otis reed', 'REED', 'berlin', '!?'])
    assert.equal((await one.ask({ query })).mode, 'keyword', query)
  assert.deepEqual(await one.names({ query: 'otis reed' }), ['Otis Reed'])
})

test('auto includes all keyword matches, best first', async () => {
  await using world = await createWorld()
  const one = await join(world)
  await one.member.import(PEOPLE)
  await embed(world, one)
  for (const query of ['lyon france', 'dentist', 'germany', 'plays cello', 'venture part']) {
    const byWords = await one.allPages({ query, mode: 'keyword' })
    const byBoth = await one.allPages({ query })
    assert.ok(byWords.length > 0)
    assert.deepEqual(
      [...byWords].filter((id) => !byBoth.includes(id)),
      [],
      query,
    )
    assert.equal(byBoth[0], byWords[0], query)
  }
})

test('auto lists all matches of very common words by keyword search', async () => {
  await using world = await createWorld()
  const one = await join(world)
  await one.member.import(
    Array.from({ length: 130 }, (_, at) => ({
      name: `Person ${at}`,
      title: at < 120 ? 'Engineer' : 'Baker',
      profileUrl: `https://www.linkedin.com/in/${at}`,
    })),
  )
  await embed(world, one)
  assert.equal((await one.ask({ query: 'engineer' })).mode, 'keyword')
  assert.equal((await one.allPages({ query: 'engineer', limit: 50 })).length, 120)
  // Semantic search returns only the nearest connections.
  assert.equal((await one.allPages({ query: 'engineer', mode: 'semantic', limit: 50 })).length, 100)
})

test('filters apply to semantic search as to keyword search', async () => {
  await using world = await createWorld()
  const one = await join(world)
  await one.member.import(PEOPLE)
  await embed(world, one)
  const filters: [Query, string[]][] = [
    [{ location: 'ger' }, ['Cem Aydin', 'Mae Holt']],
    [{ company: 'bright' }, ['Otis Reed']],
    [{ title: 'nurse' }, ['Jon Bell']],
    [{ tag: 'CLUB' }, ['Mae Holt']],
    [{ connected_after: '2024-01-01' }, ['Ida Berlin']],
    [{ location: 'germany', tag: 'club' }, ['Mae Holt']],
    [{ location: 'atlantis' }, []],
    [{ company: '!!' }, []],
  ]
  for (const [filter, expected] of filters)
    for (const mode of ['semantic', 'auto']) {
      const query = 'medicine music money garden investor doctor'
      const found = await one.names({ query, mode, ...filter })
      assert.deepEqual(found.toSorted(), expected, JSON.stringify({ mode, ...filter }))
    }
})

test('pages of any size return the whole ranking once, in one order', async () => {
  await using world = await createWorld()
  const one = await join(world)
  const words = ['investor', 'nurse', 'gardener', 'teacher', 'engineer', 'berlin', 'lyon']
  await one.member.import(
    Array.from({ length: 40 }, (_, at) => ({
      name: `Person ${at}`,
      title: words[at % 5] ?? '',
      location: words[5 + (at % 2)] ?? '',
      profileUrl: `https://www.linkedin.com/in/${at}`,
    })),
  )
  await embed(world, one)
  const query = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
  const mode = fc.constantFrom('semantic', 'auto')
  await fc.assert(
    fc.asyncProperty(query, mode, fc.integer({ min: 1, max: 12 }), async (some, how, limit) => {
      const input = { query: some.join(' '), mode: how }
      const whole = await one.allPages({ ...input, limit: 50 })
      assert.equal(new Set(whole).size, whole.length)
      assert.deepEqual(await one.allPages({ ...input, limit }), whole)
    }),
    { numRuns: 25 },
  )
})

test('a cursor is valid only for its mode and query, and a forged one causes no internal error', async () => {
  await using world = await createWorld()
  const one = await join(world)
  await one.member.import(PEOPLE)
  await embed(world, one)
  const query = { query: 'nurse doctor', mode: 'semantic', limit: 1 }
  const { next_cursor: cursor } = await one.ask(query)
  assert.ok(cursor !== undefined)
  const tool = searchConnectionsTool(one)
  for (const other of [
    { ...query, mode: 'auto', cursor },
    { ...query, mode: 'keyword', cursor },
    { ...query, query: 'nurse', cursor },
    { ...query, tag: 'club', cursor },
  ])
    assert.equal((await one.member.refused(tool, other)).code, 'invalid_request')
  const [mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[]
  for (const place of [
    [9, -5],
    [9, 1e300],
    [9, 0.5],
    [9, -1e300],
    [0, 1],
    [77, 3],
    [-1, 1e300],
  ]) {
    const forged = Buffer.from(JSON.stringify([mark, ...place])).toString('base64url')
    await one.ask({ ...query, cursor: forged })
  }
})

test('deleted connections are not found, and new ones are found once embedded', async () => {
  await using world = await createWorld()
  const one = await join(world)
  await one.member.import(PEOPLE)
  await embed(world, one)
  await one.member.ask(deleteConnectionsTool, { people: ['c_1'] })
  await one.member.ask(addConnectionTool, { name: 'New Kid', title: 'Capital investor' })
  for (const mode of ['semantic', 'auto'])
    assert.ok(!(await one.names({ query: QUESTION, mode })).includes('Cem Aydin'))
  // Keyword search finds it at once.
  assert.ok((await one.names({ query: 'investor' })).includes('New Kid'))
  await embed(world, one)
  assert.equal((await one.names({ query: 'investors', mode: 'semantic' }))[0], 'New Kid')
})

/** Records the texts that it embeds. */
function recordingEmbedder(embedder: Embedder): Embedder & { readonly embedded: string[] } {
  const embedded: string[] = []
  const { model } = embedder
  const recordingModel: Embedder['model'] = {
    ...model,
    embed(texts, signal) {
      embedded.push(...texts)
      return model.embed(texts, signal)
    },
  }
  return { ...embedder, model: recordingModel, embedded }
}

const embedNow = ({ db }: Acting, embedder: Embedder) =>
  embedNetwork(db, embedder, (step) => db.write(step))

test('only changed connections are embedded, and each once', async () => {
  await using world = await createWorld()
  const one = await join(world)
  await one.member.import(PEOPLE)
  await embed(world, one)
  const recording = recordingEmbedder(one.embedder)
  await embedNow(one.member, recording)
  assert.deepEqual(recording.embedded, [])
  await one.member.ask(addConnectionTool, { name: 'New Kid', title: 'Capital investor' })
  await embedNow(one.member, recording)
  await embedNow(one.member, recording)
  assert.deepEqual(recording.embedded, ['Capital investor'])
  assert.equal((await one.names({ query: 'investors', mode: 'semantic' }))[0], 'New Kid')
})

test('a large network is embedded in threads, with the same vectors', async () => {
  await using world = await createWorld()
  const one = await join(world)
  const many = Array.from({ length: 300 }, (_, at) => ({
    name: `Person ${at}`,
    title: at === 250 ? 'Venture capital investor' : `Nurse ${at}`,
  }))
  await one.member.import(many)
  const recording = recordingEmbedder(one.embedder)
  await embedNow(one.member, recording)
  assert.equal(recording.embedded.length, 300)
  assert.equal((await one.names({ query: QUESTION, mode: 'semantic' }))[0], 'Person 250')
  await one.member.ask(deleteConnectionsTool, { people: ['c_251'] })
  await embedNow(one.member, recording)
  assert.equal(recording.embedded.length, 300)
})

test('people who are only similar in meaning say so, after those who have a word of the query', async () => {
  await using world = await createWorld()
  const one = await join(world)
  await one.member.import(PEOPLE)
  await embed(world, one)
  const { connections } = await one.ask({ query: 'gums and enamel in Oslo' })
  assert.deepEqual(
    [connections[0]?.name, connections[0]?.partial_match],
    ['Ida Berlin', '1 of 3 words: Oslo'],
  )
  const meant = connections.filter(({ partial_match }) => partial_match === 'similar in meaning')
  assert.ok(meant.some(({ name }) => name === 'Otis Reed' || name === 'Jon Bell'))
  assert.deepEqual(await one.names({ query: 'xyzzy quux' }), [])
})

test('people with only a typo come after those who are similar in meaning', async () => {
  await using world = await createWorld()
  const one = await join(world)
  await one.member.import([
    ...PEOPLE,
    { name: 'Rolf Stein', title: 'Warehouse clerk', note: 'Collects enamal.' },
  ])
  await embed(world, one)
  const { connections } = await one.ask({ query: 'who knows about enamel' })
  const reasons = connections.map(({ name, partial_match }) => [name, partial_match])
  assert.deepEqual(reasons, [
    ['Otis Reed', 'similar in meaning'],
    ['Rolf Stein', 'similar spelling: enamal for enamel'],
  ])
})

test('a hundred deleted connections do not hide the next matches', async () => {
  await using world = await createWorld()
  const one = await join(world)
  const many = Array.from({ length: 150 }, (_, at): Partial<ImportedContact> => ({
    name: `Person ${at}`,
    title: at < 120 ? 'Investor' : 'Investment banker',
    profileUrl: `https://www.linkedin.com/in/${at}`,
  }))
  await one.member.import(many)
  await embed(world, one)
  for (const from of [1, 61])
    await one.member.ask(deleteConnectionsTool, {
      people: Array.from({ length: 60 }, (_, at) => `c_${from + at}`),
    })
  const found = await one.allPages({ query: 'investor', mode: 'semantic', limit: 50 })
  assert.deepEqual(
    found.toSorted(),
    Array.from({ length: 30 }, (_, at) => `c_${121 + at}`).toSorted(),
  )
})

/** An embedder whose model may cost money. */
function remoteEmbedder(): Embedder {
  const local = openEmbedder(null)
  return { ...local, model: { ...local.model, isLocal: false } }
}

test('with the built-in model, the first search in mode semantic embeds the network', async () => {
  await using world = await createWorld()
  const query = { query: QUESTION, mode: 'semantic' }
  const local = await join(world)
  await local.member.import(PEOPLE)
  assert.equal((await local.names(query))[0], 'Cem Aydin')
  assert.equal((await local.ask({ query: QUESTION, location: 'germany' })).mode, 'combined')
  await local.member.ask(addConnectionTool, { name: 'New Kid', title: 'Capital investor' })
  await embedNow(local.member, local.embedder)
  assert.equal((await local.names({ query: 'investors', mode: 'semantic' }))[0], 'New Kid')
})

test('a search answers by words while the vectors of a large network are read', async () => {
  await using world = await createWorld()
  const embedder = openEmbedder(null)
  const reading = Promise.withResolvers<undefined>()
  const memory = { of: () => reading.promise, recheck() {} }
  const searching = await join(world, { ...embedder, memory })
  await searching.member.ask(addConnectionTool, { name: 'Ada Byron', title: 'Notary' })
  const byWords = await searching.ask({ query: 'a notary who sails' })
  assert.deepEqual(
    [byWords.connections[0]?.name, byWords.mode, byWords.without_meaning],
    ['Ada Byron', 'keyword', true],
  )
  assert.equal(embedder.preparing.size, 0)
  // A search that needs no meaning does not say so.
  assert.equal((await searching.ask({ query: 'Ada Byron' })).without_meaning, undefined)
  reading.resolve(undefined)
})

/** An embedder whose vectors take so long to be computed that no search waits for them. */
function slowEmbedder() {
  const embedder = openEmbedder(null)
  const computing = Promise.withResolvers<void>()
  const embedLater = async (texts: readonly string[]) => {
    await computing.promise
    return embedder.model.embed(texts)
  }
  return { ...embedder, model: { ...embedder.model, embed: embedLater }, computing }
}

async function creditsOf({ db }: Acting): Promise<number> {
  return (await creditBalance(db, 1000, TEST_NOW)).remaining
}

test('a search by meaning that could not look says that it is being prepared, and is free', async () => {
  await using world = await createWorld()
  const slow = slowEmbedder()
  const reading = Promise.withResolvers<undefined>()
  const unread = { ...openEmbedder(null), memory: { of: () => reading.promise, recheck() {} } }
  for (const embedder of [slow, unread]) {
    const one = await join(world, embedder)
    await one.member.import(PEOPLE)
    const credits = await creditsOf(one.member)
    const query = { query: QUESTION, mode: 'semantic' }
    const error = await one.member.refused(searchConnectionsTool(one), query)
    assert.equal(error.code, 'preparing')
    assert.match(error.hint ?? '', /Try again/)
    assert.equal(await creditsOf(one.member), credits)
    const auto = await one.ask({ query: 'gums and enamel in Oslo' })
    assert.deepEqual([auto.mode, auto.without_meaning], ['keyword', true])
    slow.computing.resolve()
  }
  reading.resolve(undefined)
})

test('with the built-in model, nothing is found in an empty network', async () => {
  await using world = await createWorld()
  const one = await join(world)
  const { count, mode } = await one.ask({ query: QUESTION, mode: 'semantic' })
  assert.deepEqual([count, mode], [0, 'keyword'])
})

test('a model that is not built in is only used after the job embed_objects', async () => {
  await using world = await createWorld()
  const one = await join(world, remoteEmbedder())
  await one.member.import(PEOPLE)
  assert.equal((await one.ask({ query: QUESTION })).mode, 'keyword')
  const error = await one.member.refused(searchConnectionsTool(one), {
    query: QUESTION,
    mode: 'semantic',
  })
  assert.equal(error.code, 'conflict')
  assert.match(error.hint ?? '', /embed_objects/)
  await embedNow(one.member, one.embedder)
  assert.equal((await one.ask({ query: QUESTION })).mode, 'keyword')
})

test('when the model is unavailable, auto uses keyword search and semantic fails', async () => {
  await using world = await createWorld()
  const working = openEmbedder(null)
  let answers = true
  const one = await join(world, {
    ...working,
    model: {
      name: 'far away',
      isLocal: false,
      minCosine: 0,
      embed: (texts) =>
        answers
          ? working.model.embed(texts)
          : Promise.reject(new RequestError('unavailable', 'The embeddings endpoint is gone.')),
    },
  })
  await one.member.import(PEOPLE)
  await embed(world, one)
  const { next_cursor: cursor } = await one.ask({ query: 'dentist', limit: 1 })
  answers = false
  const auto = await one.ask({ query: 'dentist' })
  assert.deepEqual([auto.mode, auto.connections[0]?.name], ['keyword', 'Otis Reed'])
  assert.equal(auto.without_meaning, true)
  const semantic = { query: 'dentist', mode: 'semantic' }
  await assert.rejects(
    one.member.call(searchConnectionsTool(one), semantic),
    (error) => error instanceof RequestError && error.code === 'unavailable',
  )
  await one.ask({ query: 'dentist', limit: 1, cursor })
})

test('members with embedded networks never find each other’s connections', async () => {
  await using world = await createWorld()
  const embedder = openEmbedder(null)
  const [ada, grace] = [await join(world, embedder), await join(world, embedder)]
  await ada.member.import(PEOPLE.slice(0, 2))
  await grace.member.import(PEOPLE.slice(2))
  for (const one of [ada, grace]) await embed(world, one)
  for (const mode of ['semantic', 'auto']) {
    const query = { query: 'medicine music money garden', mode }
    for (const name of await ada.names(query)) assert.match(name, /Cem|Otis/)
    for (const name of await grace.names(query)) assert.match(name, /Mae|Ida|Jon/)
  }
})
