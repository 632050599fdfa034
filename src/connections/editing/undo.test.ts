import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  addConnectionTool,
  getConnectionTool,
  updateConnectionTool,
  type WholeDetails,
} from '../../../test/fixtures/one-person.ts'
import { TEST_NOW } from '../../../test/support/store.ts'
import { DAY } from '../../base/clock.ts'
import { memberStatement } from '../../db/statement.ts'
import { sweepJobs } from '../../jobs/sweep-jobs.ts'
import { recordChange } from '../../tools/activity.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { resolveDuplicatesTool } from '../duplicates/resolve-duplicates.tool.ts'
import { anyDetails, withoutUndefined } from '../../../test/fixtures/details.ts'
import {
  contact,
  createWorld,
  rowsOf,
  withClear,
  type Acting,
  type World,
} from '../../../test/fixtures/network.ts'
import { noteUndoer } from '../told-contacts/log-told-contacts.ts'
import { restoreConnectionsTool } from '../deletion/restore-connections.tool.ts'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'
import { runsOf } from '../../../test/support/engine-options.ts'
import { saveFollowUpTool } from '../follow-ups/save-follow-up.tool.ts'
import { peopleUndoer } from '../undo/undo-connections.ts'
import { importUndoer } from '../../imports/undo-import.ts'
import type { ImportedContact, ImportFormat } from '../../contact-files/contact/contact.ts'
import type { PageOfConnections } from '../search/connection-page.ts'

const undo = undoTool({ undoers: [peopleUndoer, importUndoer, noteUndoer] })

interface Undone {
  readonly activity_id: string
  readonly undone: readonly { readonly activity_id: string; readonly action: string }[]
  readonly left_alone?: readonly string[]
  readonly left_alone_count?: number
}

/** An import as the job does it, with its entry in the activity log. */
async function importFile(
  member: Acting,
  number: number,
  contacts: readonly Partial<ImportedContact>[],
  source: ImportFormat = 'linkedin',
): Promise<string[]> {
  // Job IDs are unique across members.
  const jobId = 1000 * member.db.memberId + number
  await member.db.write((tx) => tx.run(ADD_JOB, { job_id: jobId }))
  const results = await member.import(contacts, { source, jobId, batch: 3 })
  const change = {
    action: 'connections.import' as const,
    subjectKind: 'job',
    subjectId: `${jobId}`,
    before: null,
    after: { rows: contacts.length },
  }
  const by = { credentialId: member.caller.credential.id, actor: 'import', now: 0 }
  await member.db.write((tx) => recordChange(tx, by, change))
  return results
}

const ADD_JOB = memberStatement<{ job_id: number }>()(`
  insert into jobs (job_id, member_id, kind, state, input, created_at, finished_at, expires_at)
  values (:job_id, :member_id, 'file_import', 'succeeded', '{}', 0, 0, ${TEST_NOW + 90 * DAY})`)

test('an import cannot be undone once its job has expired, not even in part', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await importFile(member, 1, [{ name: 'Ann' }, { name: 'Bo' }])
  world.clock.advance(90 * DAY)
  const late = await member.refused(undo, { activity_id: 'a_1' })
  assert.deepEqual([late.code, /90 days/.test(late.hint ?? '')], ['conflict', true])
  assert.equal(await sweepJobs(world.database, world.clock.now()), 1)
  const later = await member.refused(undo, { activity_id: 'a_1' })
  assert.equal(later.message, late.message)
  assert.equal((await rowsOf(world, member, 'import_changes')).length, 0)
  const { connections } = await member.ask<PageOfConnections>(searchConnectionsTool)
  assert.equal(connections.length, 2)
})

/** The visible state of a network, without versions and timestamps. */
async function seen(world: World, member: Acting): Promise<object> {
  const { connections } = await member.ask<PageOfConnections>(searchConnectionsTool, { limit: 50 })
  const whole = []
  for (const { connection_id } of connections) {
    const one = await member.ask<Partial<WholeDetails>>(getConnectionTool, { connection_id })
    delete one.version
    delete one.updated_at
    whole.push(one)
  }
  const found: Record<string, string[]> = {}
  for (const query of ['ann', 'acme', 'boss', 'friends', 'bees']) {
    const search = { query, mode: 'keyword', limit: 50 }
    const page = await member.ask<PageOfConnections>(searchConnectionsTool, search)
    found[query] = page.connections.map(({ connection_id }) => connection_id)
  }
  const sources = (await rowsOf(world, member, 'connections'))
    .filter(({ deleted_at }) => deleted_at === null)
    .map(({ connection_id, source, field_sources, import_job_id, details, job_ended_on }) => ({
      connection_id,
      source,
      field_sources: sorted(String(field_sources)),
      import_job_id,
      details: JSON.parse(String(details)) as object,
      job_ended_on,
    }))
  return { whole, found, sources }
}

function sorted(json: string): object {
  const entries = Object.entries(JSON.parse(json) as Record<string, string>)
  return entries.map((entry) => entry.join(' ')).sort()
}

const some = <T>(...values: T[]) => fc.constantFrom(...values)
const few = (values: string[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 })

const person = fc
  .record({
    name: some('Ann Lee', 'ANN LÉE', 'Bo', 'Cy Day'),
    company: some(null, 'Acme', 'Bolt'),
    title: some(null, 'Boss', 'Chief'),
    emails: few(['a@x.org', 'b@x.org', 'c@x.org']),
    phones: few(['+1', '+2']),
    profileUrl: some(
      null,
      null,
      'https://www.linkedin.com/in/ann',
      'https://www.linkedin.com/in/bo',
    ),
    links: few(['https://a.org', 'https://b.org']),
    note: some(null, 'likes bees'),
    labels: few(['Friends', 'friends', 'C++']),
    details: anyDetails,
  })
  .map(withoutUndefined)
const which = fc.nat(6)

/** A write, chosen from the current state. */
const write = fc.oneof(
  fc.record({ kind: some('add' as const), person }),
  fc.record({
    kind: some('update' as const),
    which,
    input: fc.record(
      {
        name: some('Ann B. Lee', 'Bo'),
        company: some(null, 'Bolt', 'Typed'),
        title: some(null, 'Typed'),
        add_emails: some(['b@x.org'], ['typed@x.org']),
        remove_emails: some(['a@x.org']),
        add_tags: some(['Friends'], ['Typed']),
        remove_tags: some(['friends']),
        note: some('typed bees'),
      },
      { requiredKeys: ['title'] },
    ),
  }),
  fc.record({
    kind: some('import' as const),
    source: some<ImportFormat>('linkedin', 'google'),
    people: fc.array(person, { minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    kind: some('delete' as const),
    which: fc.array(which, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: some('restore' as const),
    which: fc.array(which, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: some('note' as const), which }),
  fc.record({
    kind: some('merge' as const),
    which: fc.uniqueArray(which, { minLength: 2, maxLength: 3 }),
  }),
  fc.record({ kind: some('undo' as const) }),
)
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never

/** Tries a write. A write that is invalid in the current state is rejected and changes nothing. */
async function doWrite(member: Acting, one: Write, turn: number): Promise<void> {
  const id = (number: number) => `c_${number + 1}`
  switch (one.kind) {
    case 'add': {
      const { profileUrl, labels, note, company, title, details: _details, ...rest } = one.person
      await member.call(addConnectionTool, {
        ...rest,
        ...(company !== null && { company }),
        ...(title !== null && { title }),
        ...(profileUrl !== null && { profile_url: profileUrl }),
        ...(note !== null && { note }),
        tags: labels,
        allow_duplicate: true,
      })
      return
    }
    case 'update':
      await member.call(updateConnectionTool, {
        connection_id: id(one.which),
        ...withClear(one.input),
      })
      return
    case 'import':
      await importFile(member, turn + 1, one.people, one.source)
      return
    case 'delete':
      await member.call(deleteConnectionsTool, { people: one.which.map(id) })
      return
    case 'restore':
      await member.call(restoreConnectionsTool, { people: one.which.map(id) })
      return
    case 'note':
      await member.call(saveNoteTool, { people: id(one.which), text: 'noted bees' })
      return
    case 'merge': {
      const [keep = 0, ...others] = one.which
      await member.call(resolveDuplicatesTool, {
        action: 'merge',
        keep_id: id(keep),
        merge_ids: others.map(id),
      })
      return
    }
    case 'undo':
      await member.call(undo)
  }
}

async function lastActivity(world: World, member: Acting): Promise<number> {
  return (await rowsOf(world, member, 'activity')).length
}

test('undoing any writes in reverse order restores every earlier state', async () => {
  await using world = await createWorld()
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { minLength: 1, maxLength: 4 }),
      fc.array(write, { minLength: 1, maxLength: 7 }),
      async (first, writes) => {
        const member = await world.join()
        await member.import(first.map(contact), { jobId: 0 })
        const states: [activityId: number, state: object][] = []
        for (const [turn, one] of writes.entries()) {
          const state = await seen(world, member)
          const before = await lastActivity(world, member)
          await doWrite(member, one, turn)
          const after = await lastActivity(world, member)
          assert.ok(after - before <= 1)
          if (after > before) states.push([after, state])
          else assert.deepEqual(await seen(world, member), state)
        }
        const end = await seen(world, member)
        const undos: string[] = []
        for (const [activityId, state] of states.toReversed()) {
          const undone = await member.ask<Undone>(undo, { activity_id: `a_${activityId}` })
          assert.deepEqual(undone.left_alone ?? [], [])
          assert.deepEqual(await seen(world, member), state)
          undos.push(undone.activity_id)
        }
        for (const activity_id of undos.toReversed()) await member.ask(undo, { activity_id })
        assert.deepEqual(await seen(world, member), end)
      },
    ),
    { numRuns: runsOf(15) },
  )
})

test('after undoing everything, imports behave as if nothing had happened', async () => {
  await using world = await createWorld()
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { minLength: 1, maxLength: 4 }),
      fc.array(write, { minLength: 1, maxLength: 7 }),
      fc.array(person, { minLength: 1, maxLength: 4 }),
      async (first, writes, last) => {
        const [member, twin] = [await world.join(), await world.join()]
        for (const one of [member, twin]) await one.import(first.map(contact), { jobId: 0 })
        for (const [turn, one] of writes.entries()) await doWrite(member, one, turn)
        while ((await member.call(undo)).ok);
        const files = [
          ...writes.flatMap((one) => (one.kind === 'import' ? [one.people] : [])),
          last,
        ].entries()
        for (const [index, people] of files) {
          const results = await importFile(member, 100 + index, people)
          assert.deepEqual(results, await importFile(twin, 100 + index, people))
        }
        assert.deepEqual(await namedIn(world, member), await namedIn(world, twin))
      },
    ),
    { numRuns: runsOf(12) },
  )
})

/** The visible state of a network, without IDs. */
async function namedIn(world: World, member: Acting): Promise<string[]> {
  const { whole } = (await seen(world, member)) as { whole: object[] }
  return whole
    .map((one) => JSON.stringify(one).replace(/"(connection|note)_id":"._\d+",?/g, ''))
    .sort()
}

async function get(member: Acting, connection_id: string): Promise<WholeDetails> {
  return member.ask<WholeDetails>(getConnectionTool, { connection_id })
}

test('without an ID it undoes one change after another, latest first, and reports each', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ann Lee' })
  await member.ask(updateConnectionTool, { connection_id: 'c_1', title: 'Boss' })
  const first = await member.ask<Undone>(undo)
  assert.deepEqual(first, {
    activity_id: 'a_3',
    undone: [
      {
        activity_id: 'a_2',
        action: 'connection.update',
        subject_id: 'c_1',
        names: ['Ann Lee'],
        actor: 'test',
        at: new Date(world.clock.now()).toISOString(),
      },
    ],
  })
  const second = await member.ask<Undone>(undo)
  assert.equal(second.undone[0]?.activity_id, 'a_1')
  assert.equal((await member.refused(undo)).code, 'not_found')
  const [, , third] = await rowsOf(world, member, 'activity')
  assert.partialDeepStrictEqual(third, { action: 'undo', undoes: 2, subject_id: 'c_1' })
})

test('a redo cannot be undone while its change is undone, and a change can be undone again', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ann Lee' })
  const revert = async (activity_id: string) =>
    (await member.ask<Undone>(undo, { activity_id })).activity_id
  const first = await revert('a_1')
  const redo = await revert(first)
  const last = await revert('a_1')
  const again = await member.refused(undo, { activity_id: redo })
  assert.deepEqual(
    [again.code, again.message, again.hint],
    ['conflict', `${redo} is already undone.`, `To redo it, undo ${last}.`],
  )
  await revert(first) // has the effect of the last
  assert.equal((await get(member, 'c_1')).name, 'Ann Lee')
})

test('an undo can itself be undone, repeatedly', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ann Lee' })
  await member.ask(updateConnectionTool, { connection_id: 'c_1', title: 'Boss', note: 'bees' })
  let activity_id = 'a_2'
  for (const isDone of [false, true, false, true]) {
    const undone = await member.ask<Undone>(undo, { activity_id })
    const again = await member.refused(undo, { activity_id })
    assert.deepEqual(
      [again.code, again.message, again.hint],
      ['conflict', `${activity_id} is already undone.`, `To redo it, undo ${undone.activity_id}.`],
    )
    activity_id = undone.activity_id
    const { title, notes } = await get(member, 'c_1')
    assert.deepEqual([title, notes.length], isDone ? ['Boss', 1] : [undefined, 0])
  }
})

test('later changes are kept and named in the error', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ann Lee' })
  const connection_id = 'c_1'
  await member.ask(updateConnectionTool, { connection_id, title: 'Boss', company: 'Acme' })
  await member.ask(updateConnectionTool, { connection_id, title: 'Chief', location: 'Rome' })
  const error = await member.refused(undo, { activity_id: 'a_2' })
  assert.deepEqual(
    [error.code, error.message],
    ['conflict', 'This has changed since: c_1 (title). Later change: a_3 by test.'],
  )
  const made = await member.refused(undo, { activity_id: 'a_1' })
  assert.match(made.message, /c_1 \(company, title, location, organizations\)/)
  await member.ask(undo, { activity_id: 'a_3' })
  await member.ask(undo, { activity_id: 'a_2' })
  await member.ask(updateConnectionTool, { connection_id, location: 'Oslo' })
  await member.ask(updateConnectionTool, { connection_id, title: 'Clerk' })
  // A later change of another field is kept.
  await member.ask(undo, { activity_id: 'a_6' })
  const { title, location } = await get(member, connection_id)
  assert.deepEqual([title, location], ['Clerk', undefined])
})

test('a connection with later notes, follow-ups or merges is not removed by undo', async () => {
  await using world = await createWorld()
  const member = await world.join()
  for (const name of ['Ann', 'Bo', 'Cy']) await member.ask(addConnectionTool, { name })
  await member.ask(saveNoteTool, { people: 'c_1', text: 'bees' })
  const followUp = { people: 'c_2', text: 'call', due_on: '2027-01-01' }
  await member.ask(saveFollowUpTool, followUp)
  await member.ask(addConnectionTool, { name: 'Cy', company: 'Acme', allow_duplicate: true })
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id: 'c_4', merge_ids: ['c_3'] })
  const whys = ['notes', 'follow_ups', 'deleted', 'merged connections']
  for (const [index, activityId] of [1, 2, 3, 6].entries()) {
    const error = await member.refused(undo, { activity_id: `a_${activityId}` })
    assert.ok(error.message.includes(whys[index] ?? ''), error.message)
  }
})

test('an undone connection is not restored when the same person was added again', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const ann = { name: 'Ann Lee', emails: ['a@x.org'] }
  await member.ask(addConnectionTool, ann)
  const { activity_id } = await member.ask<Undone>(undo)
  const { created } = await member.ask<{ created: boolean }>(addConnectionTool, ann)
  assert.equal(created, true)
  const error = await member.refused(undo, { activity_id })
  assert.match(error.message, /the same person was added as c_2/)
})

test('an import is undone row by row; connections changed since are skipped and reported', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import([{ name: 'Old', emails: ['old@x.org'], title: 'Clerk' }], { jobId: 1 })
  const file = [
    { name: 'Old', emails: ['old@x.org'], title: 'Boss', company: 'Acme', note: 'bees' },
    ...['Ann', 'Bo', 'Cy', 'Di', 'Ed'].map((name) => ({ name })),
  ]
  await importFile(member, 2, file)
  await member.ask(updateConnectionTool, { connection_id: 'c_1', company: 'Typed' })
  await member.ask(updateConnectionTool, { connection_id: 'c_2', title: 'Typed' })
  await member.ask(saveNoteTool, { people: 'c_3', text: 'typed' })
  await member.ask(deleteConnectionsTool, { people: ['c_4'] })
  await importFile(member, 3, [{ name: 'Di', title: 'Newer' }])
  const undone = await member.ask<Undone>(undo, { activity_id: 'a_1' })
  assert.deepEqual(
    [undone.left_alone, undone.left_alone_count],
    [
      [
        'c_2 was edited manually',
        'c_3 has a new note, contact or follow-up',
        'c_5 was changed by a later import',
      ],
      3,
    ],
  )
  const { connections } = await member.ask<PageOfConnections>(searchConnectionsTool)
  assert.deepEqual(
    connections.map(({ name, title, company }) => [name, title, company]),
    [
      ['Ann', 'Typed', undefined],
      ['Bo', undefined, undefined],
      ['Di', 'Newer', undefined],
      ['Old', undefined, 'Typed'],
    ],
  )
  assert.deepEqual((await get(member, 'c_1')).notes, [])
  const again = await importFile(member, 4, file)
  assert.deepEqual(again, ['updated', 'unchanged', 'unchanged', 'skipped', 'unchanged', 'created'])
})

test('a member cannot undo another member’s changes', async () => {
  await using world = await createWorld()
  const [member, stranger] = [await world.join(), await world.join()]
  await member.ask(addConnectionTool, { name: 'Ann Lee' })
  assert.equal((await stranger.refused(undo, { activity_id: 'a_1' })).code, 'not_found')
  assert.equal((await stranger.refused(undo)).code, 'not_found')
  assert.equal((await get(member, 'c_1')).name, 'Ann Lee')
})
