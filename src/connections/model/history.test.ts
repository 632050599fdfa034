import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addConnectionTool,
  tagConnectionsTool,
  updateConnectionTool,
} from '../../../test/fixtures/one-person.ts'
import { listActivityTool } from '../activity/list-activity.tool.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { saveFollowUpTool } from '../follow-ups/save-follow-up.tool.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { followUpUndoer } from '../follow-ups/follow-ups.ts'
import { resolveDuplicatesTool } from '../duplicates/resolve-duplicates.tool.ts'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { noteUndoer } from '../told-contacts/log-told-contacts.ts'
import { restoreConnectionsTool } from '../deletion/restore-connections.tool.ts'
import { tagUndoer } from '../tags/tag-changes.ts'
import { peopleUndoer } from '../undo/undo-connections.ts'

const UNDOERS = [peopleUndoer, tagUndoer, noteUndoer, followUpUndoer]
const undo = undoTool({ undoers: UNDOERS })

interface Page {
  readonly activity: readonly { readonly activity_id: string; readonly action: string }[]
  readonly next_cursor?: string
}

/** Oldest first. */
async function historyOf(member: Acting, connection_id: string): Promise<string[]> {
  const { activity } = await member.ask<Page>(listActivityTool, {
    people: connection_id,
    limit: 50,
  })
  return activity.map(({ action }) => action).toReversed()
}

async function addEachPerson(member: Acting, ...names: readonly string[]): Promise<void> {
  for (const name of names) await member.ask(addConnectionTool, { name })
}

test('changes to fields, notes, tags and follow-ups appear in the history of their connection', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addEachPerson(member, 'Ada', 'Grace')
  const connection_id = 'c_1'
  await member.ask(updateConnectionTool, { connection_id, title: 'Countess' })
  await member.ask(saveNoteTool, { people: connection_id, text: 'Met' })
  await member.ask(tagConnectionsTool, { connection_ids: ['c_1', 'c_2'], add: ['x'] })
  await member.ask(saveFollowUpTool, { people: connection_id, text: 'Write', due_on: '2027-01-01' })
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_1', people: 'c_2' })
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_1', done: true })
  const [add, tag, set] = ['connection.add', 'connections.tag', 'follow_up.set']
  // A follow-up that moved from one connection to the other concerns both.
  assert.deepEqual(await historyOf(member, 'c_1'), [
    add,
    'connection.update',
    'note.add',
    tag,
    set,
    set,
  ])
  assert.deepEqual(await historyOf(member, 'c_2'), [add, tag, set, 'follow_up.complete'])
  assert.equal((await member.refused(listActivityTool, { people: 'c_3' })).code, 'not_found')
})

test('merges, deletions and restorations appear in the history of every affected connection', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addEachPerson(member, 'Ada', 'Ada L', 'Grace')
  const connection_ids = ['c_1', 'c_3']
  await member.ask(deleteConnectionsTool, { people: connection_ids })
  await member.ask(restoreConnectionsTool, { people: connection_ids })
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id: 'c_1', merge_ids: ['c_2'] })
  const both = ['connection.add', 'connections.delete', 'connections.restore']
  assert.deepEqual(await historyOf(member, 'c_1'), [...both, 'connections.merge'])
  assert.deepEqual(await historyOf(member, 'c_2'), ['connection.add', 'connections.merge'])
  assert.deepEqual(await historyOf(member, 'c_3'), both)
})

test('an undo appears in the same histories as its change', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addEachPerson(member, 'Ada', 'Grace')
  const connection_id = 'c_1'
  const changes: readonly (() => Promise<unknown>)[] = [
    () => member.ask(updateConnectionTool, { connection_id, title: 'Countess' }),
    () => member.ask(saveNoteTool, { people: connection_id, text: 'Met' }),
    () => member.ask(tagConnectionsTool, { connection_ids: ['c_1', 'c_2'], add: ['x'] }),
    () =>
      member.ask(saveFollowUpTool, { people: connection_id, text: 'Write', due_on: '2027-01-01' }),
    () =>
      member.ask(resolveDuplicatesTool, { action: 'merge', keep_id: 'c_2', merge_ids: ['c_1'] }),
    () => member.ask(deleteConnectionsTool, { people: ['c_1'] }),
  ]
  for (const change of changes) {
    const before = (await historyOf(member, 'c_1')).length
    await change()
    await member.ask(undo)
    const history = await historyOf(member, 'c_1')
    assert.equal(history.length, before + 2)
    assert.equal(history.at(-1), 'undo')
  }
  await addEachPerson(member, 'Alan')
  await member.ask(undo)
  assert.deepEqual(await historyOf(member, 'c_3'), ['connection.add', 'undo'])
  assert.equal((await historyOf(member, 'c_2')).filter((action) => action === 'undo').length, 2)
})

test('a history can be paged and is not visible to other members', async () => {
  await using world = await openSharedWorld()
  const [member, stranger] = [await world.join(), await world.join()]
  await addEachPerson(member, 'Ada', 'Grace')
  for (const text of ['1', '2', '3'])
    for (const connection_id of ['c_1', 'c_2'])
      await member.ask(saveNoteTool, { people: connection_id, text })
  const query = { people: 'c_1', limit: 3 }
  const first = await member.ask<Page>(listActivityTool, query)
  const cursor = first.next_cursor
  const rest = await member.ask<Page>(listActivityTool, { ...query, cursor })
  const seen = [...first.activity, ...rest.activity].map(({ activity_id }) => activity_id)
  assert.deepEqual(seen, ['a_7', 'a_5', 'a_3', 'a_1'])
  assert.equal(rest.next_cursor, undefined)
  // A cursor of one history is not valid for another.
  const other = { ...query, people: 'c_2', cursor }
  assert.equal((await member.refused(listActivityTool, other)).code, 'invalid_request')
  assert.equal((await stranger.refused(listActivityTool, { people: 'c_1' })).code, 'not_found')
})
