import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { contact, createWorld, type Acting } from '../../../test/fixtures/network.ts'
import { addConnectionTool } from '../editing/add-connection.tool.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { listConnectionsTool } from '../search/list-connections.tool.ts'
import { planBatch, saveBatch, saveBatches, type ImportRun } from './import-batch.ts'
import { readImportedChanges } from './import-changes.ts'
import { emptyReport, type ImportReport } from './import-report.ts'
import { KeyLoader } from './known-keys.ts'
import { undoSlice } from './undo-slice.ts'
import { findConnections } from '../model/connection-store.ts'
import { readNetworkState } from '../../tools/call-state.ts'

const ANN = { name: 'Ann Lee', emails: ['ann@x.org'] }
const ROWS = [{ row: 1, line: 2, contact: contact({ ...ANN, title: 'Engineer' }) }]

interface Listed {
  readonly connections: readonly { readonly name: string; readonly title?: string }[]
}

async function list(member: Acting): Promise<Listed['connections']> {
  return (await member.ask<Listed>(listConnectionsTool)).connections
}

/** Imports `ROWS` while `meanwhile` happens between its plan and its transaction. */
async function importRows(
  member: Acting,
  meanwhile: () => Promise<unknown>,
): Promise<ImportReport> {
  const job = { jobId: 7, now: () => 1 }
  const run = { job, source: 'linkedin', confirmed: new Set<number>() } as const
  const planned = await planBatch(member.db, run, ROWS)
  assert.ok(planned)
  await meanwhile()
  const report = emptyReport('linkedin', null)
  await member.db.write((tx) => saveBatch(tx, run, { rows: ROWS, planned, report }))
  return report
}

test('a person who is added after a batch was planned is not added twice', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const report = await importRows(member, () => member.ask(addConnectionTool, ANN))
  assert.deepEqual([report.created, report.updated], [0, 1])
  assert.deepEqual(
    (await list(member)).map(({ name, title }) => ({ name, title })),
    [{ name: 'Ann Lee', title: 'Engineer' }],
  )
})

test('a person who is deleted after a batch was planned stays deleted', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, ANN)
  const report = await importRows(member, () =>
    member.ask(deleteConnectionsTool, { connection_ids: ['c_1'] }),
  )
  assert.deepEqual([report.updated, report.skipped], [0, 1])
  assert.deepEqual(await list(member), [])
})

test('a transaction that is retried saves the same plan once', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const run = {
    job: { jobId: 7, now: () => 1 },
    source: 'linkedin',
    confirmed: new Set<number>(),
  } as const
  const planned = await planBatch(member.db, run, ROWS)
  const save = (fail: boolean) =>
    member.db.write(async (tx) => {
      const report = emptyReport('linkedin', null)
      await saveBatch(tx, run, { rows: ROWS, planned, report })
      if (fail) throw new Error('rolled back')
      return report
    })
  await assert.rejects(save(true), /rolled back/)
  assert.equal((await save(false)).created, 1)
  assert.equal((await list(member)).length, 1)
})

/** Imports `ROWS` from a file that adds only keys to Ann, who has these values. */
async function importKeys(member: Acting, jobId: number): Promise<void> {
  const run = {
    job: { jobId, now: () => 1 },
    source: 'linkedin',
    confirmed: new Set<number>(),
  } as const
  const planned = await planBatch(member.db, run, ROWS)
  const report = emptyReport('linkedin', null)
  await member.db.write((tx) => saveBatch(tx, run, { rows: ROWS, planned, report }))
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
  const effects = [{ connection, change, hasTypedContent: false, decisions: [] }]
  await member.db.write((tx) =>
    undoSlice(tx, { jobId: 8, effects, merged: new Set(), now: 2, startedAt: 0 }),
  )
  await readVersion()
  const raised = versions.slice(1).map((version, index) => version - (versions[index] ?? 0))
  assert.deepEqual(raised, [1, 0, 1])
})

test('keys that another import adds after a batch was planned belong to that import', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { ...ANN, title: 'Engineer' })
  const report = await importRows(member, () => importKeys(member, 8))
  assert.equal(report.unchanged, 1)
  assert.equal((await readImportedChanges(member.db, 7, [1])).get(1), undefined)
})

const PEOPLE = ['Ann Lee', 'Bo Berg', 'Cy Cole', 'Di Dahl']

/** Of a file for which the keys of the network are loaded. */
const LARGE_FILE = 1_000_000_000

/** One row each. */
function batchesOf(contacts: Parameters<typeof contact>[0][]) {
  return contacts.map((values, index) => [
    { row: index + 1, line: index + 2, contact: contact(values) },
  ])
}

/** Imports the batches in as few transactions as the other writes allow; returns how many each transaction saved. */
async function importBatches(
  member: Acting,
  batches: ReturnType<typeof batchesOf>,
  { jobId = 7, inTransaction = () => {} } = {},
) {
  const confirmed = new Set<number>()
  const run: ImportRun = { job: { jobId, now: () => 1 }, source: 'linkedin', confirmed }
  const report = emptyReport('linkedin', null)
  const counts: number[] = []
  const keys = new KeyLoader(member.db)
  let planned: Awaited<ReturnType<typeof planBatch>>
  for (let left = batches; left.length > 0; left = left.slice(counts.at(-1))) {
    run.knownKeys ??= await keys.load(LARGE_FILE)
    planned ??= await planBatch(member.db, run, left[0] ?? [])
    const saved = await member.db.write((tx) => {
      inTransaction()
      return saveBatches(tx, run, { batches: left, planned, report })
    })
    for (const id of saved.confirmed) confirmed.add(id)
    run.knownKeys = saved.knownKeys
    planned = saved.next
    counts.push(saved.count)
  }
  return { counts, report }
}

test('batches share a transaction while no one waits for it', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const batches = batchesOf(PEOPLE.map((name) => ({ name })))
  const { counts, report } = await importBatches(member, batches)
  assert.deepEqual([counts, report.created], [[4], 4])
  assert.equal((await list(member)).length, 4)
})

test('a transaction for which another write waits ends after a batch', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const batches = batchesOf(PEOPLE.map((name) => ({ name })))
  const others: Promise<unknown>[] = []
  const { counts, report } = await importBatches(member, batches, {
    inTransaction: () =>
      void others.push(member.ask(addConnectionTool, { name: `Zoe ${others.length}` })),
  })
  await Promise.all(others)
  assert.deepEqual([counts, report.created], [[1, 1, 1, 1], 4])
})

test('whenever another write arrives, each row is imported once', async () => {
  await using world = await createWorld()
  for (let turns = 0; turns < 12; turns++) {
    const member = await world.join()
    const batches = batchesOf(PEOPLE.map((name) => ({ name, emails: [`${name[0]}@x.org`] })))
    const adding: Promise<unknown>[] = []
    const add = async () => {
      for (let turn = 0; turn < turns; turn++) await nextTurn()
      await member.call(addConnectionTool, { name: 'Cy Cole', emails: ['C@x.org'] })
    }
    const { report } = await importBatches(member, batches, {
      inTransaction: () => void (adding.length === 0 && adding.push(add())),
    })
    await Promise.all(adding)
    assert.equal(report.created + report.updated + report.unchanged, 4)
    assert.deepEqual((await list(member)).map(({ name }) => name).sort(), PEOPLE, `turn ${turns}`)
  }
})

test('a row that repeats the values of a person also counts for later batches of the same transaction', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const [older, newer] = [
    { ...ANN, title: 'Engineer' },
    { ...ANN, title: 'Director' },
  ]
  await importBatches(member, batchesOf([older]), { jobId: 1 })
  await importBatches(member, batchesOf([newer]), { jobId: 2 })
  const { counts, report } = await importBatches(member, batchesOf([newer, older]), { jobId: 3 })
  assert.deepEqual([counts, report.unchanged], [[2], 2])
  assert.equal((await list(member))[0]?.title, 'Director')
})

test('an import knows the keys of the network and those that it adds, until someone else changes it', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, ANN)
  const run: ImportRun = {
    job: { jobId: 7, now: () => 1 },
    source: 'linkedin',
    confirmed: new Set<number>(),
    knownKeys: await new KeyLoader(member.db).load(LARGE_FILE),
  }
  const before = run.knownKeys?.version
  const [known, added] = batchesOf([{ ...ANN, title: 'Engineer' }, { name: 'Bo Berg' }])
  const report = emptyReport('linkedin', null)
  const save = async (rows: ReturnType<typeof batchesOf>[number] = []) => {
    const planned = await planBatch(member.db, run, rows)
    const saved = await member.db.write((tx) =>
      saveBatches(tx, run, { batches: [rows], planned, report }),
    )
    run.knownKeys = saved.knownKeys
  }
  await save(known)
  await save(added)
  await save(added)
  assert.deepEqual([report.updated, report.created, report.unchanged], [1, 1, 1])
  assert.ok(run.knownKeys && before !== undefined && run.knownKeys.version > before)
  await member.ask(addConnectionTool, { name: 'Cy Cole', emails: ['cy@x.org'] })
  const [other] = batchesOf([{ name: 'Cy Cole', emails: ['cy@x.org'], title: 'Engineer' }])
  await save(other)
  assert.deepEqual([report.updated, report.created], [2, 1])
  assert.equal(run.knownKeys, undefined)
})

test('a transaction that is rolled back does not change which keys an import knows', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const run: ImportRun = {
    job: { jobId: 7, now: () => 1 },
    source: 'linkedin',
    confirmed: new Set<number>(),
    knownKeys: await new KeyLoader(member.db).load(LARGE_FILE),
  }
  const planned = await planBatch(member.db, run, ROWS)
  const saving = member.db.write(async (tx) => {
    await saveBatches(tx, run, {
      batches: [ROWS],
      planned,
      report: emptyReport('linkedin', null),
    })
    throw new Error('rolled back')
  })
  await assert.rejects(saving, /rolled back/)
  await member.ask(addConnectionTool, ANN)
  const report = emptyReport('linkedin', null)
  await member.db.write(async (tx) =>
    saveBatches(tx, run, { batches: [ROWS], planned: await planBatch(tx, run, ROWS), report }),
  )
  assert.deepEqual([report.created, report.updated], [0, 1])
})
