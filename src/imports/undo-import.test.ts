import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool, updateConnectionTool } from '../../test/fixtures/one-person.ts'
import { DAY } from '../base/clock.ts'
import { createLog } from '../base/log.ts'
import { startJob } from '../jobs/start-job.ts'
import { JobWorker } from '../jobs/worker.ts'
import { findChange } from '../tools/activity-log/read-activity.ts'
import { undoTool, undoTurns } from '../tools/undo/undo.tool.ts'
import { prepareUndo } from '../tools/undo/undo-change.ts'
import { resolveDuplicatesTool } from '../connections/duplicates/resolve-duplicates.tool.ts'
import { peopleUndoer } from '../connections/undo/undo-connections.ts'
import { createWorld, rowsOf, type Acting, type World } from '../../test/fixtures/network.ts'
import { TEST_ENGINE } from '../../test/support/store.ts'
import { fileImportJob } from './file-import.job.ts'
import { importUndoer } from './undo-import.ts'
import type { RequestError } from '../base/request-error.ts'
import type { Undoer } from '../tools/undo.ts'

const undoers = [importUndoer]
const undo = undoTool({ undoers })

/** More than one batch. */
const ROWS = 450

function people(title: string): string {
  const rows = Array.from(
    { length: ROWS },
    (_, index) =>
      `Ann${index},Lee,https://www.linkedin.com/in/ann-${index},,Acme,${title},01 Jan 2024`,
  )
  return `First Name,Last Name,URL,Email Address,Company,Position,Connected On\n${rows.join('\n')}\n`
}

async function importFile(world: World, { db }: Acting, content: string): Promise<void> {
  const { database, clock } = world
  const definition = fileImportJob
  const how = { definition, credentialId: null, charge: false, quota: 0, now: clock.now() }
  const { job } = await db.write((tx) => startJob(tx, { ...how, input: { content } }))
  const jobs = [fileImportJob]
  await using worker = new JobWorker({ database, jobs, clock, log: createLog('silent') })
  assert.equal((await worker.runToEnd(db.memberId, job.job_id)).state, 'succeeded')
}

/** How many connections have each title; deleted ones are not counted. */
async function titlesOf(world: World, member: Acting): Promise<Record<string, number>> {
  const rows = await rowsOf(world, member, 'connections')
  const present = rows.filter((row) => row['deleted_at'] === null)
  const groups = Map.groupBy(present, (row) => String(row['title']))
  return Object.fromEntries([...groups].map(([title, group]) => [title, group.length]))
}

test('other members write while a large import is undone', async () => {
  await using world = await createWorld()
  const [member, other] = [await world.join(), await world.join()]
  await importFile(world, member, people('Engineer'))
  const ended = { yet: false }
  const undoing = member.ask(undo, { activity_id: 'a_1' }).finally(() => (ended.yet = true))
  let written = 0
  for (; !ended.yet; written += 1)
    await other.ask(addConnectionTool, { name: `Someone ${written}` })
  await undoing
  // One before the undo starts, one after it ends, and the others in between. On PostgreSQL, they wait for nothing but the
  // server, which other tests keep busy, so there it is enough that both succeed.
  if (TEST_ENGINE === 'sqlite') assert.ok(written >= 4, `${written} writes`)
  assert.deepEqual(await titlesOf(world, member), {})
})

test('each member undoes one change at a time, and few calls may wait', async () => {
  await using world = await createWorld()
  const [member, other] = [await world.join(), await world.join()]
  await importFile(world, member, people('Engineer'))
  await other.ask(addConnectionTool, { name: 'Bea' })
  const tool = undoTool({
    undoers: [importUndoer, peopleUndoer],
    turns: undoTurns(2),
  })
  const calls = Array.from({ length: 5 }, () => member.call(tool, { activity_id: 'a_1' }))
  const others = other.ask(tool, {})
  const errors = (await Promise.allSettled(calls)).map((ended) => {
    if (ended.status === 'rejected') return (ended.reason as RequestError).code
    return ended.value.ok ? 'undone' : ended.value.error.code
  })
  assert.deepEqual(errors, ['undone', 'conflict', 'conflict', 'rate_limited', 'rate_limited'])
  await others
  assert.deepEqual(await titlesOf(world, member), {})
})

/** Fails in the middle of an undo, as if the process had ended. */
const interrupted: Undoer = {
  ...importUndoer,
  prepare: (call, change) => {
    let slices = 0
    return (
      importUndoer.prepare?.(
        {
          ...call,
          write: async (work) => {
            slices += 1
            if (slices > 2) throw new Error('interrupted')
            return call.write(work)
          },
        },
        change,
      ) ?? assert.fail('undoing an import uses several transactions')
    )
  },
}

async function interruptUndo({ db }: Acting, activityId: number, now: number): Promise<void> {
  await assert.rejects(prepareUndo({ db, now }, [interrupted], { activityId }), /interrupted/)
}

test('repeating an interrupted undo or redo of added connections finishes it', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await importFile(world, member, people('Engineer'))
  const before = await rowsOf(world, member, 'connection_keys')
  await interruptUndo(member, 1, world.clock.now())
  assert.deepEqual(await titlesOf(world, member), { Engineer: 250 })
  assert.equal(await findChange(member.db, 2), undefined)
  assert.deepEqual(await leftAlone(member, 'a_1'), [])
  assert.deepEqual(await titlesOf(world, member), {})
  await interruptUndo(member, 2, world.clock.now())
  assert.deepEqual(await titlesOf(world, member), { Engineer: 200 })
  assert.deepEqual(await leftAlone(member, 'a_2'), [])
  assert.deepEqual(await titlesOf(world, member), { Engineer: ROWS })
  assert.deepEqual(await rowsOf(world, member, 'connection_keys'), before)
})

test('repeating an interrupted undo or redo of updates finishes it', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await importFile(world, member, people('Engineer'))
  const engineers = await rowsOf(world, member, 'connection_keys')
  await importFile(world, member, people('Director'))
  const directors = await rowsOf(world, member, 'connection_keys')
  assert.deepEqual(await titlesOf(world, member), { Director: ROWS })
  await interruptUndo(member, 2, world.clock.now())
  assert.deepEqual(await titlesOf(world, member), { Engineer: 200, Director: 250 })
  assert.deepEqual(await leftAlone(member, 'a_2'), [])
  assert.deepEqual(await titlesOf(world, member), { Engineer: ROWS })
  assert.deepEqual(await rowsOf(world, member, 'connection_keys'), engineers)
  await interruptUndo(member, 3, world.clock.now())
  assert.deepEqual(await titlesOf(world, member), { Director: 200, Engineer: 250 })
  assert.deepEqual(await leftAlone(member, 'a_3'), [])
  assert.deepEqual(await titlesOf(world, member), { Director: ROWS })
  assert.deepEqual(await rowsOf(world, member, 'connection_keys'), directors)
})

/** Undoes a change; returns what was not undone. */
async function leftAlone(member: Acting, activityId: string): Promise<readonly string[]> {
  const input = { activity_id: activityId }
  const { left_alone = [] } = await member.ask<{ left_alone?: string[] }>(undo, input)
  return left_alone
}

test('an undo keeps a person that was edited after the clock was set back', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const header = 'First Name,Last Name,Job Title,Email Address'
  const rows = ['Ann,Lee,Clerk,ann@example.org', 'Ben,Lee,Clerk,ben@example.org']
  await importFile(world, member, [header, ...rows, ''].join('\n'))
  world.clock.advance(-DAY)
  await member.ask(updateConnectionTool, { connection_id: 'c_1', title: 'Boss' })
  assert.deepEqual(await leftAlone(member, 'a_1'), ['c_1 was edited manually'])
  assert.deepEqual(await titlesOf(world, member), { Boss: 1 })
})

test('an undo stops at its next batch if another one finishes first', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await importFile(world, member, people('Engineer'))
  const outcomes = await Promise.all([1, 2].map(() => member.call(undo, { activity_id: 'a_1' })))
  assert.equal(outcomes.filter(({ ok }) => ok).length, 1)
  assert.deepEqual(await titlesOf(world, member), {})
  assert.deepEqual(await leftAlone(member, 'a_2'), [])
  assert.deepEqual(await titlesOf(world, member), { Engineer: ROWS })
})

test('undoing an import also removes a row that was split off', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const rows = ['J.,Smith,Clerk,j.smith@x.example', 'Julia,Smith,Boss,j.smith@x.example']
  const header = 'First Name,Last Name,Job Title,Email Address'
  await importFile(world, member, [header, ...rows, ''].join('\n'))
  assert.deepEqual(await titlesOf(world, member), { Clerk: 1 })
  await member.ask(resolveDuplicatesTool, { action: 'split', keep_id: 'c_1' })
  assert.deepEqual(await titlesOf(world, member), { Clerk: 1, Boss: 1 })
  const result = await member.ask<{ skipped?: readonly string[] }>(undo, { activity_id: 'a_1' })
  assert.deepEqual([result.skipped ?? [], await titlesOf(world, member)], [[], {}])
})
