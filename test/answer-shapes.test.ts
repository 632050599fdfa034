/** Lists are always lists: an answer about one person has the shape of an answer about several. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_TEXT_LENGTH } from '../src/base/limits.ts'
import { createWorld, type Acting } from './fixtures/network.ts'
import { toolsOver } from './fixtures/tools.ts'
import { createStore } from './support/store.ts'
import type { Tool } from '../src/tools/tool.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** Fields that an answer and its entries have with different meanings. */
const BESIDE: ReadonlySet<string> = new Set([
  'truncated', // of the list, and of a text
  'get_briefing.follow_ups', // of a day, and of a person
  'get_briefing.people', // of a briefing, and of a meeting
  'undo.activity_id', // of the undo, and of what it undid
])

test('what an answer says about one of several is in their list, not beside it', async () => {
  await using store = await createStore()
  const beside = toolsOver(store).flatMap(({ name, output }) => {
    const { properties = {} } = output as Schema
    const inLists = new Set(
      Object.values(properties).flatMap(({ items }) => Object.keys(items?.properties ?? {})),
    )
    return Object.keys(properties)
      .filter((field) => inLists.has(field) && !BESIDE.has(field))
      .map((field) => `${name}.${field}`)
      .filter((path) => !BESIDE.has(path))
  })
  assert.deepEqual(beside, [])
})

const NAMES = ['Ada Lovelace', 'Mary Jackson']
const MERGED = ['Ada Lovelase', 'Mary Jacksen']

/** Calls about the first people, and what must have happened before. */
const CALLS: Readonly<Record<string, (people: readonly string[]) => readonly Call[]>> = {
  get_connections: (people) => [['get_connections', { people }]],
  get_briefing: (people) => [['get_briefing', { people }]],
  list_timeline: (people) => [
    ['save_note', { people, text: 'Likes bees' }],
    ['list_timeline', { people }],
  ],
  list_follow_ups: (people) => [
    ['save_follow_up', { people, text: 'Call', due_on: '2027-01-01' }],
    ['list_follow_ups', { people }],
  ],
  list_activity: (people) => [
    ...people.map((one): Call => ['save_note', { people: [one], text: 'Likes bees' }]),
    ['list_activity', { people }],
  ],
  add_connections: (people) => [
    ['add_connections', { connections: people.map((name) => ({ name: `${name} Junior` })) }],
  ],
  update_connections: (people) => [['update_connections', { people, company: 'Acme' }]],
  save_note: (people) => [['save_note', { people, text: 'Likes bees', on: '2026-01-01' }]],
  log_interaction: (people) => [['log_interaction', { people, kind: 'call' }]],
  keep_in_touch: (people) => [['keep_in_touch', { people, every: 'month' }]],
  save_follow_up: (people) => [
    ['save_follow_up', { people, text: 'Call', due_on: '2027-01-01', recurrence: 'monthly' }],
    ['save_follow_up', { follow_up_ids: ['open'], people, done: true }],
  ],
  resolve_duplicates: (people) => [
    [
      'resolve_duplicates',
      {
        action: 'merge',
        groups: people.map((keep_id, at) => ({ keep_id, merge_ids: [MERGED[at]] })),
      },
    ],
  ],
  delete_connections: (people) => [['delete_connections', { people }]],
  restore_connections: (people) => [
    ['delete_connections', { people }],
    ['restore_connections', { people }],
  ],
  export_connections: (people) => [['export_connections', { people }]],
}

type Call = readonly [tool: string, input: object]

/** Arguments that name what a call is about. Other lists filter or set values. */
const NAMED = /^(people|connections|groups|\w+_ids)$/

test('every tool that takes several people answers the same for one and for several', async () => {
  await using world = await createWorld()
  const tools = toolsOver(world)
  const taking = tools.filter(({ input }) =>
    Object.entries((input as Schema).properties ?? {}).some(
      ([name, part]) => part.items !== undefined && NAMED.test(name),
    ),
  )
  assert.deepEqual(
    taking.map(({ name }) => name).filter((name) => CALLS[name] === undefined),
    [],
    'add a call',
  )
  for (const [name, callsFor] of Object.entries(CALLS)) {
    const shapes: unknown[] = []
    for (const count of [1, 2]) {
      const member = await world.join()
      const ask = asking(member, tools)
      await ask([
        'add_connections',
        { connections: [...NAMES, ...MERGED].map((one) => ({ name: one })) },
      ])
      let answer: unknown
      for (const call of callsFor(NAMES.slice(0, count))) answer = await ask(call)
      shapes.push(shapeOf(answer))
    }
    assert.deepEqual(shapes[1], shapes[0], name)
  }
})

function asking(member: Acting, tools: readonly Tool[]) {
  return ([name, input]: Call) => {
    const tool = tools.find((one) => one.name === name)
    assert.ok(tool, name)
    return member.ask<unknown>(tool, input)
  }
}

/** The fields of a value and of the entries of its lists, at any depth. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [[...new Set(value.map((one) => JSON.stringify(shapeOf(one))))]]
  if (typeof value !== 'object' || value === null) return typeof value
  const fields = Object.entries(value).map(([name, part]) => [name, shapeOf(part)] as const)
  return Object.fromEntries(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

test('answers about as many people as a call may name stay within what clients read', async () => {
  await using world = await createWorld(1_000_000)
  const tools = toolsOver(world)
  const member = await world.join()
  const ask = asking(member, tools)
  // As long as names are, and twice as long in JSON.
  const names = Array.from({ length: 100 }, (_, at) => `${'"'.repeat(MAX_TEXT_LENGTH - 4)} ${at}`)
  await member.import(names.map((name) => ({ name, location: 'Ulm' })))
  const people = names.map((_, at) => `c_${at + 1}`)
  const text = '"'.repeat(500)
  // `ask` checks the length of each answer.
  const planned = await ask(['save_follow_up', { people, text, due_on: '2027-01-01' }])
  assert.partialDeepStrictEqual(planned, { truncated: true })
  await ask(['save_follow_up', { follow_up_ids: ['open'], due_on: '2027-02-01' }])
  await ask(['save_follow_up', { follow_up_ids: ['open'], recurrence: 'weekly', done: true }])
  await ask(['save_note', { people, text }])
  await ask([
    'update_connections',
    { people, company: text.slice(0, 200), title: text.slice(0, 200) },
  ])
  await ask(['keep_in_touch', { people, every: 'month' }])
  await ask(['log_interaction', { people: people.slice(0, 50), kind: 'call', text }])
  for (const id of people.slice(0, 70))
    await ask(['update_connections', { people: [id], title: 'x' }])
  assert.partialDeepStrictEqual(await ask(['undo', { since: 'today' }]), { truncated: true })
  await ask(['delete_connections', { people }])
  await ask(['restore_connections', { people }])
})
