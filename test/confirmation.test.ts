/** Deletes and merges ask for confirmation if the client can show a form. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { addPerson, createMcpWorld, type Reply, type Send } from './fixtures/mcp-world.ts'

const FORMS = { capabilities: { elicitation: {} } }
const YES = { confirm: { action: 'accept', content: { confirm: true } } }

interface Asked {
  readonly resultType: string
  readonly inputRequests?: {
    readonly confirm: { readonly method: string; readonly params: { readonly message: string } }
  }
  readonly isError?: boolean
}

function deleting(...ids: string[]) {
  return { name: 'delete_connections', arguments: { people: ids } }
}

/** The IDs of the people that a call deleted. */
function deletedIn(result: unknown): string[] {
  const { structuredContent } = result as {
    structuredContent: { deleted: { connection_id: string }[] }
  }
  return structuredContent.deleted.map(({ connection_id }) => connection_id)
}

function asked({ result }: Reply): Asked {
  return result as unknown as Asked
}

function questionIn(reply: Reply): string | undefined {
  return asked(reply).inputRequests?.confirm.params.message
}

async function isThere(send: Send, id: string): Promise<boolean> {
  const call = { name: 'get_connections', arguments: { people: id } }
  return asked(await send('tools/call', call)).isError !== true
}

test('a delete names the people, changes nothing before the response, and is then executed and charged once', async () => {
  await using world = await createMcpWorld()
  const [grace, jean] = [
    await addPerson(world.ada, 'Grace Hopper'),
    await addPerson(world.ada, 'Jean Bartik'),
  ]
  const before = await world.credits()
  const call = deleting(grace, jean)
  const first = await world.ada('tools/call', call, FORMS)
  assert.equal(asked(first).resultType, 'input_required')
  assert.equal(
    questionIn(first),
    'Delete Grace Hopper and Jean Bartik? You can restore deleted connections for 30 days.',
  )
  assert.equal(await world.credits(), before)
  const second = await world.ada('tools/call', { ...call, inputResponses: YES }, FORMS)
  assert.equal(asked(second).resultType, 'complete')
  assert.deepEqual(deletedIn(second.result).sort(), [grace, jean].sort())
  assert.equal(await world.credits(), before - 1)
})

test('an accepted form without content confirms; a cleared box, a decline and a cancel do not', async () => {
  await using world = await createMcpWorld()
  const id = await addPerson(world.ada, 'Grace Hopper')
  const before = await world.credits()
  for (const confirm of [
    { action: 'accept', content: { confirm: false } },
    { action: 'decline' },
    { action: 'cancel' },
    {},
  ]) {
    const answer = { ...deleting(id), inputResponses: { confirm } }
    const { result } = await world.ada('tools/call', answer, FORMS)
    assert.equal(result['isError'], true)
    assert.match(JSON.stringify(result['content']), /not_confirmed/)
  }
  assert.equal(await world.credits(), before)
  assert.ok(await isThere(world.ada, id))
  const inputResponses = { confirm: { action: 'accept' } }
  const agreed = await world.ada('tools/call', { ...deleting(id), inputResponses }, FORMS)
  assert.notEqual(agreed.result['isError'], true)
  assert.ok(!(await isThere(world.ada, id)))
})

test('clients without forms are not asked: legacy clients and those that only open URLs', async () => {
  await using world = await createMcpWorld()
  const senders: [Send, object][] = [
    [world.legacy, {}],
    [world.ada, {}],
    [world.ada, { elicitation: { url: {} } }],
    [world.ada, { elicitation: true }],
  ]
  for (const [send, capabilities] of senders) {
    const id = await addPerson(world.ada, 'Grace Hopper')
    const { result } = await send('tools/call', deleting(id), { capabilities })
    assert.deepEqual(deletedIn(result), [id])
  }
  for (const elicitation of [{ form: {} }, { form: {}, url: {} }]) {
    const id = await addPerson(world.ada, 'Grace Hopper')
    const reply = await world.ada('tools/call', deleting(id), { capabilities: { elicitation } })
    assert.equal(asked(reply).resultType, 'input_required')
  }
})

test('confirmations of notes, follow-ups and merges name the person', async () => {
  await using world = await createMcpWorld()
  const [kept, same] = [
    await addPerson(world.ada, 'Grace Hopper'),
    await addPerson(world.ada, 'Rear Admiral Hopper'),
  ]
  const arguments_ = { people: kept, text: 'Found a moth' }
  await world.ada('tools/call', { name: 'save_note', arguments: arguments_ })
  const due = { people: kept, text: 'Call', due_on: '2031-03-05' }
  await world.ada('tools/call', { name: 'save_follow_up', arguments: due })
  const group = { keep_id: kept, merge_ids: [same] }
  const questions: [string, object, string][] = [
    ['delete_note', { note_id: 'n_1' }, 'Delete a note about Grace Hopper? You can undo this.'],
    [
      'delete_follow_up',
      { follow_up_id: 'f_1' },
      'Delete the follow-up with Grace Hopper due on 2031-03-05? You can undo this.',
    ],
    [
      'resolve_duplicates',
      { action: 'merge', ...group },
      `Merge Rear Admiral Hopper (${same}) into Grace Hopper (${kept})? You can undo this.`,
    ],
    [
      'resolve_duplicates',
      { action: 'merge', groups: [group] },
      `Merge Rear Admiral Hopper (${same}) into Grace Hopper (${kept})? You can undo this.`,
    ],
    [
      'resolve_duplicates',
      { action: 'merge', groups: [group, group] },
      'Merge 2 duplicates (Rear Admiral Hopper) into the 2 connections to keep? You can undo this.',
    ],
  ]
  for (const [name, given, question] of questions) {
    const call = { name, arguments: given }
    assert.equal(questionIn(await world.ada('tools/call', call, FORMS)), question)
    const answered = await world.ada('tools/call', { ...call, inputResponses: {} }, FORMS)
    assert.equal(questionIn(answered), question, 'any other answer is not a confirmation')
  }
})

test('a call that the tool would reject is rejected at once, with the error of the tool', async () => {
  await using world = await createMcpWorld()
  const id = await addPerson(world.grace, 'Of Grace')
  const wrong: [string, object, RegExp][] = [
    ['delete_note', { note_id: 'n_9' }, /not_found/],
    ['delete_note', {}, /invalid_arguments/],
    ['resolve_duplicates', { action: 'merge', keep_id: id, merge_ids: [id] }, /not_found/],
    ['resolve_duplicates', { action: 'merge', keep_id: 'c_1' }, /invalid_request/],
  ]
  for (const [name, given, error] of wrong) {
    const { result } = await world.ada('tools/call', { name, arguments: given }, FORMS)
    assert.equal(result['isError'], true, name)
    assert.match(JSON.stringify(result['content']), error)
  }
  const others = await world.ada('tools/call', deleting(id), FORMS)
  assert.doesNotMatch(JSON.stringify(others.result), /Of Grace/)
})

test('with a key, a confirmation request is not stored, the confirmed call runs once, and every retry replays it', async () => {
  await using world = await createMcpWorld()
  const id = await addPerson(world.ada, 'Grace Hopper')
  const before = await world.credits()
  const keyed = { ...FORMS, key: 'once' }
  const first = await world.ada('tools/call', deleting(id), keyed)
  const again = await world.ada('tools/call', deleting(id), keyed)
  assert.deepEqual([questionIn(first), questionIn(again)], [questionIn(first), questionIn(first)])
  const no = { ...deleting(id), inputResponses: { confirm: { action: 'decline' } } }
  assert.equal((await world.ada('tools/call', no, keyed)).result['isError'], true)
  const yes = { ...deleting(id), inputResponses: YES }
  const [done, retried] = await Promise.all([
    world.ada('tools/call', yes, keyed),
    world.ada('tools/call', yes, keyed),
  ])
  assert.deepEqual(done.result, retried.result)
  for (const late of [deleting(id), yes, no]) {
    const replay = await world.ada('tools/call', late, keyed)
    assert.equal(replay.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(replay.result, done.result)
  }
  assert.equal(await world.credits(), before - 1)
  assert.equal((await world.ada('tools/call', deleting('c_99'), keyed)).status, 422)
})

test('the official client shows the form and repeats the call automatically', async () => {
  await using world = await createMcpWorld()
  const id = await addPerson(world.ada, 'Grace Hopper')
  const client = new Client(
    { name: 'careful', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  )
  const questions: string[] = []
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params.message)
    return { action: 'accept', content: { confirm: true } }
  })
  const headers = { authorization: `Bearer ${await world.service.mintToken()}` }
  const url = new URL(`${world.service.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  const result = await client.callTool(deleting(id))
  await client.close()
  assert.equal(questions.length, 1)
  assert.match(questions[0] ?? '', /^Delete Grace Hopper\?/)
  assert.deepEqual(deletedIn(result), [id])
})

test('a client of revision 2025-11-25 is asked while its call runs, if it declares elicitation', async () => {
  await using world = await createMcpWorld()
  const { service } = world
  const token = await service.mintToken()
  const responses: ElicitResult[] = [
    { action: 'accept', content: { confirm: true } },
    { action: 'decline' },
  ]
  const questions: string[] = []
  const connect = async (capabilities: object) => {
    const client = new EarlierClient({ name: 'test', version: '1' }, { capabilities })
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    const transport = new EarlierTransport(new URL(`${service.url}/mcp`), { requestInit })
    await client.connect(transport)
    return client
  }
  const asking = await connect({ elicitation: {} })
  asking.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    questions.push(params.message)
    return responses.shift() ?? { action: 'cancel' }
  })
  const silent = await connect({})
  const added = await silent.callTool({
    name: 'add_connections',
    arguments: { connections: [{ name: 'Ann Lee' }, { name: 'Ben Oak' }, { name: 'Cay Elm' }] },
  })
  assert.notEqual(added.isError, true)
  const agreed = await asking.callTool(deleting('c_1'))
  assert.deepEqual(deletedIn(agreed), ['c_1'])
  const declined = await asking.callTool(deleting('c_2'))
  assert.match(JSON.stringify(declined.content), /not_confirmed/)
  const unasked = await silent.callTool(deleting('c_3'))
  assert.deepEqual(deletedIn(unasked), ['c_3'])
  assert.deepEqual(questions, [
    'Delete Ann Lee? You can restore deleted connections for 30 days.',
    'Delete Ben Oak? You can restore deleted connections for 30 days.',
  ])
  await Promise.all([asking.close(), silent.close()])
})
