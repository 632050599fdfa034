// The import of Monica's export as a whole: what it stores, importing it again, its undo, and the export of the result.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { importBytes } from '../../test/fixtures/import-file.ts'
import { latestZip, runExport } from '../../test/fixtures/export.ts'
import { createWorld, rowsOf, type Acting, type World } from '../../test/fixtures/network.ts'
import { undoTool } from '../tools/undo/undo.tool.ts'
import { addConnectionTool, getConnectionTool } from '../../test/fixtures/one-person.ts'
import { importUndoer } from './undo-import.ts'

const undo = undoTool({ undoers: [importUndoer] })

const FIXTURES = new URL('../../test/fixtures/monica/', import.meta.url)

function fixture(name: string): Uint8Array {
  return readFileSync(new URL(name, FIXTURES))
}

interface Details {
  readonly relations?: readonly { name: string; relation?: string; connection_id?: string }[]
}

async function relationsOf(member: Acting, connection_id: string): Promise<readonly string[]> {
  const { details } = await member.ask<{ details?: Details }>(getConnectionTool, { connection_id })
  return (details?.relations ?? []).map((one) => `${one.relation} ${one.name} ${one.connection_id}`)
}

const TABLES = [
  'connections',
  'notes',
  'follow_ups',
  'interactions',
  'interaction_people',
  'connection_tags',
  'contact_times',
  'photos',
] as const

async function countsOf(world: World, member: Acting): Promise<readonly number[]> {
  const counts: number[] = []
  for (const table of TABLES) counts.push((await rowsOf(world, member, table)).length)
  return counts
}

async function cadencesIn(world: World, member: Acting): Promise<readonly string[]> {
  const rows = await rowsOf(world, member, 'contact_times')
  return rows.flatMap(({ every, unit }) =>
    every === null ? [] : [`${Number(every)} ${String(unit)}`],
  )
}

test('an export of Monica is stored whole, once, and can be undone', async () => {
  await using world = await createWorld(1000)
  const member = await world.join()
  const report = await importBytes(world, member, fixture('family.json'))
  assert.equal(report.format, 'monica')
  assert.deepEqual([report.created, report.rejected_count], [6, 0])
  assert.deepEqual(
    report.cut?.map(({ fields }) => fields),
    [['documents', 'photos']],
  )
  // Two calls, a conversation and two activities, one of them with two people.
  assert.deepEqual(await countsOf(world, member), [6, 8, 5, 5, 6, 5, 2, 1])
  assert.deepEqual(await cadencesIn(world, member), ['30 day'])

  const again = await importBytes(world, member, fixture('family.json'))
  assert.deepEqual([again.unchanged, again.created, again.updated], [6, 0, 0])
  assert.deepEqual(await countsOf(world, member), [6, 8, 5, 5, 6, 5, 2, 1])

  await member.ask(undo, { activity_id: 'a_1' })
  const live = (await rowsOf(world, member, 'connections')).filter(
    (row) => row['deleted_at'] === null,
  )
  assert.equal(live.length, 0)
})

test('a later export adds no recurring reminder again, whose next day has changed', async () => {
  await using world = await createWorld(1000)
  const member = await world.join()
  await importBytes(world, member, fixture('family.json'))
  const followUps = async () =>
    (await rowsOf(world, member, 'follow_ups')).map(({ text }) => text as string)
  const before = await followUps()
  assert.ok(before.includes('Send the tide tables'))
  const text = Buffer.from(fixture('family.json')).toString()
  const later = text
    .replace(/"export_date": "\d{4}/, '"export_date": "2024')
    .replace('Ask about the expedition', 'Ask about the way back')
  assert.notEqual(later, text)
  await importBytes(world, member, Buffer.from(later))
  assert.deepEqual(await followUps(), [...before, 'Ask about the way back: She leaves in March'])
})

test('exports of Nametag and Meerkat are stored whole, once', async () => {
  await using world = await createWorld(1000)
  const expected = [
    ['nametag.json', 2, [2, 4, 0, 1, 1, 2, 1, 0], ['2 week']],
    ['meerkat.csv', 4, [4, 1, 4, 1, 2, 3, 2, 0], []],
  ] as const
  for (const [name, people, counts, cadences] of expected) {
    const member = await world.join()
    const file = fixture(`../apps/${name}`)
    const report = await importBytes(world, member, file)
    assert.deepEqual([report.created, report.rejected_count, report.cut], [people, 0, undefined])
    const again = await importBytes(world, member, file)
    assert.deepEqual([again.unchanged, again.created, again.updated], [people, 0, 0])
    assert.deepEqual(await countsOf(world, member), counts)
    assert.deepEqual(await cadencesIn(world, member), cadences)
    const [first = ''] = await relationsOf(member, 'c_1')
    assert.match(first, /^child (?:Otto Brandt|Bo Reyes) c_2$/)
  }
})

test('relations point at the people of the file, even at those of one name', async () => {
  await using world = await createWorld(1000)
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Petra Novák' })
  await importBytes(world, member, fixture('work.json'))
  const expected = [
    ['c_2', ['direct report Quentin Moreau c_3', 'introduced Rosa Lindqvist c_4']],
    ['c_3', ['manager Petra Novák c_2', 'mentor Sami Haddad c_5']],
    [
      'c_4',
      [
        'colleague Sami Haddad c_5',
        'cousin Petra Novák c_6',
        'ex Sami Haddad c_5',
        'introduced by Petra Novák c_2',
      ],
    ],
    ['c_6', ['cousin Rosa Lindqvist c_4']],
  ] as const
  for (const [id, relations] of expected) assert.deepEqual(await relationsOf(member, id), relations)

  await runExport(world, member.db)
  const other = await world.join()
  await member.ask(addConnectionTool, { name: 'Someone else' })
  await importBytes(world, other, await latestZip(world, member.db))
  for (const [id, relations] of expected) assert.deepEqual(await relationsOf(other, id), relations)
  const copied = await countsOf(world, other)
  assert.deepEqual(copied.slice(1), (await countsOf(world, member)).slice(1))
})

test('the undo takes what an export added to someone who was there before', async () => {
  await using world = await createWorld(1000)
  const member = await world.join()
  const ada = { name: 'Ada Brandt', emails: ['ada.brandt@example.org'] }
  await member.ask(addConnectionTool, ada)
  const before = await countsOf(world, member)
  const { created, updated } = await importBytes(world, member, fixture('family.json'))
  assert.deepEqual([created, updated], [5, 1])
  assert.deepEqual(await cadencesIn(world, member), ['30 day'])
  await member.ask(undo, { activity_id: 'a_2' })
  assert.deepEqual(await cadencesIn(world, member), [])
  assert.deepEqual(await relationsOf(member, 'c_1'), [])
  const left = (await rowsOf(world, member, 'notes')).filter((row) => row['deleted_at'] === null)
  assert.equal(left.length, 0)
  assert.deepEqual(before.slice(0, 2), [1, 0])
})
