import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayAt } from '../../dates/calendar-day.ts'
import { addConnectionTool } from '../../../test/fixtures/one-person.ts'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { saveNoteTool } from './save-note.tool.ts'
import { deleteNoteTool } from './delete-note.tool.ts'
import { listTimelineTool } from '../interactions/list-timeline.tool.ts'
import { noteUndoer } from '../told-contacts/log-told-contacts.ts'

const undo = undoTool({ undoers: [noteUndoer] })

interface Notes {
  readonly entries: readonly {
    readonly text: string
    readonly on?: string
    readonly truncated?: boolean
    readonly next_offset?: number
  }[]
}

async function withNote(member: Acting, text = 'First'): Promise<void> {
  await member.ask(addConnectionTool, { name: 'Ada' })
  await member.ask(saveNoteTool, { people: 'c_1', text, on: '2026-03-05' })
}

async function listed(member: Acting): Promise<string[]> {
  const { entries } = await member.ask<Notes>(listTimelineTool, { kinds: ['note'] })
  return entries.map(({ text, on = '' }) => `${text} ${on}`.trim())
}

test('a note is changed, its date cleared, and each change undone in turn', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withNote(member)
  const note_id = 'n_1'
  assert.deepEqual(await member.ask(saveNoteTool, { note_id, text: ' Second ' }), {
    notes: [{ note_id, connection_id: 'c_1', name: 'Ada', on: '2026-03-05' }],
    activity_id: 'a_3',
  })
  await member.ask(saveNoteTool, { note_id, clear: 'on', text: null })
  // Without a date, a note is on the day it was written.
  assert.deepEqual(await listed(member), [`Second ${dayAt(world.clock.now())}`])
  const same = await member.ask<{ activity_id?: string }>(saveNoteTool, { note_id, text: 'Second' })
  assert.equal(same.activity_id, undefined)
  const conflict = await member.refused(undo, { activity_id: 'a_2' })
  assert.equal(conflict.code, 'conflict', 'the note was changed after it was added')
  await member.ask(undo)
  assert.deepEqual(await listed(member), ['Second 2026-03-05'])
  await member.ask(undo)
  assert.deepEqual(await listed(member), ['First 2026-03-05'])
  await member.ask(undo, { activity_id: 'a_6' })
  assert.deepEqual(await listed(member), ['Second 2026-03-05'])
})

test('a note is deleted and restored by undo', async () => {
  await using world = await openSharedWorld()
  const [member, stranger] = [await world.join(), await world.join()]
  await withNote(member)
  assert.equal((await stranger.refused(deleteNoteTool, { note_id: 'n_1' })).code, 'not_found')
  const { activity_id, ...deleted } = await member.ask<{ activity_id: string }>(deleteNoteTool, {
    note_id: 'n_1',
  })
  assert.deepEqual(deleted, { note_id: 'n_1', connection_id: 'c_1', name: 'Ada' })
  assert.deepEqual(await listed(member), [])
  for (const tool of [deleteNoteTool, saveNoteTool]) {
    const error = await member.refused(tool, {
      note_id: 'n_1',
      ...(tool === saveNoteTool && { text: 'x' }),
    })
    assert.deepEqual(
      [error.code, error.hint],
      ['not_found', 'Find its note_id with list_timeline.'],
    )
  }
  await member.ask(undo, { activity_id })
  assert.deepEqual(await listed(member), ['First 2026-03-05'])
})

test('a long note can be read to its end', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const text = Array.from({ length: 4000 }, (_, line) => `${line}\n`)
    .join('')
    .trim()
    .slice(0, 20_000)
  await withNote(member, text)
  let read = ''
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page: Notes = await member.ask<Notes>(listTimelineTool, { entry_id: 'n_1', offset })
    const [note] = page.entries
    assert.ok(note && note.text.length > 0)
    read += note.text
    offset = note.next_offset
  }
  assert.equal(read, text)
})
