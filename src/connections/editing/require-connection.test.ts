import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld } from '../../../test/fixtures/network.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { keepInTouchTool as setCadenceTool } from '../cadence/keep-in-touch.tool.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { listTimelineTool } from '../interactions/list-timeline.tool.ts'
import { publicConnectionId } from '../model/connection.ts'
import { addConnectionsTool } from '../people/add-connections.tool.ts'
import { updateConnectionsTool } from '../people/update-connections.tool.ts'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'
import type { PageOfMatches } from '../search/connection-page.ts'
import { requireConnection, requireConnections, resolvePeople } from './require-connection.ts'

const PEOPLE = [
  { name: 'Ben Haverkamp', company: 'Siemens', emails: ['ben@example.org'] },
  { name: 'José Núñez' },
  { name: 'Anna Meier', company: 'Acme', title: 'Engineer' },
  { name: 'Anna Huber', location: 'Berlin' },
  { name: 'James Martin', emails: ['james@example.org'] },
  { name: 'Martin James', emails: ['martin@example.org'] },
  { name: 'Grace Brewster Hopper', emails: ['grace@example.org'] },
  { name: 'Chris Lee', emails: ['one@example.org'] },
  { name: 'Chris Lee', emails: ['other@example.com'] },
  { name: '王小明', company: 'Example' },
  { name: 'Oluwaseun "Seun" Adeyemi' },
  { name: 'DJ Mo (Mohamed Benali)' },
  { name: 'Nuno Lopes' },
  { name: 'Hartmut „Hacki“ Vollmer' },
  { name: 'Gustav "Chris" Ott' },
]

async function openNetwork() {
  const world = await openSharedWorld()
  const member = await world.join()
  const other = await world.join()
  await member.ask(addConnectionsTool, { connections: PEOPLE })
  return { world, member, other }
}

test('a person is found by ID, email or unambiguous name', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const cases: [given: string, id: string][] = [
    ['c_1', 'c_1'],
    [' c_1 ', 'c_1'],
    ['BEN@example.org', 'c_1'],
    ['Ben Haverkamp', 'c_1'],
    ['ben  HAVERKAMP', 'c_1'],
    ['Haverkamp, Ben', 'c_1'],
    ['Dr. Ben Haverkamp', 'c_1'],
    ['Ben', 'c_1'],
    ['Ben H.', 'c_1'],
    ['jose nunez', 'c_2'],
    ['Anna Huber', 'c_4'],
    ['James Martin', 'c_5'],
    ['Martin James', 'c_6'],
    ['Grace Hopper', 'c_7'],
    ['王小明', 'c_10'],
    ['Haverkamp', 'c_1'],
    ['Dr. Hopper', 'c_7'],
    ['Seun', 'c_11'],
    ['Seun Adeyemi', 'c_11'],
    ['Mohamed', 'c_12'],
    ['hacki', 'c_14'],
  ]
  for (const [given, id] of cases) {
    const { connectionId } = await requireConnection(member.db, given)
    assert.equal(publicConnectionId(connectionId), id, given)
  }
  const all = await requireConnections(
    member.db,
    cases.map(([given]) => given),
  )
  assert.deepEqual(
    all.map(({ connectionId }) => connectionId),
    [1, 2, 4, 5, 6, 7, 10, 11, 12, 14],
  )
  const [first, second] = await requireConnections(member.db, ['c_3, c_1'])
  assert.deepEqual([first?.connectionId, second?.connectionId], [3, 1])
})

test('an ambiguous name lists the people with what tells them apart', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const note = { text: 'Called' }
  const refused = await member.refused(saveNoteTool, { people: 'Anna', ...note })
  assert.equal(refused.code, 'ambiguous_person')
  assert.deepEqual(refused['ambiguous'], [
    {
      given: 'Anna',
      candidates: [
        { connection_id: 'c_4', name: 'Anna Huber', location: 'Berlin' },
        { connection_id: 'c_3', name: 'Anna Meier', title: 'Engineer', company: 'Acme' },
      ],
    },
  ])
  const either = await member.refused(saveNoteTool, { people: 'Martin', ...note })
  assert.equal(either.code, 'ambiguous_person', 'a given name of one and a family name of another')
  const nickname = await member.refused(saveNoteTool, { people: 'Chris', ...note })
  assert.match(JSON.stringify(nickname['ambiguous']), /Chris Lee.*Gustav/)
  const same = await member.refused(saveNoteTool, { people: 'Chris Lee', ...note })
  assert.deepEqual(same['ambiguous'], [
    {
      given: 'Chris Lee',
      candidates: [
        { connection_id: 'c_8', name: 'Chris Lee', email: 'one@example.org' },
        { connection_id: 'c_9', name: 'Chris Lee', email: 'other@example.com' },
      ],
    },
  ])
  await member.ask(saveNoteTool, { people: 'c_9', ...note })
  const { entries } = await member.ask<{ entries: object[] }>(listTimelineTool, {
    people: 'other@example.com',
    kinds: ['note'],
  })
  assert.equal(entries.length, 1)
})

test('an unknown name suggests a similar one, and other members’ people do not exist', async () => {
  const { world, member, other } = await openNetwork()
  await using _world = world
  const wrong = await member.refused(listTimelineTool, { people: 'Ben Haverkmp' })
  assert.equal(wrong.code, 'not_found')
  assert.match(wrong.hint ?? '', /Did you mean Ben Haverkamp\?/)
  const uncle = [{ given: 'tio Nuno', candidates: [{ connection_id: 'c_13', name: 'Nuno Lopes' }] }]
  const unknown = [
    { people: 'tio Nuno', text: 'x' },
    { people: ['tio Nuno', 'c_1', 'Zoe'], text: 'x' },
  ]
  for (const input of unknown)
    assert.deepEqual((await member.refused(saveNoteTool, input))['similar'], uncle)
  const middle = await member.refused(listTimelineTool, { people: 'Brewster' })
  assert.match(middle.hint ?? '', /Did you mean Grace Brewster Hopper\?/)
  for (const given of ['Ben Haverkamp', 'ben@example.org', 'Anna', '…', 'c_0', "'; --"]) {
    const refused = await other.refused(listTimelineTool, { people: given })
    assert.equal(refused.code, 'not_found', given)
    assert.doesNotMatch(JSON.stringify(refused), /Did you mean|similar/)
  }
  const mixed = await resolvePeople(member.db, ['Anna', 'Zoe', 'ben@example.org'])
  assert.deepEqual(
    mixed.map(({ connection, candidates }) => connection?.name ?? candidates?.length ?? 0),
    [2, 0, 'Ben Haverkamp'],
  )
})

test('a deletion needs a whole name', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const { deleted, left_alone } = await member.ask<{ deleted: object[]; left_alone: object[] }>(
    deleteConnectionsTool,
    { people: ['Ben', 'José Núñez', 'Chris Lee'] },
  )
  assert.deepEqual(deleted, [{ connection_id: 'c_2', name: 'José Núñez' }])
  assert.deepEqual(left_alone, [
    { connection_id: 'Ben', reason: 'is no ID, email or whole name in this network' },
    { connection_id: 'Chris Lee', reason: 'can be c_8 or c_9; use the connection_id' },
  ])
  assert.equal((await member.refused(listTimelineTool, { people: 'jose nunez' })).code, 'not_found')
})

test('of people with one name, the closest come first', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      ...Array.from({ length: 8 }, (_, at) => ({ name: `Ben Far${at}` })),
      { name: 'Ben Old' },
      { name: 'Ben Cadence' },
      { name: 'Ben Recent' },
      { name: 'Ben Colleague', company: 'Acme' },
      { name: 'Ann Lee', company: 'ACME' },
    ],
  })
  const log = (name: string, on: string) =>
    member.ask(logInteractionTool, { people: [name], kind: 'call', on })
  await log('Ben Old', '2020-01-01')
  await log('Ben Recent', '2026-11-01')
  await member.ask(setCadenceTool, { people: ['Ben Cadence'], every: 4, unit: 'week' })
  const candidatesOf = async (...people: string[]) => {
    const error = await member.refused(saveNoteTool, { people, text: 'x' })
    assert.equal(error.code, 'ambiguous_person')
    const [one] = (error as unknown as { ambiguous: { candidates: { name: string }[] }[] })
      .ambiguous
    return one?.candidates.slice(0, 4).map(({ name }) => name)
  }
  const closest = ['Ben Recent', 'Ben Old', 'Ben Cadence']
  assert.deepEqual((await candidatesOf('Ben'))?.slice(0, 3), closest)
  assert.deepEqual(await candidatesOf('Ann Lee', 'Ben'), ['Ben Colleague', ...closest])
})

test('my brother and mein Steuerberater are the people with such a tag', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Bob Lee', tags: ['brother'] },
      { name: 'Tina Voss', tags: ['Steuerberater'] },
      { name: 'Uwe Ott', tags: ['friend'] },
      { name: 'Ina Ott', tags: ['friend'] },
      { name: 'My Nguyen' },
    ],
  })
  const nameOf = async (text: string) => (await requireConnection(member.db, text)).name
  assert.equal(await nameOf('my brother'), 'Bob Lee')
  assert.equal(await nameOf('mein Steuerberater'), 'Tina Voss')
  assert.equal(await nameOf('My Nguyen'), 'My Nguyen')
  await assert.rejects(requireConnection(member.db, 'my friend'), { code: 'ambiguous_person' })
  await assert.rejects(requireConnection(member.db, 'my plumber'), { code: 'not_found' })
  await assert.rejects(requireConnections(member.db, ['my brother'], { wholeNames: true }), {
    code: 'not_found',
  })
})

test('my sister and mein Steuerberater are the people with such a relation to the member', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const toMe = (relation: string, name = 'me') => [
    `relations=${JSON.stringify([{ name, relation }])}`,
  ]
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Ada Lee', details: toMe('sister of') },
      { name: 'Tina Voss', details: toMe('Steuerberater von', 'mich') },
      { name: 'Uwe Ott', details: toMe('direct report') },
      { name: 'Ina Ott', details: toMe('brother') },
      { name: 'Max Ott', details: toMe('son of', 'Meg') },
      { name: 'Jo Kern', tags: ['neighbor'] },
      { name: 'Lu Kern', details: toMe('neighbour') },
    ],
  })
  const nameOf = async (text: string) => (await requireConnection(member.db, text)).name
  assert.equal(await nameOf('my sister'), 'Ada Lee')
  assert.equal(await nameOf('mein Steuerberater'), 'Tina Voss')
  assert.equal(await nameOf('my boss'), 'Uwe Ott')
  for (const text of ['my brother', 'my son', 'my direct report', 'my me'])
    await assert.rejects(requireConnection(member.db, text), { code: 'not_found' }, text)
  await assert.rejects(requireConnection(member.db, 'my neighbor'), { code: 'ambiguous_person' })
  const { connections } = await member.ask<PageOfMatches>(searchConnectionsTool, {
    query: "my sister's phone",
  })
  const [first, ...others] = connections
  assert.deepEqual([first?.name, first?.partial_match], ['Ada Lee', undefined])
  assert.ok(others.every(({ partial_match: why }) => why !== undefined))
  await member.ask(deleteConnectionsTool, { people: ['Ada Lee'] })
  await assert.rejects(requireConnection(member.db, 'my sister'), { code: 'not_found' })
})

async function openNicknames() {
  const world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Ben Harcourt' },
      { name: 'Benjamin Achleitner', details: ['nickname = Ben'] },
      { name: 'Alex Kim' },
      { name: 'Alexander Voss' },
      { name: 'Sarah Grant', details: ['nickname = Winnie'] },
      { name: 'Marguerite Dupont', details: ['nickname = Mamie Margot'] },
      { name: 'Eva Grünebaum' },
      { name: 'Ida Moeller' },
      { name: 'Michal Kowalski' },
      { name: 'Robert Quint' },
      { name: 'Tilda Zorn', details: ['nickname = Zé'] },
    ],
  })
  return { world, member }
}

test('a first name or nickname of several people is ambiguous, and the closest come first', async () => {
  const { world, member } = await openNicknames()
  await using _world = world
  const log = { kind: 'call', on: '2026-11-01' }
  await member.ask(logInteractionTool, { people: ['Benjamin Achleitner'], ...log })
  for (const [given, names] of [
    ['Ben', ['Benjamin Achleitner', 'Ben Harcourt']],
    ['Alex', ['Alex Kim', 'Alexander Voss']],
  ] as const) {
    const refused = await member.refused(logInteractionTool, { people: [given], ...log })
    assert.equal(refused.code, 'ambiguous_person', given)
    const [one] = refused['ambiguous'] as { candidates: { name: string }[] }[]
    assert.deepEqual(
      one?.candidates.map(({ name }) => name),
      names,
    )
  }
  const whole = await requireConnection(member.db, 'Ben Harcourt')
  assert.equal(whole.name, 'Ben Harcourt')
})

test('a stored nickname of one person, alone or before the family name, names the person', async () => {
  const { world, member } = await openNicknames()
  await using _world = world
  const cases = [
    ['Winnie', 'Sarah Grant'],
    ['winnie grant', 'Sarah Grant'],
    ['mamie margot', 'Marguerite Dupont'],
    ['Mamie Margot Dupont', 'Marguerite Dupont'],
    ['Ben Achleitner', 'Benjamin Achleitner'],
    ['ze', 'Tilda Zorn'],
  ]
  const found = await requireConnections(
    member.db,
    cases.map(([given = '']) => given),
  )
  for (const [given = '', name] of cases)
    assert.equal((await requireConnection(member.db, given)).name, name, given)
  assert.equal(found.length, 4)
  for (const given of ['Winnie Dupont', 'Bob'])
    await assert.rejects(requireConnection(member.db, given), { code: 'not_found' }, given)
  await assert.rejects(requireConnections(member.db, ['Winnie'], { wholeNames: true }), {
    code: 'not_found',
  })
  await member.ask(updateConnectionsTool, { people: 'Winnie', details: ['nickname = Wren'] })
  assert.equal((await requireConnection(member.db, 'Wren')).name, 'Sarah Grant')
  await assert.rejects(requireConnection(member.db, 'Winnie'), { code: 'not_found' })
})

test('a name with umlauts is found without them and the other way around', async () => {
  const { world, member } = await openNicknames()
  await using _world = world
  for (const [given, name] of [
    ['Gruenebaum', 'Eva Grünebaum'],
    ['Eva Gruenebaum', 'Eva Grünebaum'],
    ['Grunebaum', 'Eva Grünebaum'],
    ['Möller', 'Ida Moeller'],
    ['ida möller', 'Ida Moeller'],
  ] as const)
    assert.equal((await requireConnection(member.db, given)).name, name, given)
  for (const given of ['Michael', 'Michael Kowalski'])
    await assert.rejects(requireConnection(member.db, given), { code: 'not_found' }, given)
})

test('an initial or a short form is ambiguous if a name with a title or a middle initial may be meant, too', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Dr. Elena Rossi' },
      { name: 'Elena Russo' },
      { name: 'J. R. Smith' },
      { name: 'John Smith' },
      { name: 'Prof. Mary Ann Cole' },
      { name: 'Mary Bea Cole' },
    ],
  })
  for (const given of ['Elena R.', 'Elena R', 'J. Smith', 'Mary Cole'])
    await assert.rejects(requireConnection(member.db, given), { code: 'ambiguous_person' }, given)
  assert.equal((await requireConnection(member.db, 'Elena Rossi')).name, 'Dr. Elena Rossi')
})

test('another form of a given name is a name of its own: Jon is not John', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'John Marsh' },
      { name: 'Anna Cole' },
      { name: 'Tomasz Ott' },
      { name: 'Robert Lee' },
    ],
  })
  for (const given of ['Jon Marsh', 'Ann Cole', 'Tom Ott'])
    await assert.rejects(requireConnection(member.db, given), { code: 'not_found' }, given)
  assert.equal((await requireConnection(member.db, 'Bob Lee')).name, 'Robert Lee')
})
