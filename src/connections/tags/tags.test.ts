import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  addConnectionTool,
  getConnectionTool,
  tagConnectionsTool,
  updateConnectionTool,
} from '../../../test/fixtures/one-person.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { listTagsTool } from './list-tags.tool.ts'
import { openSharedWorld, rowsOf, type Acting } from '../../../test/fixtures/network.ts'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'
import { tagUndoer } from './tag-changes.ts'

const undo = undoTool({ undoers: [tagUndoer] })

interface TagsPage {
  readonly tags: readonly { tag: string; count: number }[]
  readonly has_more: boolean
  readonly next_cursor?: string
}

/** Imports c_1, c_2 and so on, each with a tag. */
async function withContacts(member: Acting, count: number): Promise<string[]> {
  await member.import(
    Array.from({ length: count }, (_, index) => contact(`P${index + 1}`, ['Imported'])),
  )
  return Array.from({ length: count }, (_, index) => `c_${index + 1}`)
}

function contact(name: string, labels: readonly string[], title?: string) {
  const emails = [`${name.toLowerCase()}@people.example`]
  return { name, emails, labels, ...(title !== undefined && { title }) }
}

async function tagsNow(member: Acting): Promise<string[]> {
  const { connections } = await member.ask<{ connections: { name: string; tags?: string[] }[] }>(
    searchConnectionsTool,
    { limit: 50 },
  )
  return connections.map(({ name, tags = [] }) => `${name}: ${tags.join(', ')}`)
}

async function found(member: Acting, query: string): Promise<number> {
  const search = { query, mode: 'keyword' }
  return (await member.ask<{ count: number }>(searchConnectionsTool, search)).count
}

test('tags are added and removed on many connections at once, searchable immediately, and counted', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const ids = await withContacts(member, 3)
  const change = { connection_ids: ids, add: ['Café  Crowd', 'cafe crowd'], remove: ['IMPORTED'] }
  assert.deepEqual(await member.ask(tagConnectionsTool, change), { changed: 3, unchanged: 0 })
  assert.deepEqual(await member.ask(tagConnectionsTool, change), { changed: 0, unchanged: 3 })
  const [first] = ids
  await member.ask(tagConnectionsTool, { connection_ids: [first, first], add: ['Zebra'] })
  assert.deepEqual(await tagsNow(member), [
    'P1: Café Crowd, Zebra',
    'P2: Café Crowd',
    'P3: Café Crowd',
  ])
  assert.deepEqual([await found(member, 'crowd'), await found(member, 'imported')], [3, 0])
  assert.deepEqual(await member.ask(listTagsTool), {
    tags: [
      { tag: 'Café Crowd', count: 3 },
      { tag: 'Zebra', count: 1 },
    ],
    has_more: false,
  })
  const { version } = await member.ask<{ version: number }>(getConnectionTool, {
    connection_id: 'c_1',
  })
  assert.equal(version, 3)
})

test('a later import does not add back a removed tag', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const ids = await withContacts(member, 2)
  await member.ask(tagConnectionsTool, { connection_ids: ids.slice(0, 1), remove: ['Imported'] })
  await member.import(['P1', 'P2'].map((name) => contact(name, ['Imported', 'More'], 'New')))
  assert.deepEqual(await tagsNow(member), ['P1: ', 'P2: Imported, More'])
})

test('an invalid request is rejected and changes no connection', async () => {
  await using world = await openSharedWorld()
  const [member, stranger] = [await world.join(), await world.join()]
  await withContacts(member, 2)
  const before = await rowsOf(world, member, 'connections')
  const full = Array.from({ length: 49 }, (_, index) => `t${index}`)
  await member.ask(updateConnectionTool, { connection_id: 'c_2', add_tags: full })
  const filled = await rowsOf(world, member, 'connections')
  assert.notDeepEqual(filled, before)
  const cases = [
    [{ connection_ids: ['c_7', 'c_8'], add: ['x'] }, 'not_found', /c_7/],
    [{ connection_ids: ['c_1'], add: [] }, 'invalid_request', /No fields to update/],
    [{ connection_ids: ['c_1'], add: ['Ä'], remove: ['Ä'] }, 'invalid_request', /“Ä” is in both/],
    [{ connection_ids: ['c_2'], add: ['x', 'y'] }, 'invalid_request', /at most 50 tags/],
    [{ connection_ids: ['c_1'], add: ['\u200b'] }, 'invalid_request', /visible/],
    [{ connection_ids: [], add: ['x'] }, 'invalid_arguments', /at least 1 item/],
    [{ connection_ids: Array(201).fill('c_1'), add: ['x'] }, 'invalid_arguments', /at most 200/],
    [{ connection_ids: ['c_1'], add: ['  '] }, 'invalid_arguments', /add\/0/],
  ] as const
  for (const [input, code, message] of cases) {
    const error = await member.refused(tagConnectionsTool, input)
    assert.equal(error.code, code)
    assert.match(error.message, message)
  }
  const unseen = { connection_id: 'c_1', add_tags: ['\u2800'] }
  assert.match((await member.refused(updateConnectionTool, unseen)).message, /visible/)
  const foreign = { connection_ids: ['c_1'], add: ['x'] }
  assert.equal((await stranger.refused(tagConnectionsTool, foreign)).code, 'not_found')
  assert.deepEqual(await rowsOf(world, member, 'connections'), filled)
})

test('an undo reverts only the tags of its change, and fails if they changed since', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const ids = await withContacts(member, 2)
  const tag = (change: object) => member.ask(tagConnectionsTool, { connection_ids: ids, ...change })
  await tag({ add: ['A'] }) // a_1
  await tag({ add: ['B'], remove: ['Imported'] })
  await member.ask(undo, { activity_id: 'a_1' })
  assert.deepEqual(await tagsNow(member), ['P1: B', 'P2: B'])
  // The original tags are not fully restored, so imports still do not change them.
  await member.import([contact('P1', ['Imported'], 'New')])
  assert.deepEqual(await tagsNow(member), ['P1: B', 'P2: B'])
  await member.ask(tagConnectionsTool, { connection_ids: ['c_2'], remove: ['B'] })
  const refused = await member.refused(undo, { activity_id: 'a_2' })
  assert.deepEqual([refused.code, /c_2: tags/.test(refused.message)], ['conflict', true])
  assert.deepEqual(await tagsNow(member), ['P1: B', 'P2: '])
})

const TAGS = ['One', 'Two', 'Three']
const changes = fc.array(
  fc.record({
    connection_ids: fc.subarray(['c_1', 'c_2', 'c_3'], { minLength: 1 }),
    add: fc.subarray(TAGS),
    remove: fc.subarray([...TAGS, 'Imported']),
  }),
  { minLength: 1, maxLength: 6 },
)

test('undoing any tag changes in reverse order restores the original tags', async () => {
  await using world = await openSharedWorld()
  await fc.assert(
    fc.asyncProperty(changes, async (made) => {
      const member = await world.join()
      await withContacts(member, 3)
      const everything = async () => ({
        tags: await rowsOf(world, member, 'connection_tags'),
        sources: (await rowsOf(world, member, 'connections')).map((row) => row['field_sources']),
        found: await Promise.all([...TAGS, 'Imported'].map((tag) => found(member, tag))),
      })
      const states = [await everything()]
      for (const change of made) {
        const outcome = await member.call(tagConnectionsTool, change)
        if (outcome.ok && (outcome.output as { changed: number }).changed > 0)
          states.push(await everything())
      }
      for (const state of states.slice(0, -1).toReversed()) {
        await member.ask(undo)
        assert.deepEqual(await everything(), state)
      }
    }),
    { numRuns: 20 },
  )
})

/** Each of these becomes eighteen characters when normalized. */
const WIDE = '\ufdfa'.repeat(90)

test('lists many tags page by page, most used first', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (let batch = 0; batch < 25; batch += 1)
    await member.ask(addConnectionTool, {
      name: `P${batch}`,
      tags: ['everywhere', ...Array.from({ length: 45 }, (_, one) => `${WIDE}${batch} ${one}`)],
    })
  const seen: string[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await member.ask<TagsPage>(listTagsTool, { ...(cursor && { cursor }) })
    seen.push(...page.tags.map(({ tag }) => tag))
    cursor = page.next_cursor
    pages += 1
  } while (cursor !== undefined)
  assert.equal(seen[0], 'everywhere')
  assert.equal(seen.length, 1 + 25 * 45)
  assert.equal(new Set(seen).size, seen.length)
  assert.ok(pages > 1)
})
