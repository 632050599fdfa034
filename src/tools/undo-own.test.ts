/** Undo by an agent: its own last change, and all its changes since a given one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addConnectionTool,
  updateConnectionTool,
  getConnectionTool,
} from '../../test/fixtures/one-person.ts'
import { createWorld } from '../../test/fixtures/network.ts'
import { findTokenHolder, mintApiToken } from '../access/api-token.ts'
import { peopleUndoer } from '../connections/undo/undo-connections.ts'
import { createLog } from '../base/log.ts'
import { createInFlight } from '../guards/in-flight.ts'
import { ChargeQueue } from '../credits/charge-queue.ts'
import { saveNoteTool } from '../connections/notes/save-note.tool.ts'
import { listTimelineTool } from '../connections/interactions/list-timeline.tool.ts'
import { listActivityTool } from '../connections/activity/list-activity.tool.ts'
import { noteUndoer } from '../connections/told-contacts/log-told-contacts.ts'
import { tagUndoer } from '../connections/tags/tag-changes.ts'
import { NO_LIMITS } from '../http/caller.ts'
import { runTool } from './run-tool.ts'
import { undoTool } from './undo/undo.tool.ts'
import type { Tool } from './tool.ts'

const undo = undoTool({ undoers: [peopleUndoer, noteUndoer, tagUndoer] })

/** A member with two agents. */
async function twoAgents() {
  const world = await createWorld()
  const member = await world.join()
  const now = world.clock.now()
  const { secret } = await member.db.write((tx) =>
    mintApiToken(tx, { name: 'second', holder: 'ai_client', lifetimeDays: null }, now),
  )
  const caller = await findTokenHolder(world.database, secret, now)
  assert.ok(caller)
  const deps = {
    database: world.database,
    quota: 1000,
    log: createLog('silent'),
    inFlight: createInFlight(),
    charges: new ChargeQueue(),
  }
  const call = { caller, now, signal: new AbortController().signal, requestId: 'req_2' }
  const second = (tool: Tool, input: object = {}, limits = NO_LIMITS) =>
    runTool(deps, tool, { ...call, caller: { ...caller, limits } }, input)
  const title = async () =>
    (await member.ask<{ title?: string }>(getConnectionTool, { connection_id: 'c_1' })).title
  return { world, member, second, title }
}

test('without an ID an agent undoes only its own last change', async () => {
  const { world, member, second, title } = await twoAgents()
  await using _world = world
  await member.ask(addConnectionTool, { name: 'Ada' })
  await second(updateConnectionTool, { connection_id: 'c_1', title: 'Countess' })
  const own = await member.refused(undo)
  assert.equal(own.code, 'conflict', 'its own last change is the addition, which was changed since')
  assert.equal(await title(), 'Countess')
  assert.equal((await second(undo)).ok, true)
  assert.equal(await title(), undefined)
  const none = await second(undo)
  assert.ok(!none.ok && none.error.code === 'not_found')
  assert.match(none.ok ? '' : none.error.message, /no changes of this agent/)
})

test('an agent undoes all its changes since one of them, and no others', async () => {
  const { world, member, second, title } = await twoAgents()
  await using _world = world
  await member.ask(addConnectionTool, { name: 'Ada', title: 'Countess' })
  await second(updateConnectionTool, { connection_id: 'c_1', title: 'One' })
  await second(updateConnectionTool, { connection_id: 'c_1', title: 'Two' })
  await second(addConnectionTool, { name: 'Grace' })
  const outcome = await second(undo, { since: 'a_2' })
  assert.ok(outcome.ok, JSON.stringify(outcome))
  assert.partialDeepStrictEqual(outcome.output, {
    undone: [
      { activity_id: 'a_4', action: 'connection.add', names: ['Grace'] },
      { activity_id: 'a_3', action: 'connection.update', names: ['Ada'] },
      { activity_id: 'a_2', actor: 'second' },
    ],
  })
  assert.equal(await title(), 'Countess')
})

test('the changes of an agent are listed and undone by its name and a date', async () => {
  const { world, member, second, title } = await twoAgents()
  await using _world = world
  await member.ask(addConnectionTool, { name: 'Ada', title: 'Countess' })
  await second(updateConnectionTool, { connection_id: 'c_1', title: 'One' })
  await second(addConnectionTool, { name: 'Grace' })
  const listed = async (filter: object) => {
    const page = await member.ask<{ activity: { activity_id: string }[] }>(listActivityTool, filter)
    return page.activity.map(({ activity_id }) => activity_id)
  }
  assert.deepEqual(await listed({ agent: 'SECOND', since: 'today' }), ['a_3', 'a_2'])
  assert.deepEqual(await listed({ agent: 'sec', people: 'Ada' }), ['a_2'])
  assert.deepEqual(await listed({ agent: 'second', until: 'yesterday' }), [])
  assert.equal((await listed({ agent: 'me' })).length, 0, 'the first change is by an agent, too')
  const unknown = await member.refused(undo, { since: 'today', agent: 'Third' })
  assert.match(unknown.hint ?? '', /"second"/)
  assert.match((await member.refused(undo, { agent: 'second' })).message, /since: is required/)
  assert.match((await member.refused(undo, { since: 'soonish' })).message, /a_12 or today/)
  assert.equal(
    (await member.refused(undo, { since: 'tomorrow', agent: 'second' })).code,
    'not_found',
  )
  assert.partialDeepStrictEqual(await member.ask(undo, { since: 'today', agent: 'second' }), {
    undone: [
      { activity_id: 'a_3', names: ['Grace'] },
      { activity_id: 'a_2', actor: 'second', names: ['Ada'] },
    ],
  })
  assert.equal(await title(), 'Countess')
})

test('if one of them cannot be undone, none is', async () => {
  const { world, member, second, title } = await twoAgents()
  await using _world = world
  await member.ask(addConnectionTool, { name: 'Ada' })
  await second(updateConnectionTool, { connection_id: 'c_1', company: 'Acme' })
  await second(updateConnectionTool, { connection_id: 'c_1', title: 'One' })
  await member.ask(updateConnectionTool, { connection_id: 'c_1', company: 'Other', title: 'One' })
  const outcome = await second(undo, { since: 'a_2' })
  assert.ok(!outcome.ok && outcome.error.code === 'conflict')
  assert.equal(await title(), 'One')
})

test('all or none: the error names the change of another agent in between', async () => {
  const { world, member, second, title } = await twoAgents()
  await using _world = world
  await member.ask(addConnectionTool, { name: 'Ada' })
  await second(updateConnectionTool, { connection_id: 'c_1', title: 'One' })
  await member.ask(updateConnectionTool, { connection_id: 'c_1', company: 'Acme' })
  await member.ask(updateConnectionTool, { connection_id: 'c_1', title: 'Two' })
  await second(updateConnectionTool, { connection_id: 'c_1', title: 'Three' })
  const outcome = await second(undo, { since: 'a_2' })
  assert.ok(!outcome.ok && outcome.error.code === 'conflict')
  assert.match(
    outcome.error.message,
    /^No changes were undone, because of a_2\. This has changed since: c_1 \(title\)\. Later change: a_4 by /,
  )
  assert.equal(outcome.error['conflicts_with'], 'a_4')
  assert.equal(await title(), 'Three')
})

test('a note whose date another agent changed is not removed with the changes before and after', async () => {
  const { world, member, second } = await twoAgents()
  await using _world = world
  await member.ask(addConnectionTool, { name: 'Ada' })
  await second(saveNoteTool, { people: 'c_1', text: 'Met' })
  await member.ask(saveNoteTool, { note_id: 'n_1', on: '2026-11-02' })
  await second(saveNoteTool, { note_id: 'n_1', text: 'Met at the fair' })
  const outcome = await second(undo, { since: 'a_2' })
  assert.ok(!outcome.ok && outcome.error['conflicts_with'] === 'a_3', JSON.stringify(outcome))
  const { entries } = await member.ask<{ entries: { text: string }[] }>(listTimelineTool, {
    kinds: ['note'],
  })
  assert.deepEqual(
    entries.map(({ text }) => text),
    ['Met at the fair'],
  )
})

test('an undo since a change of another agent is refused and names it', async () => {
  const { world, member, second } = await twoAgents()
  await using _world = world
  await member.ask(addConnectionTool, { name: 'Ada' })
  await second(saveNoteTool, { people: 'c_1', text: 'Met' })
  const refused = await second(undo, { since: 'a_1' })
  assert.ok(!refused.ok && refused.error.code === 'conflict', JSON.stringify(refused))
  assert.match(refused.error.hint ?? '', /Add agent "/)
  assert.ok((await second(undo, { since: 'a_2' })).ok)
})

test('an agent undoes only what it may change itself', async () => {
  const { world, member, second, title } = await twoAgents()
  await using _world = world
  await member.ask(addConnectionTool, { name: 'Ada' })
  await member.ask(saveNoteTool, { people: 'c_1', text: 'Met' })
  await member.ask(updateConnectionTool, { connection_id: 'c_1', title: 'Countess' })
  const limits = { ...NO_LIMITS, groups: ['notes', 'undo'] }
  const refused = await second(undo, { activity_id: 'a_3' }, limits)
  assert.ok(!refused.ok && refused.error.code === 'forbidden', JSON.stringify(refused))
  assert.match(refused.error.message, /^a_3 was not undone, .* use update_connections\.$/)
  assert.equal(await title(), 'Countess')
  assert.ok((await second(undo, { activity_id: 'a_2' }, limits)).ok)

  // The same for the undo of an undo, which makes the change again.
  await member.ask(undo, { activity_id: 'a_3' })
  const redone = await second(undo, { activity_id: 'a_5' }, limits)
  assert.ok(!redone.ok && redone.error.code === 'forbidden')
})
