import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateConnectionTool, tagConnectionsTool } from '../../../test/fixtures/one-person.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { restoreConnectionsTool } from '../deletion/restore-connections.tool.ts'
import { listTagsTool } from '../tags/list-tags.tool.ts'
import { getNetworkSummaryTool } from './get-network-summary.tool.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { parseDatabaseAddress } from '../../db/database-address.ts'
import { createWorld, openSharedWorld } from '../../../test/fixtures/network.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { addConnectionsTool } from '../people/add-connections.tool.ts'
import { readNetworkState } from '../../tools/network-state.ts'
import { summarizeNetwork } from './network-summary.ts'

interface Count {
  readonly value: string
  readonly count: number
}

interface Summary {
  readonly connections: number
  readonly with_email: number
  readonly with_notes: number
  readonly deleted: number
  readonly top_companies: readonly Count[]
  readonly top_titles: readonly Count[]
  readonly top_locations: readonly Count[]
  readonly top_tags: readonly Count[]
  readonly last_changed_at?: string
}

const PEOPLE = [
  { name: 'One', company: 'Acme', emails: ['one@x.example'], labels: ['club', 'VIP'] },
  { name: 'Two', company: 'Acme', title: 'Baker', labels: ['Club'] },
  { name: 'Three', company: 'ACME', title: 'Baker', location: 'Łódź, Polska', note: 'Hello' },
  { name: 'Four', company: '株式会社', location: 'Łódź, Polska' },
]

/** `value: count`, joined. */
function textOf(counts: readonly Count[]): string {
  return counts.map(({ value, count }) => `${value}: ${count}`).join(', ')
}

test('the summary and the tags reflect every change, including those of other nodes', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const summary = () => member.ask<Summary>(getNetworkSummaryTool)
  const tags = async () => (await member.ask<{ tags: unknown[] }>(listTagsTool)).tags
  assert.equal((await summary()).last_changed_at, undefined)
  await member.import(PEOPLE)
  const first = await summary()
  assert.deepEqual(
    [first.connections, first.with_email, first.with_notes, first.deleted],
    [4, 1, 1, 0],
  )
  assert.equal(textOf(first.top_companies), 'Acme: 2, ACME: 1, 株式会社: 1')
  assert.equal(textOf(first.top_titles), 'Baker: 2')
  assert.equal(textOf(first.top_locations), 'Łódź, Polska: 2')
  assert.equal(textOf(first.top_tags), 'club: 2, VIP: 1')
  world.clock.advance(60_000)
  await member.ask(updateConnectionTool, {
    connection_id: 'c_3',
    company: 'Acme',
    clear: ['title'],
  })
  await member.ask(tagConnectionsTool, { connection_ids: ['c_3', 'c_4'], add: ['vip', 'new'] })
  await member.ask(saveNoteTool, { people: 'c_1', text: 'Met in Rome.' })
  await member.ask(deleteConnectionsTool, { people: ['c_2'] })
  const second = await summary()
  assert.deepEqual(
    [second.connections, second.with_email, second.with_notes, second.deleted],
    [3, 1, 2, 1],
  )
  assert.equal(textOf(second.top_companies), 'Acme: 2, 株式会社: 1')
  assert.equal(textOf(second.top_titles), '')
  assert.equal(textOf(second.top_tags), 'VIP: 3, new: 2, club: 1')
  assert.deepEqual(await tags(), [
    { tag: 'VIP', count: 3 },
    { tag: 'new', count: 2 },
    { tag: 'club', count: 1 },
  ])
  assert.ok((second.last_changed_at ?? '') > (first.last_changed_at ?? ''))
  await member.ask(restoreConnectionsTool, { people: ['c_2'] })
  const address = parseDatabaseAddress(world.address)
  assert.ok(address)
  const { database } = await openDatabase(address, { clock: world.clock, searchThreads: 1 })
  await using other = database
  const there = other.member(member.db.memberId)
  const network = await readNetworkState(there)
  assert.deepEqual(
    await summarizeNetwork(there, network),
    await summarizeNetwork(member.db, network),
  )
  assert.equal((await summary()).deleted, 0)
})

test('deleted connections and the last change are known from a stored index, also after many changes', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const people = Array.from({ length: 520 }, (_, at) => ({ name: `Person ${at}` }))
  await member.import(people)
  await member.ask(deleteConnectionsTool, { people: ['c_7', 'c_510'] })
  world.clock.advance(60_000)
  await member.ask(updateConnectionTool, { connection_id: 'c_9', company: 'Acme' })
  const first = await member.ask<Summary>(getNetworkSummaryTool)
  assert.deepEqual([first.connections, first.deleted], [518, 2])
  await member.ask(restoreConnectionsTool, { people: ['c_510'] })
  world.clock.advance(60_000)
  for (let nth = 0; nth < 6; nth += 1) {
    const ids = Array.from({ length: 50 }, (_, at) => `c_${100 + 50 * nth + at}`)
    await member.ask(tagConnectionsTool, { connection_ids: ids, add: [`tag ${nth}`] })
    await member.ask(getNetworkSummaryTool)
  }
  await member.ask(deleteConnectionsTool, { people: ['c_11'] })
  const address = parseDatabaseAddress(world.address)
  assert.ok(address)
  const { database } = await openDatabase(address, { clock: world.clock, searchThreads: 1 })
  await using other = database
  const there = other.member(member.db.memberId)
  const network = await readNetworkState(there)
  const summary = await summarizeNetwork(there, network)
  assert.deepEqual(summary, await summarizeNetwork(member.db, network))
  assert.deepEqual([summary.live, summary.deleted], [518, 2])
  assert.equal(summary.changedAt, world.clock.now())
})

test('counts of more than fifty values say that there are more', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const counted = async (by: readonly string[]) => {
    const { counts = [], ...rest } = await member.ask<Counted>(getNetworkSummaryTool, { by })
    return [counts.length, rest]
  }
  const person = (at: number) => ({
    name: `Person ${at}`,
    company: `Company ${at}`,
    title: `Title ${at}`,
  })
  await member.import(Array.from({ length: 50 }, (_, at) => person(at)))
  const all = [['company'], ['company', 'title']]
  for (const by of all) assert.deepEqual(await counted(by), [50, { connections: 50 }])
  await member.import([person(50)])
  for (const by of all)
    assert.deepEqual(await counted(by), [50, { connections: 51, has_more: true }])
})

interface Counted {
  readonly connections: number
  readonly counts?: readonly object[]
  readonly has_more?: boolean
}

test('a summary lists the ten most frequent values in a fixed order', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const many = Array.from({ length: 30 }, (_, at) => ({
    name: `Person ${at}`,
    company: `Company ${String.fromCharCode(97 + (at % 15))}`,
    ...(at >= 28 && { title: 'Cook' }),
  }))
  await member.import(many)
  const { top_companies: top } = await member.ask<Summary>(getNetworkSummaryTool)
  assert.equal(textOf(top), Array.from('abcdefghij', (letter) => `Company ${letter}: 2`).join(', '))
})

test('people are counted by two values together, and by the contacts with each', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const connections = [
    { name: 'Ann', company: 'Acme', title: 'Engineer', tags: ['a', 'b'] },
    { name: 'Ben', company: 'Acme', title: 'Engineer', tags: ['a'] },
    { name: 'Cy', company: 'Acme' },
  ]
  await member.ask(addConnectionsTool, { connections })
  const log = (people: string[], on: string) =>
    member.ask(logInteractionTool, { people, kind: 'call', on })
  await log(['Ann', 'Ben'], 'yesterday')
  await log(['Ben'], 'yesterday')
  await log(['Cy'], '2019-05-01')
  const count = async (given: object) =>
    (await member.ask<{ counts: object[] }>(getNetworkSummaryTool, given)).counts
  assert.deepEqual(await count({ by: ['company', 'title'] }), [
    { value: 'Acme', second: 'Engineer', count: 2 },
  ])
  assert.deepEqual(await count({ by: ['tag', 'company'] }), [
    { value: 'a', second: 'Acme', count: 2 },
    { value: 'b', second: 'Acme', count: 1 },
  ])
  assert.deepEqual(await count({ by: 'person' }), [
    { value: 'Ben', connection_id: 'c_2', count: 2 },
    { value: 'Ann', connection_id: 'c_1', count: 1 },
  ])
  const mixed = await member.refused(getNetworkSummaryTool, { by: ['person', 'tag'] })
  assert.equal(mixed.code, 'invalid_request')
})
