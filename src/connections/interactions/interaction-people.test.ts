import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld, rowsOf, type Acting } from '../../../test/fixtures/network.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { resolveDuplicatesTool } from '../duplicates/resolve-duplicates.tool.ts'
import { splitUndoer } from '../duplicates/split-changes.ts'
import { addConnectionTool, askOne } from '../../../test/fixtures/one-person.ts'
import { contactTimesOf } from '../last-contact/read-contact-times.ts'
import { peopleUndoer } from '../undo/undo-connections.ts'
import { moveImportedInteractions } from './imported-interactions.ts'
import { findInteractions } from './interaction-store.ts'
import { logInteractionTool } from './log-interaction.tool.ts'
import { purgeInteractions } from './purge-interactions.ts'

const undo = undoTool({
  undoers: [peopleUndoer, splitUndoer],
})

/** Ann and Ben have one together, and each one alone. */
async function fill(member: Acting): Promise<void> {
  for (const name of ['Ann', 'Ben']) await member.ask(addConnectionTool, { name })
  const log = (people: string[], on: string) =>
    member.ask(logInteractionTool, { people, kind: 'call', on })
  await log(['Ann', 'Ben'], '2026-03-01')
  await log(['Ann'], '2026-05-01')
  await log(['Ben'], '2026-04-01')
}

async function stateOf(member: Acting): Promise<unknown> {
  const times = await contactTimesOf(member.db, [1, 2])
  const all = await findInteractions(member.db, [1, 2, 3])
  return {
    people: all.map(({ people }) => people),
    last: [1, 2].map((id) => times.get(id)?.lastContactOn ?? null),
  }
}

const APART = { people: [[1, 2], [1], [2]], last: ['2026-05-01', '2026-04-01'] }
const MERGED = { people: [[2], [2], [2]], last: [null, '2026-05-01'] }

test('a merge moves interactions, one that both had stays one, and undo and a split give them back', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await fill(member)
  assert.deepEqual(await stateOf(member), APART)
  const merge = { action: 'merge', keep_id: 'c_2', merge_ids: ['c_1'] }
  const { moved_interactions } = await askOne<{ moved_interactions: number }>(
    member,
    resolveDuplicatesTool,
    merge,
  )
  assert.equal(moved_interactions, 1)
  assert.deepEqual(await stateOf(member), MERGED)
  const { activity_id } = await member.ask<{ activity_id: string }>(undo)
  assert.deepEqual(await stateOf(member), APART)
  await member.ask(undo, { activity_id })
  assert.deepEqual(await stateOf(member), MERGED)
  await member.ask(resolveDuplicatesTool, { action: 'split', keep_id: 'c_2' })
  assert.deepEqual(await stateOf(member), APART)
  await member.ask(undo)
  assert.deepEqual(await stateOf(member), MERGED)
})

test('adding a connection is not undone once it has an interaction', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await fill(member)
  assert.equal((await member.refused(undo, { activity_id: 'a_1' })).code, 'conflict')
})

test('purging a person removes their own interactions, and them from those with others', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await fill(member)
  assert.deepEqual(await member.db.write((tx) => purgeInteractions(tx, [1])), [2])
  const left = await rowsOf(world, member, 'interactions')
  assert.deepEqual(
    left.map((row) => row['interaction_id']),
    [1, 3],
  )
  assert.deepEqual((await rowsOf(world, member, 'contact_times')).length, 1)
})

test('the interactions of several people are removed and restored; other people keep theirs', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await fill(member)
  const now = world.clock.now()
  const removed = [
    { connectionId: 1, interactions: [1] },
    { connectionId: 2, interactions: [3] },
  ]
  const move = (isUndo: boolean) =>
    member.db.write((tx) => moveImportedInteractions(tx, removed, { isUndo, now }))
  await move(true)
  assert.deepEqual(await stateOf(member), {
    people: [[2], [1], []],
    last: ['2026-05-01', '2026-03-01'],
  })
  await move(false)
  assert.deepEqual(await stateOf(member), APART)
})
