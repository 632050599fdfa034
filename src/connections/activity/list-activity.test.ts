import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool, updateConnectionTool } from '../../../test/fixtures/one-person.ts'
import { MINUTE } from '../../base/clock.ts'
import { deleteNoteTool } from '../notes/delete-note.tool.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { openSharedWorld, rowsOf } from '../../../test/fixtures/network.ts'
import { noteUndoer } from '../told-contacts/log-told-contacts.ts'
import { memberStatement } from '../../db/statement.ts'
import { MAX_CHANGES } from '../../tools/activity-retention.ts'
import { summarizeChange } from '../../tools/activity-log/change-summary.ts'
import { listActivityTool } from './list-activity.tool.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'

const undo = undoTool({ undoers: [noteUndoer] })

interface ActivityPage {
  readonly activity: readonly {
    activity_id: string
    action: string
    changes: object[]
    more_changes?: number
    undoes?: string
    undone_by?: string
  }[]
  readonly has_more: boolean
  readonly next_cursor?: string
  readonly truncated?: boolean
}

test('changes are listed newest first, with their fields, author and time', async () => {
  await using world = await openSharedWorld()
  const [member, stranger] = [await world.join(), await world.join()]
  await member.ask(addConnectionTool, { name: 'Ada', emails: ['a@x.org', 'b@x.org'] })
  const first = new Date(world.clock.now()).toISOString()
  world.clock.advance(MINUTE)
  await member.ask(updateConnectionTool, {
    connection_id: 'c_1',
    title: 'Countess',
    remove_emails: ['a@x.org'],
    add_tags: ['New'],
  })
  const second = new Date(world.clock.now()).toISOString()
  const subject = { by: 'test', subject_id: 'c_1', names: ['Ada'] }
  assert.deepEqual(await member.ask(listActivityTool), {
    activity: [
      {
        activity_id: 'a_2',
        at: second,
        action: 'connection.update',
        ...subject,
        changes: [
          { field: 'title', after: 'Countess' },
          { field: 'emails', before: 'a@x.org' },
          { field: 'tags', after: 'New' },
        ],
      },
      {
        activity_id: 'a_1',
        at: first,
        action: 'connection.add',
        ...subject,
        changes: [
          { field: 'name', after: 'Ada' },
          { field: 'emails', after: 'a@x.org, b@x.org' },
        ],
      },
    ],
    has_more: false,
  })
  assert.deepEqual((await stranger.ask<ActivityPage>(listActivityTool)).activity, [])
})

test('an entry names the action that undid it, until that action is undone', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ada' })
  await member.ask(saveNoteTool, { people: 'c_1', text: 'x' })
  const marks = async () => {
    const { activity } = await member.ask<ActivityPage>(listActivityTool)
    return activity.map(({ activity_id, action, undoes = '', undone_by = '' }) =>
      [activity_id, action, undoes, undone_by].join(' '),
    )
  }
  await member.ask(undo, { activity_id: 'a_2' })
  assert.deepEqual((await marks()).slice(0, 2), ['a_3 undo a_2 ', 'a_2 note.add  a_3'])
  await member.ask(undo, { activity_id: 'a_3' })
  assert.deepEqual((await marks()).slice(0, 3), [
    'a_4 undo a_3 ',
    'a_3 undo a_2 a_4',
    'a_2 note.add  ',
  ])
})

test('the text of a deleted note is not listed, and undo restores it', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ada' })
  await member.ask(saveNoteTool, { people: 'c_1', text: 'Zeppelins' })
  await member.ask(saveNoteTool, { note_id: 'n_1', text: 'Airships' })
  const listed = async () => JSON.stringify(await member.ask(listActivityTool))
  assert.match(await listed(), /Zeppelins[^]*Airships|Airships[^]*Zeppelins/)
  const { activity_id } = await member.ask<{ activity_id: string }>(deleteNoteTool, {
    note_id: 'n_1',
  })
  assert.doesNotMatch(await listed(), /Zeppelins|Airships/)
  await member.ask(undo, { activity_id })
  assert.match(await listed(), /Airships/)
})

test('long entries are truncated, and no entry is lost between pages', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ada' })
  const long = '“\n'.repeat(140)
  const lists = { add_links: Array.from({ length: 20 }, (_, one) => `https://x.org/${one}`) }
  for (let count = 0; count < 60; count += 1)
    await member.ask(updateConnectionTool, {
      connection_id: 'c_1',
      company: `${count} ${long}`,
      title: `${count} ${long}`,
      location: `${count} ${long}`,
      note: long,
      ...(count === 0 && lists),
    })
  const seen: string[] = []
  let page: ActivityPage | undefined
  let cut = 0
  do {
    const cursor = page?.next_cursor
    page = await member.ask<ActivityPage>(listActivityTool, {
      limit: 50,
      ...(cursor && { cursor }),
    })
    seen.push(...page.activity.map(({ activity_id }) => activity_id))
    cut += page.truncated === true ? 1 : 0
  } while (page.has_more)
  assert.deepEqual(
    seen,
    Array.from({ length: 61 }, (_, index) => `a_${61 - index}`),
  )
  assert.ok(cut > 0)
})

const LONG = 'n'.repeat(500)
const CUT = `${'n'.repeat(118)}…`

test('a summary omits unchanged, empty and internal fields and truncates long values', () => {
  assert.deepEqual(
    summarizeChange(
      { name: 'A', tags: ['x', 'y'], version: 1, note: null, at: { day: 1 }, gone: '', late: LONG },
      { name: 'A', tags: ['y', 'z'], version: 2, note: LONG, at: { day: 2 }, late: `${LONG}!` },
    ),
    [
      { field: 'tags', before: 'x', after: 'z' },
      { field: 'note', after: CUT },
      { field: 'at', before: '{"day":1}', after: '{"day":2}' },
      { field: 'late', before: CUT, after: CUT },
    ],
  )
  assert.deepEqual(summarizeChange(null, null), [])
  assert.deepEqual(summarizeChange({ done: false }, { done: true }), [
    { field: 'done', before: 'false', after: 'true' },
  ])
})

test('the activity log keeps the newest changes, and older ones cannot be undone', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ada' })
  await member.ask(saveNoteTool, { people: 'c_1', text: 'Met' })
  await member.ask(undo, {})
  // As if that many changes had been made since the note.
  await member.db.write(async (tx) => {
    await tx.run(RENUMBER, { from: 3, by: MAX_CHANGES - 1 })
    await tx.run(RENUMBER_LAST, { by: MAX_CHANGES - 1 })
  })
  await member.ask(updateConnectionTool, { connection_id: 'c_1', title: 'Countess' })
  const { activity } = await member.ask<ActivityPage>(listActivityTool)
  const ids = activity.map(({ activity_id }) => activity_id)
  assert.deepEqual(ids, [`a_${MAX_CHANGES + 3}`, `a_${MAX_CHANGES + 2}`])
  const concerned = await rowsOf(world, member, 'activity_connections')
  assert.deepEqual(
    concerned.map(({ activity_id }) => activity_id),
    [MAX_CHANGES + 3],
  )
  const refused = await member.refused(undo, { activity_id: `a_${MAX_CHANGES + 2}` })
  assert.equal(refused.code, 'conflict')
  assert.match(refused.message, /no longer in the activity log/)
})

const RENUMBER = memberStatement<{ from: number; by: number }>()(`
  update activity set activity_id = activity_id + :by
  where member_id = :member_id and activity_id >= :from`)
const RENUMBER_LAST = memberStatement<{ by: number }>()(
  'update networks set last_activity = last_activity + :by where member_id = :member_id',
)
