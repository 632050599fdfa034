// One tag has one spelling, whatever brings it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addConnectionTool, updateConnectionTool } from '../../../test/fixtures/one-person.ts'
import { openSharedWorld, rowsOf, type Acting, type World } from '../../../test/fixtures/network.ts'
import { RequestError } from '../../base/request-error.ts'
import { restoreSettings } from '../../imports/restore-settings.ts'
import { recordChange } from '../../tools/activity.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { keepInTouchTool } from '../cadence/keep-in-touch.tool.ts'
import { CONNECTION_UNDOERS } from '../catalog.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { restoreConnectionsTool } from '../deletion/restore-connections.tool.ts'
import { resolveDuplicatesTool } from '../duplicates/resolve-duplicates.tool.ts'
import { addConnectionsTool } from '../people/add-connections.tool.ts'
import { updateConnectionsTool } from '../people/update-connections.tool.ts'
import { listTagsTool } from './list-tags.tool.ts'
import { updateTags } from './tag-connections.ts'

const undo = undoTool({ undoers: CONNECTION_UNDOERS })

type Shared = Pick<World, 'database' | 'clock'>

/** The tags of each person, and of cadences, in key order. */
async function stored(world: Shared, member: Acting): Promise<string[]> {
  const tags = await rowsOf(world, member, 'connection_tags')
  const cadences = await rowsOf(world, member, 'tag_cadences')
  return [
    ...tags.map(({ connection_id, tag }) => `c_${String(connection_id)}: ${String(tag)}`),
    ...cadences.map(({ tag }) => `every: ${String(tag)}`),
  ].toSorted()
}

async function assertOneSpelling(world: Shared, member: Acting): Promise<void> {
  const all = [
    ...(await rowsOf(world, member, 'connection_tags')),
    ...(await rowsOf(world, member, 'tag_cadences')),
  ]
  const spellings = Map.groupBy(all, ({ tag_key }) => tag_key)
  for (const rows of spellings.values())
    assert.equal(new Set(rows.map(({ tag }) => tag)).size, 1, JSON.stringify(rows))
}

/** Adds and removes tags as the forms of the pages do. */
async function typeTags(
  world: Shared,
  member: Acting,
  change: Parameters<typeof updateTags>[1],
): Promise<number | undefined> {
  const now = world.clock.now()
  return member.db.write((tx) =>
    updateTags(
      {
        tx,
        now,
        record: (one) => recordChange(tx, { credentialId: null, actor: 'member', now }, one),
      },
      change,
    ),
  )
}

interface Step {
  readonly way: string
  readonly one: string
  readonly other: string
  readonly tag: string
  readonly second: string
}

type Way = (world: Shared, member: Acting, step: Step) => Promise<unknown>

let jobs = 1000

const WAYS: Readonly<Record<string, Way>> = {
  update: (_, member, { one, tag, second }) =>
    member.call(updateConnectionTool, { connection_id: one, add_tags: [tag, second], title: tag }),
  updateSeveral: (_, member, { one, other, tag, second }) =>
    member.call(updateConnectionsTool, {
      people: [...new Set([one, other])],
      tags: { add: [tag], remove: [second] },
    }),
  replace: (_, member, { one, tag }) =>
    member.call(updateConnectionsTool, { people: [one], tags: { replace: [tag] } }),
  add: (_, member, { tag, second }) =>
    member.call(addConnectionsTool, {
      connections: [
        { name: 'Una Moss', tags: [tag] },
        { name: 'Udo Moss', tags: [second] },
      ],
    }),
  type: (world, member, { one, other, tag }) =>
    typeTags(world, member, { connection_ids: [...new Set([one, other])], add: [tag] }),
  takeOff: (world, member, { one, tag }) =>
    typeTags(world, member, { connection_ids: [one], remove: [tag] }),
  typeAgain: (world, member, { one, tag }) =>
    typeTags(world, member, { connection_ids: [one], add: [tag], remove: [tag] }),
  import: (_, member, { tag, second }) =>
    member.import(
      [
        { name: 'Pia One', emails: ['p1@x.example'], labels: [tag, second] },
        { name: 'Ivo Two', emails: ['p2@x.example'], labels: [second] },
      ],
      { jobId: (jobs += 1), batch: 1 },
    ),
  cadence: (_, member, { tag }) => member.call(keepInTouchTool, { tag, every: 30 }),
  settings: (world, member, { tag }) =>
    member.db.write((tx) =>
      restoreSettings(
        tx,
        {
          version: 1,
          files: [],
          fields: [],
          tagCadences: [{ tag, every: 9, unit: 'day', setOn: '2026-01-01' }],
          views: [],
          toDos: [],
        },
        world.clock.now(),
      ),
    ),
  merge: (_, member, { one, other }) =>
    member.call(resolveDuplicatesTool, { action: 'merge', keep_id: one, merge_ids: [other] }),
  split: (_, member, { one }) =>
    member.call(resolveDuplicatesTool, { action: 'split', keep_id: one }),
  delete: (_, member, { one }) => member.call(deleteConnectionsTool, { people: [one] }),
  restore: (_, member, { one }) => member.call(restoreConnectionsTool, { people: [one] }),
  undo: (_, member) => member.call(undo),
}

const TAGS = ['climate', 'Climate', 'CLIMATE', 'climáte', 'Café', 'cafe', 'C++', 'c++', '🎾']
const person = fc.constantFrom('c_1', 'c_2', 'c_3')
const step = fc.record({
  way: fc.constantFrom(...Object.keys(WAYS)),
  one: person,
  other: person,
  tag: fc.constantFrom(...TAGS),
  second: fc.constantFrom(...TAGS),
})

test('whatever brings tags, no two of them differ only in spelling', async () => {
  await using world = await openSharedWorld()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const member = await withPeople(await world.join())
      for (const one of steps) {
        world.clock.advance(60_000)
        await WAYS[one.way]?.(world, member, one).catch((error: unknown) => {
          // A form for a deleted person is refused.
          if (!(error instanceof RequestError)) throw error
        })
        await assertOneSpelling(world, member)
      }
    }),
    { numRuns: 25 },
  )
})

async function withPeople(member: Acting): Promise<Acting> {
  for (const at of [1, 2, 3])
    await member.ask(addConnectionTool, { name: `P ${at}`, emails: [`p${at}@x.example`] })
  return member
}

test('a write takes the spelling that exists, and of a new tag the first', async () => {
  await using world = await openSharedWorld()
  const member = await withPeople(await world.join())
  await member.import([{ name: 'P 1', emails: ['p1@x.example'], labels: ['Climate'] }])
  await member.ask(updateConnectionsTool, { people: ['c_2'], tags: ['climate', 'vip', 'VIP'] })
  await member.ask(keepInTouchTool, { tag: 'CLIMATE', every: 30 })
  assert.deepEqual(await stored(world, member), [
    'c_1: Climate',
    'c_2: Climate',
    'c_2: vip',
    'every: Climate',
  ])
  // The activity log has what was stored.
  const [latest] = (await rowsOf(world, member, 'activity')).slice(-2)
  assert.match(JSON.stringify(latest), /Climate/)
  assert.doesNotMatch(JSON.stringify(latest), /climate\W/)
})

test('a spelling is changed for everyone, by a tool and by a form, and undone', async () => {
  await using world = await openSharedWorld()
  const member = await withPeople(await world.join())
  await member.ask(updateConnectionsTool, { people: ['c_1', 'c_2', 'c_3'], tags: ['climate'] })
  await member.ask(keepInTouchTool, { tag: 'climate', every: 30 })
  await member.ask(deleteConnectionsTool, { people: ['c_3'] })
  const before = await stored(world, member)
  const rename = { tags: ['Climate'], remove: { tags: ['climate'] } }
  const renamed = await member.ask<{ people: { status: string }[]; activity_id: string }>(
    updateConnectionsTool,
    { where: { tag: 'climate' }, ...rename },
  )
  assert.deepEqual(
    renamed.people.map(({ status }) => status),
    ['updated', 'updated'],
  )
  const after = before.map((one) => one.replace('climate', 'Climate'))
  assert.deepEqual(await stored(world, member), after)
  const { tags } = await member.ask<{ tags: { tag: string }[] }>(listTagsTool)
  assert.deepEqual(
    tags.map(({ tag }) => tag),
    ['Climate'],
  )
  // Nothing more to do.
  const again = await member.ask<{ people: { status: string }[] }>(updateConnectionsTool, {
    people: ['c_1'],
    ...rename,
  })
  assert.deepEqual(again.people[0]?.status, 'unchanged')
  const { activity_id } = await member.ask<{ activity_id: string }>(undo)
  assert.deepEqual(await stored(world, member), before)
  await member.ask(undo, { activity_id })
  assert.deepEqual(await stored(world, member), after)
  const typed = { connection_ids: ['c_2'], add: ['CLIMATE'], remove: ['CLIMATE'] }
  const activity = await typeTags(world, member, typed)
  assert.deepEqual(
    await stored(world, member),
    before.map((one) => one.replace('climate', 'CLIMATE')),
  )
  await member.ask(undo, { activity_id: `a_${activity}` })
  assert.deepEqual(await stored(world, member), after)
})

test('an undo is not refused because a tag was respelled since', async () => {
  await using world = await openSharedWorld()
  const member = await withPeople(await world.join())
  const change = (input: object) =>
    member.ask<{ activity_id: string }>(updateConnectionsTool, { people: ['c_1'], ...input })
  await change({ tags: ['climate', 'vip'] })
  const only = await change({ tags: ['board'] })
  const more = await change({ title: 'Head', tags: { add: ['gone'], remove: ['vip'] } })
  const created = await member.ask<{ activity_id: string }>(addConnectionsTool, {
    connections: [{ name: 'Una Moss', tags: ['climate'] }],
  })
  await change({
    tags: ['CLIMATE', 'Board', 'GONE'],
    remove: { tags: ['climate', 'board', 'gone'] },
  })
  for (const { activity_id } of [created, more, only]) await member.ask(undo, { activity_id })
  assert.deepEqual(
    (await stored(world, member)).filter((one) => one.startsWith('c_1')),
    ['c_1: CLIMATE', 'c_1: vip'],
  )
  await assertOneSpelling(world, member)
})

test('two calls at once bring one spelling', async () => {
  await using world = await openSharedWorld()
  const member = await withPeople(await world.join())
  for (let round = 0; round < 10; round += 1) {
    const calls = ['tag', 'Tag', 'TAG'].map((tag, at) =>
      member.call(updateConnectionsTool, {
        people: [`c_${at + 1}`],
        tags: [`${tag} ${round}`],
        ...(at === 2 && { title: `Title ${round}` }),
      }),
    )
    const imported = { name: 'Una Moss', emails: ['u@x.example'], labels: [`tAG ${round}`] }
    await Promise.all([...calls, member.import([imported], { jobId: (jobs += 1) })])
    await assertOneSpelling(world, member)
  }
  assert.equal((await rowsOf(world, member, 'connection_tags')).length, 40)
})

test('a tag of many marks is one tag, and stays one', async () => {
  await using world = await openSharedWorld()
  const member = await withPeople(await world.join())
  const marks = '\u0301'.repeat(90)
  const add = (id: string, tag: string) =>
    member.call(updateConnectionsTool, { people: [id], tags: [tag] })
  for (const [at, tag] of [`a${marks}`, `A${marks}`, 'a'].entries())
    assert.ok((await add(`c_${at + 1}`, tag)).ok)
  await member.import([
    { name: 'Una Moss', emails: ['u@x.example'], labels: [`A${'\u0301'.repeat(20_000)}`] },
  ])
  await assertOneSpelling(world, member)
  const { tags } = await member.ask<{ tags: { count: number }[] }>(listTagsTool)
  assert.deepEqual(
    tags.map(({ count }) => count),
    [4],
  )
})
