/** Resources as markdown, and subscriptions to their changes. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { RequestError } from '../src/base/request-error.ts'
import { connectionResources } from '../src/connections/catalog.ts'
import { meResource } from '../src/members/me.resource.ts'
import { whoamiTool } from '../src/members/whoami.tool.ts'
import { requireMemberByUsername } from '../src/members/member.ts'
import { resourceSubscriptions } from '../src/mcp/server/resource-subscriptions.ts'
import { resultMarkdown } from '../src/mcp/server/resource-markdown.ts'
import { saveLimits } from '../src/access/agent-limits.ts'
import { listApiTokens } from '../src/access/api-token.ts'
import { recordSecurityEvent } from '../src/tools/security-events.ts'
import { NO_LIMITS, type Caller } from '../src/http/caller.ts'
import { NO_CREDENTIAL } from '../src/sandbox/tool-server.ts'
import { addPerson, createMcpWorld, type Send } from './fixtures/mcp-world.ts'
import { runsOf } from './support/engine-options.ts'
import type { ToolCaller } from '../src/mcp/server/tool-caller.ts'

async function textOf(send: Send, uri: string): Promise<{ mimeType: string; text: string }> {
  const { result } = await send('resources/read', { uri })
  const [content] = result['contents'] as { mimeType: string; text: string }[]
  assert.ok(content, uri)
  return content
}

test('every resource has a markdown version at the same price', async () => {
  await using world = await createMcpWorld()
  const id = await addPerson(world.ada, 'Grace *Hopper*')
  const call = (name: string, given: object) => world.ada('tools/call', { name, arguments: given })
  await call('save_note', {
    people: id,
    text: 'Found a moth\nin | relay # 70',
    on: '2026-03-05',
  })
  await call('save_follow_up', { people: id, text: 'Call her', due_on: '2031-03-05' })
  await call('update_connections', { people: [id], tags: { add: ['Navy'] } })
  const before = await world.credits()
  const { mimeType, text } = await textOf(world.ada, `weft://connections/${id}.md`)
  assert.equal(mimeType, 'text/markdown')
  assert.match(text, /^# Grace \\\*Hopper\\\*\n\n/)
  assert.match(text, /^- Tags: Navy$/m)
  assert.match(
    text,
    /^## Notes\n\n- Found a moth in \\\| relay # 70 \(Note ID: n_1; On: 2026-03-05; /m,
  )
  assert.match(text, /^## Follow ups\n\n- Call her \(/m)
  assert.equal(await world.credits(), before - 1)
  assert.match(
    (await textOf(world.ada, 'weft://me.md')).text,
    /^# Me\n\n- Time zone: UTC\n\n## Member\n\n- Username: ada/,
  )
  assert.match((await textOf(world.ada, 'weft://tags/navy.md')).text, /Grace/)
  assert.match((await textOf(world.legacy, 'weft://follow-ups.md')).text, /Call her/)
  for (const uri of ['weft://connections/c_9.md', 'weft://me.md.md', '.md'])
    assert.equal((await world.ada('resources/read', { uri })).error.code, -32602, uri)
})

test('text of a member never becomes a heading, a list or a link in the markdown', async () => {
  const line = fc.string({
    unit: fc.constantFrom('#', '-', '*', '[', ']', '(', ')', '\n', 'a', ' ', '`'),
  })
  await fc.assert(
    fc.asyncProperty(line, line, async (name, text) => {
      const written = await resultMarkdown('Title', { name: `x${name}`, note: `x${text}` })
      assert.equal(written.match(/^#/gm)?.length, 1)
      assert.equal(written.match(/^- /gm)?.length, 1)
      assert.doesNotMatch(written, /(?<!\\)\]\(/)
    }),
    { numRuns: runsOf(100) },
  )
})

test('the server lists its icon, which exists', async () => {
  await using world = await createMcpWorld()
  const { result } = await world.legacy('initialize', { protocolVersion: '2025-11-25' })
  const { icons } = result['serverInfo'] as { icons: { src: string; mimeType: string }[] }
  const [icon] = icons
  assert.ok(icon)
  const answer = await fetch(icon.src)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, icon.mimeType])
  const discovered = await world.ada('server/discover')
  const info = (discovered.result['_meta'] as Record<string, unknown>)[
    'io.modelcontextprotocol/serverInfo'
  ]
  assert.deepEqual(info, result['serverInfo'])
})

test('tags, companies and formats are completed; companies only after the first letters', async () => {
  await using world = await createMcpWorld()
  const call = (name: string, given: object) => world.ada('tools/call', { name, arguments: given })
  for (const [name, company] of [
    ['Grace', 'Navy Yard'],
    ['Jean', 'navy yard'],
    ['Joan', 'ENIAC'],
  ])
    await call('add_connections', { name, company })
  await call('update_connections', { people: ['c_1', 'c_2'], tags: { add: ['investor'] } })
  await call('update_connections', {
    people: ['c_1'],
    tags: { add: ['Inventor', 'friend'] },
  })
  const complete = async (ref: object, name: string, value: string) => {
    const { result } = await world.ada('completion/complete', { ref, argument: { name, value } })
    return (result['completion'] as { values: string[] }).values
  }
  const prompt = (name: string) => ({ type: 'ref/prompt', name })
  const tags = { type: 'ref/resource', uri: 'weft://tags/{tag}' }
  const before = await world.credits()
  assert.deepEqual(await complete(tags, 'tag', 'inv'), ['investor', 'Inventor'])
  assert.deepEqual((await complete(tags, 'tag', '')).length, 3)
  assert.deepEqual(await complete(prompt('reconnect'), 'tag', 'FR'), ['friend'])
  assert.deepEqual((await complete(prompt('reconnect'), 'company', 'nav')).sort(), [
    'Navy Yard',
    'navy yard',
  ])
  assert.deepEqual(await complete(prompt('reconnect'), 'company', ''), [])
  assert.deepEqual(await complete(prompt('who_can_introduce_me'), 'target', 'eni'), ['ENIAC'])
  assert.deepEqual(await complete(prompt('import_contacts'), 'format', 'Li'), ['linkedin'])
  assert.ok((await complete(prompt('import_contacts'), 'format', '')).includes('vcard'))
  assert.equal(await world.credits(), before)
})

/** Ada's subscription to these resources, and its notifications. */
async function subscribe(
  { service }: Awaited<ReturnType<typeof createMcpWorld>>,
  resourceSubscriptions_: unknown,
  authenticate: (caller: Caller) => Promise<Caller> = async (caller) => caller,
) {
  const member = await requireMemberByUsername(service.database, 'ada')
  const { memberId, username, name } = member
  const identity = { memberId, username, name, timeZone: 'UTC' }
  const who = { ...identity, credential: NO_CREDENTIAL, limits: NO_LIMITS }
  const whoami = whoamiTool({ ...service, publicUrl: service.url, quota: 1, tools: () => [] })
  const provider = resourceSubscriptions(
    { database: service.database, clock: service.clock, authenticate: () => authenticate(who) },
    [meResource(whoami), ...connectionResources([])],
    5,
  )
  const caller: ToolCaller = { caller: who, requestId: 'r' }
  const call = { caller, header: () => 'Bearer token' }
  const open = (filter: object = { resourceSubscriptions: resourceSubscriptions_ }) =>
    provider.open(call, { ...filter })
  const subscription = await open()
  assert.ok(subscription)
  const told: string[] = []
  let heard = () => {}
  const closing = new AbortController()
  const ended = subscription.watch((method, { uri }) => {
    told.push(`${method} ${String(uri)}`)
    heard()
    return true
  }, closing.signal)
  return {
    accepted: subscription.accepted,
    told,
    ended,
    open,
    /** The next notification. */
    next: () =>
      new Promise<void>((resolve) => {
        heard = resolve
      }),
    async close() {
      closing.abort()
      await ended
    },
  }
}

test('a subscriber is notified of changes to its resources from any source, and of no others', async () => {
  await using world = await createMcpWorld()
  const [grace, jean] = [await addPerson(world.ada, 'Grace'), await addPerson(world.ada, 'Jean')]
  const uri = `weft://connections/${grace}`
  const wanted = [uri, uri, 'weft://follow-ups', 'weft://me', 'weft://you', 7]
  const stream = await subscribe(world, wanted)
  assert.deepEqual(stream.accepted, {
    resourceSubscriptions: [uri, 'weft://follow-ups', 'weft://me'],
  })
  const before = await world.credits()
  const change = async (name: string, given: object) => {
    const next = stream.next()
    await world.ada('tools/call', { name, arguments: given })
    await next
  }
  await world.ada('tools/call', { name: 'save_note', arguments: { people: jean, text: 'a' } })
  await change('save_note', { people: grace, text: 'Found a moth' })
  await change('save_follow_up', { people: jean, text: 'Call', due_on: '2031-03-05' })
  await change('update_connections', { people: [grace], tags: { add: ['navy'] } })
  await change('delete_connections', { people: [grace] })
  const updated = (of: string) => `notifications/resources/updated ${of}`
  assert.deepEqual(stream.told, [uri, 'weft://follow-ups', uri, uri].map(updated))
  assert.equal(before - (await world.credits()), 5, 'only the calls were charged')
  await stream.close()
})

test('a stream ends without a message when its token is revoked', async () => {
  await using world = await createMcpWorld()
  const id = await addPerson(world.ada, 'Grace')
  const revoked = () => Promise.reject(new RequestError('unauthorized', 'Revoked.'))
  const stream = await subscribe(world, [`weft://connections/${id}`], revoked)
  await world.ada('tools/call', { name: 'save_note', arguments: { people: id, text: 'x' } })
  await stream.ended
  assert.deepEqual(stream.told, [])
})

test('a change between the acknowledgement and the first look is reported', async () => {
  await using world = await createMcpWorld()
  const uri = `weft://connections/${await addPerson(world.ada, 'Grace')}`
  const stream = await subscribe(world, [])
  const subscription = await stream.open({ resourceSubscriptions: [uri] })
  await world.ada('tools/call', { name: 'save_note', arguments: { people: 'c_1', text: 'x' } })
  const told = await new Promise((resolve) => {
    void subscription?.watch((_method, params) => {
      resolve(params['uri'])
      return false
    }, new AbortController().signal)
  })
  assert.equal(told, uri)
  await stream.close()
})

test('a member can open at most 20 streams with at most 100 resources each', async () => {
  await using world = await createMcpWorld()
  const many = Array.from({ length: 150 }, (_, index) => `weft://connections/c_${index + 1}`)
  const stream = await subscribe(world, many)
  assert.equal((stream.accepted['resourceSubscriptions'] as string[]).length, 100)
  const closing = new AbortController()
  const opened = await Promise.all(Array.from({ length: 20 }, () => stream.open()))
  const more = opened.flatMap((one) => (one ? [one.watch(() => true, closing.signal)] : []))
  assert.equal(more.length, 19)
  assert.equal(await stream.open(), undefined)
  closing.abort()
  await Promise.all(more)
  assert.ok(await stream.open())
  await stream.close()
})

test('the official client subscribes by subscriptions/listen', async () => {
  await using world = await createMcpWorld()
  const id = await addPerson(world.ada, 'Grace')
  const uri = `weft://connections/${id}`
  const client = new Client(
    { name: 'listener', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const headers = { authorization: `Bearer ${await world.service.mintToken()}` }
  const url = new URL(`${world.service.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  const updated = new Promise<string>((resolve) => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      resolve(params.uri),
    )
  })
  await client.listen({ resourceSubscriptions: [uri] })
  await world.ada('tools/call', { name: 'save_note', arguments: { people: id, text: 'x' } })
  assert.equal(await updated, uri)
  await client.close()
})

test('the official client learns that its tools changed when the member limits it', async () => {
  await using world = await createMcpWorld()
  const { database, clock, url } = world.service
  const secret = await world.service.mintToken()
  const headers = { authorization: `Bearer ${secret}` }
  const client = new Client(
    { name: 'listener', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const address = new URL(`${url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
  const changed = new Promise<void>((resolve) => {
    client.setNotificationHandler('notifications/tools/list_changed', () => resolve())
  })
  await client.listen({ toolsListChanged: true })
  const { memberId } = await requireMemberByUsername(database, 'ada')
  const tokens = await listApiTokens(database.member(memberId))
  const token = tokens.find(({ hint }) => secret.startsWith(hint))
  const agent = { credentialId: token?.tokenId ?? '', clientId: null }
  await database.member(memberId).write(async (tx) => {
    await saveLimits(tx, agent, { ...NO_LIMITS, groups: ['notes'] }, clock.now())
    await recordSecurityEvent(tx, { event: 'agent_limits_changed' }, clock.now())
  })
  await changed
  const { tools } = await client.listTools()
  assert.equal(
    tools.some(({ name }) => name === 'search_connections'),
    false,
  )
  await client.close()
})
