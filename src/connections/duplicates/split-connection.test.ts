import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addConnectionTool,
  updateConnectionTool,
  getConnectionTool,
  askOne,
  type WholeDetails,
} from '../../../test/fixtures/one-person.ts'
import { memberStatement } from '../../db/statement.ts'
import { openSharedWorld, rowsOf, type Acting } from '../../../test/fixtures/network.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { saveFollowUpTool } from '../follow-ups/save-follow-up.tool.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { findDuplicatesTool } from './find-duplicates.tool.ts'
import { resolveDuplicatesTool } from './resolve-duplicates.tool.ts'
import { splitUndoer } from './split-changes.ts'

const undo = undoTool({ undoers: [splitUndoer] })

interface SplitAnswer {
  readonly activity_id: string
  readonly other: { readonly connection_id: string }
}

function get(member: Acting, connection_id: string): Promise<WholeDetails> {
  return member.ask<WholeDetails>(getConnectionTool, { connection_id })
}

test('a merged connection is restored with its data, and later edits are kept', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ann Lee', emails: ['ann@x.org'], tags: ['own'] })
  await member.ask(addConnectionTool, {
    name: 'Anna Li',
    title: 'Boss',
    emails: ['anna@x.org'],
    tags: ['theirs'],
    note: 'likes bees',
  })
  const followUp = { people: 'c_2', text: 'bring honey', due_on: '2027-01-01' }
  await member.ask(saveFollowUpTool, followUp)
  const followedUp = async () =>
    (await rowsOf(world, member, 'follow_ups')).map((row) => row['connection_id'])
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id: 'c_1', merge_ids: ['c_2'] })
  assert.deepEqual(await followedUp(), [1])
  await member.ask(updateConnectionTool, { connection_id: 'c_1', location: 'Rome' })
  await member.ask(saveNoteTool, { people: 'c_1', text: 'later' })
  const { activity_id } = await askOne<SplitAnswer>(member, resolveDuplicatesTool, {
    action: 'split',
    keep_id: 'c_1',
  })
  assert.deepEqual(await followedUp(), [2])
  const [ann, anna] = [await get(member, 'c_1'), await get(member, 'c_2')]
  assert.deepEqual(
    [ann.title, ann.emails, ann.tags, ann.location, ann.notes.map(({ text }) => text)],
    [undefined, ['ann@x.org'], ['own'], 'Rome', ['later']],
  )
  assert.deepEqual(
    [anna.title, anna.emails, anna.tags, anna.notes.map(({ text }) => text)],
    ['Boss', ['anna@x.org'], ['theirs'], ['likes bees']],
  )
  assert.equal((await member.ask<{ total: number }>(findDuplicatesTool)).total, 0)
  await member.ask(undo, { activity_id })
  const again = await get(member, 'c_1')
  assert.deepEqual([again.title, again.emails], ['Boss', ['ann@x.org', 'anna@x.org']])
})

test('a contact that an import merged becomes a separate connection, and stays separate', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const shared = { emails: ['ann.lee@x.org'] }
  await member.import([{ name: 'Ann Lee', title: 'Clerk', ...shared }], {
    jobId: await jobOf(member, 1),
  })
  const file = [
    {
      name: 'Ann B. Lee',
      title: 'Boss',
      phones: ['+1 212 555 0100'],
      ...shared,
      labels: ['VIP'],
      note: 'met',
    },
  ]
  const jobId = await jobOf(member, 2)
  assert.deepEqual(await member.import(file, { jobId }), ['job_changed'])
  const { activity_id, other } = await askOne<SplitAnswer>(member, resolveDuplicatesTool, {
    action: 'split',
    keep_id: 'c_1',
  })
  const [ann, split] = [await get(member, 'c_1'), await get(member, other.connection_id)]
  assert.deepEqual(
    [ann.name, ann.title, ann.emails, ann.phones, ann.tags, ann.notes],
    ['Ann Lee', 'Clerk', shared.emails, [], [], []],
  )
  assert.deepEqual(
    [split.name, split.title, split.phones, split.tags, split.notes.length],
    ['Ann B. Lee', 'Boss', ['+1 212 555 0100'], ['VIP'], 1],
  )
  assert.deepEqual(await member.import(file, { jobId: await jobOf(member, 3) }), ['unchanged'])
  assert.equal((await rowsOf(world, member, 'connections')).length, 2)
  await member.ask(undo, { activity_id })
  assert.deepEqual((await get(member, 'c_1')).title, 'Boss')
})

test('a row that was merged into an earlier one of its file is split off with its own values', async () => {
  for (const batch of [2, 1]) {
    await using world = await openSharedWorld()
    const member = await world.join()
    const shared = { emails: ['j.smith@x.org'] }
    const file = [
      { name: 'J. Smith', givenName: 'J.', familyName: 'Smith', title: 'Clerk', ...shared },
      {
        name: 'Julia Smith',
        givenName: 'Julia',
        familyName: 'Smith',
        title: 'Boss',
        company: 'Acme',
        phones: ['+1 212 555 0100'],
        labels: ['VIP'],
        note: 'met',
        ...shared,
      },
    ]
    const jobId = await jobOf(member, 10 * batch)
    assert.deepEqual(await member.import(file, { jobId, batch }), ['created', 'updated'])
    const merged = await get(member, 'c_1')
    assert.deepEqual([merged.name, merged.title, merged.company], ['Julia Smith', 'Clerk', 'Acme'])
    const { activity_id, other } = await askOne<SplitAnswer>(member, resolveDuplicatesTool, {
      action: 'split',
      keep_id: 'c_1',
    })
    const [first, second] = [await get(member, 'c_1'), await get(member, other.connection_id)]
    assert.deepEqual(
      [first.name, first.title, first.company, first.phones, first.tags, first.notes],
      ['J. Smith', 'Clerk', undefined, [], [], []],
    )
    assert.deepEqual(
      [second.name, second.title, second.company, second.phones, second.tags, second.notes.length],
      ['Julia Smith', 'Boss', 'Acme', ['+1 212 555 0100'], ['VIP'], 1],
    )
    const again = await jobOf(member, 10 * batch + 1)
    assert.deepEqual(await member.import(file, { jobId: again }), ['unchanged', 'unchanged'])
    const error = await member.refused(resolveDuplicatesTool, { action: 'split', keep_id: 'c_1' })
    assert.equal(error.code, 'conflict')
    await member.ask(undo, { activity_id })
    assert.equal((await get(member, 'c_1')).name, 'Julia Smith')
  }
})

test('rows that an import merged into a known person are split off one by one, the last first', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const shared = { emails: ['ann.lee@x.org'] }
  await member.import([{ name: 'Ann Lee', title: 'Clerk', ...shared }], {
    jobId: await jobOf(member, 31),
  })
  const file = [
    { name: 'Ann B. Lee', title: 'Boss', labels: ['one'], ...shared },
    { name: 'Ann Lee', title: 'Chief', location: 'Rome', labels: ['two'], ...shared },
  ]
  await member.import(file, { jobId: await jobOf(member, 32), batch: 1 })
  const split = async () => {
    const { other } = await askOne<SplitAnswer>(member, resolveDuplicatesTool, {
      action: 'split',
      keep_id: 'c_1',
    })
    return get(member, other.connection_id)
  }
  const [second, first] = [await split(), await split()]
  const ann = await get(member, 'c_1')
  assert.deepEqual(
    [second, first, ann].map(({ name, title, location, tags }) => [name, title, location, tags]),
    [
      ['Ann Lee', 'Chief', 'Rome', ['two']],
      ['Ann B. Lee', 'Boss', undefined, ['one']],
      ['Ann Lee', 'Clerk', undefined, []],
    ],
  )
})

test('a row that is split off keeps the tags that an earlier row of its file also has', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const shared = { name: 'Ann Lee', emails: ['ann.lee@x.org'] }
  const file = [
    { ...shared, title: 'Clerk', labels: ['Bees'] },
    { ...shared, title: 'Boss', labels: ['bees', 'Rome'] },
  ]
  await member.import(file, { jobId: await jobOf(member, 41) })
  const { other, activity_id } = await askOne<SplitAnswer>(member, resolveDuplicatesTool, {
    action: 'split',
    keep_id: 'c_1',
  })
  const [ann, split] = [await get(member, 'c_1'), await get(member, other.connection_id)]
  assert.deepEqual([ann.tags, split.tags], [['Bees'], ['Bees', 'Rome']])
  await member.ask(undo, { activity_id })
  assert.deepEqual((await get(member, 'c_1')).tags, ['Bees', 'Rome'])
})

test('a connection without merged people cannot be split', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ann Lee' })
  const error = await member.refused(resolveDuplicatesTool, { action: 'split', keep_id: 'c_1' })
  assert.equal(error.code, 'conflict')
})

/** A finished import job with this ID. */
async function jobOf({ db }: Acting, job_id: number): Promise<number> {
  await db.write((tx) => tx.run(ADD_JOB, { job_id }))
  return job_id
}

const ADD_JOB = memberStatement<{ job_id: number }>()(`
  insert into jobs (job_id, member_id, kind, state, input, created_at)
  values (:job_id, :member_id, 'file_import', 'succeeded', '{}', 0)`)

test('relations of a merged person, and of others with them, are moved and split again', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const add = (name: string, relations: string) =>
    member.ask(addConnectionTool, { name, details: [`relations=${relations}`] })
  await add('Ann Lee', '[]')
  await member.ask(addConnectionTool, { name: 'Ben Ray' })
  await add('Anna Li', '[{"name":"Ben Ray","relation":"child","connection_id":"c_2"}]')
  await add('Cy Dee', '[{"name":"Anna Li","relation":"boss","connection_id":"c_3"}]')
  const relationsOf = async (id: string) => {
    const { details } = await get(member, id)
    const { relations = [] } = (details ?? {}) as {
      relations?: readonly { name: string; relation?: string; connection_id?: string }[]
    }
    return relations.map((one) => `${one.relation} ${one.name} ${one.connection_id}`)
  }
  const before = [await relationsOf('c_2'), await relationsOf('c_3'), await relationsOf('c_4')]
  assert.deepEqual(before, [
    ['parent Anna Li c_3'],
    ['child Ben Ray c_2', 'direct report Cy Dee c_4'],
    ['boss Anna Li c_3'],
  ])
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id: 'c_1', merge_ids: ['c_3'] })
  assert.deepEqual(await relationsOf('c_1'), ['child Ben Ray c_2', 'direct report Cy Dee c_4'])
  assert.deepEqual(await relationsOf('c_2'), ['parent Ann Lee c_1'])
  assert.deepEqual(await relationsOf('c_4'), ['boss Ann Lee c_1'])
  await member.ask(resolveDuplicatesTool, { action: 'split', keep_id: 'c_1' })
  assert.deepEqual(await relationsOf('c_1'), [])
  assert.deepEqual(
    [await relationsOf('c_2'), await relationsOf('c_3'), await relationsOf('c_4')],
    before,
  )
})
