import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  addConnectionTool,
  getConnectionTool,
  askOne,
  type WholeDetails,
} from '../../../test/fixtures/one-person.ts'
import { DAY } from '../../base/clock.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { deleteConnectionsTool } from './delete-connections.tool.ts'
import { getNetworkSummaryTool } from '../overview/get-network-summary.tool.ts'
import { resolveDuplicatesTool } from '../duplicates/resolve-duplicates.tool.ts'
import { openSharedWorld, rowsOf, type Acting } from '../../../test/fixtures/network.ts'
import { restoreConnectionsTool } from './restore-connections.tool.ts'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'
import type { PageOfConnections } from '../search/connection-page.ts'

interface Answer {
  readonly deleted?: object[]
  readonly restored?: object[]
  readonly restorable_until?: string
  readonly left_alone?: { connection_id: string; reason: string }[]
}

async function addThree(member: Acting): Promise<void> {
  await member.ask(addConnectionTool, {
    name: 'Ann Lee',
    emails: ['a@x.org'],
    tags: ['Friends'],
    note: 'likes bees',
  })
  await member.ask(addConnectionTool, { name: 'Bo' })
  await member.ask(addConnectionTool, { name: 'Cy Day' })
}

async function namesFound(member: Acting, query: string): Promise<string[]> {
  const page = await member.ask<PageOfConnections>(searchConnectionsTool, { query })
  return page.connections.map(({ name }) => name)
}

test('a deleted connection disappears from lists and searches and is restored unchanged', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addThree(member)
  const connection_id = 'c_1'
  const before = await member.ask<WholeDetails>(getConnectionTool, { connection_id })
  const deleted = await member.ask<Answer>(deleteConnectionsTool, {
    people: ['c_1', 'c_2', 'c_1', 'c_9'],
  })
  assert.deepEqual(deleted, {
    deleted: [
      { connection_id: 'c_1', name: 'Ann Lee' },
      { connection_id: 'c_2', name: 'Bo' },
    ],
    restorable_until: new Date(world.clock.now() + 30 * DAY).toISOString(),
    left_alone: [{ connection_id: 'c_9', reason: 'is not in this network' }],
  })
  const list = await member.ask<PageOfConnections>(searchConnectionsTool)
  assert.deepEqual(
    list.connections.map(({ name }) => name),
    ['Cy Day'],
  )
  assert.deepEqual([await namesFound(member, 'ann'), await namesFound(member, 'bees')], [[], []])
  const error = await member.refused(getConnectionTool, { connection_id })
  assert.equal(error.code, 'not_found')
  assert.match(error.hint ?? '', /restore_connections/)
  assert.equal((await member.ask<{ deleted: number }>(getNetworkSummaryTool)).deleted, 2)

  const restored = await member.ask<Answer>(restoreConnectionsTool, {
    people: ['c_1', 'c_3', 'c_9'],
  })
  assert.deepEqual(restored, {
    restored: [{ connection_id: 'c_1', name: 'Ann Lee' }],
    left_alone: [
      { connection_id: 'c_3', reason: 'is not deleted' },
      { connection_id: 'c_9', reason: 'is not in this network' },
    ],
  })
  const after = await member.ask<WholeDetails>(getConnectionTool, { connection_id })
  assert.deepEqual({ ...after, version: 1 }, before)
  assert.deepEqual(await namesFound(member, 'bees'), ['Ann Lee'])
})

test('deleting twice is reported and not recorded in the activity log', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addThree(member)
  await member.ask(deleteConnectionsTool, { people: ['c_1'] })
  const written = await rowsOf(world, member, 'activity')
  const again = await member.ask<Answer>(deleteConnectionsTool, { people: ['c_1'] })
  assert.deepEqual(again, {
    deleted: [],
    left_alone: [{ connection_id: 'c_1', reason: 'is already deleted' }],
  })
  assert.deepEqual(await rowsOf(world, member, 'activity'), written)
})

test('a deletion or restoration of unknown people is an error and free', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addThree(member)
  await member.ask(addConnectionTool, { name: 'Bo', allow_duplicate: true })
  const used = async () => rowsOf(world, member, 'credit_ledger')
  const before = await used()
  for (const [people, code] of [
    [['c_9'], 'not_found'],
    [['c_9', 'Zoe Ray', 'zoe@x.org'], 'not_found'],
    [['Ann'], 'not_found'],
    [['Bo', 'c_9'], 'ambiguous_person'],
  ] as const)
    assert.equal(
      (await member.refused(deleteConnectionsTool, { people })).code,
      code,
      people.join(),
    )
  assert.equal(
    (await member.refused(restoreConnectionsTool, { people: ['c_9'] })).code,
    'not_found',
  )
  assert.deepEqual(await used(), before)
  assert.deepEqual(
    (await member.ask<Answer>(deleteConnectionsTool, { people: ['Ann Lee'] })).deleted,
    [{ connection_id: 'c_1', name: 'Ann Lee' }],
  )
})

test('a contact skipped because its person was deleted is imported once the person is restored', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addThree(member)
  await member.ask(deleteConnectionsTool, { people: ['c_1'] })
  const newer = { name: 'Ann Lee', emails: ['a@x.org'], title: 'Boss' }
  assert.deepEqual(await member.import([newer], { jobId: 1 }), ['skipped'])
  assert.deepEqual(await member.import([newer], { jobId: 2 }), ['skipped'])
  await member.ask(restoreConnectionsTool, { people: ['c_1'] })
  assert.deepEqual(await member.import([newer], { jobId: 3 }), ['updated'])
  assert.deepEqual(await member.import([newer], { jobId: 4 }), ['unchanged'])
})

test('a merged connection is not restored next to the one that was kept', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addThree(member)
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id: 'c_1', merge_ids: ['c_2'] })
  const answer = await member.ask<Answer>(restoreConnectionsTool, { people: ['c_2'] })
  assert.deepEqual(answer.left_alone, [
    { connection_id: 'c_2', reason: 'was merged into c_1; undo that merge instead' },
  ])
})

test('a member cannot delete or restore another member’s connections', async () => {
  await using world = await openSharedWorld()
  const [member, stranger] = [await world.join(), await world.join()]
  await addThree(member)
  const input = { people: ['c_1'] }
  assert.equal((await stranger.refused(deleteConnectionsTool, input)).code, 'not_found')
  await member.ask(deleteConnectionsTool, input)
  assert.equal((await stranger.refused(restoreConnectionsTool, input)).code, 'not_found')
})

test('deleting and restoring any connections changes nothing visible', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (const name of ['Ann', 'Bo', 'Cy', 'Di']) {
    const { connection } = await member.ask<{ connection: WholeDetails }>(addConnectionTool, {
      name,
      company: 'Acme',
      tags: [name],
    })
    await member.ask(saveNoteTool, { people: connection.connection_id, text: `of ${name}` })
  }
  const seen = async () => {
    const list = await member.ask<PageOfConnections>(searchConnectionsTool)
    const found = await Promise.all(
      ['acme', 'ann', 'of', 'cy'].map((one) => namesFound(member, one)),
    )
    return [list, found]
  }
  const before = await seen()
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom('c_1', 'c_2', 'c_3', 'c_4'), { minLength: 1 }),
      async (connection_ids) => {
        await member.ask(deleteConnectionsTool, { people: connection_ids })
        assert.equal(
          (await member.ask<PageOfConnections>(searchConnectionsTool)).count,
          4 - connection_ids.length,
        )
        await member.ask(restoreConnectionsTool, { people: connection_ids })
        assert.deepEqual(await seen(), before)
      },
    ),
    { numRuns: 20 },
  )
})

test('people are restored by name and email, deleted ones before living ones of the name', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addThree(member)
  await member.ask(deleteConnectionsTool, { people: ['c_1', 'c_2', 'c_3'] })
  const restore = (...people: string[]) => member.ask<Answer>(restoreConnectionsTool, { people })
  const names = ({ restored = [] }: Answer) => restored.map((one) => (one as { name: string }).name)
  assert.deepEqual(names(await restore('A@x.org', 'Day, Cy')), ['Ann Lee', 'Cy Day'])
  const partly = await restore('bo', 'Xaver Ohm', 'Ann Lee')
  assert.deepEqual(names(partly), ['Bo'])
  assert.deepEqual(partly.left_alone, [
    { connection_id: 'Xaver Ohm', reason: 'is no ID, email or name of a deleted connection' },
    { connection_id: 'Ann Lee', reason: 'is not deleted' },
  ])
  assert.equal(
    (await member.refused(restoreConnectionsTool, { people: ['Xaver'] })).code,
    'not_found',
  )
  await member.ask(deleteConnectionsTool, { people: ['c_1'] })
  await member.ask(addConnectionTool, { name: 'Ann Lee', allow_duplicate: true })
  assert.deepEqual(names(await restore('Ann Lee')), ['Ann Lee'])
  await member.ask(deleteConnectionsTool, { people: ['c_1', 'c_4'] })
  const unclear = await restore('Ann Lee', 'c_1')
  assert.match(unclear.left_alone?.[0]?.reason ?? '', /can be c_[14] or c_[14]/)
})

test('an error about an unknown person names a deleted one', async () => {
  await using world = await openSharedWorld()
  const [member, stranger] = [await world.join(), await world.join()]
  await addThree(member)
  await member.ask(deleteConnectionsTool, { people: ['c_1'] })
  const note = { people: ['Ann Lee'], text: 'Called' }
  for (const people of ['Ann Lee', 'a@x.org']) {
    const { hint = '' } = await member.refused(saveNoteTool, { ...note, people: [people] })
    assert.match(hint, /Ann Lee \(c_1\) was deleted; restore_connections/)
  }
  assert.doesNotMatch((await stranger.refused(saveNoteTool, note)).hint ?? '', /deleted/)
})

test('duplicates are merged by their whole names, and a given name is not enough', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (const name of ['Ann Lee', 'Ann M. Lee', 'Cy Day'])
    await member.ask(addConnectionTool, { name, allow_duplicate: true })
  const merge = { action: 'merge', merge_ids: ['Ann M. Lee'] }
  const refused = await member.refused(resolveDuplicatesTool, { ...merge, keep_id: 'Cy' })
  assert.equal(refused.code, 'not_found')
  const merged = await askOne<{ merged: string[] }>(member, resolveDuplicatesTool, {
    ...merge,
    keep_id: 'Ann Lee',
  })
  assert.deepEqual(merged.merged, ['c_2'])
})

test('a first name restores the only deleted person with it, and several are named', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const names = ['Ann Lee', 'Ann Ray', 'Gus Ott', 'Gus Poe', 'Gus Kay']
  for (const name of names) await member.ask(addConnectionTool, { name })
  await member.ask(deleteConnectionsTool, { people: ['Ann Ray', 'Gus Ott', 'Gus Poe'] })
  const ann = await member.ask<Answer>(restoreConnectionsTool, { people: ['Ann'] })
  assert.deepEqual(ann.restored, [{ connection_id: 'c_2', name: 'Ann Ray' }])
  const several = await member.refused(restoreConnectionsTool, { people: ['Gus'] })
  assert.equal(several.code, 'not_found')
  assert.match(several.hint ?? '', /^Gus can be Gus Ott \(c_3\) or Gus Poe \(c_4\)/)
  const unknown = await member.refused(restoreConnectionsTool, { people: ['Zoe'] })
  assert.match(unknown.hint ?? '', /^Zoe is no ID, email or name of a deleted connection/)
  assert.doesNotMatch(unknown.hint ?? '', /search_connections/)
  const last = await member.ask<Answer>(restoreConnectionsTool, { people: ['gus o', 'Gus Poe'] })
  assert.equal(last.restored?.length, 2)
})
