import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchConnectionsTool } from '../../test/fixtures/search.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { addConnectionTool } from '../../test/fixtures/one-person.ts'
import { contact, createWorld, rowsOf, type Acting } from '../../test/fixtures/network.ts'
import { importRows } from './import-batch.ts'
import { readImportedChanges } from '../connections/imported-changes/import-changes.ts'
import { emptyReport, type ImportReport } from './import-report.ts'
import { undoSlice } from './revert-slice.ts'
import { findConnections } from '../connections/model/connection-store.ts'
import type { MemberTransaction } from '../db/database.ts'
import { readNetworkState } from '../tools/network-state.ts'

const ANN = { name: 'Ann Lee', emails: ['ann@x.org'] }
const ROWS = [{ row: 1, line: 2, contact: contact({ ...ANN, title: 'Engineer' }) }]

interface Listed {
  readonly connections: readonly { readonly name: string; readonly title?: string }[]
}

async function list(member: Acting): Promise<Listed['connections']> {
  return (await member.ask<Listed>(searchConnectionsTool)).connections
}

/** Imports `ROWS` from a file of LinkedIn. */
function importOnce(tx: MemberTransaction, jobId: number, report: ImportReport) {
  return importRows(tx, ROWS, report, { source: 'linkedin', jobId, now: 1 })
}

test('a transaction that is retried imports the rows once', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const save = (fail: boolean) =>
    member.db.write(async (tx) => {
      const report = emptyReport('linkedin', null)
      await importOnce(tx, 7, report)
      if (fail) throw new Error('rolled back')
      return report
    })
  await assert.rejects(save(true), /rolled back/)
  assert.equal((await save(false)).created, 1)
  assert.equal((await list(member)).length, 1)
})

/** Imports `ROWS` from a file that adds only keys to Ann, who has these values. */
async function importKeys(member: Acting, jobId: number): Promise<void> {
  const report = emptyReport('linkedin', null)
  await member.db.write((tx) => importOnce(tx, jobId, report))
  assert.deepEqual([report.created, report.updated, report.unchanged], [0, 0, 1])
}

test('an import that only adds keys, and its undo, are changes of the network', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { ...ANN, title: 'Engineer' })
  const versions: number[] = []
  const readVersion = async () => versions.push((await readNetworkState(member.db)).search_version)
  await readVersion()
  await importKeys(member, 8)
  await readVersion()
  await importKeys(member, 9) // has no new keys
  await readVersion()
  const change = (await readImportedChanges(member.db, 8, [1])).get(1)
  assert.ok(change && change.added_keys.length > 0)
  const [connection] = await findConnections(member.db, [1])
  assert.ok(connection)
  const effects = [{ connection, change, hasTypedContent: false }]
  await member.db.write((tx) =>
    undoSlice(tx, { jobId: 8, effects, merged: new Set(), now: 2, startedAt: 0 }),
  )
  await readVersion()
  const raised = versions.slice(1).map((version, index) => version - (versions[index] ?? 0))
  assert.deepEqual(raised, [1, 0, 1])
})

const PEOPLE = ['Ann Lee', 'Bo Berg', 'Cy Cole', 'Di Dahl']

/** One row each. */
function batchesOf(contacts: Parameters<typeof contact>[0][]) {
  return contacts.map((values, index) => [
    { row: index + 1, line: index + 2, contact: contact(values) },
  ])
}

/** Imports the batches, each in its own transaction. */
async function importBatches(
  member: Acting,
  batches: ReturnType<typeof batchesOf>,
  jobId = 7,
): Promise<ImportReport> {
  const confirmed = new Set<number>()
  const report = emptyReport('linkedin', null)
  for (const rows of batches) {
    const context = { source: 'linkedin' as const, jobId, now: 1, confirmed }
    const saved = await member.db.write((tx) => importRows(tx, rows, report, context))
    for (const id of saved.confirmed) confirmed.add(id)
  }
  return report
}

test('whenever another write arrives, each row is imported once', async () => {
  await using world = await createWorld()
  for (let turns = 0; turns < 12; turns++) {
    const member = await world.join()
    const batches = batchesOf(PEOPLE.map((name) => ({ name, emails: [`${name[0]}@x.org`] })))
    const add = async () => {
      for (let turn = 0; turn < turns; turn++) await nextTurn()
      await member.call(addConnectionTool, { name: 'Cy Cole', emails: ['C@x.org'] })
    }
    const [report] = await Promise.all([importBatches(member, batches), add()])
    assert.equal(report.created + report.updated + report.unchanged, 4)
    assert.deepEqual((await list(member)).map(({ name }) => name).sort(), PEOPLE, `turn ${turns}`)
  }
})

test('a row that repeats the values of a person also counts for later batches', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const [older, newer] = [
    { ...ANN, title: 'Engineer' },
    { ...ANN, title: 'Director' },
  ]
  await importBatches(member, batchesOf([older]), 1)
  await importBatches(member, batchesOf([newer]), 2)
  const report = await importBatches(member, batchesOf([newer, older]), 3)
  assert.equal(report.unchanged, 2)
  assert.equal((await list(member))[0]?.title, 'Director')
})

test('a person that an import only created is stored as such, also if later rows add keys', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await importBatches(member, batchesOf([{ ...ANN, title: 'Engineer' }, ANN]))
  assert.deepEqual(
    (await rowsOf(world, member, 'import_changes')).map(({ before }) => before),
    [null],
  )
})
