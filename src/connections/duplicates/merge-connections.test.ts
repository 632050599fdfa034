import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addConnectionTool,
  getConnectionTool,
  updateConnectionTool,
  askOne,
  type WholeDetails,
} from '../../../test/fixtures/one-person.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { listFollowUpsTool } from '../follow-ups/list-follow-ups.tool.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { resolveDuplicatesTool } from './resolve-duplicates.tool.ts'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'
import { saveFollowUpTool } from '../follow-ups/save-follow-up.tool.ts'
import { peopleUndoer } from '../undo/undo-connections.ts'
import type { PageOfConnections } from '../search/connection-page.ts'
import type { ConnectionSummary } from '../person/connection-schemas.ts'

const undo = undoTool({ undoers: [peopleUndoer] })

interface Merged {
  readonly activity_id: string
  readonly merged: string[]
  readonly filled: string[]
  readonly moved_notes: number
  readonly moved_follow_ups: number
  readonly connection: ConnectionSummary
}

async function add(member: Acting, input: object): Promise<string> {
  const withDuplicate = { ...input, allow_duplicate: true }
  const { connection } = await member.ask<{ connection: WholeDetails }>(
    addConnectionTool,
    withDuplicate,
  )
  return connection.connection_id
}

async function get(member: Acting, connection_id: string): Promise<WholeDetails> {
  return member.ask<WholeDetails>(getConnectionTool, { connection_id })
}

const ANN = {
  name: 'Ann Lee',
  title: 'Boss',
  emails: ['a@x.org'],
  tags: ['Friends'],
  note: 'of the first',
}
const ANNE = {
  name: 'Anne Lee',
  company: 'Acme',
  title: 'Chief',
  emails: ['a@x.org', 'anne@y.org'],
  phones: ['+1 234'],
  profile_url: 'https://www.linkedin.com/in/anne',
  tags: ['friends', 'Chess'],
  note: 'of the second',
}
const A_LEE = {
  name: 'A. Lee',
  company: 'Bolt',
  location: 'Rome',
  profile_url: 'https://www.linkedin.com/in/alee',
}

test('a merge fills empty fields, overwrites nothing, combines lists and moves notes and follow-ups', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const [keep_id, second, third] = [
    await add(member, ANN),
    await add(member, ANNE),
    await add(member, A_LEE),
  ]
  await member.ask(saveFollowUpTool, { people: second, text: 'call', due_on: '2027-01-01' })
  const call = { people: [second], kind: 'call', on: '2026-11-01' }
  await member.ask(logInteractionTool, call)
  const merge = await askOne<Merged>(member, resolveDuplicatesTool, {
    action: 'merge',
    keep_id,
    merge_ids: [second, third],
  })
  const { connection: short, activity_id: _, ...counts } = merge
  assert.deepEqual(counts, {
    merged: [second, third],
    filled: ['company', 'location', 'profile_url', 'emails', 'phones', 'links', 'tags'],
    moved_notes: 1,
    moved_follow_ups: 1,
    moved_interactions: 1,
  })
  assert.partialDeepStrictEqual(short, {
    connection_id: keep_id,
    company: 'Acme',
    last_contact_on: '2026-11-01',
  })
  const connection = await get(member, keep_id)
  assert.partialDeepStrictEqual(connection, {
    connection_id: keep_id,
    name: 'Ann Lee',
    title: 'Boss',
    company: 'Acme',
    location: 'Rome',
    emails: ['a@x.org', 'anne@y.org'],
    phones: ['+1 234'],
    profile_url: 'https://www.linkedin.com/in/anne',
    links: ['https://www.linkedin.com/in/alee'],
    tags: ['Chess', 'Friends'],
  })
  assert.deepEqual(
    connection.notes.map(({ text }) => text),
    ['of the second', 'of the first'],
  )
  const { follow_ups } = await member.ask<{ follow_ups: { connection_id: string }[] }>(
    listFollowUpsTool,
  )
  assert.deepEqual(
    follow_ups.map(({ connection_id }) => connection_id),
    [keep_id],
  )
  const gone = await member.refused(getConnectionTool, { connection_id: second })
  assert.deepEqual([gone.code, gone.hint], ['not_found', `It was merged into ${keep_id}.`])
  const found = await member.ask<PageOfConnections>(searchConnectionsTool, { query: 'lee' })
  assert.equal(found.count, 1)
})

test('a phone number in two spellings is kept once, with its country code and label, and a split gives both back', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const phones = ['0761 4011007', '912440187', '+44 170 123 4567']
  const labels = { '912440187': 'Work' }
  const keep_id = await add(member, { name: 'Ann Lee', phones, details: { labels } })
  const others = ['0761 401 10 07', '+351 912 440 187', '+49 170 1234567']
  const merged = await add(member, { name: 'Anne Lee', phones: others })
  const before = [await get(member, keep_id), await get(member, merged)]
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id, merge_ids: [merged] })
  const after = await get(member, keep_id)
  assert.deepEqual(after.phones, [
    '0761 4011007',
    '+351 912 440 187',
    '+44 170 123 4567',
    '+49 170 1234567',
  ])
  assert.deepEqual(after.details, { labels: { '+351 912 440 187': 'Work' } })
  await member.ask(resolveDuplicatesTool, { action: 'split', keep_id })
  const apart = [await get(member, keep_id), await get(member, merged)]
  assert.deepEqual(
    apart.map((one) => [one.phones.toSorted(), one.details]),
    before.map((one) => [one.phones.toSorted(), one.details]),
  )
})

test('undoing a merge restores all connections', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const ids = [await add(member, ANN), await add(member, ANNE), await add(member, A_LEE)]
  const [keep_id, ...merge_ids] = ids
  await member.ask(saveNoteTool, { people: ids[2], text: 'of the third' })
  const all = () => Promise.all(ids.map((id) => get(member, id)))
  const before = await all()
  const { activity_id } = await askOne<Merged>(member, resolveDuplicatesTool, {
    action: 'merge',
    keep_id,
    merge_ids,
  })
  await member.ask(undo, { activity_id })
  assert.deepEqual(
    await all(),
    // These record only that something happened.
    before.map((one) => Object.assign(one, { version: one.version + 2 })),
  )
})

test('imports that match a merged connection update the one that was kept', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const google = { name: 'Anne Lee', company: 'Acme', emails: ['anne@y.org'] }
  await member.import([{ name: 'Ann Lee', profileUrl: 'https://www.linkedin.com/in/ann' }])
  await member.import([google], { source: 'google', jobId: 2 })
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id: 'c_1', merge_ids: ['c_2'] })
  const again = await member.import([google], { source: 'google', jobId: 3 })
  assert.deepEqual(again, ['unchanged'])
  // By an email that the kept connection now has, and by a name and company that only the merged one had.
  const byAddress = { ...google, company: 'Bolt' }
  const byName = { name: 'Anne Lee', company: 'Acme', phones: ['+1 234'] }
  for (const [index, one] of [byAddress, byName].entries())
    assert.deepEqual(await member.import([one], { source: 'google', jobId: 4 + index }), [
      'job_changed',
    ])
  const ann = await get(member, 'c_1')
  assert.deepEqual([ann.name, ann.company, ann.phones], ['Ann Lee', 'Acme', ['+1 234']])
  const { created, connection } = await member.ask<{
    created: boolean
    connection: WholeDetails
  }>(addConnectionTool, { name: 'Anne Lee', company: 'Acme' })
  assert.deepEqual([created, connection.connection_id], [false, 'c_1'])
})

test('a merge cannot be undone if its result has changed since', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const [keep_id, other] = [await add(member, ANN), await add(member, ANNE)]
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id, merge_ids: [other] })
  await member.ask(updateConnectionTool, { connection_id: keep_id, add_emails: ['new@x.org'] })
  const error = await member.refused(undo, { activity_id: 'a_3' })
  assert.deepEqual(
    [error.code, error.message],
    ['conflict', `This has changed since: ${keep_id} (emails). Later change: a_4 by test.`],
  )
})

test('an invalid merge is rejected and changes nothing', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const keep_id = await add(member, ANN)
  const emails = (from: number) => Array.from({ length: 20 }, (_, index) => `${from + index}@x.org`)
  const many = await add(member, { name: 'Many', emails: emails(0) })
  await member.ask(updateConnectionTool, { connection_id: many, add_emails: emails(20) })
  const more = await add(member, { name: 'More', emails: emails(40) })
  const refused = async (merge_ids: string[]) =>
    (await member.refused(resolveDuplicatesTool, { action: 'merge', keep_id, merge_ids })).message
  assert.equal(await refused([keep_id]), `${keep_id} cannot be merged into itself.`)
  assert.equal(await refused([many, 'c_9']), 'Connection c_9 was not found in this network.')
  assert.equal(
    await refused([many, more]),
    'The merged connection would have 61 emails. The maximum is 50.',
  )
  assert.equal((await get(member, keep_id)).version, 1)
  assert.equal((await get(member, many)).version, 2)
})

test('of two birthdays on one day, a merge keeps the one with the year', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (const birthday of ['--07-09', '1985-07-09'])
    await member.ask(addConnectionTool, { name: `Mira ${birthday}`, birthday })
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id: 'c_1', merge_ids: ['c_2'] })
  const { birthday } = await member.ask<{ birthday: string }>(getConnectionTool, {
    connection_id: 'c_1',
  })
  assert.equal(birthday, '1985-07-09')
})
