import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordDeletion } from '../model/record-deletion.ts'
import * as fc from 'fast-check'
import {
  addConnectionTool,
  getConnectionTool,
  updateConnectionTool,
  type WholeDetails,
} from '../../../test/fixtures/one-person.ts'
import { memberStatement } from '../../db/statement.ts'
import { DAY } from '../../base/clock.ts'
import { getNetworkSummaryTool } from '../overview/get-network-summary.tool.ts'
import { openSharedWorld, rowsOf, type Acting } from '../../../test/fixtures/network.ts'

interface Added {
  readonly created: boolean
  readonly connection: WholeDetails
}

const ADA = {
  name: 'Ada Lovelace',
  given_name: 'Ada',
  family_name: 'Lovelace',
  company: 'Analytical Engines',
  title: 'Programmer',
  location: 'London',
  emails: ['Ada@Example.org'],
  phones: ['tel:+44 1'],
  profile_url: 'linkedin.com/in/Ada/',
  links: ['example.org/ada'],
  birthday: '--12-10',
  connected_on: '2024-02-29',
  tags: ['Friends', 'friends'],
  note: '  Translates Menabrea.\nWrites notes. ',
}

const refused = async (member: Acting, tool: typeof addConnectionTool, input: object) => {
  const error = await member.refused(tool, input)
  return [error.code, ...(error.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`)]
}

test('adding a connection keeps and normalizes every field', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const { created, connection } = await member.ask<Added>(addConnectionTool, ADA)
  const now = new Date(world.clock.now()).toISOString()
  assert.equal(created, true)
  const { note, ...given } = ADA
  assert.deepEqual(connection, {
    ...given,
    connection_id: 'c_1',
    emails: ['ada@example.org'],
    phones: ['+44 1'],
    profile_url: 'https://www.linkedin.com/in/ada',
    links: ['https://example.org/ada'],
    tags: ['Friends'],
    notes: [{ note_id: 'n_1', text: note.trim(), created_at: now }],
    source: 'typed',
    version: 1,
    created_at: now,
    updated_at: now,
  })
  const read = await member.ask(getConnectionTool, { connection_id: 'c_1' })
  assert.deepEqual(read, connection)
})

test('does not add a person with the same email, profile URL, or name and company unless allow_duplicate is set', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, ADA)
  const same = [
    { name: 'Someone', emails: ['ADA@example.org'] },
    { name: 'Someone', profile_url: 'https://de.linkedin.com/in/ada?x=1' },
    { name: 'ada lovelace', company: 'ANALYTICAL engines' },
  ]
  for (const input of same) {
    const { created, connection } = await member.ask<Added>(addConnectionTool, input)
    assert.deepEqual([created, connection.connection_id, connection.version], [false, 'c_1', 1])
  }
  for (const input of same) {
    const duplicate = { ...input, allow_duplicate: true }
    assert.equal((await member.ask<Added>(addConnectionTool, duplicate)).created, true)
  }
  assert.equal((await rowsOf(world, member, 'connections')).length, 4)
  const stranger = await world.join()
  assert.equal((await stranger.ask<Added>(addConnectionTool, ADA)).created, true)
})

test('rejects invalid values with an error that names the argument', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const cases: [object, string][] = [
    [{ profile_url: 'javascript:alert(1)' }, '/profile_url must be a web address'],
    [{ given_name: 'A\u0001' }, '/given_name must not contain control characters'],
    [{ emails: ['none'] }, '/emails “none” is not an email address'],
    [{ phones: ['none'] }, '/phones “none” is not a phone number'],
    [{ links: ['a b'] }, '/links “a b” is not a web address'],
    [{ name: '\u3164' }, '/name must have a visible character'],
  ]
  for (const [values, sentence] of cases)
    assert.deepEqual(await refused(member, addConnectionTool, { name: 'Ada', ...values }), [
      'invalid_request',
      sentence,
    ])
  const badly = [
    [{}, '/name is required'],
    [{ name: '  ' }, '/name'],
    [{ name: 'x'.repeat(301) }, '/name must have at most 300 characters'],
    [{ name: 'A', note: 'x'.repeat(1_000_000) }, '/note must have at most 20000 characters'],
    [{ name: 'A', tags: [' '] }, '/tags/0'],
    [{ name: 'A', emails: { home: 'a@x.org' } }, '/emails must be an array'],
    [{ name: 'A', nickname: 'B' }, '/nickname is not an argument of add_connections.'],
    [{ name: 'A', connected_on: '2024-02-30' }, '/connected_on is a date that does not exist'],
    [{ name: 'A', connected_on: '--02-03' }, '/connected_on is not a date'],
    [{ name: 'A', birthday: '--02-30' }, '/birthday is not a date'],
    [{ name: 'A', birthday: 'May' }, '/birthday is the time from'],
  ] as const
  for (const [input, sentence] of badly) {
    const [code, said = ''] = await refused(member, addConnectionTool, input)
    assert.equal(code, 'invalid_arguments')
    assert.ok(said.startsWith(sentence), said)
  }
  assert.deepEqual(await rowsOf(world, member, 'connections'), [])
})

test('an update sets given fields, clears those named in clear, keeps the rest and increments the version', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const { connection: before } = await member.ask<Added>(addConnectionTool, ADA)
  world.clock.advance(DAY)
  type Updated = WholeDetails & { readonly changes: readonly { readonly field: string }[] }
  const { changes, ...after } = await member.ask<Updated>(updateConnectionTool, {
    connection_id: 'c_1',
    if_version: 1,
    title: 'Countess',
    location: null,
    given_name: '',
    clear: ['company', 'birthday'],
    add_emails: ['b@x.org', 'ADA@example.org'],
    remove_phones: ['+44 1'],
    add_tags: ['New'],
    remove_tags: ['FRIENDS', 'never there'],
    note: 'second',
  })
  const { company: _company, birthday: _birthday, ...rest } = before
  const now = new Date(world.clock.now()).toISOString()
  assert.deepEqual(after, {
    ...rest,
    title: 'Countess',
    emails: ['ada@example.org', 'b@x.org'],
    phones: [],
    tags: ['New'],
    notes: [{ note_id: 'n_2', text: 'second', created_at: now }, ...before.notes],
    details: {
      organizations: [{ name: ADA.company, title: ADA.title, until: '2026-11-22', current: false }],
    },
    version: 2,
    updated_at: now,
  })
  assert.equal(
    changes.map(({ field }) => field).join(),
    'company,title,birthday,emails,phones,organizations,tags,notes,note',
  )
})

test('an update of an outdated version is a conflict and changes nothing', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, ADA)
  const change = { connection_id: 'c_1', if_version: 2, title: 'x' }
  const error = await member.refused(updateConnectionTool, change)
  assert.deepEqual([error.code, error.message], ['conflict', 'c_1 is at version 1, not 2.'])
  const { version } = await member.ask<WholeDetails>(getConnectionTool, {
    connection_id: 'c_1',
  })
  assert.equal(version, 1)
})

test('rejects an update without changes, including empty lists', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ada Lovelace', company: 'Acme' })
  for (const nothing of [{}, { if_version: 1 }, { add_tags: [], remove_emails: [] }]) {
    const error = await member.refused(updateConnectionTool, { connection_id: 'c_1', ...nothing })
    assert.match(error.message, /No fields to update/)
  }
  // Empty lists do not mark the field as typed, so imports still add to it.
  await member.ask(updateConnectionTool, { connection_id: 'c_1', title: 'x', add_emails: [] })
  await member.import([{ name: 'Ada Lovelace', company: 'Acme', emails: ['ada@x.org'] }])
  const { emails } = await member.ask<WholeDetails>(getConnectionTool, {
    connection_id: 'c_1',
  })
  assert.deepEqual(emails, ['ada@x.org'])
})

test('rejects an empty name, more than 50 values and more than 300 characters', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ada' })
  const update = (changes: object) =>
    refused(member, updateConnectionTool, { connection_id: 'c_1', ...changes })
  assert.equal((await update({ name: null }))[0], 'invalid_request')
  assert.equal((await update({ name: ' ' }))[0], 'invalid_arguments')
  assert.equal((await update({ clear: ['name'] }))[0], 'invalid_arguments')
  assert.deepEqual(await update({ title: 'x', clear: 'title' }), [
    'invalid_request',
    '/clear must not contain title, which is also set',
  ])
  assert.equal((await update({ title: 'x'.repeat(301) }))[0], 'invalid_arguments')
  assert.deepEqual(await update({ remove_emails: ['x'] }), [
    'invalid_request',
    '/emails/remove “x” is not an email address',
  ])
  const many = (from: number) =>
    Array.from({ length: 20 }, (_, at) => ({ at: `${from + at}@x.org`, tag: `tag ${from + at}` }))
  for (const from of [0, 20]) {
    const values = many(from)
    await member.ask(updateConnectionTool, {
      connection_id: 'c_1',
      add_emails: values.map(({ at }) => at),
      add_tags: values.map(({ tag }) => tag),
    })
  }
  const rest = many(40)
  assert.deepEqual(await update({ add_emails: rest.map(({ at }) => at) }), [
    'invalid_request',
    '/emails/add a connection has at most 50 emails',
  ])
  assert.deepEqual(await update({ add_tags: rest.map(({ tag }) => tag), title: 'x' }), [
    'invalid_request',
    '/tags/add a connection has at most 50 tags',
  ])
  const there = await member.ask<WholeDetails>(getConnectionTool, { connection_id: 'c_1' })
  assert.deepEqual([there.emails.length, there.tags.length, there.title], [40, 40, undefined])
})

test('unknown, deleted and other members’ connections are not found by any tool', async () => {
  await using world = await openSharedWorld()
  const [one, two] = [await world.join(), await world.join()]
  for (const name of ['Ada', 'Bo']) await one.ask(addConnectionTool, { name })
  await world.database.member(one.caller.memberId).write((tx) => tx.run(MARK_DELETED, {}))
  const cases: [Acting, string][] = [
    [one, 'c_3'],
    [one, 'c_2'],
    [two, 'c_1'],
    [one, 'c_999999999'],
  ]
  for (const [member, connection_id] of cases)
    for (const [tool, input] of [
      [getConnectionTool, {}],
      [updateConnectionTool, { title: 'x' }],
    ] as const) {
      const error = await member.refused(tool, { connection_id, ...input })
      assert.equal(error.code, 'not_found')
      assert.equal(error.message, `Connection ${connection_id} was not found in this network.`)
    }
  for (const connection_id of ['c_0', 'c_01', '1', 'c_1 2', 'c_1000000000'])
    assert.equal((await one.refused(getConnectionTool, { connection_id })).code, 'not_found')
})

test('the activity log records every change with its actor and the snapshots before and after', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const { connection: added } = await member.ask<Added>(addConnectionTool, ADA)
  await member.ask(addConnectionTool, ADA)
  await member.refused(updateConnectionTool, { connection_id: 'c_9', title: 'x' })
  await member.ask(updateConnectionTool, { connection_id: 'c_1', title: 'x' })
  const activity = await world.database.member(member.caller.memberId).all(ACTIVITY, {})
  const by = {
    at: world.clock.now(),
    subject_kind: 'connection',
    subject_id: 'c_1',
    credential_id: member.caller.credential.id,
    actor: 'test',
  }
  assert.deepEqual(
    activity.map(({ activity_id }) => activity_id),
    [1, 2],
  )
  assert.partialDeepStrictEqual(activity, [
    { ...by, action: 'connection.add', before: null },
    { ...by, action: 'connection.update' },
  ])
  const snapshots = activity.map(({ before, after }) => [before, after].map(String).map(parsed))
  const { note, ...given } = ADA
  const whole = { ...pick(added, given), connection_id: 'c_1', notes: ['n_1'], note: note.trim() }
  const named = { connection_id: 'c_1', name: ADA.name }
  const now = world.clock.now()
  const left = { name: ADA.company, title: ADA.title, until: '2026-11-21', current: false }
  assert.deepEqual(snapshots, [
    [null, whole],
    [
      { ...named, title: ADA.title, organizations: null, sources: { title: null, '@title': null } },
      { ...named, title: 'x', organizations: [left], sources: { title: 'typed', '@title': now } },
    ],
  ])
})

function parsed(json: string): unknown {
  return JSON.parse(json)
}

function pick(details: WholeDetails, named: object): object {
  return Object.fromEntries(Object.entries(details).filter(([field]) => field in named))
}

test('cuts many long notes, short notes, links or line breaks to what a client accepts and marks the result truncated', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const network = async (name: string, notes: readonly string[], links: readonly string[] = []) => {
    const { connection } = await member.ask<Added>(addConnectionTool, { name })
    const { connection_id } = connection
    for (const note of notes) await member.ask(updateConnectionTool, { connection_id, note })
    for (let at = 0; at < links.length; at += 20)
      await member.ask(updateConnectionTool, { connection_id, add_links: links.slice(at, at + 20) })
    return member.ask<WholeDetails>(getConnectionTool, { connection_id })
  }
  const long = await network(
    'Long',
    Array.from({ length: 50 }, (_, at) => `${at} `.padEnd(10_000, 'words ')),
  )
  assert.deepEqual(
    [long.truncated, long.notes.length, long.notes.at(-1)?.truncated],
    [true, 2, true],
  )
  assert.ok(long.notes[0]?.text.startsWith('49 ') && long.notes[0].text.length === 10_000)
  const short = await network(
    'Short',
    Array.from({ length: 300 }, (_, at) => `${at}`),
  )
  assert.equal(short.truncated, true)
  assert.equal(short.notes[0]?.text, '299')
  for (const note of ['\n'.repeat(19_998), '\u0001'.repeat(19_998), '👍'.repeat(9_999)]) {
    const lines = await network('Lines', [`a${note}b`])
    assert.deepEqual([lines.truncated, lines.notes.length], [true, 1])
    assert.ok(lines.notes[0]?.text.isWellFormed())
  }
  const linked = await network(
    'Linked',
    ['x'.repeat(20_000)],
    Array.from({ length: 40 }, (_, at) => `https://x.org/${at}`.padEnd(1900, 'x')),
  )
  assert.equal(linked.truncated, true)
  assert.ok(linked.links.length > 0 && linked.links.length < 40)
  const whole = await network('Whole', ['one', 'two'])
  assert.deepEqual([whole.truncated, whole.notes.length], [undefined, 2])
})

interface Summary {
  readonly connections: number
  readonly with_email: number
  readonly with_notes: number
  readonly deleted: number
  readonly top_companies: { value: string; count: number }[]
  readonly top_tags: { value: string; count: number }[]
}

test('the network summary counts exactly what the network holds', async () => {
  await using world = await openSharedWorld()
  const person = fc.record({
    company: fc.option(fc.constantFrom(...Array.from('ABCDEFGHIJKL'))),
    email: fc.boolean(),
    note: fc.option(fc.constantFrom('x')),
    labels: fc.uniqueArray(fc.constantFrom('one', 'two', 'three')),
    deleted: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(person, { maxLength: 30 }), async (people) => {
      const member = await world.join()
      await member.import(
        people.map(({ email, deleted: _deleted, ...one }, at) => ({
          ...one,
          name: `Person ${at}`,
          emails: email ? [`${at}@x.org`] : [],
        })),
      )
      const ids = people.flatMap(({ deleted }, at) => (deleted ? [at + 1] : []))
      const db = world.database.member(member.caller.memberId)
      await db.write(async (tx) => {
        await tx.run(MARK_ALL_DELETED, { ids })
        if (ids.length > 0) await recordDeletion(tx, 1)
      })
      const live = people.filter(({ deleted }) => !deleted)
      const summary = await member.ask<Summary>(getNetworkSummaryTool)
      assert.equal(summary.connections, live.length)
      assert.equal(summary.with_email, live.filter(({ email }) => email).length)
      assert.equal(summary.with_notes, live.filter(({ note }) => note !== null).length)
      assert.equal(summary.deleted, people.length - live.length)
      assert.deepEqual(summary.top_companies, top(live.map(({ company }) => company)))
      assert.deepEqual(summary.top_tags, top(live.flatMap(({ labels }) => labels)))
    }),
    { numRuns: 15 },
  )

  function top(values: readonly (string | null)[]): object[] {
    const counts = new Map<string, number>()
    for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
    return [...counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, 10)
  }
})

const MARK_DELETED = memberStatement()(
  'update connections set deleted_at = 1 where member_id = :member_id and connection_id = 2',
)
const MARK_ALL_DELETED = memberStatement<{ ids: readonly number[] }>()(
  'update connections set deleted_at = 1 where member_id = :member_id and connection_id in (:ids...bigint)',
)
const ACTIVITY = memberStatement<
  object,
  { activity_id: number; before: string | null; after: string | null }
>()(`
  select activity_id, at, action, subject_kind, subject_id, credential_id, actor, before, after
  from activity where member_id = :member_id order by activity_id`)
