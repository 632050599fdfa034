/**
 * Importing a member's archive into another account restores everything about people, and a second import changes
 * nothing.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addConnectionTool, updateConnectionTool } from '../../test/fixtures/one-person.ts'
import { DAY } from '../base/clock.ts'
import { dayAt } from '../dates/calendar-day.ts'
import { keepInTouchTool } from '../connections/cadence/keep-in-touch.tool.ts'
import { listViews, saveView } from '../connections/people/saved-views.ts'
import { findDuplicatesTool } from '../connections/duplicates/find-duplicates.tool.ts'
import { resolveDuplicatesTool } from '../connections/duplicates/resolve-duplicates.tool.ts'
import { saveFollowUpTool } from '../connections/follow-ups/save-follow-up.tool.ts'
import { listFollowUpsTool } from '../connections/follow-ups/list-follow-ups.tool.ts'
import { logInteractionTool } from '../connections/interactions/log-interaction.tool.ts'
import { saveNoteTool } from '../connections/notes/save-note.tool.ts'
import { moveCustomField } from '../connections/custom-fields/field-order.ts'
import { setCustomFieldTool } from '../connections/custom-fields/set-custom-field.tool.ts'
import { getNetworkSummaryTool } from '../connections/overview/get-network-summary.tool.ts'
import { fileImportJob } from '../imports/file-import.job.ts'
import { previewImport } from '../imports/preview-import.ts'
import { requireMember, updateMember } from '../members/member.ts'
import { profileUndoer } from '../members/profile-changes.ts'
import { importUndoer } from '../imports/undo-import.ts'
import { createLog } from '../base/log.ts'
import { startJob } from '../jobs/start-job.ts'
import { NO_UPLOAD_QUOTA, storeUpload } from '../jobs/store-upload.ts'
import { JobWorker } from '../jobs/worker.ts'
import { undoTool } from '../tools/undo/undo.tool.ts'
import { OUTSIDE_FILES } from '../../test/fixtures/contact-files/outside-files.ts'
import { RECENT_EXPORTS } from '../../test/fixtures/contact-files/recent-exports.ts'
import { readWhole } from '../../test/fixtures/reading.ts'
import { encodeText } from '../../test/support/legacy-text.ts'
import { onOneEngine, runsOf } from '../../test/support/engine-options.ts'
import { anyDetails } from '../../test/fixtures/details.ts'
import { latestZip, openArchive, runExport } from '../../test/fixtures/export.ts'
import {
  contact,
  createWorld,
  rowsOf,
  type Acting,
  type World,
} from '../../test/fixtures/network.ts'
import type { ImportReport } from '../imports/import-report.ts'

const undo = undoTool({ undoers: [importUndoer, profileUndoer] })

type Zip = Uint8Array<ArrayBuffer>

async function exportOf(world: World, { db }: Acting): Promise<Zip> {
  await runExport(world, db)
  return latestZip(world, db)
}

async function uploadOf({ clock }: World, { db }: Acting, zip: Zip): Promise<string> {
  const bytes = async function* () {
    yield zip
  }
  const { upload_id } = await storeUpload(db, {
    filename: 'weft.zip',
    contentType: null,
    now: clock.now(),
    quota: NO_UPLOAD_QUOTA,
    bytes: bytes(),
  })
  return upload_id
}

async function importInto(world: World, member: Acting, zip: Zip): Promise<ImportReport> {
  const { database, clock } = world
  const upload_id = await uploadOf(world, member, zip)
  const { job } = await member.db.write((tx) =>
    startJob(tx, {
      definition: fileImportJob,
      input: { upload_id },
      credentialId: null,
      charge: false,
      quota: 0,
      now: clock.now(),
    }),
  )
  const log = createLog('silent')
  await using worker = new JobWorker({ database, jobs: [fileImportJob], clock, log })
  const ended = await worker.runToEnd(member.db.memberId, job.job_id)
  assert.equal(ended.state, 'succeeded', ended.error ?? '')
  return JSON.parse(ended.result ?? '') as ImportReport
}

/** The people in an archive, without IDs and without data that an import creates. */
async function recordsIn(zip: Zip): Promise<object> {
  const archive = await openArchive(zip)
  const rows = (name: string) => JSON.parse(archive[name] ?? '') as Record<string, unknown>[]
  const without = (row: Record<string, unknown>, ...names: readonly string[]) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))
  const listed = (row: Record<string, unknown>, name: string) =>
    (row[name] as Record<string, unknown>[]).map((one) => without(one, 'connection_id'))
  return {
    people: rows('connections.json').map((row) =>
      Object.assign(without(row, 'connection_id', 'updated_at'), {
        tags: (row['tags'] as string[]).toSorted(),
        notes: listed(row, 'notes'),
        follow_ups: listed(row, 'follow_ups'),
      }),
    ),
    to_dos: rows('to-dos.json'),
    fields: rows('custom-fields.json').map((row) => without(row, 'custom_field_id', 'created_at')),
  }
}

const UNCHANGED = { created: 0, updated: 0, skipped: 0, rejected_count: 0 }

/** A member with everything that a network can contain. */
async function fill(world: World, ada: Acting): Promise<void> {
  await ada.ask(setCustomFieldTool, { name: 'Tier', choices: ['Gold', 'Silver'] })
  await ada.ask(setCustomFieldTool, { name: 'Score', kind: 'number' })
  await ada.ask(setCustomFieldTool, { name: 'Empty', kind: 'date' })
  await ada.ask(addConnectionTool, {
    name: 'Ann Lee',
    profile_url: 'https://ann.example/me',
    links: ['https://x.org/a', 'https://www.linkedin.com/in/other'],
    tags: ['starred', 'a ::: b', '* x', 'x,y'],
    note: 'First; with \\n, and\nlines',
    emails: ['ann@x.org'],
    details: {
      labels: { 'ann@x.org': 'Business', 'https://www.linkedin.com/in/other': 'Old' },
      addresses: [{ label: 'Cell', city: 'Rome' }],
      custom: { Tier: 'Gold', Score: '2.5' },
    },
  })
  await ada.ask(saveNoteTool, {
    people: 'c_1',
    text: 'Second one\n\nof two parts',
    on: '2025-12-24',
  })
  world.clock.advance(3 * DAY)
  await ada.ask(saveNoteTool, { people: 'c_1', text: 'Third' })
  const monthly = { text: 'Call', due_on: '2026-01-31', recurrence: 'monthly' }
  await ada.ask(saveFollowUpTool, { people: 'c_1', ...monthly })
  await ada.ask(saveFollowUpTool, { follow_up_id: 'f_1', done: true })
  await ada.ask(saveFollowUpTool, {
    people: 'c_1',
    ...monthly,
    text: 'Visit',
    time: '09:30',
    recurrence: 'every 10 days',
  })
  const toDo = { text: 'Taxes', due_on: '2026-05-31', time: '00:00', recurrence: 'yearly' }
  await ada.ask(saveFollowUpTool, toDo)
  const onFridays = { text: 'Report', recurrence: 'last Friday of every 2 months' }
  await ada.ask(saveFollowUpTool, onFridays)
  await ada.ask(addConnectionTool, { name: 'Bo' })
  await ada.ask(logInteractionTool, {
    people: ['c_1', 'c_2'],
    kind: 'call',
    on: '2026-03-04',
    time: '14:30',
    direction: 'out',
    subject: 'Plans',
    text: 'First\nthen second',
  })
  await ada.ask(logInteractionTool, { people: ['c_1'], kind: 'event', on: '2026-03-04' })
  await ada.ask(keepInTouchTool, { people: ['c_1'], every: 6, unit: 'week' })
  await ada.ask(keepInTouchTool, { people: ['c_2'], muted: true })
}

test('an archive gives another member the same people, notes, follow-ups and custom fields', async () => {
  await using world = await createWorld()
  const ada = await world.join()
  await fill(world, ada)
  const zip = await exportOf(world, ada)
  world.clock.advance(7 * DAY)
  const bob = await world.join()
  const first = await importInto(world, bob, zip)
  assert.deepEqual([first.created, first.updated, first.rejected_count], [2, 0, 0])
  assert.deepEqual(await recordsIn(await exportOf(world, bob)), await recordsIn(zip))
  assert.equal((await rowsOf(world, bob, 'follow_ups')).length, 5)
  assert.equal((await rowsOf(world, bob, 'interactions')).length, 2)
  for (const member of [bob, ada]) {
    const before = await recordsIn(await exportOf(world, member))
    const uploadId = await uploadOf(world, member, zip)
    const plan = { uploadId, now: world.clock.now() }
    const { report } = await previewImport(member.db, plan, new AbortController().signal)
    for (const found of [report, await importInto(world, member, zip)])
      assert.deepEqual({ ...found, ...UNCHANGED, unchanged: 2 }, found)
    assert.deepEqual(await recordsIn(await exportOf(world, member)), before)
  }
})

test('cadences of tags and saved views are restored, with the numbers that custom fields have here', async () => {
  await using world = await createWorld()
  const [ada, bob] = [await world.join(), await world.join()]
  await fill(world, ada)
  await ada.ask(keepInTouchTool, { tag: 'starred', every: 3, unit: 'month' })
  await ada.db.write(async (tx) => {
    await saveView(tx, { name: 'Gold', query: 'field=cf_1&value=Gold' }, 0)
    await saveView(tx, { name: 'One import', query: 'import=1' }, 0)
    await saveView(tx, { name: 'Rome', query: 'place=Rome&sort=-name' }, 0)
  })
  const zip = await exportOf(world, ada)
  await bob.ask(setCustomFieldTool, { name: 'Own' })
  await importInto(world, bob, zip)
  const settings = async (member: Acting) => {
    const rules = await rowsOf(world, member, 'tag_cadences')
    const views = await listViews(member.db)
    return {
      rules: rules.map(({ tag, every, unit, set_on }) => [tag, every, unit, set_on]),
      views: views.map(({ name, query }) => `${name}: ${query}`),
    }
  }
  const expected = {
    rules: [['starred', 3, 'month', dayAt(world.clock.now())]],
    views: ['Gold: field=cf_2&value=Gold', 'Rome: place=Rome&sort=-name'],
  }
  assert.deepEqual(await settings(bob), expected)
  await bob.db.write((tx) => saveView(tx, { name: 'rome', query: 'place=Paris' }, 0))
  await bob.ask(keepInTouchTool, { tag: 'starred', every: 1, unit: 'week' })
  const own = await settings(bob)
  await importInto(world, bob, zip)
  assert.deepEqual(await settings(bob), own)
})

test('every file of the archives of an empty and a full member is complete', async () => {
  await using world = await createWorld()
  const [empty, full] = [await world.join(), await world.join()]
  await fill(world, full)
  await full.ask(keepInTouchTool, { tag: 'starred', every: 3, unit: 'month' })
  for (const member of [empty, full]) {
    const archive = await openArchive(await exportOf(world, member))
    const json = Object.entries(archive).filter(([name]) => name.endsWith('.json'))
    assert.ok(json.length > 12)
    for (const [name, text] of json) assert.doesNotThrow(() => JSON.parse(text) as unknown, name)
  }
})

test('the undo of an archive removes its cadences of tags and saved views that are unchanged, and a redo adds them again', async () => {
  await using world = await createWorld()
  const [ada, bob] = [await world.join(), await world.join()]
  await fill(world, ada)
  for (const [tag, every] of [
    ['starred', 3],
    ['x,y', 2],
  ] as const)
    await ada.ask(keepInTouchTool, { tag, every, unit: 'month' })
  await ada.db.write(async (tx) => {
    await saveView(tx, { name: 'Rome', query: 'place=Rome' }, 0)
    await saveView(tx, { name: 'Paris', query: 'place=Paris' }, 0)
  })
  await importInto(world, bob, await exportOf(world, ada))
  await bob.ask(keepInTouchTool, { tag: 'x,y', every: 1, unit: 'week' })
  await bob.db.write((tx) => saveView(tx, { name: 'Paris', query: 'place=Lyon' }, 0))
  const settings = async () =>
    [
      ...(await rowsOf(world, bob, 'tag_cadences')).map(
        ({ tag, every }) => `${String(tag)} ${String(every)}`,
      ),
      ...(await listViews(bob.db)).map(({ name, query }) => `${name} ${query}`),
    ].toSorted()
  const [kept, restored] = [
    ['Paris place=Lyon', 'x,y 1'],
    ['Rome place=Rome', 'starred 3'],
  ]
  assert.deepEqual(await settings(), [...kept, ...restored].toSorted())
  const undone = await bob.ask<{ activity_id: string; left_alone?: string[] }>(undo, {
    activity_id: 'a_1',
  })
  assert.deepEqual(undone.left_alone, [
    'the cadence of the tag x,y was changed',
    'the view Paris was changed',
  ])
  assert.deepEqual(await settings(), kept)
  await bob.ask(undo, { activity_id: undone.activity_id })
  assert.deepEqual(await settings(), [...kept, ...restored].toSorted())
})

const PROFILE = {
  headline: 'Investor',
  about: 'Writes about engines.',
  location: 'London',
  organization: 'Acme',
  title: 'Analyst',
  skills: ['Mathematics'],
  links: [{ label: 'Blog', url: 'https://ada.example/blog' }],
} as const

async function profileOf(world: World, { db }: Acting) {
  const member = await requireMember(world.database, db.memberId)
  const { headline, about, location, organization, title, skills, links, isPublic } = member
  return { headline, about, location, organization, title, skills, links, isPublic }
}

test('an archive restores the profile, a private one stays private, and the change can be undone', async () => {
  await using world = await createWorld()
  const [ada, bob, eve] = [await world.join(), await world.join(), await world.join()]
  const change = (member: Acting, changes: object) =>
    world.database.write((tx) => updateMember(tx, member.db.memberId, changes, world.clock.now()))
  await change(ada, { ...PROFILE, isPublic: false })
  await ada.ask(addConnectionTool, { name: 'Ann Lee' })
  const zip = await exportOf(world, ada)
  world.clock.advance(DAY)
  const before = await profileOf(world, bob)
  assert.equal(before.isPublic, true)
  const report = await importInto(world, bob, zip)
  assert.deepEqual(await profileOf(world, bob), { ...PROFILE, isPublic: false })
  await bob.ask(undo, { activity_id: 'a_1' })
  assert.deepEqual(await profileOf(world, bob), before)
  const uses = Object.fromEntries((report.files ?? []).map(({ name, use }) => [name, use]))
  const archive = await openArchive(zip)
  assert.deepEqual(Object.keys(uses).toSorted(), Object.keys(archive).toSorted())
  assert.deepEqual(
    [uses['profile.json'], uses['connections.json'], uses['notes.json'], uses['activity.json']],
    ['restored', 'restored', 'repeated', 'not_restored'],
  )
  await change(eve, { headline: 'Own', isPublic: true })
  const other = await importInto(world, eve, zip)
  assert.equal((await profileOf(world, eve)).headline, 'Own')
  assert.equal((await profileOf(world, eve)).isPublic, true)
  assert.equal(other.files?.find(({ name }) => name === 'profile.json')?.use, 'not_restored')
  await change(ada, { isPublic: true })
  await importInto(world, ada, zip)
  assert.equal((await profileOf(world, ada)).isPublic, true)
})

test('an archive gives another member the decisions that people are different', async () => {
  await using world = await createWorld()
  const [ada, bob] = [await world.join(), await world.join()]
  const ann = { name: 'Ann Lee', company: 'Acme', allow_duplicate: true }
  for (const emails of [['ann@acme.example'], ['ann.lee@acme.example'], ['al@acme.example']])
    await ada.ask(addConnectionTool, { ...ann, emails })
  await ada.ask(resolveDuplicatesTool, { action: 'different', merge_ids: ['c_1', 'c_2', 'c_3'] })
  const zip = await exportOf(world, ada)
  await bob.ask(addConnectionTool, { name: 'Zoe Quist' })
  assert.equal((await importInto(world, bob, zip)).created, 3)
  const pairs = async () =>
    (await rowsOf(world, bob, 'match_reviews')).map((row) => [row['first_id'], row['second_id']])
  const expected = [
    [2, 3],
    [2, 4],
    [3, 4],
  ]
  assert.deepEqual(await pairs(), expected)
  assert.equal((await bob.ask<{ total: number }>(findDuplicatesTool)).total, 0)
  const again = await importInto(world, bob, zip)
  assert.deepEqual({ ...again, ...UNCHANGED, unchanged: 3 }, again)
  assert.deepEqual(await pairs(), expected)
  assert.deepEqual(await recordsIn(await exportOf(world, ada)), await recordsIn(zip))
})

test('undoing an archive removes its decisions that people are different, and a redo restores them', async () => {
  await using world = await createWorld()
  const [ada, bob] = [await world.join(), await world.join()]
  const ann = { name: 'Ann Lee', company: 'Acme', allow_duplicate: true }
  for (const emails of [['ann@acme.example'], ['ann.lee@acme.example'], ['al@acme.example']])
    await ada.ask(addConnectionTool, { ...ann, emails })
  await importInto(world, bob, await exportOf(world, ada))
  await bob.ask(resolveDuplicatesTool, { action: 'different', merge_ids: ['c_1', 'c_2'] })
  await ada.ask(resolveDuplicatesTool, { action: 'different', merge_ids: ['c_1', 'c_2', 'c_3'] })
  const pairs = async (member: Acting) =>
    (await rowsOf(world, member, 'match_reviews'))
      .filter((row) => row['state'] === 'different')
      .map((row) => `${String(row['first_id'])} ${String(row['second_id'])}`)
      .toSorted()
  const zip = await exportOf(world, ada)
  const uploadId = await uploadOf(world, bob, zip)
  const plan = { uploadId, now: world.clock.now() }
  const { report } = await previewImport(bob.db, plan, new AbortController().signal)
  for (const found of [report, await importInto(world, bob, zip)])
    assert.deepEqual([found.created, found.updated, found.unchanged], [0, 1, 2])
  assert.deepEqual(await pairs(bob), ['1 2', '1 3', '2 3'])
  const undone = await bob.ask<{ activity_id: string }>(undo, { activity_id: 'a_3' })
  assert.deepEqual(await pairs(bob), ['1 2'])
  await bob.ask(undo, { activity_id: undone.activity_id })
  assert.deepEqual(await pairs(bob), ['1 2', '1 3', '2 3'])
  const eve = await world.join()
  await importInto(world, eve, zip)
  const removed = await eve.ask<{ activity_id: string }>(undo, { activity_id: 'a_1' })
  assert.deepEqual(await pairs(eve), [])
  await eve.ask(undo, { activity_id: removed.activity_id })
  assert.deepEqual(await pairs(eve), ['1 2', '1 3', '2 3'])
})

test('a newer archive adds its notes and follow-ups to otherwise unchanged people, and undo removes them', async () => {
  await using world = await createWorld()
  const ada = await world.join()
  await fill(world, ada)
  const bob = await world.join()
  await importInto(world, bob, await exportOf(world, ada))
  const before = await recordsIn(await exportOf(world, bob))
  await ada.ask(saveNoteTool, { people: 'c_2', text: 'Fourth', on: '2026-04-01' })
  await ada.ask(saveFollowUpTool, { people: 'c_2', text: 'Write', due_on: '2027-02-03' })
  const newer = await exportOf(world, ada)
  const { updated, unchanged } = await importInto(world, bob, newer)
  assert.deepEqual([updated, unchanged], [1, 1])
  assert.deepEqual(await recordsIn(await exportOf(world, bob)), await recordsIn(newer))
  const { activity_id } = await bob.ask<{ activity_id: string }>(undo, { activity_id: 'a_2' })
  assert.deepEqual(await recordsIn(await exportOf(world, bob)), before)
  await bob.ask(undo, { activity_id })
  assert.deepEqual(await recordsIn(await exportOf(world, bob)), await recordsIn(newer))
})

test('undoing an archive removes everything, including custom fields, and a redo restores it', async () => {
  await using world = await createWorld()
  const ada = await world.join()
  await fill(world, ada)
  const zip = await exportOf(world, ada)
  const bob = await world.join()
  await importInto(world, bob, zip)
  const { activity_id } = await bob.ask<{ activity_id: string }>(undo, { activity_id: 'a_1' })
  const empty = { people: [], to_dos: [], fields: [] }
  assert.deepEqual(await recordsIn(await exportOf(world, bob)), empty)
  const { follow_ups } = await bob.ask<{ follow_ups: unknown[] }>(listFollowUpsTool)
  assert.deepEqual(follow_ups, [])
  const redone = await bob.ask<{ activity_id: string }>(undo, { activity_id })
  assert.deepEqual(await recordsIn(await exportOf(world, bob)), await recordsIn(zip))
  await bob.ask(undo, { activity_id: redone.activity_id })
  assert.deepEqual(await recordsIn(await exportOf(world, bob)), empty)
  await importInto(world, bob, zip)
  assert.deepEqual(await recordsIn(await exportOf(world, bob)), await recordsIn(zip))
})

test('exports list custom fields in the order of the member, which an import into an empty network keeps', async () => {
  await using world = await createWorld()
  const ada = await world.join()
  for (const name of ['Ape', 'Bee', 'Cat']) await ada.ask(setCustomFieldTool, { name })
  const custom = { Ape: 'one', Bee: 'two', Cat: 'three' }
  await ada.ask(addConnectionTool, { name: 'Ann Lee', details: { custom } })
  await ada.db.write((tx) => moveCustomField(tx, { fieldId: 3 }, -2))
  const zip = await exportOf(world, ada)
  const archive = await openArchive(zip)
  assert.match(archive['connections.csv'] ?? '', /Custom: Cat.*Custom: Ape.*Custom: Bee/)
  assert.match(archive['connections.vcf'] ?? '', /three[^]*one[^]*two/)
  const [bob, eve] = [await world.join(), await world.join()]
  await eve.ask(setCustomFieldTool, { name: 'Own' })
  const orders = []
  for (const member of [bob, eve]) {
    await importInto(world, member, zip)
    const { custom_fields } = await member.ask<{ custom_fields: { name: string }[] }>(
      getNetworkSummaryTool,
    )
    orders.push(custom_fields.map(({ name }) => name).join(' '))
  }
  assert.deepEqual(orders, ['Cat Ape Bee', 'Ape Bee Cat Own'])
})

test('an undo keeps the custom fields that someone uses or has edited, and people with follow-ups of the member', async () => {
  await using world = await createWorld()
  const ada = await world.join()
  await fill(world, ada)
  const zip = await exportOf(world, ada)
  const bob = await world.join()
  await importInto(world, bob, zip)
  await bob.ask(addConnectionTool, { name: 'Cy', details: { custom: { Tier: 'Silver' } } })
  await bob.ask(setCustomFieldTool, { name: 'Score', rename_to: 'Points' })
  await bob.ask(saveFollowUpTool, { people: 'c_2', text: 'Own', due_on: '2027-01-01' })
  const { left_alone } = await bob.ask<{ left_alone: string[] }>(undo, { activity_id: 'a_1' })
  assert.deepEqual(left_alone, ['c_2 has a new note, contact or follow-up'])
  const { custom_fields } = await bob.ask<{ custom_fields: { name: string }[] }>(
    getNetworkSummaryTool,
  )
  assert.deepEqual(
    custom_fields.map(({ name }) => name),
    ['Points', 'Tier'],
  )
})

test('a redo says which custom fields were defined again in the meantime', async () => {
  await using world = await createWorld()
  const ada = await world.join()
  await fill(world, ada)
  const zip = await exportOf(world, ada)
  const bob = await world.join()
  await importInto(world, bob, zip)
  const { activity_id } = await bob.ask<{ activity_id: string }>(undo, { activity_id: 'a_1' })
  await bob.ask(setCustomFieldTool, { name: 'tier' })
  const { left_alone } = await bob.ask<{ left_alone: string[] }>(undo, { activity_id })
  assert.deepEqual(left_alone, ['the custom field Tier was defined again'])
})

test('profile URLs with letters beyond ASCII, and links as they are, are restored', async () => {
  await using world = await createWorld()
  const [ada, bob] = [await world.join(), await world.join()]
  await ada.ask(addConnectionTool, {
    name: 'José Núñez',
    profile_url: 'https://www.linkedin.com/in/jos%C3%A9-n%C3%BA%C3%B1ez',
    links: ['https://linkedin.com/in/Other', 'https://x.example/é'],
  })
  const urls = async (member: Acting) => {
    const [row] = await rowsOf(world, member, 'connections')
    return [row?.['profile_url'], row?.['links']]
  }
  assert.equal((await urls(ada))[0], 'https://www.linkedin.com/in/josé-núñez')
  await importInto(world, bob, await exportOf(world, ada))
  assert.deepEqual(await urls(bob), await urls(ada))
})

test('details of every kind are restored from an archive', onOneEngine, async () => {
  await using world = await createWorld()
  await fc.assert(
    fc.asyncProperty(fc.array(anyDetails, { minLength: 1, maxLength: 6 }), async (all) => {
      const member = await world.join()
      await member.import(
        all.map((details, index) =>
          contact({
            name: `Person ${index}`,
            emails: ['a@x.org', `p${index}@x.org`].slice(index === 0 ? 0 : 1),
            labels: [`* tag ${index}`, 'Starred'],
            ...(details && { details }),
          }),
        ),
      )
      await member.ask(updateConnectionTool, {
        connection_id: 'c_1',
        save_note: undefined,
        title: 'Chief',
      })
      const zip = await exportOf(world, member)
      world.clock.advance(DAY)
      const newcomer = await world.join()
      await importInto(world, newcomer, zip)
      assert.deepEqual(await recordsIn(await exportOf(world, newcomer)), await recordsIn(zip))
      const again = await importInto(world, newcomer, zip)
      assert.deepEqual({ ...again, ...UNCHANGED }, again)
    }),
    { numRuns: 10 },
  )
})

/** Few values, so that people share names, companies and addresses. */
const ALIKE = fc.record({
  name: fc.constantFrom('Ann Lee', 'A. Lee', 'Anna Lee', 'Bo Ek'),
  company: fc.constantFrom('Acme', 'Acme Inc.', undefined),
  title: fc.constantFrom('Pilot', undefined),
  emails: fc.subarray(['ann@x.org', 'lee@x.org', 'info@x.org']),
  phones: fc.subarray(['+1 212 555 0100', '+1 212 555 0101']),
  profile_url: fc.constantFrom('https://www.linkedin.com/in/ann-lee', undefined),
  tags: fc.subarray(['a ::: b', '* starred']),
  note: fc.constantFrom('One', undefined),
})

test('people of an archive remain as many, however alike they are', onOneEngine, async () => {
  await using world = await createWorld()
  await fc.assert(
    fc.asyncProperty(
      fc.array(ALIKE, { minLength: 2, maxLength: 5 }),
      fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { maxLength: 3 }),
      async (people, pairs) => {
        const member = await world.join()
        for (const person of people)
          await member.ask(addConnectionTool, { ...defined(person), allow_duplicate: true })
        for (const [one, other] of pairs)
          if (one !== other && Math.max(one, other) < people.length)
            await member.ask(resolveDuplicatesTool, {
              action: 'different',
              merge_ids: [`c_${one + 1}`, `c_${other + 1}`],
            })
        const zip = await exportOf(world, member)
        const newcomer = await world.join()
        const first = await importInto(world, newcomer, zip)
        assert.equal(first.created, people.length)
        assert.deepEqual(await recordsIn(await exportOf(world, newcomer)), await recordsIn(zip))
        for (const one of [newcomer, member]) {
          const again = await importInto(world, one, zip)
          assert.deepEqual({ ...again, ...UNCHANGED, unchanged: people.length }, again)
        }
      },
    ),
    { numRuns: runsOf(6) },
  )
})

function defined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

test(
  'an archive of people from the files of many programs loses nothing',
  onOneEngine,
  async () => {
    await using world = await createWorld()
    const [ada, bob] = [await world.join(), await world.join()]
    const long = contact({ name: 'Long Note', note: 'A long line.\n'.repeat(1538).trim() })
    const files = await Promise.all(
      [...OUTSIDE_FILES, ...RECENT_EXPORTS].map(({ text, encoding }) =>
        readWhole(
          typeof text === 'string'
            ? encoding === undefined
              ? Buffer.from(text)
              : encodeText(text, encoding)
            : text,
        ),
      ),
    )
    await ada.import([long], { source: 'vcard', jobId: 1 })
    for (const [index, { contacts, format }] of files.entries())
      await ada.import(contacts, { source: format, jobId: index + 2 })
    world.clock.advance(DAY)
    const zip = await exportOf(world, ada)
    const { people } = (await recordsIn(zip)) as { people: unknown[] }
    assert.ok(people.length > 60, `${people.length}`)
    assert.equal((await importInto(world, bob, zip)).created, people.length)
    assert.deepEqual(await recordsIn(await exportOf(world, bob)), await recordsIn(zip))
  },
)
