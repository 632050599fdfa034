import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { addConnectionTool, askOne } from '../../../test/fixtures/one-person.ts'
import { dayAt, daysLater } from '../../dates/calendar-day.ts'
import { readMigrations } from '../../db/migrate.ts'
import type { CadenceInput } from '../cadence/set-cadence.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { cadencesOf, recordedCadence } from '../cadence/cadence-store.ts'
import { keepInTouchTool } from '../cadence/keep-in-touch.tool.ts'
import { listWhoToContactTool } from '../cadence/list-who-to-contact.tool.ts'
import { peopleUndoer } from '../undo/undo-connections.ts'
import { TABLES_AT_MERGE } from './moved-at-merge.ts'
import { resolveDuplicatesTool } from './resolve-duplicates.tool.ts'
import { splitUndoer } from './split-changes.ts'

const undo = undoTool({ undoers: [peopleUndoer, splitUndoer] })

/** Ann, Anne and A. Lee, each with the cadence. */
async function joinWith(
  world: { join(): Promise<Acting> },
  ...cadences: readonly Partial<CadenceInput>[]
): Promise<Acting> {
  const member = await world.join()
  for (const [at, cadence] of cadences.entries()) {
    await member.ask(addConnectionTool, { name: `Ann Lee${at}`, allow_duplicate: true })
    if (Object.keys(cadence).length > 0)
      await member.ask(keepInTouchTool, { people: [`c_${at + 1}`], ...cadence })
  }
  return member
}

/** Reads how often, until when paused, and whether muted, for the connections with these numbers. */
async function cadencesIn(member: Acting, ...ids: number[]): Promise<unknown[]> {
  const all = await cadencesOf(member.db, ids)
  return [...all.values()]
    .map(recordedCadence)
    .map(({ every, unit, paused_until, muted }) => [every, unit, paused_until, muted])
}

interface Recorded {
  readonly activity_id: string
}

/** The ID of the entry that an undo recorded. */
async function recordedBy(undoing: Promise<Recorded>): Promise<Recorded> {
  const { activity_id } = await undoing
  return { activity_id }
}

async function merge(
  member: Acting,
  ...merge_ids: string[]
): Promise<Recorded & { readonly filled: string[] }> {
  return askOne(member, resolveDuplicatesTool, { action: 'merge', keep_id: 'c_1', merge_ids })
}

for (const engine of ['sqlite', 'postgres'] as const)
  test(`a merge knows every table of ${engine} with the ID of a connection`, async () => {
    const schema = (await readMigrations(engine)).map(({ sql }) => sql).join('\n')
    const tables = [...schema.matchAll(/^create table (\w+) \(\n((?: .+\n)*)\)/gm)]
    assert.ok(tables.length > 40, `${tables.length} tables`)
    const named = tables
      .filter(([, , columns = '']) =>
        /^ +(?:(?:\w+_)?connection_ids?|merged_into|first_id|second_id)\b/m.test(columns),
      )
      .map(([, table = '']) => table)
    assert.deepEqual(named.toSorted(), Object.keys(TABLES_AT_MERGE).toSorted())
  })

test('a kept person without a cadence, pause or mute gets those of the merged ones', async () => {
  await using world = await openSharedWorld()
  const until = daysLater(dayAt(world.clock.now()), 40)
  const weekly = { every: 2, unit: 'week' } as const
  for (const [cadences, expected, filled] of [
    [[{}, weekly, { every: 9 }], [2, 'week', null, false], ['cadence']],
    [[{}, { paused_until: until }, weekly], [2, 'week', until, false], ['cadence']],
    [[{}, { muted: true }], [null, null, null, true], ['cadence']],
    [[{ every: 5 }, weekly], [5, 'day', null, false], []],
    [[{ every: 5 }, { paused_until: until }], [5, 'day', until, false], ['cadence']],
    [[{ every: 5 }, { muted: true }], [5, 'day', null, false], []],
    [[weekly, {}], [2, 'week', null, false], []],
  ] as const) {
    const member = await joinWith(world, ...cadences)
    const others = cadences.slice(1).map((_, at) => `c_${at + 2}`)
    const ids = cadences.map((_, at) => at + 1)
    const before = await cadencesIn(member, ...ids)
    const result = await merge(member, ...others)
    assert.deepEqual(result.filled, filled)
    assert.deepEqual(await cadencesIn(member, 1), [expected])
    const undone = await recordedBy(member.ask(undo))
    assert.deepEqual(await cadencesIn(member, ...ids), before)
    // An undo of the undo merges again.
    await member.ask(undo, undone)
    assert.deepEqual(await cadencesIn(member, 1), [expected])
  }
})

test('the person to contact again is still suggested after a merge', async () => {
  await using world = await openSharedWorld()
  const member = await joinWith(world, {}, { every: 1 })
  await merge(member, 'c_2')
  world.clock.advance(3 * 24 * 60 * 60 * 1000)
  const { reconnects } = await member.ask<{ reconnects: { name: string }[] }>(listWhoToContactTool)
  assert.deepEqual(
    reconnects.map(({ name }) => name),
    ['Ann Lee0'],
  )
})

test('a split takes the cadence of the other person away, unless it was changed since', async () => {
  await using world = await openSharedWorld()
  const split = { action: 'split', keep_id: 'c_1' }
  const member = await joinWith(world, {}, { every: 3, unit: 'month' })
  await merge(member, 'c_2')
  await member.ask(resolveDuplicatesTool, split)
  const apart = [
    [null, null, null, false],
    [3, 'month', null, false],
  ]
  assert.deepEqual(await cadencesIn(member, 1, 2), apart)
  const undone = await recordedBy(member.ask(undo))
  assert.deepEqual(await cadencesIn(member, 1), [[3, 'month', null, false]])
  await member.ask(undo, undone)
  assert.deepEqual(await cadencesIn(member, 1, 2), apart)

  const other = await joinWith(world, {}, { every: 3, unit: 'month' })
  await merge(other, 'c_2')
  await other.ask(keepInTouchTool, { people: ['c_1'], every: 7 })
  await other.ask(resolveDuplicatesTool, split)
  assert.deepEqual(await cadencesIn(other, 1, 2), [
    [7, 'day', null, false],
    [3, 'month', null, false],
  ])
})

test('a merge whose cadence was changed since cannot be undone', async () => {
  await using world = await openSharedWorld()
  const member = await joinWith(world, {}, { every: 3, unit: 'month' })
  const { activity_id } = await merge(member, 'c_2')
  await member.ask(keepInTouchTool, { people: ['c_1'], every: 7 })
  const { code, message } = await member.refused(undo, { activity_id })
  assert.equal(code, 'conflict')
  assert.match(message, /c_1 \(every, unit\)/)
})
