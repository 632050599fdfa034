import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_RECORD_BYTES_PER_DAY } from '../src/guards/idempotency-record.ts'
import { memberStatement } from '../src/db/statement.ts'
import { startTestService, type TestService } from './support/service.ts'
import { DAY } from '../src/base/clock.ts'
import { until } from './support/until.ts'

interface Sent {
  readonly status: number
  readonly replayed: string | null
  readonly body: RpcAnswer
}

interface RpcAnswer {
  readonly id?: unknown
  readonly result?: {
    readonly isError?: boolean
    readonly structuredContent: Record<string, unknown>
    readonly _meta?: { readonly 'weft/cost': number; readonly 'weft/remaining': number }
  }
  readonly error?: {
    readonly code: number
    readonly data?: { readonly code: string; readonly retry_after?: number }
  }
}

interface Send {
  readonly key?: string
  readonly path?: string
  readonly id?: number | string
  readonly meta?: object
}

async function createWorld(options: Parameters<typeof startTestService>[0] = {}) {
  const service = await startTestService(options)
  const { memberId } = await service.addMember()
  const token = await service.mintToken()
  const post = async (path: string, message: unknown, key?: string, bearer = token) => {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${bearer}`,
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify(message),
    })
    const replayed = response.headers.get('idempotency-replayed')
    return { status: response.status, replayed, body: (await response.json()) as RpcAnswer }
  }
  return {
    service,
    token,
    post,
    call: (
      name: string,
      args: object,
      { key, path = '/mcp', id = 1, meta }: Send = {},
    ): Promise<Sent> => post(path, rpc(name, args, id, meta), key),
    counts: () => countAll(service, memberId),
    /** The responses in the records. */
    kept: async () =>
      (await service.database.member(memberId).all(KEPT, {})).map(({ answer }) => answer),
    fillDay: () => service.database.member(memberId).write((tx) => tx.run(FILL_DAY, {})),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

function rpc(name: string, args: object, id: number | string = 1, meta?: object) {
  const params = { name, arguments: args, ...(meta && { _meta: meta }) }
  return { jsonrpc: '2.0', id, method: 'tools/call', params }
}

const COUNTS = memberStatement<
  object,
  { connections: number; charges: number; activity: number }
>()(`
  select
    (select count(*) from connections where member_id = :member_id) as connections,
    (select count(*) from credit_ledger where member_id = :member_id and kind = 'charge') as charges,
    (select count(*) from activity where member_id = :member_id) as activity`)

const KEPT = memberStatement<object, { answer: string }>()(
  'select answer from idempotency_records where member_id = :member_id order by answer',
)

const FILL_DAY = memberStatement()(
  `update networks set keyed_bytes = ${MAX_RECORD_BYTES_PER_DAY} where member_id = :member_id`,
)

async function countAll({ database }: TestService, memberId: number) {
  const row = await database.member(memberId).get(COUNTS, {})
  assert.ok(row)
  return { ...row }
}

const ADA = { name: 'Grace Hopper' }

/** Calls again while the first request with the key is in progress for longer than a duplicate waits. */
function whenAnswered(call: () => Promise<Sent>): Promise<Sent> {
  return until(async () => {
    const sent = await call()
    return sent.body.error?.data?.code !== 'idempotency_in_flight' && sent
  })
}

test('a retried write returns the first response and runs once', async () => {
  await using world = await createWorld()
  const first = await world.call('add_connections', ADA, { key: 'k1', id: 1 })
  const again = await world.call('add_connections', ADA, {
    key: '"k1"',
    id: 'two',
    meta: { progressToken: 9 },
  })
  assert.equal(first.replayed, null)
  assert.equal(again.replayed, 'true')
  assert.equal(again.status, 200)
  assert.equal(again.body.id, 'two')
  assert.deepEqual(again.body.result, first.body.result)
  assert.deepEqual(await world.counts(), { connections: 1, charges: 1, activity: 1 })
})

test('/mcp and /mcp/v1 share their records; another key or credential does not', async () => {
  await using world = await createWorld()
  await world.call('add_connections', ADA, { key: 'k1' })
  const other = await world.call('add_connections', ADA, { key: 'k1', path: '/mcp/v1' })
  assert.equal(other.replayed, 'true')
  assert.equal((await world.call('add_connections', ADA, { key: 'k2' })).replayed, null)
  const second = await world.service.mintToken()
  const message = rpc('search_connections', { query: 'grace' })
  await world.post('/mcp', message, 's')
  assert.equal((await world.post('/mcp', message, 's')).replayed, 'true')
  assert.equal((await world.post('/mcp', message, 's', second)).replayed, null)
})

test('the same key with another body is 422, and nothing is changed', async () => {
  await using world = await createWorld()
  await world.call('add_connections', ADA, { key: 'k1' })
  const before = await world.counts()
  for (const other of [
    await world.call('add_connections', { name: 'Someone Else' }, { key: 'k1', id: 7 }),
    await world.call('search_connections', { query: 'x' }, { key: 'k1', id: 7, path: '/mcp/v1' }),
  ]) {
    assert.equal(other.status, 422)
    assert.equal(other.body.id, 7)
    assert.equal(other.body.error?.data?.code, 'idempotency_key_reused')
    assert.equal(other.replayed, null)
  }
  assert.deepEqual(await world.counts(), before)
})

test('200 concurrent identical writes have one effect and one charge', async () => {
  // Each client may ask several times.
  await using world = await createWorld({ rateLimits: { mcp: { quota: 10_000, window: 60 } } })
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, id) =>
      whenAnswered(() => world.call('add_connections', ADA, { key: 'k', id })),
    ),
  )
  assert.deepEqual(await world.counts(), { connections: 1, charges: 1, activity: 1 })
  assert.equal(answers.filter(({ replayed }) => replayed === null).length, 1)
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.deepEqual(
    answers.map(({ body }) => body.id),
    answers.map((_, id) => id),
  )
  const results = new Set(answers.map(({ body }) => JSON.stringify(body.result)))
  assert.equal(results.size, 1)
})

test('a failed call is replayed; invalid arguments can be corrected under the same key', async () => {
  await using world = await createWorld({ monthlyCredits: 1 })
  await world.call('search_connections', { query: 'x' })
  const broke = await world.call('search_connections', { query: 'x' }, { key: 'k1' })
  assert.equal(broke.body.result?.isError, true)
  const again = await world.call('search_connections', { query: 'x' }, { key: 'k1' })
  assert.equal(again.replayed, 'true')
  assert.deepEqual(again.body.result, broke.body.result)
  const wrong = await world.call('whoami', { no: 'argument' }, { key: 'k2' })
  assert.equal(wrong.body.result?.isError, true)
  const right = await world.call('whoami', {}, { key: 'k2' })
  assert.equal(right.replayed, null)
  assert.equal(right.body.result?.isError, undefined)
})

test('a retried read runs again for one charge, and its response is not stored', async () => {
  await using world = await createWorld()
  const found = ({ body }: Sent) =>
    ((body.result?.structuredContent['connections'] ?? []) as object[]).length
  const search = (query: string) =>
    world.call('search_connections', { query }, { key: 'k1', path: '/mcp/v1' })
  await world.call('add_connections', ADA)
  const first = await search('grace')
  await world.call('add_connections', { name: 'Grace Kelly' })
  const again = await search('grace')
  assert.deepEqual([found(first), found(again)], [1, 2])
  assert.deepEqual([first.replayed, again.replayed], [null, 'true'])
  assert.deepEqual(
    [first.body.result?._meta?.['weft/cost'], again.body.result?._meta?.['weft/cost']],
    [1, 1],
  )
  assert.equal((await world.counts()).charges, 3)
  assert.equal((await search('kelly')).status, 422)
  const free = [1, 2].map(() => world.call('whoami', {}, { key: 'k2' }))
  assert.deepEqual(new Set((await Promise.all(free)).map(({ status }) => status)), new Set([200]))
  assert.equal((await world.call('list_tags', {}, { key: 'k2' })).status, 422)
  assert.deepEqual(await world.kept(), ['charged', 'charged'])
})

test('a failed read can be retried under its key, and is charged when it succeeds', async () => {
  await using world = await createWorld()
  const read = () => world.call('get_connections', { people: 'c_1' }, { key: 'k1' })
  assert.equal((await read()).body.result?.isError, true)
  const failed = await read()
  assert.deepEqual([failed.replayed, failed.body.result?.isError], ['true', true])
  const other = await world.call('get_connections', { people: 'c_2' }, { key: 'k1' })
  assert.equal(other.status, 422)
  await world.call('add_connections', ADA)
  const costs = [await read(), await read()].map(({ body }) => body.result?._meta?.['weft/cost'])
  assert.deepEqual(costs, [1, 1])
  assert.equal((await world.counts()).charges, 2)
})

test('twenty concurrent identical keyed reads are charged once', async () => {
  await using world = await createWorld()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      whenAnswered(() => world.call('find_duplicates', {}, { key: 'k1' })),
    ),
  )
  assert.equal(answers.filter(({ replayed }) => replayed === null).length, 1)
  assert.equal((await world.counts()).charges, 1)
})

test('records per day are limited; above the limit a keyed call changes nothing, and calls without a key work', async () => {
  await using world = await createWorld()
  await world.call('add_connections', ADA, { key: 'k1' })
  await world.fillDay()
  for (const name of ['add_connections', 'whoami']) {
    const args = name === 'whoami' ? {} : { name: 'Alan Turing' }
    const answer = await world.call(name, args, { key: 'k2' })
    assert.deepEqual([answer.status, answer.body.error?.code], [429, -32003])
    assert.equal(answer.body.error?.data?.retry_after, 12 * 60 * 60)
  }
  assert.equal((await world.call('add_connections', ADA, { key: 'k1' })).replayed, 'true')
  assert.deepEqual(await world.counts(), { connections: 1, charges: 1, activity: 1 })
  assert.equal((await world.call('add_connections', { name: 'Alan Turing' })).status, 200)
  world.service.clock.advance(DAY)
  assert.equal((await world.call('whoami', {}, { key: 'k2' })).status, 200)
})

test('a key expires after a day', async () => {
  await using world = await createWorld()
  await world.call('add_connections', ADA, { key: 'k1' })
  world.service.clock.advance(DAY)
  const later = await world.call('add_connections', { name: 'Someone Else' }, { key: 'k1' })
  assert.equal(later.status, 200)
  assert.equal(later.replayed, null)
})

test('an invalid key is 400 at every path that supports keys', async () => {
  await using world = await createWorld()
  for (const path of ['/mcp', '/mcp/v1'])
    for (const key of ['x'.repeat(256), 'a b', '""']) {
      const answer = await world.call('add_connections', ADA, { key, path })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error?.data?.code, 'idempotency_key_invalid')
    }
  assert.equal((await world.counts()).connections, 0)
})

test('a keyed batch runs each call once, and another batch with its key is 422', async () => {
  await using world = await createWorld()
  const batch = [rpc('add_connections', ADA, 1), rpc('add_connections', { name: 'Alan Turing' }, 2)]
  const first = await world.post('/mcp', batch, 'b1')
  const again = await world.post('/mcp', batch, 'b1')
  assert.deepEqual(again.body, first.body)
  assert.equal(again.replayed, 'true')
  const other = await world.post('/mcp', batch.slice(0, 1), 'b1')
  assert.equal(other.status, 422)
  assert.deepEqual(await world.counts(), { connections: 2, charges: 2, activity: 2 })
})

test('keys are ignored by methods that list and negotiate', async () => {
  await using world = await createWorld()
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  for (let round = 0; round < 2; round++) {
    const answer = await world.post('/mcp', list, 'k1')
    assert.equal(answer.status, 200)
    assert.equal(answer.replayed, null)
  }
  const unknown = await world.post('/mcp', rpc('no_such_tool', {}), 'k1')
  assert.equal(unknown.body.error?.code, -32602)
})
