/** Keyed writes that are retried after a kill at any moment run exactly once. */

import assert from 'node:assert/strict'
import { request, type IncomingHttpHeaders } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { mintApiToken } from '../src/access/api-token.ts'
import { memberStatement } from '../src/db/statement.ts'
import { createMember } from '../src/members/member.ts'
import { createNodes } from './support/nodes.ts'

const ROUNDS = 2
const WRITES = 40

const COUNTS = memberStatement<
  object,
  { connections: number; names: number; charges: number; activity: number; charged: number }
>()(`
  select (select count(*) from connections where member_id = :member_id) as connections,
    (select count(distinct name) from connections where member_id = :member_id) as names,
    (select count(*) from credit_ledger where member_id = :member_id and kind = 'charge') as charges,
    (select count(*) from activity where member_id = :member_id) as activity,
    (select quota - remaining from credit_accounts where member_id = :member_id) as charged`)

test('keyed writes run exactly once, however often the process is killed', async (t) => {
  await using nodes = await createNodes()
  const { database } = nodes
  const { memberId } = await database.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada' }, Date.now()),
  )
  const member = database.member(memberId)
  const token = { name: 'crash', holder: 'ai_client', lifetimeDays: null } as const
  const { secret } = await member.write((tx) => mintApiToken(tx, token, Date.now()))
  let [begun, replayed] = [0, 0]
  await using started = new AsyncDisposableStack()
  // The process that answers the retries is the one that the next round kills.
  let node = started.use(await nodes.start())
  for (let round = 1; round <= ROUNDS; round++) {
    const keys = Array.from({ length: WRITES }, (_, at) => `round ${round} write ${at}`)
    const answers = keys.map((key) => write(node.url, secret, key))
    // At a random time during the writes. A slow machine only changes which write is interrupted.
    await Promise.any([...answers, sleep(1000)])
    await sleep(Math.random() * 40)
    await node.kill()
    const ended = await Promise.allSettled(answers)
    begun += ended.filter(({ status }) => status === 'fulfilled').length
    node = started.use(await nodes.start())
    const again = await Promise.all(keys.map((key) => write(node.url, secret, key)))
    replayed += again.filter((wasReplayed) => wasReplayed).length
    const expected = round * WRITES
    const counted = await member.get(COUNTS, {})
    assert.deepEqual(
      { ...counted },
      {
        connections: expected,
        names: expected,
        charges: expected,
        activity: expected,
        charged: expected,
      },
    )
  }
  t.diagnostic(
    `${ROUNDS * WRITES} writes: ${begun} answered before the end, ${replayed} found done after it`,
  )
  // Every write with a response was executed, and none was executed twice.
  assert.ok(replayed >= begun)
})

/** Returns whether the response was a replay. Rejects if the process ended first. */
async function write(url: string, token: string, key: string): Promise<boolean> {
  const params = { name: 'add_connections', arguments: { name: `Person of ${key}` } }
  const { headers, text } = await post(
    `${url}/mcp`,
    {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'idempotency-key': key.replaceAll(' ', '-'),
    },
    JSON.stringify({ jsonrpc: '2.0', id: key, method: 'tools/call', params }),
  )
  const { result } = JSON.parse(text) as { result: { isError?: boolean } }
  assert.equal(result.isError, undefined)
  return headers['idempotency-replayed'] !== undefined
}

/** Uses its own connection instead of `fetch`, which may never settle when a server process is killed. */
function post(url: string, headers: Record<string, string>, body: string) {
  return new Promise<{ headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      readText(response).then((text) => resolve({ headers: response.headers, text }), reject)
    })
    sent.on('error', reject).end(body)
  })
}
