import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool, getConnectionTool } from '../../../test/fixtures/one-person.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { saveNoteTool } from './save-note.tool.ts'
import { listTimelineTool } from '../interactions/list-timeline.tool.ts'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { peopleUndoer } from '../undo/undo-connections.ts'
import { noteAuthors } from './note-authors.ts'
import { noteUndoer } from '../told-contacts/log-told-contacts.ts'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'

const undo = undoTool({ undoers: [noteUndoer, peopleUndoer] })

interface NotesPage {
  readonly entries: readonly { id: string; text: string; truncated?: boolean }[]
  readonly has_more: boolean
  readonly next_cursor?: string
  readonly truncated?: boolean
}

const NOTES = { kinds: ['note'] }

/** Ada is c_1, Grace is c_2. */
async function withTwo(member: Acting): Promise<void> {
  await member.ask(addConnectionTool, { name: 'Ada Lovelace' })
  await member.ask(addConnectionTool, { name: 'Grace Hopper', note: 'Found a moth' })
}

async function found(member: Acting, query: string): Promise<string[]> {
  const page = await member.ask<{ connections: { name: string }[] }>(searchConnectionsTool, {
    query,
  })
  return page.connections.map(({ name }) => name)
}

test('a note is listed, found by its words and returned with its connection', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withTwo(member)
  const created_at = new Date(world.clock.now()).toISOString()
  const note = { people: 'c_1', text: ' Met at the Engine Café.\n', on: '2026-02-28' }
  const added = await member.ask(saveNoteTool, note)
  assert.deepEqual(added, {
    notes: [{ note_id: 'n_2', connection_id: 'c_1', name: 'Ada Lovelace', on: '2026-02-28' }],
    activity_id: 'a_3',
  })
  const text = 'Met at the Engine Café.'
  const shown = { note_id: 'n_2', text, on: '2026-02-28', created_at }
  const typed = { type: 'note', on: created_at.slice(0, 10), text: 'Found a moth' }
  assert.deepEqual(await member.ask(listTimelineTool, NOTES), {
    entries: [
      { ...typed, id: 'n_1', people: [{ connection_id: 'c_2', name: 'Grace Hopper' }] },
      {
        type: 'note',
        on: '2026-02-28',
        id: 'n_2',
        text,
        people: [{ connection_id: 'c_1', name: 'Ada Lovelace' }],
      },
    ],
    has_more: false,
  })
  const ofOne = await member.ask<NotesPage>(listTimelineTool, { ...NOTES, people: 'c_2' })
  assert.deepEqual(
    ofOne.entries.map(({ id }) => id),
    ['n_1'],
  )
  assert.deepEqual(await found(member, 'engine cafe'), ['Ada Lovelace'])
  const whole = await member.ask<{ notes: unknown }>(getConnectionTool, { connection_id: 'c_1' })
  assert.deepEqual(whole.notes, [shown])
})

test('one call writes a note about several people, or about none if one is unknown', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withTwo(member)
  const text = 'Met at the fair'
  assert.deepEqual(await member.ask(saveNoteTool, { people: ['Ada Lovelace', 'c_2'], text }), {
    notes: [
      { note_id: 'n_2', connection_id: 'c_1', name: 'Ada Lovelace' },
      { note_id: 'n_3', connection_id: 'c_2', name: 'Grace Hopper' },
    ],
    activity_id: 'a_3',
  })
  const missing = { people: ['c_1', 'c_9'], text }
  assert.equal((await member.refused(saveNoteTool, missing)).code, 'not_found')
  const count = async () => (await member.ask<NotesPage>(listTimelineTool, NOTES)).entries.length
  assert.equal(await count(), 3)
  assert.deepEqual(new Set((await noteAuthors(member.db, 2)).keys()), new Set([1, 3]))
  await member.ask(undo)
  assert.equal(await count(), 1, 'one undo removes all of a call')
  await member.ask(undo, { activity_id: 'a_4' })
  assert.equal(await count(), 3)
})

test('an invalid note is rejected and not stored', async () => {
  await using world = await openSharedWorld()
  const [member, stranger] = [await world.join(), await world.join()]
  await withTwo(member)
  const cases = [
    [{ people: 'c_1', text: 'x', on: '2026-02-29' }, 'invalid_arguments'],
    [{ people: 'c_1', text: 'x', on: 'Friday week' }, 'invalid_arguments'],
    [{ people: 'c_3', text: 'x' }, 'not_found'],
    [{ people: 'c_1', text: ' \n' }, 'invalid_arguments'],
    [{ people: 'c_1', text: 'x'.repeat(20_001) }, 'invalid_arguments'],
  ] as const
  for (const [input, code] of cases)
    assert.equal((await member.refused(saveNoteTool, input)).code, code)
  assert.equal(
    (await stranger.refused(saveNoteTool, { people: 'c_1', text: 'x' })).code,
    'not_found',
  )
  assert.equal((await stranger.refused(listTimelineTool, { people: 'c_1' })).code, 'not_found')
  assert.equal((await member.ask<NotesPage>(listTimelineTool, NOTES)).entries.length, 1)
  assert.deepEqual((await stranger.ask<NotesPage>(listTimelineTool, NOTES)).entries, [])
})

test('an undo removes a note from lists and search, and undoing that restores it', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withTwo(member)
  await member.ask(saveNoteTool, { people: 'c_1', text: 'Zeppelins' })
  const before = await member.ask(listTimelineTool, NOTES)
  const { activity_id } = await member.ask<{ activity_id: string }>(undo)
  assert.deepEqual(await found(member, 'zeppelins'), [])
  const left = await member.ask<NotesPage>(listTimelineTool, NOTES)
  assert.deepEqual(
    left.entries.map(({ id }) => id),
    ['n_1'],
  )
  await member.ask(undo, { activity_id })
  assert.deepEqual(await found(member, 'zeppelins'), ['Ada Lovelace'])
  assert.deepEqual(await member.ask(listTimelineTool, NOTES), before)
})

test('paging returns every note regardless of length', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withTwo(member)
  for (let number = 1; number <= 12; number += 1)
    await member.ask(saveNoteTool, {
      people: `c_${1 + (number % 2)}`,
      text: `${number} ${'“long”\n'.repeat(number % 3 === 0 ? 2_800 : 300)}`,
    })
  for (const connection_id of [undefined, 'c_2']) {
    const query = { ...NOTES, limit: 5, ...(connection_id && { connection_id }) }
    const seen: string[] = []
    let page: NotesPage | undefined
    let cut = 0
    do {
      const cursor = page?.next_cursor
      page = await member.ask<NotesPage>(listTimelineTool, { ...query, ...(cursor && { cursor }) })
      seen.push(...page.entries.map(({ id }) => id))
      cut += page.truncated === true ? 1 : 0
    } while (page.has_more)
    const all = Array.from({ length: 13 }, (_, index) => 13 - index)
    const expected = connection_id ? all.filter((number) => number === 1 || number % 2 === 0) : all
    assert.deepEqual(
      seen,
      expected.map((number) => `n_${number}`),
    )
    assert.ok(cut > 0)
  }
  const { next_cursor: cursor } = await member.ask<NotesPage>(listTimelineTool, {
    ...NOTES,
    limit: 1,
  })
  const elsewhere = await member.refused(listTimelineTool, { ...NOTES, people: 'c_1', cursor })
  assert.equal(elsewhere.code, 'invalid_request')
})
