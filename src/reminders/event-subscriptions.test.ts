import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { openCalendarSite } from '../../test/fixtures/calendar-site.ts'
import { createMcpWorld } from '../../test/fixtures/mcp-world.ts'
import { DAY, MINUTE, SECOND } from '../base/clock.ts'
import { OutgoingPool } from '../base/concurrency/outgoing-pool.ts'
import { createLog } from '../base/log.ts'
import { memberStatement } from '../db/statement.ts'
import { createDeliverySender } from '../deliveries/delivery-sender.ts'
import { policyOfHosts } from '../deliveries/endpoint-hosts.ts'
import {
  countAttempts,
  listQueued,
  queueDeliveries,
  recordAttempt,
} from '../deliveries/delivery-store.ts'
import { listEndpoints } from '../deliveries/endpoint-store.ts'
import { requireMemberByUsername } from '../members/member.ts'
import { createReminderScheduler } from './reminder-scheduler.ts'
import type { Notice } from '../deliveries/notice.ts'

const SEAL = 'k'.repeat(32)
const EXTENSION = 'io.modelcontextprotocol/events'
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

const END_TOKENS = memberStatement<{ now: number }>()(
  'update api_tokens set revoked_at = :now where member_id = :member_id',
)

interface Received {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** An agent at the tool endpoint, and its receiver, which returns challenges by default. */
async function openEvents() {
  const site = await openCalendarSite()
  const world = await createMcpWorld({ secretKey: SEAL, calendarFetch: site.fetchPolicy })
  const received: Received[] = []
  let respond: (request: Received) => { status: number; body?: string } = ({ body }) => {
    const { type, challenge } = JSON.parse(body) as { type?: string; challenge?: string }
    return type === 'verification'
      ? { status: 200, body: JSON.stringify({ challenge }) }
      : { status: 204 }
  }
  site.answer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers: headers as Record<string, string>, body }
      const answer = method === 'GET' ? { status: 404 } : respond(one)
      if (method === 'POST') received.push(one)
      response.writeHead(answer.status).end('body' in answer ? answer.body : undefined)
    })
  })
  const { origin } = new URL(site.address)
  const { database, clock } = world.service
  const log = createLog('silent')
  const sender = createDeliverySender({
    database,
    clock,
    log,
    publicUrl: world.service.url,
    sealSecret: () => SEAL,
    outgoing: new OutgoingPool(),
    policyOf: policyOfHosts([], site.fetchPolicy),
  })
  const scheduler = createReminderScheduler({ database, clock, log })
  const { memberId } = await requireMemberByUsername(database, 'ada')
  const member = database.member(memberId)
  return {
    ...world,
    received,
    url: `${origin}/hooks/1`,
    member,
    respond: (next: typeof respond) => void (respond = next),
    respondBefore: () => respond,
    async run() {
      await scheduler.remindDue()
      while ((await sender.runDue()) > 0);
    },
    async [Symbol.asyncDispose]() {
      await sender[Symbol.asyncDispose]()
      await scheduler[Symbol.asyncDispose]()
      site[Symbol.dispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

const DECLARED = { capabilities: { extensions: { [EXTENSION]: {} } } }

test('an agent finds the events, subscribes with a handshake, and is woken once per event', async () => {
  await using events = await openEvents()
  const { ada, received, url } = events
  const { result: discovered } = await ada('server/discover')
  const capabilities = discovered['capabilities'] as {
    events: object
    extensions: Record<string, object>
  }
  assert.deepEqual([capabilities.events, capabilities.extensions[EXTENSION]], [{}, {}])
  const { result: listed } = await ada('events/list')
  const types = listed['events'] as { name: string; delivery: string[] }[]
  assert.ok(types.some(({ name }) => name === 'follow_up.due'))
  const secret = newSecret()
  const subscription = {
    name: 'follow_up.due',
    arguments: {},
    delivery: { mode: 'webhook', url, secret },
  }
  await events.run()
  const first = await ada('events/subscribe', subscription)
  assert.equal(first.error, undefined, JSON.stringify(first.error))
  const { id, refreshBefore, cursor, truncated, resultType } = first.result
  assert.match(String(id), /^sub_[\w-]{27}$/)
  assert.deepEqual([cursor, truncated, resultType], [null, false, 'complete'])
  assert.equal(Date.parse(String(refreshBefore)), events.service.clock.now() + DAY)
  const verification = received[0]
  assert.equal(verification?.headers['x-mcp-subscription-id'], id)
  // The same again is a refresh, without another handshake.
  const again = await ada('events/subscribe', { ...subscription, ttlMs: null })
  assert.equal(again.result['id'], id)
  assert.equal(received.length, 1)
  await ada('tools/call', {
    name: 'save_follow_up',
    arguments: { text: 'Secret text', due_on: 'tomorrow' },
  })
  events.service.clock.advance(DAY)
  await events.run()
  await events.run()
  const [, event, ...others] = received
  assert.deepEqual(others, [])
  assert.ok(event)
  const message = JSON.parse(event.body) as Record<string, unknown>
  assert.equal(message['name'], 'follow_up.due')
  assert.equal(message['eventId'], event.headers['webhook-id'])
  assert.equal((message['data'] as { follow_up_id: string }).follow_up_id, 'f_1')
  // No free text leaves.
  assert.doesNotMatch(event.body, /Secret text/)
  const at = new Date(Number(event.headers['webhook-timestamp']) * SECOND)
  const signed = new Webhook(secret).sign(event.headers['webhook-id'] ?? '', at, event.body)
  assert.ok((event.headers['webhook-signature'] ?? '').split(' ').includes(signed))
  const ended = await ada('events/unsubscribe', {
    ...subscription,
    delivery: { mode: 'webhook', url },
  })
  assert.equal(ended.result['resultType'], 'complete')
  const unknown = await ada('events/unsubscribe', { ...subscription, delivery: { url } }, DECLARED)
  assert.deepEqual([unknown.error.code, unknown.error.data], [-32023, { kind: 'subscription' }])
})

test('errors have the numbers of the SEP for clients that declare the extension, and of its draft for others', async () => {
  await using events = await openEvents()
  const { ada, legacy, url } = events
  const delivery = { mode: 'webhook', url, secret: newSecret() }
  const unknown = { name: 'nothing', arguments: {}, delivery }
  assert.equal((await ada('events/subscribe', unknown, DECLARED)).error.code, -32023)
  assert.equal((await ada('events/subscribe', unknown)).error.code, -32011)
  assert.equal((await legacy('events/subscribe', unknown)).error.code, -32011)
  const push = { name: 'follow_up.due', arguments: {}, delivery: { ...delivery, mode: 'push' } }
  assert.deepEqual((await ada('events/subscribe', push)).error.data, {
    feature: 'deliveryMode',
    value: 'push',
  })
  for (const [more, detail] of [
    [{ delivery: { ...delivery, secret: 'short' } }, /secret/],
    [{ delivery: { ...delivery, url: 'http://10.0.0.1/' } }, /./],
    [{ arguments: { unknown: 1 } }, /./],
    [{ arguments: [] }, /arguments/],
    [{ ttlMs: 'long' }, /ttlMs/],
    [{ delivery: null }, /delivery/],
  ] as const) {
    const { error } = await ada('events/subscribe', {
      name: 'follow_up.due',
      arguments: {},
      delivery,
      ...more,
    })
    assert.equal(error.code, -32602, JSON.stringify(more))
    assert.match(error.message, detail)
  }
})

test('a receiver that does not return the challenge gets no subscription', async () => {
  await using events = await openEvents()
  const { ada, url } = events
  const subscription = {
    name: 'follow_up.due',
    arguments: {},
    delivery: { mode: 'webhook', url, secret: newSecret() },
  }
  for (const [answer, reason] of [
    [{ status: 200, body: '{"challenge":"other"}' }, 'challenge_failed'],
    [{ status: 200, body: 'not JSON' }, 'challenge_failed'],
    [{ status: 404 }, 'http_4xx'],
    [{ status: 502 }, 'http_5xx'],
  ] as const) {
    events.respond(() => answer)
    const { error } = await ada('events/subscribe', subscription)
    assert.deepEqual([error.code, error.data], [-32015, { reason }])
  }
  assert.deepEqual(await listEndpoints(events.member), [])
})

test('410 ends one delivery, and a revoked token ends its subscriptions at once', async () => {
  await using events = await openEvents()
  const { ada, received, url, service } = events
  const challenged = {
    name: 'follow_up.due',
    arguments: {},
    delivery: { mode: 'webhook', url, secret: newSecret() },
  }
  await ada('events/subscribe', { ...challenged, ttlMs: 30 * DAY })
  await events.run()
  for (const due_on of ['tomorrow', 'in two days', 'in three days'])
    await ada('tools/call', { name: 'save_follow_up', arguments: { text: due_on, due_on } })
  events.respond(() => ({ status: 410 }))
  service.clock.advance(DAY)
  await events.run()
  assert.equal(received.length, 2)
  events.respond(() => ({ status: 204 }))
  service.clock.advance(DAY)
  await events.run()
  assert.equal(received.length, 3)
  const [endpoint] = await listEndpoints(events.member, 'event')
  assert.equal(endpoint?.endedAt, null)
  await events.member.write((tx) => tx.run(END_TOKENS, { now: service.clock.now() }))
  service.clock.advance(DAY)
  await events.run()
  assert.equal(received.length, 3)
})

const ACCEPTED = { state: 'sent', status: 204, error: null } as const
const REFUSED = { state: 'failed', status: 410, error: 'HTTP status 410' } as const

test('a subscription is suspended when nearly all of a hundred attempts failed, and its refresh ends that', async () => {
  await using events = await openEvents()
  const { ada, url, service } = events
  const subscription = {
    name: 'follow_up.due',
    arguments: {},
    delivery: { mode: 'webhook', url, secret: newSecret() },
  }
  await ada('events/subscribe', subscription)
  const [endpoint] = await listEndpoints(events.member, 'event')
  const endpointId = endpoint?.endpointId ?? 0
  const notices = Array.from({ length: 120 }, (_, index): Notice => ({
    cause: 'follow_up.due',
    subject: `follow_up.due f_${index}`,
    title: '',
    body: '',
    path: '/user',
    data: { follow_up_id: `f_${index}`, connection_id: null },
  }))
  const since = service.clock.now()
  await events.member.write(async (tx) => {
    await queueDeliveries(tx, notices, since)
    for (const [index, { deliveryId }] of (await listQueued(tx, endpointId, 98)).entries()) {
      const attempted = index < 4 ? ACCEPTED : REFUSED
      await recordAttempt(tx, deliveryId, attempted, since)
    }
  })
  const answer = events.respondBefore()
  events.respond(() => ({ status: 410 }))
  // A busy machine may not reach the receiver, which is a failed attempt too, with a pause after it.
  for (let minute = 0; minute < 5; minute += 1) {
    await events.run()
    service.clock.advance(MINUTE)
  }
  const [suspended] = await listEndpoints(events.member, 'event')
  assert.notEqual(suspended?.endedAt, null)
  const { attempts, accepted } = await countAttempts(events.member, endpointId, since)
  assert.deepEqual([attempts, accepted], [100, 4])
  events.respond(answer)
  const refreshed = await ada('events/subscribe', subscription)
  assert.equal(refreshed.error, undefined, JSON.stringify(refreshed.error))
  const [active] = await listEndpoints(events.member, 'event')
  assert.equal(active?.endedAt, null)
})

test('polling needs no subscription: a cursor returns what became due since', async () => {
  await using events = await openEvents()
  const { ada, service } = events
  const query = { name: 'follow_up.due', arguments: {} }
  const { result: start } = await ada('events/poll', { ...query, cursor: null })
  assert.deepEqual(start['events'], [])
  await ada('tools/call', { name: 'save_follow_up', arguments: { text: 'A', due_on: 'tomorrow' } })
  service.clock.advance(DAY)
  const { result: later } = await ada('events/poll', { ...query, cursor: start['cursor'] })
  const [event, ...others] = later['events'] as {
    eventId: string
    data: { follow_up_id: string }
  }[]
  assert.deepEqual([event?.data.follow_up_id, others.length], ['f_1', 0])
  const { result: same } = await ada('events/poll', { ...query, cursor: start['cursor'] })
  assert.equal((same['events'] as { eventId: string }[])[0]?.eventId, event?.eventId)
  const { result: after } = await ada('events/poll', { ...query, cursor: later['cursor'] })
  assert.deepEqual(after['events'], [])
  assert.equal((await ada('events/poll', { ...query, cursor: 'x' })).error.code, -32602)
})
