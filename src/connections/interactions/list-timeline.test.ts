import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { addConnectionTool } from '../../../test/fixtures/one-person.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { saveFollowUpTool } from '../follow-ups/save-follow-up.tool.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { getBriefingTool } from '../briefing/get-briefing.tool.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { listTimelineTool } from './list-timeline.tool.ts'
import { logInteractionTool } from './log-interaction.tool.ts'

interface Timeline {
  readonly entries: readonly { readonly id: string; readonly people?: readonly object[] }[]
  readonly next_cursor?: string
}

/** The IDs of all pages. */
async function idsOf(member: Acting, query: object = {}, limit = 2): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await member.ask<Timeline>(listTimelineTool, { ...query, limit, cursor })
    ids.push(...page.entries.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return ids
}

test('notes are in the order of their dates, or else of when they were written, on all pages', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ann' })
  for (const on of ['2026-03-05', undefined, '2019-01-05', '2026-03-05', undefined])
    await member.ask(saveNoteTool, { people: 'c_1', text: 'n', ...(on !== undefined && { on }) })
  await member.ask(logInteractionTool, { people: ['Ann'], kind: 'call', on: '2024-02-01' })
  const expected = ['n_5', 'n_2', 'n_4', 'n_1', 'i_1', 'n_3']
  const kinds = ['note', 'interaction']
  for (const limit of [1, 2, 10]) {
    assert.deepEqual(await idsOf(member, { kinds }, limit), expected)
    assert.deepEqual(await idsOf(member, { kinds, connection_id: 'Ann' }, limit), expected)
  }
  const until = { kinds, until: '2026-03-05', since: '2020-01-01' }
  assert.deepEqual(await idsOf(member, until), ['n_4', 'n_1', 'i_1'])
})

test('the timeline has notes, interactions, follow-ups and changes, newest first, each once', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (const name of ['Ann', 'Ben']) await member.ask(addConnectionTool, { name })
  const note = (on: string) => member.ask(saveNoteTool, { people: 'c_1', text: 'n', on })
  await note('2026-01-05')
  await note('2026-03-05')
  const log = (people: string[], on: string) =>
    member.ask(logInteractionTool, { people, kind: 'call', on })
  await log(['Ann', 'Ben'], '2026-02-01')
  await log(['Ben'], '2026-04-01')
  const due_on = '2027-01-01'
  await member.ask(saveFollowUpTool, { people: 'c_1', text: 'f', due_on })
  assert.deepEqual(await idsOf(member), ['f_1', 'a_2', 'a_1', 'i_2', 'n_2', 'i_1', 'n_1'])
  assert.deepEqual(await idsOf(member, { connection_id: 'Ann' }), [
    'f_1',
    'a_1',
    'n_2',
    'i_1',
    'n_1',
  ])
  const spring = { since: '2026-02-01', until: '2026-03-05' }
  assert.deepEqual(await idsOf(member, spring), ['n_2', 'i_1'])
  assert.deepEqual(await idsOf(member, { kinds: ['interaction'] }, 1), ['i_2', 'i_1'])
  await member.ask(deleteConnectionsTool, { people: ['c_2'] })
  assert.deepEqual(await idsOf(member, { kinds: ['interaction'] }), ['i_1'])
  const [shared] = (await member.ask<Timeline>(listTimelineTool, { kinds: ['interaction'] }))
    .entries
  assert.equal(shared?.people?.length, 2)
})

test('what was written today is of today where the member is', async () => {
  await using world = await openSharedWorld()
  const now = world.clock.now()
  for (const zone of ['Pacific/Auckland', 'Pacific/Kiritimati', 'America/St_Johns']) {
    const member = await world.join(zone)
    const today = dayInZone(zone, now)
    await member.ask(addConnectionTool, { name: 'Ann' })
    await member.ask(saveNoteTool, { people: ['Ann'], text: 'Likes fjords.' })
    const asked = { kinds: ['note', 'change'], since: today, until: today }
    const { entries } = await member.ask<{ entries: { id: string; on: string }[] }>(
      listTimelineTool,
      asked,
    )
    assert.deepEqual(
      entries.map(({ id, on }) => [id, on]),
      [
        ['n_1', today],
        ['a_1', today],
      ],
      zone,
    )
    assert.deepEqual(await idsOf(member, { ...asked, since: undefined, until: '2001-01-01' }), [])
    const one = await member.ask<{ entries: { on: string }[] }>(listTimelineTool, {
      entry_id: 'n_1',
    })
    assert.equal(one.entries[0]?.on, today, zone)
    const briefing = await member.ask<{ people: { history: { added_on?: string }[] }[] }>(
      getBriefingTool,
      { people: ['Ann'] },
    )
    assert.equal(briefing.people[0]?.history[0]?.added_on, today, zone)
  }
})
