import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addConnectionTool,
  updateConnectionTool,
  getConnectionTool,
} from '../../test/fixtures/one-person.ts'
import { createLog } from '../base/log.ts'
import { DAY, rfc3339 } from '../base/clock.ts'
import { startJob } from '../jobs/start-job.ts'
import { JobWorker } from '../jobs/worker.ts'
import { listActivityTool } from '../connections/activity/list-activity.tool.ts'
import { undoTool } from '../tools/undo/undo.tool.ts'
import { resolveDuplicatesTool } from '../connections/duplicates/resolve-duplicates.tool.ts'
import { peopleUndoer } from '../connections/undo/undo-connections.ts'
import {
  createWorld,
  openSharedWorld,
  type Acting,
  type World,
} from '../../test/fixtures/network.ts'
import { fileImportJob } from './file-import.job.ts'
import { importUndoer } from './undo-import.ts'
import type { ImportReport } from './import-report.ts'

const undo = undoTool({ undoers: [importUndoer, peopleUndoer] })

interface Entry {
  readonly activity_id: string
  readonly action: string
  readonly undone_by?: string
  readonly changes: readonly { readonly field: string }[]
}

async function activityOf(member: Acting, input: object): Promise<readonly Entry[]> {
  return (await member.ask<{ activity: Entry[] }>(listActivityTool, input)).activity
}

async function sourcesOf(member: Acting, connection_id = 'c_1'): Promise<object> {
  const one = await member.ask<{ field_sources?: object }>(getConnectionTool, { connection_id })
  return one.field_sources ?? {}
}

async function importFile(
  { database, clock }: World,
  { db }: Acting,
  rows: readonly string[],
): Promise<ImportReport> {
  const definition = fileImportJob
  const content = `First Name,Last Name,Email Address,Company,Position\n${rows.join('\n')}\n`
  const how = { definition, credentialId: null, charge: false, quota: 0, now: clock.now() }
  const { job } = await db.write((tx) => startJob(tx, { ...how, input: { content } }))
  const jobs = [fileImportJob]
  await using worker = new JobWorker({ database, jobs, clock, log: createLog('silent') })
  const ended = await worker.runToEnd(db.memberId, job.job_id)
  assert.equal(ended.state, 'succeeded', ended.error ?? '')
  return JSON.parse(ended.result ?? '') as ImportReport
}

test('the activity of a person has the imports that changed the job, with the old and new values', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const cy = 'Cy,Fox,cy@x.org,Bolt,Clerk'
  await importFile(world, member, [
    'Ann,Lee,ann@x.org,Stripe,Engineer',
    'Bo,Day,bo@x.org,Stripe,',
    cy,
  ])
  world.clock.advance(DAY)
  const report = await importFile(world, member, [
    'Ann,Lee,ann@x.org,Acme,Chief',
    'Bo,Day,bo@x.org,Stripe,Boss',
    cy,
  ])
  assert.deepEqual(
    [report.updated, report.job_changes, report.unchanged, report.created],
    [2, 1, 1, 0],
  )
  await member.ask(updateConnectionTool, { connection_id: 'c_1', location: 'Rome' })
  const [edit, job, ...others] = await activityOf(member, { connection_id: 'c_1' })
  assert.deepEqual(
    [edit?.action, job?.action, others.length],
    ['connection.update', 'connections.import', 0],
  )
  assert.deepEqual(job?.changes.slice(0, 2), [
    { field: 'company', before: 'Stripe', after: 'Acme' },
    { field: 'title', before: 'Engineer', after: 'Chief' },
  ])
  assert.partialDeepStrictEqual(job?.changes, [{ field: 'job_changes', after: '1' }])
  // A first title, and no change at all.
  assert.deepEqual(await activityOf(member, { connection_id: 'c_2' }), [])
  assert.deepEqual(await activityOf(member, { connection_id: 'c_3' }), [])
})

test('the imports in the activity of a person are paged, and marked when they are undone', async () => {
  await using world = await createWorld()
  const member = await world.join()
  for (const title of ['Engineer', 'Chief', 'President']) {
    await importFile(world, member, [`Ann,Lee,ann@x.org,Acme,${title}`])
    await member.ask(updateConnectionTool, { connection_id: 'c_1', add_tags: [title] })
    world.clock.advance(DAY)
  }
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await member.ask<{ activity: Entry[]; next_cursor?: string }>(listActivityTool, {
      people: 'c_1',
      limit: 2,
      ...(cursor !== undefined && { cursor }),
    })
    ids.push(...page.activity.map(({ activity_id }) => activity_id))
    cursor = page.next_cursor
  } while (cursor !== undefined)
  // The first import created the person.
  assert.deepEqual(ids, ['a_6', 'a_5', 'a_4', 'a_3', 'a_2'])
  await member.ask(undo, { activity_id: 'a_5' })
  const [reverted, , last] = await activityOf(member, { connection_id: 'c_1' })
  assert.deepEqual(
    [reverted?.activity_id, last?.activity_id, last?.undone_by],
    ['a_7', 'a_5', 'a_7'],
  )
})

test('a field knows its source and when it was set, also after undos', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const ann = { name: 'Ann Lee', emails: ['ann@x.org'], company: 'Acme' }
  await member.import([{ ...ann, title: 'Engineer' }])
  assert.deepEqual(await sourcesOf(member), {})
  world.clock.advance(DAY)
  const second = rfc3339(world.clock.now())
  await member.import([{ ...ann, title: 'Chief', location: 'Rome' }], { jobId: 2 })
  const imported = {
    title: { source: 'linkedin', at: second },
    location: { source: 'linkedin', at: second },
  }
  assert.deepEqual(await sourcesOf(member), imported)
  world.clock.advance(DAY)
  const third = rfc3339(world.clock.now())
  await member.import([{ ...ann, birthday: '1990-05-03' }], { jobId: 3, source: 'google' })
  const filled = { ...imported, birthday: { source: 'google', at: third } }
  assert.deepEqual(await sourcesOf(member), filled)
  world.clock.advance(DAY)
  await member.ask(updateConnectionTool, {
    connection_id: 'c_1',
    title: 'President',
    add_phones: ['+44 20 7946 0123'],
    add_tags: ['x'],
  })
  const typed = { source: 'typed', at: rfc3339(world.clock.now()) }
  assert.deepEqual(await sourcesOf(member), { ...filled, title: typed, phones: typed })
  world.clock.advance(DAY)
  await member.ask(undo)
  assert.deepEqual(await sourcesOf(member), filled)
})

test('undoing and redoing an import restores the times of the fields', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await importFile(world, member, ['Ann,Lee,ann@x.org,Acme,Engineer'])
  world.clock.advance(DAY)
  await importFile(world, member, ['Ann,Lee,ann@x.org,Acme,Chief'])
  const after = await sourcesOf(member)
  assert.deepEqual(after, { title: { source: 'linkedin', at: rfc3339(world.clock.now()) } })
  world.clock.advance(DAY)
  const { activity_id } = await member.ask<{ activity_id: string }>(undo, { activity_id: 'a_2' })
  assert.deepEqual(await sourcesOf(member), {})
  await member.ask(undo, { activity_id })
  assert.deepEqual(await sourcesOf(member), after)
})

test('a merged value keeps its source and time', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ann Lee' })
  await member.import([{ name: 'Ann L.', emails: ['ann@x.org'], company: 'Acme' }])
  world.clock.advance(DAY)
  const at = rfc3339(world.clock.now())
  await member.import([{ name: 'Ann L.', emails: ['ann@x.org'], title: 'Chief' }], { jobId: 2 })
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id: 'c_1', merge_ids: ['c_2'] })
  assert.partialDeepStrictEqual(await sourcesOf(member), {
    title: { source: 'linkedin', at },
    company: { source: 'linkedin' },
  })
  await member.ask(undo)
  assert.deepEqual(await sourcesOf(member), {})
  assert.deepEqual(await sourcesOf(member, 'c_2'), { title: { source: 'linkedin', at } })
})
