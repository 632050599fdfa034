import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool } from '../../../test/fixtures/one-person.ts'
import { undoTool, undoTurns } from '../../tools/undo/undo.tool.ts'
import { noteUndoer } from '../../connections/told-contacts/log-told-contacts.ts'
import { saveNoteTool } from '../../connections/notes/save-note.tool.ts'
import { createWorld, rowsOf, type Acting, type World } from '../../../test/fixtures/network.ts'
import { UNDO_PATH, UNDO_SINCE_PATH } from '../../html/site-map.ts'
import { undoRoutes } from './undo.route.ts'
import type { Answer } from '../../http/response.ts'
import type { Undoer } from '../../tools/undo.ts'

const undoers = [noteUndoer]

/** Two notes, as a_2 and a_3. */
async function addNotes(member: Acting): Promise<void> {
  await member.ask(addConnectionTool, { name: 'Ada' })
  await member.ask(saveNoteTool, { people: 'c_1', text: 'One' })
  await member.ask(saveNoteTool, { people: 'c_1', text: 'Two' })
}

async function notesOf(world: World, member: Acting): Promise<unknown[]> {
  const rows = await rowsOf(world, member, 'notes')
  return rows.filter((row) => row['deleted_at'] === null).map((row) => row['text'])
}

/** Presses the undo buttons of a member's pages on one node, with one queue for all of them. */
function openPages(
  { database, clock }: World,
  { caller }: Acting,
  { waiting, own = undoers }: { waiting?: number; own?: readonly Undoer[] } = {},
) {
  const turns = undoTurns(waiting)
  const deps = { database, clock, publicUrl: 'http://weft.test', undoers: own, undoTurns: turns }
  const routes = undoRoutes(deps)
  const browser = {
    member: {
      memberId: caller.memberId,
      username: 'ada',
      name: 'Ada',
      role: 'member' as const,
      sessionId: 's',
      signedInAt: 0,
    },
    formToken: 'form',
    timeZone: 'UTC',
    cookies: [],
  }
  return {
    turns,
    press: (activity_id: string, { path = UNDO_PATH, key = '', signal = NEVER } = {}) => {
      const route = routes.find((one) => one.method === 'POST' && one.path === path)
      assert.ok(route)
      const body = new URLSearchParams({ activity_id, form_key: key })
      return route.handle({
        params: {},
        query: {},
        body,
        caller: undefined,
        browser,
        search: '',
        address: '127.0.0.1',
        requestId: 'r',
        header: () => undefined,
        streamable: true,
        signal,
      })
    },
  }
}

const NEVER = new AbortController().signal

function statusOf({ status }: Answer): number {
  return status
}

test('an undo button waits for the undo that runs, of a page or a tool', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await addNotes(member)
  const { turns, press } = openPages(world, member)
  await turns.acquire(member.caller.memberId)
  const pressed = press('a_2')
  const called = member.call(undoTool({ undoers, turns }), { activity_id: 'a_3' })
  while (turns.waiting < 2) await new Promise(setImmediate)
  assert.deepEqual(await notesOf(world, member), ['One', 'Two'])
  turns.release(member.caller.memberId)
  assert.equal(statusOf(await pressed), 303)
  assert.ok((await called).ok)
  assert.deepEqual(await notesOf(world, member), [])
})

test('an undo of a browser that leaves the queue does nothing', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await addNotes(member)
  const { turns, press } = openPages(world, member)
  for (const path of [UNDO_PATH, UNDO_SINCE_PATH]) {
    await turns.acquire(member.caller.memberId)
    const leaving = new AbortController()
    const pressed = press('a_2', { path, signal: leaving.signal })
    while (turns.waiting === 0) await new Promise(setImmediate)
    leaving.abort()
    await assert.rejects(pressed, { name: 'AbortError' })
    turns.release(member.caller.memberId)
    assert.deepEqual(await notesOf(world, member), ['One', 'Two'], path)
  }
})

test('when too many undos wait, the page says to try again', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await addNotes(member)
  const { turns, press } = openPages(world, member, { waiting: 0 })
  await turns.acquire(member.caller.memberId)
  for (const path of [UNDO_PATH, UNDO_SINCE_PATH]) {
    const refused = await press('a_2', { path })
    assert.equal(refused.status, 429)
    assert.equal(refused.headers?.['retry-after'], '5')
    assert.match(String(refused.body), /Your earlier undos are still running\./)
  }
  assert.deepEqual(await notesOf(world, member), ['One', 'Two'])
})

test('an undo button that is pressed twice undoes once, with the same result', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await addNotes(member)
  const { press } = openPages(world, member)
  for (const [id, path] of [
    ['a_3', UNDO_PATH],
    ['a_2', UNDO_SINCE_PATH],
  ] as const) {
    const key = `${path.replaceAll('/', '-')}${'k'.repeat(22)}`.slice(0, 22)
    const [first, second] = await Promise.all([press(id, { path, key }), press(id, { path, key })])
    assert.equal(first.status, 303, String(first.body))
    assert.deepEqual(second, first)
  }
  assert.deepEqual(await notesOf(world, member), [])
  assert.equal((await rowsOf(world, member, 'activity')).length, 5)
})

test('an undo button that is pressed on two nodes has one result, even if the other node ends first', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await addNotes(member)
  const [prepares, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: Undoer = {
    ...noteUndoer,
    async prepare({ write }) {
      prepares.resolve()
      await ended.promise
      await write(async () => {})
      return undefined
    },
  }
  const key = 'k'.repeat(22)
  const second = openPages(world, member, { own: [slow] }).press('a_3', { key })
  await prepares.promise
  const first = await openPages(world, member).press('a_3', { key })
  ended.resolve()
  assert.equal(first.status, 303, String(first.body))
  assert.deepEqual(await second, first)
  const other = await openPages(world, member).press('a_3', { key: 'o'.repeat(22) })
  assert.match(String(other.body), /a_3 is already undone/)
  assert.deepEqual(await notesOf(world, member), ['One'])
})

test('a page that was left open undoes a change that was redone, and new changes of the agent', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await addNotes(member)
  const { press } = openPages(world, member)
  const key = 'k'.repeat(22)
  await press('a_3', { key })
  await press('a_4')
  assert.deepEqual(await notesOf(world, member), ['One', 'Two'])
  for (let times = 0; times < 2; times += 1)
    assert.equal(statusOf(await press('a_3', { key })), 303)
  assert.deepEqual(await notesOf(world, member), ['One'])

  const since = { path: UNDO_SINCE_PATH, key }
  await press('a_2', since)
  await member.ask(saveNoteTool, { people: 'c_1', text: 'Three' })
  for (let times = 0; times < 2; times += 1) assert.equal(statusOf(await press('a_2', since)), 303)
  assert.deepEqual(await notesOf(world, member), [])
})
