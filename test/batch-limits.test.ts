/** Rate limits of JSON-RPC batches at the tool endpoints: each message counts as one request. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService, type TestService } from './support/service.ts'

const QUOTA = 5
const LIMIT = { quota: QUOTA, window: 60 }

interface Entry {
  readonly id: number | string
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly data?: { readonly retry_after?: number } }
}

/** Each endpoint with its policy, and a tool that is free there. */
const ENDPOINTS = [
  { path: '/mcp', policy: 'mcp', tool: 'whoami' },
  { path: '/mcp/v1', policy: 'mcp', tool: 'whoami' },
  { path: '/mcp/sandbox', policy: 'sandbox', tool: 'whoami' },
  { path: '/sandbox/mcp', policy: 'sandbox', tool: 'whoami' },
  { path: '/mcp/docs', policy: 'docs', tool: 'list_docs' },
] as const

for (const { path, policy, tool } of ENDPOINTS) {
  test(`${path}: a batch counts every message, and its headers show the remaining requests`, async () => {
    await using service = await startTestService({ rateLimits: { [policy]: LIMIT } })
    const token = await memberToken(service)
    const calls = [call(tool, 1), call(tool, 2), NOTIFICATION]
    const answer = await post(service, path, token, calls)
    assert.equal(answer.status, 200)
    assert.deepEqual(limitHeaders(answer, policy), { left: 2, retryAfter: null })
    assert.deepEqual(codesOf((await answer.json()) as Entry[]), [
      [1, undefined],
      [2, undefined],
    ])
  })

  test(`${path}: messages above the limit are rejected in their entries, and a full window rejects the whole batch`, async () => {
    await using service = await startTestService({ rateLimits: { [policy]: LIMIT } })
    const token = await memberToken(service)
    await (await post(service, path, token, call(tool, 'alone'))).body?.cancel()
    const calls = Array.from({ length: QUOTA }, (_, at) => call(tool, at))
    const partial = await post(service, path, token, calls)
    assert.equal(partial.status, 200)
    assert.deepEqual(limitHeaders(partial, policy), { left: 0, retryAfter: '60' })
    const entries = (await partial.json()) as Entry[]
    assert.deepEqual(codesOf(entries), [
      [0, undefined],
      [1, undefined],
      [2, undefined],
      [3, undefined],
      [4, -32003],
    ])
    assert.equal(entries.at(-1)?.error?.data?.retry_after, 60)
    const refused = await post(service, path, token, [...calls.slice(0, 2), NOTIFICATION, RESPONSE])
    assert.equal(refused.status, 429)
    assert.deepEqual(limitHeaders(refused, policy), { left: 0, retryAfter: '60' })
    assert.deepEqual(codesOf((await refused.json()) as Entry[]), [
      [0, -32003],
      [1, -32003],
    ])
    service.clock.advance(60_000)
    assert.equal((await post(service, path, token, calls)).status, 200)
  })
}

test('a retried batch replays the messages that ran and runs those that were rate-limited', async () => {
  await using service = await startTestService({ rateLimits: { mcp: { quota: 3, window: 60 } } })
  const token = await memberToken(service)
  await (await post(service, '/mcp', token, call('whoami', 'alone'))).body?.cancel()
  const people = ['Grace Hopper', 'Jean Bartik', 'Mary Keller']
  const batch = people.map((name, id) => call('add_connections', id, { name }))
  const first = await post(service, '/mcp', token, batch, 'again')
  assert.deepEqual(codesOf((await first.json()) as Entry[]), [
    [0, undefined],
    [1, undefined],
    [2, -32003],
  ])
  service.clock.advance(60_000)
  const again = await post(service, '/mcp', token, batch, 'again')
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual(codesOf((await again.json()) as Entry[]), [
    [0, undefined],
    [1, undefined],
    [2, undefined],
  ])
  service.clock.advance(60_000)
  const listed = await post(service, '/mcp', token, call('search_connections', 1))
  const text = await listed.text()
  for (const name of people) assert.equal(text.split(`"name":"${name}"`).length, 2, name)
})

function call(name: string, id: number | string, args: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

const NOTIFICATION = { jsonrpc: '2.0', method: 'notifications/initialized' }

/** To a request of the server, whose ids are its own. */
const RESPONSE = { jsonrpc: '2.0', id: 'elicit-1', result: {} }

async function memberToken(service: TestService): Promise<string> {
  await service.addMember()
  return service.mintToken()
}

function post(
  service: TestService,
  path: string,
  token: string,
  body: unknown,
  key?: string,
): Promise<Response> {
  return fetch(service.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  })
}

function limitHeaders({ headers }: Response, policy: string) {
  const left = Number(headers.get('ratelimit-remaining'))
  assert.equal(headers.get('ratelimit'), `"${policy}";r=${left};t=60`)
  assert.equal(headers.get('ratelimit-limit'), String(QUOTA))
  return { left, retryAfter: headers.get('retry-after') }
}

function codesOf(entries: readonly Entry[]) {
  return entries.map(({ id, error }) => [id, error?.code])
}
