/** An archive restores where each value came from and when it was set, so that later files and edits treat it as before. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addConnectionTool,
  updateConnectionTool,
  tagConnectionsTool,
} from '../../test/fixtures/one-person.ts'
import { DAY } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { setCustomFieldTool } from '../connections/custom-fields/set-custom-field.tool.ts'
import { fileImportJob } from '../imports/file-import.job.ts'
import { importUndoer } from '../imports/undo-import.ts'
import { startJob } from '../jobs/start-job.ts'
import { NO_UPLOAD_QUOTA, storeUpload } from '../jobs/store-upload.ts'
import { JobWorker } from '../jobs/worker.ts'
import { undoTool } from '../tools/undo/undo.tool.ts'
import { latestZip, openArchive, runExport } from '../../test/fixtures/export.ts'
import {
  contact,
  createWorld,
  rowsOf,
  type Acting,
  type World,
} from '../../test/fixtures/network.ts'
import type { ImportReport } from '../imports/import-report.ts'

const undo = undoTool({ undoers: [importUndoer] })

async function exportOf(world: World, { db }: Acting): Promise<Uint8Array<ArrayBuffer>> {
  await runExport(world, db)
  return latestZip(world, db)
}

async function importFile(
  { database, clock }: World,
  { db }: Acting,
  file: Uint8Array,
): Promise<ImportReport> {
  const now = clock.now()
  const bytes = async function* () {
    yield file
  }
  const upload = { filename: null, contentType: null, now, quota: NO_UPLOAD_QUOTA, bytes: bytes() }
  const { upload_id } = await storeUpload(db, upload)
  const start = { definition: fileImportJob, credentialId: null, charge: false, quota: 0, now }
  const { job } = await db.write((tx) => startJob(tx, { ...start, input: { upload_id } }))
  const log = createLog('silent')
  await using worker = new JobWorker({ database, jobs: [fileImportJob], clock, log })
  const ended = await worker.runToEnd(db.memberId, job.job_id)
  assert.equal(ended.state, 'succeeded', ended.error ?? '')
  return JSON.parse(ended.result ?? '') as ImportReport
}

const ORIGIN = ['source', 'field_sources', 'field_times', 'created_at']

/** The values and the origins of the people in an archive. */
async function peopleIn(zip: Uint8Array<ArrayBuffer>): Promise<Record<string, unknown>[]> {
  const archive = await openArchive(zip)
  const rows = JSON.parse(archive['connections.json'] ?? '') as Record<string, unknown>[]
  return rows.map((row) => {
    const names = ['name', 'title', 'company', 'emails', 'details', 'tags', ...ORIGIN]
    return Object.fromEntries(names.map((name) => [name, row[name]]))
  })
}

const linkedin = (title: string) =>
  Buffer.from(
    `First Name,Last Name,URL,Email Address,Company,Position,Connected On\nAnn,Lee,,ann@x.org,Acme,${title},01 Jan 2024\n`,
  )

/** A person from LinkedIn whose title is from a later file and whose other values are edited, and one added manually. */
async function fill(world: World, ada: Acting): Promise<void> {
  await importFile(world, ada, linkedin('Clerk'))
  world.clock.advance(DAY)
  await importFile(world, ada, linkedin('Chief'))
  world.clock.advance(DAY)
  await ada.ask(setCustomFieldTool, { name: 'Unused' })
  await ada.ask(setCustomFieldTool, { name: 'Tier' })
  await ada.ask(updateConnectionTool, {
    connection_id: 'c_1',
    location: 'Rome',
    details: { nickname: 'Annie', custom: { Tier: 'Gold' } },
  })
  await ada.ask(tagConnectionsTool, { connection_ids: ['c_1'], add: ['friend'] })
  await ada.ask(addConnectionTool, { name: 'Bo Ek', emails: ['bo@x.org'] })
  world.clock.advance(DAY)
  await ada.ask(updateConnectionTool, { connection_id: 'c_1', clear: ['connected_on'] })
}

test('an archive restores the sources and times of all values, and a second import changes nothing', async () => {
  await using world = await createWorld()
  const [ada, bob] = [await world.join(), await world.join()]
  await bob.ask(setCustomFieldTool, { name: 'Own' })
  await fill(world, ada)
  const zip = await exportOf(world, ada)
  const [ann] = await peopleIn(zip)
  assert.deepEqual(ann?.['source'], 'linkedin')
  const typed = ['location', 'nickname', 'custom.Tier', 'connected_on']
  assert.deepEqual(
    ann['field_sources'],
    Object.fromEntries([...typed, 'tags'].map((field) => [field, 'typed'])),
  )
  assert.deepEqual(Object.keys(ann['field_times'] ?? {}).toSorted(), [...typed, 'title'].toSorted())
  world.clock.advance(7 * DAY)
  await importFile(world, bob, zip)
  assert.deepEqual(await peopleIn(await exportOf(world, bob)), await peopleIn(zip))
  for (const member of [bob, ada]) {
    const { unchanged, updated } = await importFile(world, member, zip)
    assert.deepEqual([unchanged, updated], [2, 0])
  }
  assert.deepEqual(await peopleIn(await exportOf(world, bob)), await peopleIn(zip))
  assert.deepEqual(await peopleIn(await exportOf(world, ada)), await peopleIn(zip))
})

test('files treat restored values as they did before: typed ones stay, others of their source are refreshed', async () => {
  await using world = await createWorld()
  const [ada, bob] = [await world.join(), await world.join()]
  await fill(world, ada)
  const zip = await exportOf(world, ada)
  world.clock.advance(DAY)
  await importFile(world, bob, zip)
  world.clock.advance(DAY)
  const { updated, job_changes } = await importFile(world, bob, linkedin('Boss'))
  assert.deepEqual([updated, job_changes], [1, 1])
  const [ann] = await rowsOf(world, bob, 'connections')
  assert.deepEqual([ann?.['title'], ann?.['location']], ['Boss', 'Rome'])
  assert.equal(ann?.['connected_on'], null)
})

test('a newer archive updates what an older one restored, typed values too, and an older one changes nothing', async () => {
  await using world = await createWorld()
  const [ada, bob] = [await world.join(), await world.join()]
  await fill(world, ada)
  const older = await exportOf(world, ada)
  world.clock.advance(DAY)
  await importFile(world, bob, older)
  world.clock.advance(DAY)
  const changes = { location: 'Oslo', add_emails: ['ann.lee@x.org'], add_tags: ['new'] }
  await ada.ask(updateConnectionTool, { connection_id: 'c_1', ...changes })
  await importFile(world, ada, linkedin('Boss'))
  const newer = await exportOf(world, ada)
  world.clock.advance(DAY)
  const { created, updated } = await importFile(world, bob, newer)
  assert.deepEqual([created, updated], [0, 1])
  const people = async (member: Acting) =>
    (await peopleIn(await exportOf(world, member))).map(
      ({ name, title, emails, tags, details }) => ({
        name,
        title,
        emails,
        details,
        tags: (tags as string[]).toSorted(),
      }),
    )
  assert.deepEqual(await people(bob), await people(ada))
  for (const member of [bob, ada]) {
    const before = await people(member)
    const again = await importFile(world, member, older)
    assert.deepEqual([again.created, again.updated], [0, 0])
    assert.deepEqual(await people(member), before)
  }
})

test('an edit that is newer than an archive is kept', async () => {
  await using world = await createWorld()
  const [ada, bob] = [await world.join(), await world.join()]
  await fill(world, ada)
  const zip = await exportOf(world, ada)
  world.clock.advance(DAY)
  await bob.ask(addConnectionTool, { name: 'Ann Lee', emails: ['ann@x.org'], company: 'Acme' })
  await bob.ask(updateConnectionTool, { connection_id: 'c_1', location: 'Bonn' })
  world.clock.advance(DAY)
  const { created, cut } = await importFile(world, bob, zip)
  assert.equal(created, 1)
  assert.ok(cut?.some(({ fields }) => fields.includes('location')))
  const [ann] = await rowsOf(world, bob, 'connections')
  assert.deepEqual([ann?.['location'], ann?.['title']], ['Bonn', 'Chief'])
  assert.deepEqual(JSON.parse(String(ann?.['field_sources']))['title'], 'linkedin')
})

test('an undo removes restored people and values, but none that were edited since', async () => {
  await using world = await createWorld()
  const [ada, bob] = [await world.join(), await world.join()]
  await fill(world, ada)
  const older = await exportOf(world, ada)
  world.clock.advance(DAY)
  await ada.ask(updateConnectionTool, { connection_id: 'c_1', location: 'Oslo' })
  await ada.ask(updateConnectionTool, { connection_id: 'c_2', company: 'Bolt' })
  const newer = await exportOf(world, ada)
  world.clock.advance(DAY)
  await importFile(world, bob, older)
  const before = await peopleIn(await exportOf(world, bob))
  world.clock.advance(DAY)
  await importFile(world, bob, newer)
  const after = await peopleIn(await exportOf(world, bob))
  assert.deepEqual(after, await peopleIn(newer))
  const undone = await bob.ask<{ activity_id: string }>(undo, { activity_id: 'a_2' })
  assert.deepEqual(await peopleIn(await exportOf(world, bob)), before)
  const redone = await bob.ask<{ activity_id: string }>(undo, { activity_id: undone.activity_id })
  assert.deepEqual(await peopleIn(await exportOf(world, bob)), after)
  await bob.ask(undo, { activity_id: redone.activity_id })
  world.clock.advance(DAY)
  await bob.ask(tagConnectionsTool, { connection_ids: ['c_1'], add: ['own'] })
  const { left_alone } = await bob.ask<{ left_alone: string[] }>(undo, { activity_id: 'a_1' })
  assert.deepEqual(left_alone, ['c_1 was edited manually'])
  assert.deepEqual(
    (await peopleIn(await exportOf(world, bob))).map(({ name }) => name),
    ['Ann Lee'],
  )
})

test('an archive without origins is imported as before', async () => {
  await using world = await createWorld()
  const bob = await world.join()
  const record = {
    connection_id: 'c_1',
    name: 'Ann Lee',
    title: 'Clerk',
    created_at: '2025-01-01T00:00:00Z',
  }
  const broken = {
    ...record,
    connection_id: 'c_2',
    name: 'Bo Ek',
    source: 'magic',
    field_sources: 7,
  }
  const file = `[\n${JSON.stringify(record)},\n${JSON.stringify(broken)}\n]\n`
  const { created, rejected_count } = await importFile(world, bob, Buffer.from(file))
  assert.deepEqual([created, rejected_count], [2, 0])
  const rows = await rowsOf(world, bob, 'connections')
  assert.deepEqual(
    rows.map((row) => [row['source'], row['field_sources']]),
    [
      ['table', '{}'],
      ['table', '{}'],
    ],
  )
  const plain = contact({ name: 'Ann Lee', title: 'Clerk' })
  assert.deepEqual(await bob.import([plain], { source: 'table', jobId: 99 }), ['unchanged'])
})
