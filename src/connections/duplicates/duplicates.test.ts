import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addConnectionTool, askOne } from '../../../test/fixtures/one-person.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { listDuplicates } from './duplicate-page.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { findDuplicatesTool } from './find-duplicates.tool.ts'
import { resolveDuplicatesTool } from './resolve-duplicates.tool.ts'
import { notDuplicatesUndoer } from './not-duplicates.ts'
import { peopleUndoer } from '../undo/undo-connections.ts'
import { readNetworkState } from '../../tools/network-state.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { reserveNumbers } from '../../tools/network-numbers.ts'
import { insertConnections } from '../model/connection-store.ts'
import { NO_VALUES } from '../model/connection.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { runsOf } from '../../../test/support/engine-options.ts'
import type { ImportedContact } from '../../contact-files/contact/contact.ts'

interface Found {
  readonly groups: readonly {
    readonly score: number
    readonly keep_id: string
    readonly merge_ids: string[]
    readonly evidence: readonly {
      readonly reason: string
      readonly value: string
      readonly connection_ids?: string[]
    }[]
  }[]
  readonly total: number
  readonly has_more: boolean
  readonly next_cursor?: string
}

/** Adds these people, starting with c_1. */
async function withPeople(member: Acting, people: readonly object[]): Promise<void> {
  for (const one of people) await member.ask(addConnectionTool, { ...one, allow_duplicate: true })
}

async function reasons(member: Acting, people: readonly object[]): Promise<string[]> {
  await withPeople(member, people)
  const { groups } = await member.ask<Found>(findDuplicatesTool)
  return groups.flatMap(({ evidence }) => evidence.map(({ reason }) => reason))
}

/** The members of each group. */
async function groupsOf(member: Acting): Promise<string[][]> {
  const { groups } = await member.ask<Found>(findDuplicatesTool)
  return groups.map(({ keep_id, merge_ids }) => [keep_id, ...merge_ids].sort())
}

const AT_ACME = { company: 'Acme' }
const EMAIL = { emails: ['a@x.org'] }
const URL_A = { profile_url: 'https://www.linkedin.com/in/a' }
const URL_B = { profile_url: 'https://www.linkedin.com/in/b' }

const PAIRS: readonly [
  description: string,
  one: object,
  other: object,
  found: readonly string[],
][] = [
  ['an address, but no name', { name: 'Xu', ...EMAIL }, { name: 'Yi', ...EMAIL }, []],
  [
    'a profile',
    { name: 'Xu', ...URL_A },
    { name: 'Yi', ...URL_A },
    ['other_name', 'same_profile_url'],
  ],
  [
    'an address and a family name, but have different given names',
    { name: 'John Smith', ...EMAIL },
    { name: 'Mary Smith', ...EMAIL },
    [],
  ],
  [
    'a name except for accents, and a company',
    { name: 'Zoë Lémery', ...AT_ACME },
    { name: 'zoe LEMERY', company: 'ACME' },
    ['same_name', 'same_company'],
  ],
  [
    'a name in another order, and a company',
    { name: 'Lee, Ann', ...AT_ACME },
    { name: 'Ann Lee', ...AT_ACME },
    ['same_name', 'same_company'],
  ],
  [
    'a nickname and a company',
    { name: 'Bob Smith', ...AT_ACME },
    { name: 'Robert Smith', ...AT_ACME },
    ['nickname', 'same_company'],
  ],
  [
    'initials and a company',
    { name: 'A. Lee', ...AT_ACME },
    { name: 'Ann Lee', ...AT_ACME },
    ['initial', 'same_company'],
  ],
  [
    'a name with and without a middle name, and a company',
    { name: 'Ann Marie Lee', ...AT_ACME },
    { name: 'Ann Lee', ...AT_ACME },
    ['middle_name', 'same_company'],
  ],
  [
    'a number with and without country code, and a name',
    { name: 'Ann Lee', ...AT_ACME, phones: ['+49 170 1234567'] },
    { name: 'Ann Lee', company: 'Bolt', phones: ['0170/1234567'] },
    ['same_name', 'same_phone', 'mobile', 'other_company'],
  ],
  [
    'a landline and only a given name',
    { name: 'Ann Lee', phones: ['+49 30 1234567'] },
    { name: 'Ann Meyer', phones: ['030/1234567'] },
    [],
  ],
  [
    'a mobile and a given name, with another family name',
    { name: 'Ann Lee', phones: ['+49 170 1234567'] },
    { name: 'Ann Meyer', phones: ['0170/1234567'] },
    ['other_family_name', 'same_phone', 'mobile'],
  ],
  [
    'a name, one company unknown',
    { name: 'Ann Lee', ...AT_ACME },
    { name: 'Ann Lee' },
    ['same_name'],
  ],
  [
    'a name and a city, at two companies',
    { name: 'Ann Lee', ...AT_ACME, location: 'Rome' },
    { name: 'Ann Lee', company: 'Bolt', location: 'rome' },
    ['same_name', 'other_company', 'same_location'],
  ],
  [
    'a name at two companies',
    { name: 'Ann Lee', ...AT_ACME },
    { name: 'Dr. Ann Lee', company: 'Bolt' },
    ['same_name', 'other_company'],
  ],
  [
    'a common name at two companies',
    { name: 'Wei Wang', ...AT_ACME },
    { name: 'Wei Wang', company: 'Bolt' },
    [],
  ],
  [
    'the mailbox of a company',
    { name: 'Ann Lee', emails: ['info@acme.com'], ...AT_ACME },
    { name: 'Bo Day', emails: ['info@acme.com'], ...AT_ACME },
    [],
  ],
  [
    'a nickname and a company, but have other emails there and phone numbers',
    {
      name: 'Bob Miller',
      emails: ['bob.miller@acme.com'],
      phones: ['+1 212 555 0100'],
      ...AT_ACME,
    },
    {
      name: 'Robert Miller',
      emails: ['robert.miller@acme.com'],
      phones: ['+1 212 555 0199'],
      ...AT_ACME,
    },
    [],
  ],
  ['only a given name', { name: 'Ann' }, { name: 'Ann' }, []],
  [
    'a number, but no name',
    { name: 'Ann Lee', phones: ['+1 2345678'] },
    { name: 'Bo Day', phones: ['+1 2345678'] },
    [],
  ],
  [
    'a name and company, but have different profiles',
    { name: 'Ann Lee', ...AT_ACME, ...URL_A },
    { name: 'Ann Lee', ...AT_ACME, ...URL_B },
    [],
  ],
  [
    'an initial and company, but no other name',
    { name: 'A. Lee', ...AT_ACME },
    { name: 'Bo Lee', ...AT_ACME },
    [],
  ],
  [
    'an initial at two companies',
    { name: 'A. Lee', ...AT_ACME },
    { name: 'Ann Lee', company: 'Bolt' },
    [],
  ],
]

for (const [description, one, other, found] of PAIRS)
  test(`two people who share ${description} are ${found.length > 0 ? '' : 'not '}found`, async () => {
    await using world = await openSharedWorld()
    assert.deepEqual(await reasons(await world.join(), [one, other]), found)
  })

test('a group lists which connection to keep, which to merge, and the evidence', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withPeople(member, [
    { name: 'A. Lee', ...AT_ACME },
    { name: 'Ann Lee', ...AT_ACME, ...EMAIL, ...URL_A },
    { name: 'Bo Day' },
    { name: 'A. L.', ...EMAIL },
  ])
  const { groups, total } = await member.ask<Found>(findDuplicatesTool)
  assert.equal(total, 1)
  assert.partialDeepStrictEqual(groups, [
    {
      score: 0.64,
      keep_id: 'c_2',
      merge_ids: ['c_1', 'c_4'],
      evidence: [
        { reason: 'initial', value: 'Ann Lee / A. L.', connection_ids: ['c_2', 'c_4'] },
        { reason: 'same_email', value: 'a@x.org', connection_ids: ['c_2', 'c_4'] },
        { reason: 'similar_given_name', value: 'Ann Lee / A. L.', connection_ids: ['c_2', 'c_4'] },
        { reason: 'initial', value: 'A. Lee / Ann Lee', connection_ids: ['c_1', 'c_2'] },
        { reason: 'same_company', value: 'Acme', connection_ids: ['c_1', 'c_2'] },
      ],
    },
  ])
  const { keep_id = '', merge_ids = [] } = groups[0] ?? {}
  await member.ask(resolveDuplicatesTool, { action: 'merge', keep_id, merge_ids })
  assert.equal((await member.ask<Found>(findDuplicatesTool)).total, 0)
})

test('everyone in a group has the last contact, or never', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withPeople(member, [
    { name: 'Ann Lee', ...AT_ACME, ...EMAIL },
    { name: 'A. Lee', ...AT_ACME, ...EMAIL },
  ])
  const call = { people: ['c_2'], kind: 'call', on: '2026-11-01' }
  await member.ask(logInteractionTool, call)
  const { groups } = await member.ask<{
    groups: readonly { connections: readonly { last_contact_on: string }[] }[]
  }>(findDuplicatesTool)
  assert.deepEqual(
    groups[0]?.connections.map((one) => one.last_contact_on),
    ['never', '2026-11-01'],
  )
})

test('a name without a company that matches two people is evidence for neither', async () => {
  await using world = await openSharedWorld()
  const people = [{ company: 'Acme' }, { company: 'Bolt' }, {}]
  for (const one of people) Object.assign(one, { name: 'Ann Lee' })
  assert.deepEqual(await reasons(await world.join(), people), [])
})

test('an initial that matches two people is not in one group with both', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const people = ['A. Lee', 'Ann Lee', 'Amy Lee'].map((name) => ({ name, company: 'Acme' }))
  await withPeople(member, people)
  assert.deepEqual(await groupsOf(member), [['c_1', 'c_2']])
})

test('a person who is certainly both of two people is uncertain', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const [ann, amy] = [{ emails: ['ann.lee@x.org'] }, { emails: ['amy.lee@x.org'] }]
  await withPeople(member, [
    { name: 'Ann Lee', ...AT_ACME, ...ann },
    { name: 'Amy Lee', ...AT_ACME, ...amy },
    { name: 'A. Lee', ...AT_ACME, emails: ['ann.lee@x.org', 'amy.lee@x.org'] },
  ])
  const { groups } = await member.ask<Found>(findDuplicatesTool)
  assert.equal(groups.length, 1)
  assert.ok((groups[0]?.score ?? 1) < 0.9)
})

test('a common name is evidence only at the same company', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const namesakes = Array.from({ length: 7 }, (_, index) => ({
    name: 'Wei Wang',
    company: `Company ${index}`,
    location: 'Rome',
  }))
  await withPeople(member, [...namesakes, { name: 'Wei Wang', company: 'Company 3' }])
  const { groups } = await member.ask<Found>(findDuplicatesTool, { min_score: 0.1 })
  assert.deepEqual(
    groups.map(({ keep_id, merge_ids }) => [keep_id, merge_ids]),
    [['c_4', ['c_8']]],
  )
})

test('pairs that an import was unsure about come first, with the reasons for and against', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withPeople(member, [
    { name: 'Bo Day', ...AT_ACME },
    { name: 'Bo Day', ...AT_ACME },
    { name: 'Ann Lee', ...AT_ACME, phones: ['+1 212 555 0100'] },
  ])
  const other = { name: 'Ann Lee', company: 'Acme', phones: ['+1 212 555 0199'] }
  assert.deepEqual(await member.import([other]), ['review'])
  const { groups } = await member.ask<Found>(findDuplicatesTool, { limit: 1 })
  assert.partialDeepStrictEqual(groups, [{ queued: true, keep_id: 'c_3', merge_ids: ['c_4'] }])
  const values = new Map(groups[0]?.evidence.map(({ reason, value }) => [reason, value]))
  assert.equal(values.get('other_phone'), '+1 212 555 0100 / +1 212 555 0199')
  assert.equal(values.get('same_company'), 'Acme')
  assert.equal(values.get('same_name'), 'Ann Lee')
})

test('people marked as different are not listed again, until that is undone', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withPeople(member, [
    { name: 'Ann Lee', ...EMAIL },
    { name: 'Ann Lee', ...EMAIL },
  ])
  const total = async () => (await member.ask<Found>(findDuplicatesTool)).total
  assert.equal(await total(), 1)
  const decision = { action: 'different', merge_ids: ['c_1', 'c_2'] }
  const { activity_id } = await askOne<{ activity_id: string }>(
    member,
    resolveDuplicatesTool,
    decision,
  )
  assert.equal(await total(), 0)
  assert.deepEqual(await askOne(member, resolveDuplicatesTool, decision), { pairs: 0 })
  const undo = undoTool({ undoers: [notDuplicatesUndoer] })
  await member.ask(undo, { activity_id })
  assert.equal(await total(), 1)
})

test('people marked as different are not in one group because a third resembles both', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withPeople(member, [
    { name: 'Ann Lee', ...AT_ACME, ...EMAIL },
    { name: 'Ann Lee', ...AT_ACME, ...EMAIL },
    { name: 'Ann Lee', ...AT_ACME, phones: ['+1 2345678'] },
  ])
  const groups = async () =>
    (await member.ask<Found>(findDuplicatesTool)).groups.map(({ keep_id, merge_ids }) =>
      [keep_id, ...merge_ids].sort(),
    )
  assert.deepEqual(await groups(), [['c_1', 'c_2', 'c_3']])
  await member.ask(resolveDuplicatesTool, { action: 'different', merge_ids: ['c_1', 'c_3'] })
  assert.deepEqual(await groups(), [['c_1', 'c_2']])
  await member.ask(resolveDuplicatesTool, { action: 'different', merge_ids: ['c_1', 'c_2'] })
  assert.deepEqual(await groups(), [['c_2', 'c_3']])
})

test('relatives are not in one group because a third person may be either of them', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withPeople(member, [
    { name: 'John Smith', ...EMAIL },
    { name: 'Mary Smith', ...EMAIL },
    { name: 'J. Smith', ...EMAIL },
  ])
  const { groups } = await member.ask<Found>(findDuplicatesTool)
  assert.deepEqual(
    groups.map(({ keep_id, merge_ids }) => [keep_id, merge_ids]),
    [['c_1', ['c_3']]],
  )
})

test('a decision also applies to the connection into which one of the two is merged, until that is undone', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withPeople(member, [
    { name: 'Ann Lee', ...EMAIL },
    { name: 'Ann Lee', ...EMAIL },
    { name: 'Ann Lee', ...EMAIL },
  ])
  await member.ask(resolveDuplicatesTool, { action: 'different', merge_ids: ['c_1', 'c_2'] })
  const merge = { action: 'merge', keep_id: 'c_3', merge_ids: ['c_2'] }
  const { activity_id } = await askOne<{ activity_id: string }>(
    member,
    resolveDuplicatesTool,
    merge,
  )
  const find = async () => (await member.ask<Found>(findDuplicatesTool)).total
  assert.equal(await find(), 0)
  await member.ask(undoTool({ undoers: [peopleUndoer] }), { activity_id })
  assert.equal(await find(), 1)
})

test('deleted connections are not duplicates', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withPeople(member, [
    { name: 'Ann Lee', ...EMAIL },
    { name: 'Ann Lee', ...EMAIL },
  ])
  await member.ask(deleteConnectionsTool, { people: ['c_1'] })
  assert.equal((await member.ask<Found>(findDuplicatesTool)).total, 0)
})

test('pages list every group once, highest score first', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const contacts = Array.from({ length: 30 }, (_, index) => ({
    name: `Ann ${'x'.repeat(index + 2)}`,
    company: `Acme ${index % 3}`,
  }))
  await withPeople(member, contacts)
  await withPeople(
    member,
    contacts.map(({ name, company }, index) => ({
      company,
      name: index % 2 ? name : `A. ${name.slice(4)}`,
    })),
  )
  const seen: string[] = []
  const scores: number[] = []
  for (let cursor: string | undefined; ;) {
    const page = await member.ask<Found>(findDuplicatesTool, {
      limit: 7,
      ...(cursor && { cursor }),
    })
    assert.equal(page.total, 30)
    seen.push(...page.groups.map(({ keep_id }) => keep_id))
    scores.push(...page.groups.map(({ score }) => score))
    cursor = page.next_cursor
    if (cursor === undefined) break
  }
  assert.equal(new Set(seen).size, 30)
  assert.deepEqual(
    scores,
    scores.toSorted((one, other) => other - one),
  )
})

test('the result stays within its size limit', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const company = 'Acme '.repeat(50)
  await member.import(
    Array.from({ length: 60 }, (_, index) => ({
      name: `Ann Lee ${'x'.repeat(250)}`,
      company,
      title: company,
      location: company,
      emails: [`a${index}@x.org`],
      profileUrl: null,
    })).flatMap((one, index) => [one, { ...one, name: `${index} ${one.name}` }]),
  )
  await withPeople(
    member,
    Array.from({ length: 40 }, () => ({ name: 'Ann Lee', company, title: company, ...EMAIL })),
  )
  // `ask` checks the length of every result.
  const { groups } = await member.ask<Found>(findDuplicatesTool, { limit: 50 })
  assert.ok(groups.some(({ merge_ids }) => merge_ids.length === 20))
})

test('no connection is in two groups, and every group has evidence for all its connections', async () => {
  await using world = await openSharedWorld()
  const some = <T>(...values: T[]) => fc.constantFrom(...values)
  const person = fc.record({
    name: some(
      'Ann Lee',
      'A. Lee',
      'Lee Ann',
      'Ann M. Lee',
      'Ann Ann Lee',
      'Bob Day',
      'Robert Day',
      '李',
      '?',
    ),
    company: some('', 'Acme', 'Bolt'),
    emails: some([], ['a@x.org'], ['b@x.org']),
    phones: some([], ['+1 2345678'], ['2345678']),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { maxLength: 8 }),
      some(0, 0.5, 0.9),
      async (people, min_score) => {
        const member = await world.join()
        await withPeople(member, people)
        const { groups } = await member.ask<Found>(findDuplicatesTool, { min_score })
        const members = groups.flatMap(({ keep_id, merge_ids }) => [keep_id, ...merge_ids])
        assert.equal(new Set(members).size, members.length)
        for (const { keep_id, merge_ids, evidence, score } of groups) {
          const all = [keep_id, ...merge_ids]
          const shown = new Set(evidence.flatMap(({ connection_ids = all }) => connection_ids))
          assert.deepEqual(shown, new Set(all))
          assert.ok(score >= min_score && score <= 1 && merge_ids.length > 0)
        }
      },
    ),
    { numRuns: runsOf(60) },
  )
})

test('duplicates are computed again only after a change', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const other = await world.join()
  await withPeople(member, [
    { name: 'Ann Lee', company: 'Acme' },
    { name: 'Ann Lee', company: 'Acme', title: 'Engineer' },
    { name: 'Bo Diaz' },
  ])
  const find = async () => {
    const steps: unknown[] = []
    const { total } = await listDuplicates(member.db, {
      minScore: 0.6,
      limit: 20,
      signal: new AbortController().signal,
      progress: (...step) => void steps.push(step),
    })
    return { total, isComputed: steps.length > 0 }
  }
  assert.deepEqual(await find(), { total: 1, isComputed: true })
  assert.deepEqual(await find(), { total: 1, isComputed: false })
  await withPeople(other, [{ name: 'Bo Diaz' }])
  assert.deepEqual(await find(), { total: 1, isComputed: false })
  await withPeople(member, [{ name: 'Bo Diaz', company: 'Acme' }])
  assert.deepEqual(await find(), { total: 2, isComputed: true })
})

test('a page whose groups were deleted meanwhile continues with the next groups', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withPeople(member, [
    { name: 'Ann Lee', ...AT_ACME, ...EMAIL },
    { name: 'Ann Lee', ...AT_ACME, ...EMAIL },
    { name: 'Bo Day', emails: ['bo@x.org'] },
    { name: 'Bo Day', emails: ['bo@x.org'] },
  ])
  const network = await readNetworkState(member.db)
  const query = { minScore: 0, limit: 1, network, signal: new AbortController().signal }
  const [first] = (await listDuplicates(member.db, query)).groups
  const [id = 0] = first?.connections.map(({ connectionId }) => connectionId) ?? []
  await member.ask(deleteConnectionsTool, { people: [`c_${id}`] })
  // Its call began before the deletion.
  const page = await listDuplicates(member.db, query)
  assert.deepEqual([page.groups.length, page.hasMore], [0, true])
  const rest = await listDuplicates(member.db, { ...query, cursor: page.cursorAfter(-1) })
  assert.equal(rest.groups.length, 1)
  assert.notEqual(rest.groups[0]?.firstId, first?.firstId)
})

const NAMES =
  'Ann Lee|A. Lee|Lee Ann|Anne Lee|Amy Lee|Ann Meyer|Ann Lee Jr.|Ann|Bob Miller|Robert Miller|Rob Miler|Ted Day|Ned Day'.split(
    '|',
  )

const MERGED: ReadonlySet<string> = new Set(['updated', 'job_changed', 'unchanged'])

test('an import and find_duplicates decide alike', async () => {
  await using world = await openSharedWorld()
  const some = <T>(...values: T[]) => fc.constantFrom(...values)
  const person = fc.record({
    name: some(...NAMES),
    company: some(null, 'Acme', 'ACME Inc.', 'Bolt'),
    title: some(null, 'Nurse', 'Engineer'),
    location: some(null, 'Rome', 'Berlin'),
    emails: some([], ['info@acme.com'], ['a.lee@acme.com'], ['bob@acme.com'], ['x@gmail.com']),
    phones: some([], ['+1 212 555 0100'], ['+1 212 555 0199']),
    profileUrl: some(null, 'https://www.linkedin.com/in/a', 'https://www.linkedin.com/in/b'),
    birthday: some(null, null, '1980-02-01', '1990-03-02'),
  })
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(person, person, async (one, other) => {
      const [importing, finding] = [await world.join(), await world.join()]
      // A link that only one has: a contact without anything new is always the same person.
      const contacts = [
        { ...one, links: ['https://x.org/1'] },
        { ...other, links: ['https://x.org/2'] },
      ]
      await importing.import(contacts.slice(0, 1), { source: 'google', jobId: 1 })
      const [result = ''] = await importing.import(contacts.slice(1), { jobId: 2 })
      await insertPeople(finding, contacts)
      const { groups } = await finding.ask<Found>(findDuplicatesTool)
      const imported = MERGED.has(result) ? 'same' : result === 'review' ? 'unsure' : 'different'
      const found = groups.map(({ score }) => (score >= 0.9 ? 'same' : 'unsure'))[0] ?? 'different'
      seen.add(found)
      assert.equal(found, imported, result)
    }),
    { numRuns: runsOf(100) },
  )
  assert.deepEqual(seen, new Set(['same', 'unsure', 'different']))
})

type Fields = Partial<Omit<ImportedContact, 'details'>> & Pick<ImportedContact, 'name'>

/** As if they were not compared when they were added. */
async function insertPeople({ db }: Acting, people: readonly Fields[]): Promise<void> {
  await db.write(async (tx) => {
    const first = await reserveNumbers(tx, 'last_connection', people.length)
    const connections = people.map((fields, index) => ({
      ...NO_VALUES,
      ...fields,
      connectionId: first + index,
      source: 'linkedin' as const,
      fieldSources: {},
      importJobId: null,
      version: 1,
      createdAt: 0,
      updatedAt: 0,
      deletedAt: null,
      mergedInto: null,
    }))
    await insertConnections(tx, connections)
    await recordSearchChanges(
      tx,
      connections.map(({ connectionId }) => connectionId),
    )
  })
}
