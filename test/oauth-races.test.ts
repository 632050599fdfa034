/** Codes, refresh tokens and keyed writes sent to two processes concurrently: exactly one request wins. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../src/base/clock.ts'
import { memberStatement } from '../src/db/statement.ts'
import { createNodes } from './support/nodes.ts'
import { memberBrowser, newPkce, oauthClient, type OAuthAnswer } from './support/oauth.ts'
import { until } from './support/until.ts'

const ROUNDS = 10
const REQUESTS = 12

async function createWorld() {
  const nodes = await createNodes()
  const both = await Promise.all([nodes.start(), nodes.start()])
  const clients = both.map(oauthClient)
  const { database } = nodes
  const [first] = both
  const service = { database, clock: systemClock, url: first.url }
  const ada = await memberBrowser(service, { username: 'ada', name: 'Ada' })
  return {
    database,
    ada,
    /** Sends concurrent copies of a request, half to each process. */
    race: <T>(ask: (client: ReturnType<typeof oauthClient>) => Promise<T>) =>
      Promise.all(
        Array.from({ length: REQUESTS }, (_, at) => {
          const client = clients[at % 2]
          assert.ok(client)
          return ask(client)
        }),
      ),
    client: oauthClient(first),
    async [Symbol.asyncDispose]() {
      for (const node of both) await node[Symbol.asyncDispose]()
      await nodes[Symbol.asyncDispose]()
    },
  }
}

function winners(answers: readonly OAuthAnswer[]): number {
  for (const { status, body } of answers)
    assert.ok(status === 200 || body['error'] === 'invalid_grant', JSON.stringify(body))
  return answers.filter(({ status }) => status === 200).length
}

test('exactly one request redeems a code, uses a refresh token, or runs a keyed call', async () => {
  await using world = await createWorld()
  const { ada, client, race } = world
  const clientId = await client.register()
  for (let round = 0; round < ROUNDS; round++) {
    const pkce = newPkce()
    const code = await ada.allow(clientId, pkce)
    assert.equal(winners(await race((one) => one.exchange(clientId, code, pkce.verifier))), 1)
    const { refresh_token } = await ada.connect(clientId)
    assert.equal(winners(await race((one) => one.refresh(clientId, refresh_token))), 1)
  }
  const { access_token } = await ada.connect(clientId)
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await race((one) => addConnection(one, access_token, `key-${round}`))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(answers.filter(({ replayed }) => !replayed).length, 1)
  }
  const counted = await world.database.member(ada.member.memberId).get(COUNT, {})
  assert.deepEqual(
    { connections: Number(counted?.connections), charges: Number(counted?.charges) },
    { connections: ROUNDS, charges: ROUNDS },
  )
})

const COUNT = memberStatement<object, { connections: number; charges: number }>()(`
  select (select count(*) from connections where member_id = :member_id) as connections,
    (select count(*) from credit_ledger where member_id = :member_id and kind = 'charge') as charges`)

async function addConnection(client: ReturnType<typeof oauthClient>, token: string, key: string) {
  const params = { name: 'add_connections', arguments: { name: `Person ${key}` } }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  // A 409 asks to come again: on a slow machine, the first request takes longer than a duplicate waits.
  return until(async () => {
    const { status, headers } = await client.post('/mcp', JSON.stringify(message), {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
    })
    return status !== 409 && { status, replayed: headers.get('idempotency-replayed') === 'true' }
  })
}
