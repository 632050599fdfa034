/** Two nodes on one database: changes by one apply to the next request to the other, and limits apply across both. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endSession, listSessions } from '../src/access/browser-session.ts'
import { revokeApiToken } from '../src/access/api-token.ts'
import { ACCOUNT_PATH, JOBS_PATH } from '../src/html/site-map.ts'
import { memberStatement } from '../src/db/statement.ts'
import { disableMember, enableMember, updateMember } from '../src/members/member.ts'
import { type Member } from '../src/members/member-row.ts'
import { givePassword, PASSWORD } from './support/password.ts'
import { startTwoServices, type TestService, type TestServiceOptions } from './support/service.ts'
import { openSignedIn, openVisitor } from './support/visitor.ts'

interface Reply {
  readonly status: number
  readonly replayed: string | null
  /** The result of the tool; undefined if the request was rejected. */
  readonly result: Record<string, unknown> | undefined
  /** The code of a failed call. */
  readonly code: string | undefined
}

type Url = Pick<TestService, 'url'>

async function callTool(
  { url }: Url,
  token: string,
  call: { readonly tool: string; readonly args?: object; readonly key?: string },
): Promise<Reply> {
  const { tool, args = {}, key } = call
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: args },
    }),
  })
  const { result } = (await response.json()) as {
    result?: {
      readonly structuredContent?: Record<string, unknown>
      readonly _meta?: { readonly 'weft/error'?: { readonly code: string } }
    }
  }
  return {
    status: response.status,
    replayed: response.headers.get('idempotency-replayed'),
    result: result?.structuredContent,
    code: result?._meta?.['weft/error']?.code,
  }
}

async function createWorld(options?: TestServiceOptions) {
  const nodes = await startTwoServices(options)
  const { one, other, clock } = nodes
  const ada = await one.addMember({ headline: 'Countess' })
  const token = await one.mintToken()
  return {
    one,
    other,
    clock,
    ada,
    token,
    /** Sends concurrent copies of a request, half to each node. */
    race: <T>(count: number, ask: (node: TestService, index: number) => Promise<T>) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => ask(index % 2 === 0 ? one : other, index)),
      ),
    ledger: () => one.database.member(ada.memberId).all(LEDGER, {}),
    [Symbol.asyncDispose]: () => nodes[Symbol.asyncDispose](),
  }
}

const LEDGER = memberStatement<object, { kind: string; delta: number; balance_after: number }>()(
  'select kind, delta, balance_after from credit_ledger where member_id = :member_id order by entry_id',
)

async function startEmbedding({ url }: Url, token: string): Promise<{ job_id: number }> {
  const response = await fetch(`${url}/api/jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'embed_objects' }),
  })
  return (await response.json()) as { job_id: number }
}

const read = async ({ url }: Url, path: string) => {
  const response = await fetch(url + path)
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    text: await response.text(),
  }
}

const disable = ({ database, clock }: TestService, { memberId }: Member) =>
  database.write((tx) => disableMember(tx, memberId, clock.now()))

test('a token that one node revokes is rejected by the next request to the other', async () => {
  await using world = await createWorld()
  const { one, other, token, ada, clock } = world
  assert.equal((await callTool(other, token, { tool: 'whoami' })).status, 200)
  await one.database
    .member(ada.memberId)
    .write((tx) => revokeApiToken(tx, `test ${one.port} 1`, clock.now()))
  assert.equal((await callTool(other, token, { tool: 'whoami' })).status, 401)
})

test('a member disabled on one node disappears on the other and is back once enabled', async () => {
  await using world = await createWorld()
  const { one, other, token, ada } = world
  const browser = await openSignedIn(other, ada)
  const seen = async () => ({
    tool: (await callTool(other, token, { tool: 'whoami' })).status,
    profile: (await read(other, '/api/human/ada')).status,
    listed: (await read(other, '/api/network/members?q=ada')).text.includes('"username":"ada"'),
    page: (await browser.get(ACCOUNT_PATH)).status,
  })
  assert.deepEqual(await seen(), { tool: 200, profile: 200, listed: true, page: 200 })
  await disable(one, ada)
  assert.deepEqual(await seen(), { tool: 401, profile: 404, listed: false, page: 303 })
  await one.database.write((tx) => enableMember(tx, ada.memberId))
  assert.deepEqual(await seen(), { tool: 200, profile: 200, listed: true, page: 303 })
})

test('a profile that one node changes is new in every representation of the other', async () => {
  await using world = await createWorld()
  const { one, other, ada, clock } = world
  const paths = [
    '/api/human/ada',
    '/api/human/ada.md',
    '/human/ada',
    '/api/network/members?q=ada',
    '/network?q=ada',
  ]
  const before = await Promise.all(paths.map((path) => read(other, path)))
  await one.database.write((tx) =>
    updateMember(tx, ada.memberId, { headline: 'Analyst of engines' }, clock.now()),
  )
  const after = await Promise.all(paths.map((path) => read(other, path)))
  for (const [index, path] of paths.entries()) {
    assert.match(before[index]?.text ?? '', /Countess/, path)
    assert.match(after[index]?.text ?? '', /Analyst of engines/, path)
    if (before[index]?.etag) assert.notEqual(before[index].etag, after[index]?.etag, path)
  }
  assert.match((await read(other, '/api/network/members?q=analyst')).text, /"username":"ada"/)
  assert.doesNotMatch((await read(other, '/api/network/members?q=countess')).text, /"ada"/)
})

test('searches on one node find what the other adds, changes or deletes', async () => {
  await using world = await createWorld()
  const { one, other, token } = world
  const found = async (query: string) => {
    const { result } = await callTool(other, token, { tool: 'search_connections', args: { query } })
    return (result as { connections: { name: string }[] }).connections.map(({ name }) => name)
  }
  assert.deepEqual(await found('hopper'), [])
  const added = await callTool(one, token, {
    tool: 'add_connections',
    args: { name: 'Grace Hopper' },
  })
  const { people } = added.result as { people: { connection_id: string }[] }
  const { connection_id } = people[0] ?? {}
  assert.deepEqual(await found('hopper'), ['Grace Hopper'])
  const change = { connection_id, name: 'Grace Murray' }
  await callTool(one, token, { tool: 'update_connections', args: change })
  assert.deepEqual([await found('hopper'), await found('murray')], [[], ['Grace Murray']])
  const deletion = { tool: 'delete_connections', args: { people: [connection_id] } }
  assert.equal((await callTool(one, token, deletion)).code, undefined)
  assert.deepEqual(await found('murray'), [])
})

test('a keyed write that both nodes receive concurrently runs once and is charged once', async () => {
  await using world = await createWorld()
  const { one, other, token, race } = world
  const write = { tool: 'add_connections', args: { name: 'Grace Hopper' }, key: 'key-1' }
  const replies = await race(16, (node) => callTool(node, token, write))
  const done = replies.filter(({ result }) => result !== undefined)
  // A duplicate that came during the first may be asked to retry.
  for (const { status } of replies) assert.ok(status === 200 || status === 409, String(status))
  assert.ok(done.length > 0)
  assert.deepEqual(new Set(done.map(({ result }) => JSON.stringify(result))).size, 1)
  for (const node of [one, other]) {
    const again = await callTool(node, token, write)
    assert.deepEqual([again.status, again.replayed], [200, 'true'])
  }
  const charges = (await world.ledger()).filter(({ kind }) => kind === 'charge')
  assert.equal(charges.length, 1)
})

test('two nodes together spend exactly the available credits', async () => {
  await using world = await createWorld({ monthlyCredits: 7 })
  const { token, race } = world
  const replies = await race(20, (node, index) =>
    callTool(node, token, { tool: 'add_connections', args: { name: `Person ${index}` } }),
  )
  assert.equal(replies.filter(({ code }) => code === undefined).length, 7)
  assert.equal(replies.filter(({ code }) => code === 'credits_exhausted').length, 13)
  let balance = 0
  for (const { delta, balance_after } of await world.ledger()) {
    balance += delta
    assert.equal(balance, balance_after)
  }
  assert.equal(balance, 0)
})

test('a member has one job of a kind on all nodes, and follows it on a node that does not run it', async () => {
  // Neither runs it yet: a queued job stays queued.
  await using world = await createWorld({ jobConcurrency: 0 })
  const { one, other, token, ada, race } = world
  await callTool(one, token, { tool: 'add_connections', args: { name: 'Grace Hopper' } })
  const replies = await race(10, (node) => startEmbedding(node, token))
  const ids = new Set(replies.map(({ job_id }) => String(job_id)))
  assert.equal(ids.size, 1)
  const [jobId] = ids
  const charged = (await world.ledger()).filter(({ kind }) => kind === 'charge')
  // One for the connection, one for the job.
  assert.equal(charged.length, 2)
  const browser = await openSignedIn(other, ada)
  const events = await fetch(`${other.url}${JOBS_PATH}/${String(jobId)}/events`, {
    headers: { cookie: browser.cookie },
  })
  assert.match(events.headers.get('content-type') ?? '', /event-stream/)
  const cancelled = await callTool(one, token, { tool: 'cancel_job', args: { task_id: jobId } })
  assert.equal(cancelled.code, undefined)
  assert.match(await events.text(), /event: end/)
})

test('a browser session is the same on both nodes and ends on both', async () => {
  await using world = await createWorld()
  const { one, other, ada, clock } = world
  const [here, there] = [await openSignedIn(one, ada), openVisitor(other.url)]
  const there2 = openVisitor(other.url, `weft_session=${here.cookies['weft_session'] ?? ''}`)
  assert.equal((await there.get(ACCOUNT_PATH)).status, 303)
  assert.equal((await there2.get(ACCOUNT_PATH)).status, 200)
  const db = one.database.member(ada.memberId)
  const [session] = await listSessions(db, clock.now())
  await db.write((tx) => endSession(tx, session?.sessionId ?? ''))
  assert.equal((await there2.get(ACCOUNT_PATH)).status, 303)
})

test('failed sign-ins on one node count on the other', async () => {
  await using world = await createWorld()
  const { one, other, ada } = world
  await givePassword(one, ada)
  const attempt = async ({ url }: Url, password: string) => {
    const browser = openVisitor(url)
    return browser.submit(await browser.get('/sign-in'), { login: 'ada', password })
  }
  const statuses = []
  for (const node of [one, other, one, other, one])
    statuses.push((await attempt(node, 'wrong')).status)
  assert.deepEqual(new Set(statuses), new Set([422]))
  // Even the right password fails until the wait is over.
  assert.equal((await attempt(other, PASSWORD)).status, 429)
  assert.equal((await attempt(one, PASSWORD)).status, 429)
})
