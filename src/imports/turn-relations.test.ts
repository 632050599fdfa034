// Relations that the first reader of Monica's export imported in the wrong direction.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { importBytes } from '../../test/fixtures/import-file.ts'
import { latestArchive, runExport } from '../../test/fixtures/export.ts'
import { zipOf } from '../../test/support/zip.ts'
import { createWorld, type Acting, type World } from '../../test/fixtures/network.ts'
import { peopleUndoer } from '../connections/undo/undo-connections.ts'
import { addConnectionTool, getConnectionTool } from '../../test/fixtures/one-person.ts'
import { updateConnectionsTool } from '../connections/people/update-connections.tool.ts'
import { memberStatement } from '../db/statement.ts'
import { recordChange } from '../tools/activity.ts'
import { undoTool } from '../tools/undo/undo.tool.ts'
import { importUndoer } from './undo-import.ts'
import { hasBackwardRelations, turnRelations } from './turn-relations.ts'

const undo = undoTool({ undoers: [peopleUndoer, importUndoer] })

function fixture(name: string): string {
  return readFileSync(new URL(`../../test/fixtures/monica/${name}.json`, import.meta.url), 'utf8')
}

/** The file in which each relation belongs to the other person, so that today's reader reads it as the first one did. */
function backwards(name: string): Buffer {
  const swapped = fixture(name)
    .replaceAll('"contact_is"', '"kept"')
    .replaceAll('"of_contact"', '"contact_is"')
    .replaceAll('"kept"', '"of_contact"')
  return Buffer.from(swapped)
}

interface Details {
  readonly relations?: readonly { name: string; relation?: string }[]
}

async function relationsOf(member: Acting, connection_id: string): Promise<string> {
  const { details } = await member.ask<{ details?: Details }>(getConnectionTool, { connection_id })
  return (details?.relations ?? []).map(({ relation, name }) => `${relation} ${name}`).join(', ')
}

async function allRelations(member: Acting, count: number): Promise<readonly string[]> {
  const all: string[] = []
  for (let at = 1; at <= count; at += 1) all.push(await relationsOf(member, `c_${at}`))
  return all
}

/** The first import of a member. */
async function jobOf({ db }: Acting): Promise<number> {
  return (await db.get(FIRST_JOB, {}))?.job_id ?? 1
}

const FIRST_JOB = memberStatement<object, { job_id: number }>()(
  'select job_id from jobs where member_id = :member_id order by job_id limit 1',
)

async function turn(world: World, member: Acting): Promise<number | undefined> {
  const now = world.clock.now()
  const by = { credentialId: null, actor: 'Ada', now }
  const jobId = await jobOf(member)
  return member.db.write((tx) =>
    turnRelations({ tx, now, record: (change) => recordChange(tx, by, change) }, jobId),
  )
}

async function isOffered(
  member: Acting,
  report: { readonly format: string; readonly reader?: number } = { format: 'monica' },
): Promise<boolean> {
  return hasBackwardRelations(member.db, await jobOf(member), report)
}

for (const [name, people] of [
  ['family', 6],
  ['work', 5],
  ['sparse', 2],
] as const)
  test(`${name}: turned around, people have the relations of a right import, and the undo brings back the others`, async () => {
    await using world = await createWorld(1000)
    const [right, wrong] = [await world.join(), await world.join()]
    await importBytes(world, right, Buffer.from(fixture(name)))
    await importBytes(world, wrong, backwards(name))
    const [expected, before] = [
      await allRelations(right, people),
      await allRelations(wrong, people),
    ]
    assert.notDeepEqual(before, expected)
    const changed = await turn(world, wrong)
    assert.deepEqual(await allRelations(wrong, people), expected)
    assert.equal(await isOffered(wrong), false)
    await wrong.ask(undo, { activity_id: `a_${changed}` })
    assert.deepEqual(await allRelations(wrong, people), before)
    assert.equal(await isOffered(wrong), true)
  })

test('importing the file again corrects the relations, and its undo brings back the others', async () => {
  await using world = await createWorld(1000)
  const [right, wrong] = [await world.join(), await world.join()]
  await importBytes(world, right, Buffer.from(fixture('family')))
  await importBytes(world, wrong, backwards('family'))
  const before = await allRelations(wrong, 6)
  const { reader, created } = await importBytes(world, wrong, Buffer.from(fixture('family')))
  assert.deepEqual([reader, created], [2, 0])
  assert.deepEqual(await allRelations(wrong, 6), await allRelations(right, 6))
  await wrong.ask(undo, { activity_id: 'a_2' })
  assert.deepEqual(await allRelations(wrong, 6), before)
})

test('relations that the member edited stay, and imports of other readers are not offered', async () => {
  await using world = await createWorld(1000)
  const member = await world.join()
  await importBytes(world, member, backwards('family'))
  const own = ['relations=[{"name":"Nils Holm","relation":"coach"}]']
  await member.ask(addConnectionTool, { name: 'Nils Holm' })
  await member.ask(updateConnectionsTool, { people: ['c_4'], details: own })
  const edited = await relationsOf(member, 'c_4')
  assert.match(edited, /coach Nils Holm/)
  await turn(world, member)
  assert.match(await relationsOf(member, 'c_1'), /^child Mila/)
  assert.ok((await relationsOf(member, 'c_4')).startsWith(edited))
  for (const report of [{ format: 'monica', reader: 2 }, { format: 'vcard' }])
    assert.equal(await isOffered(member, report), false)
})

test('an archive of a version that read relations backwards has them turned around, and the undo of that brings them back', async () => {
  await using world = await createWorld(1000)
  const [right, wrong] = [await world.join(), await world.join()]
  await importBytes(world, right, Buffer.from(fixture('family')))
  await importBytes(world, wrong, backwards('family'))
  await runExport(world, wrong.db)
  const archive = await latestArchive(world, wrong.db)
  const [expected, before] = [await allRelations(right, 6), await allRelations(wrong, 6)]
  for (const version of ['1', '2']) {
    const entries = Object.entries(archive).map(([name, content]) => ({
      name,
      content: content.replace('"archive_version": 2', `"archive_version": ${version}`),
    }))
    const other = await world.join()
    await importBytes(world, other, zipOf(entries))
    assert.deepEqual(await allRelations(other, 6), version === '1' ? expected : before)
    if (version === '1') await other.ask(undo, { activity_id: 'a_2' })
    assert.deepEqual(await allRelations(other, 6), before)
  }
})

test('people without relations that can be turned are not changed', async () => {
  await using world = await createWorld(1000)
  const member = await world.join()
  assert.equal(await turn(world, member), undefined)
  assert.equal(await isOffered(member), false)
})
