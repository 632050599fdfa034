import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addConnectionTool,
  getConnectionTool,
  tagConnectionsTool,
  updateConnectionTool,
  askOne,
} from '../../../test/fixtures/one-person.ts'
import { DAY } from '../../base/clock.ts'
import { createLog } from '../../base/log.ts'
import { startJob } from '../../jobs/start-job.ts'
import { JobWorker } from '../../jobs/worker.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { setCustomFieldTool } from '../custom-fields/set-custom-field.tool.ts'
import { deleteConnectionsTool } from './delete-connections.tool.ts'
import { followUpUndoer } from '../follow-ups/follow-ups.ts'
import { findDuplicatesTool } from '../duplicates/find-duplicates.tool.ts'
import { resolveDuplicatesTool } from '../duplicates/resolve-duplicates.tool.ts'
import { createWorld, rowsOf, type Acting, type World } from '../../../test/fixtures/network.ts'
import { noteUndoer } from '../told-contacts/log-told-contacts.ts'
import { purgeDeletedJob } from './purge-deleted.job.ts'
import { restoreConnectionsTool } from './restore-connections.tool.ts'
import { saveFollowUpTool } from '../follow-ups/save-follow-up.tool.ts'
import { tagUndoer } from '../tags/tag-changes.ts'
import { peopleUndoer } from '../undo/undo-connections.ts'
import { importUndoer } from '../../imports/undo-import.ts'

const undo = undoTool({
  undoers: [peopleUndoer, importUndoer, tagUndoer, noteUndoer, followUpUndoer],
})

/** Runs the job for a member and returns its result. */
async function purge(world: World, { db }: Acting): Promise<unknown> {
  const { database, clock } = world
  const { job } = await db.write((tx) =>
    startJob(tx, {
      definition: purgeDeletedJob,
      input: {},
      credentialId: null,
      charge: true,
      quota: 0,
      now: clock.now(),
    }),
  )
  await using worker = new JobWorker({
    database,
    jobs: [purgeDeletedJob],
    clock,
    log: createLog('silent'),
  })
  const ended = await worker.runToEnd(db.memberId, job.job_id)
  return JSON.parse(ended.result ?? 'null')
}

const SECRET = 'Rumpelstiltskin'

/** Every field of c_1 contains the secret; c_2 does not. */
async function withSecret(member: Acting): Promise<void> {
  await member.import([{ name: SECRET, emails: ['r@x.org'], note: `${SECRET} spins` }])
  await member.ask(addConnectionTool, { name: 'Ann Lee', note: 'stays' })
  const connection_id = 'c_1'
  await member.ask(updateConnectionTool, { connection_id, title: `${SECRET}s title`, note: SECRET })
  await member.ask(tagConnectionsTool, { connection_ids: ['c_1', 'c_2'], add: [`${SECRET}s`] })
  await member.ask(tagConnectionsTool, { connection_ids: ['c_2'], remove: [`${SECRET}s`] })
  await member.ask(saveNoteTool, { people: connection_id, text: `${SECRET} again` })
  const due_on = '2027-01-01'
  await member.ask(saveFollowUpTool, { people: connection_id, text: `ask ${SECRET}`, due_on })
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_1', text: `ask ${SECRET} twice` })
}

test('after thirty days a deleted connection and all its content are removed', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await withSecret(member)
  await member.ask(deleteConnectionsTool, { people: ['c_1'] })
  world.clock.advance(30 * DAY - 1)
  assert.deepEqual(await purge(world, member), { connections: 0, notes: 0, follow_ups: 0 })
  world.clock.advance(1)
  assert.deepEqual(await purge(world, member), { connections: 1, notes: 3, follow_ups: 1 })
  for (const table of [
    'connections',
    'connection_keys',
    'notes',
    'import_changes',
    'follow_ups',
    'activity_connections',
  ] as const)
    for (const row of await rowsOf(world, member, table))
      assert.equal(row['connection_id'], 2, `${table} ${JSON.stringify(row)}`)
  const activity = JSON.stringify(await rowsOf(world, member, 'activity'))
  // The tag also appears in the change of the connection tagged in the same call.
  const others = activity.replaceAll(/\{\\"connection_id\\":\\"c_2\\"[^}]*\}/g, '')
  assert.ok(!others.includes(SECRET), others)
  assert.ok(activity.includes('Ann Lee'))
})

test('changes to a permanently deleted connection cannot be undone', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await withSecret(member)
  const { activity_id } = await askOne<{ activity_id: string }>(member, resolveDuplicatesTool, {
    action: 'merge',
    keep_id: 'c_2',
    merge_ids: ['c_1'],
  })
  world.clock.advance(30 * DAY)
  await purge(world, member)
  const count = (await rowsOf(world, member, 'activity')).length
  assert.equal(activity_id, `a_${count}`)
  for (let id = count; id > 0; id -= 1) {
    const outcome = await member.call(undo, { activity_id: `a_${id}` })
    if (outcome.ok) continue
    assert.equal(outcome.error.code, 'conflict', JSON.stringify(outcome))
  }
  const error = await member.refused(undo, { activity_id })
  assert.match(error.message, /permanently deleted person/)
  const gone = await member.refused(restoreConnectionsTool, { people: ['c_1'] })
  assert.equal(gone.code, 'not_found')
})

test('imports still match merged connections after these are permanently deleted', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const contact = { name: 'Anne Lee', company: 'Acme' }
  await member.import([contact, { name: 'Ann Lee' }, { name: 'A. Lee' }], { jobId: 1 })
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id: 'c_2', merge_ids: ['c_1'] })
  world.clock.advance(DAY)
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id: 'c_3', merge_ids: ['c_2'] })
  for (const days of [29, 1]) {
    world.clock.advance(days * DAY)
    await purge(world, member)
    const newer = { ...contact, links: [`https://x.org/${days}`] }
    assert.deepEqual(await member.import([contact, newer], { jobId: days }), [
      'unchanged',
      'updated',
    ])
  }
  const kept = await member.ask<{ links: string[] }>(getConnectionTool, { connection_id: 'c_3' })
  assert.deepEqual(kept.links, ['https://x.org/29', 'https://x.org/1'])
  assert.equal((await rowsOf(world, member, 'connections')).length, 1)
})

test('imports still match a merged connection after the one that it was merged into is deleted with it', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const contact = { name: 'Anne Lee', company: 'Acme' }
  await member.import([contact, { name: 'Ann Lee' }, { name: 'A. Lee' }], { jobId: 1 })
  const merge = (keep_id: string, one: string) =>
    askOne(member, resolveDuplicatesTool, { action: 'merge', keep_id, merge_ids: [one] })
  await merge('c_2', 'c_1')
  await merge('c_3', 'c_2')
  world.clock.advance(31 * DAY)
  await purge(world, member)
  assert.deepEqual(await member.import([contact], { jobId: 2 }), ['unchanged'])
  assert.equal((await rowsOf(world, member, 'connections')).length, 1)
})

test('people marked as different stay so after a merged connection is permanently deleted', async () => {
  await using world = await createWorld()
  const member = await world.join()
  for (const title of ['CTO', 'CEO', 'CFO', 'COO'])
    await member.ask(addConnectionTool, {
      name: 'Ann Lee',
      company: 'Acme',
      title,
      allow_duplicate: true,
    })
  for (const id of ['c_2', 'c_3'])
    await member.ask(resolveDuplicatesTool, { action: 'different', merge_ids: ['c_1', id] })
  await member.ask(resolveDuplicatesTool, {
    action: 'merge',
    keep_id: 'c_4',
    merge_ids: ['c_2', 'c_3'],
  })
  const find = async () => (await member.ask<{ total: number }>(findDuplicatesTool)).total
  assert.equal(await find(), 0)
  world.clock.advance(30 * DAY)
  await purge(world, member)
  assert.equal(await find(), 0)
  const pairs = await rowsOf(world, member, 'match_reviews')
  assert.partialDeepStrictEqual(pairs, [{ first_id: 1, second_id: 4, state: 'different' }])
})

test('removes more connections than one batch holds, and can run again', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const people = Array.from({ length: 1201 }, (_, index) => ({ name: `Person ${index}` }))
  await member.import(people, { batch: 300 })
  for (let first = 1; first < people.length; first += 200)
    await member.ask(deleteConnectionsTool, {
      people: people.slice(first, first + 200).map((_, index) => `c_${first + index}`),
    })
  world.clock.advance(30 * DAY)
  assert.deepEqual(await purge(world, member), { connections: 1200, notes: 0, follow_ups: 0 })
  assert.deepEqual(await purge(world, member), { connections: 0, notes: 0, follow_ups: 0 })
  assert.equal((await rowsOf(world, member, 'connections')).length, 1)
})

test('a purge of one member leaves other members alone', async () => {
  await using world = await createWorld()
  const [member, other] = [await world.join(), await world.join()]
  for (const one of [member, other]) {
    await withSecret(one)
    await one.ask(deleteConnectionsTool, { people: ['c_1'] })
  }
  world.clock.advance(30 * DAY)
  const before = await rowsOf(world, other, 'activity')
  await purge(world, member)
  assert.deepEqual(await rowsOf(world, other, 'activity'), before)
  assert.equal((await rowsOf(world, other, 'connections')).length, 2)
})

test('a deleted custom field is purged with its values, and others stay', async () => {
  await using world = await createWorld()
  const member = await world.join()
  for (const name of ['Junk', 'Tier']) await member.ask(setCustomFieldTool, { name })
  const details = { nickname: 'Annie', custom: { Junk: SECRET, Tier: 'Gold' } }
  await member.ask(addConnectionTool, { name: 'Ann Lee', details })
  await member.ask(addConnectionTool, { name: 'Bo Day', details: { custom: { Junk: SECRET } } })
  await member.ask(setCustomFieldTool, { name: 'Junk', delete: true })
  const detailsOf = async () =>
    (await rowsOf(world, member, 'connections')).map((row) => JSON.parse(String(row['details'])))
  world.clock.advance(29 * DAY)
  await purge(world, member)
  assert.match(JSON.stringify(await detailsOf()), new RegExp(SECRET))
  world.clock.advance(2 * DAY)
  await purge(world, member)
  assert.deepEqual(await detailsOf(), [{ nickname: 'Annie', custom: { 2: 'Gold' } }, {}])
  assert.equal((await rowsOf(world, member, 'custom_fields')).length, 1)
})
