/** A query that names a person: initials, beginnings of names, and people who are asked for by the name of another person. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'
import { addConnectionsTool } from '../people/add-connections.tool.ts'
import { updateConnectionsTool } from '../people/update-connections.tool.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { requireConnection } from '../editing/require-connection.ts'
import { NO_LIMITS } from '../../http/caller.ts'
import { completeName } from './complete-person.ts'
import type { PageOfMatches } from './connection-page.ts'

const PEOPLE = [
  { name: 'Anneliese Kirchmoser', note: "Don't call before ten. Plan B is the Y in the T-shape." },
  { name: 'Dr. Jonathan William Fairweather', company: 'T-Systems' },
  { name: 'Anna Wiśniewska', emails: ['anna.wisniewska@example.org'] },
  { name: 'Anna K.' },
  { name: 'Daniel Fürstenberg', emails: ['daniel.fuerstenberg@example.org'] },
  { name: 'Maria Schönfelder', note: 'Hat eine schöne Wohnung.' },
  { name: 'Aïssatou Ndoye', company: 'Wave Mobile Money' },
  { name: 'Hyun-woo Lee', company: 'Google' },
  { name: 'Наталья Бережная' },
  { name: 'Thomas Eichinger', title: 'Hydrogen engineer' },
  { name: 'Pat Obrien' },
  { name: 'Ulla Weber', company: 'X Development', note: 'Takes vitamin D.' },
  { name: 'Priya Nambiar', birthday: '1980-04-02' },
]

async function openNetwork(people: readonly object[] = PEOPLE) {
  const world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, { connections: people })
  return { world, member }
}

async function found(member: Acting, query: string): Promise<PageOfMatches> {
  return member.ask<PageOfMatches>(searchConnectionsTool, { query })
}

async function completeNames(member: Acting, query: string): Promise<string[]> {
  const { connections } = await found(member, query)
  return connections
    .filter(({ partial_match: why }) => why === undefined)
    .map(({ name }) => name)
    .toSorted()
}

/** The names of the people that a change of `where` takes. */
async function taken(member: Acting, query: string): Promise<string[]> {
  const change = { where: { query }, note: 'Taken' }
  const { people } = await member.ask<{ people: { name: string }[] }>(updateConnectionsTool, change)
  return people.map(({ name }) => name).toSorted()
}

/** No one is complete in the search and in a search field, and `where` changes no one. */
async function assertNoOne(member: Acting, query: string): Promise<void> {
  assert.deepEqual(await completeNames(member, query), [], query)
  const { code } = await member.refused(updateConnectionsTool, { where: { query }, note: 'Taken' })
  assert.equal(code, 'not_found', query)
}

async function reasons(member: Acting, query: string): Promise<(string | undefined)[][]> {
  const { connections } = await found(member, query)
  return connections.map(({ name, partial_match: why }) => [name, why])
}

const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(65 + at))

const PLACES = [
  (letter: string, family: string) => `${letter} ${family}`,
  (letter: string, family: string) => `${family} ${letter}`,
  (letter: string, family: string) => `${family}, ${letter}`,
  (letter: string, family: string, given: string) => `${given} ${letter} ${family}`,
  (letter: string, family: string) => `Do I know ${letter} ${family}?`,
]

test('an initial counts only for another word of a name that has a whole word, whatever the letter and its place', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  for (const [name, given, family, ...initials] of [
    ['Anneliese Kirchmoser', 'Anneliese', 'Kirchmoser', 'A'],
    ['Dr. Jonathan William Fairweather', 'Jonathan', 'Fairweather', 'J', 'W'],
  ] as const)
    for (const letter of LETTERS)
      for (const dot of ['.', ''])
        for (const place of PLACES) {
          const query = place(`${letter}${dot}`, family, given)
          // A capital I in a sentence is the member.
          if (query.startsWith('Do I know I F') || query.startsWith('Do I know I K')) continue
          const others = initials.filter((one) => !query.includes(given) || !given.startsWith(one))
          const isRight = (others as readonly string[]).includes(letter)
          assert.deepEqual(await completeNames(member, query), isRight ? [name] : [], query)
        }
})

test('initials in small letters and in other scripts count like capitals; several need a word each', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  for (const query of [
    't kirchmoser',
    'e kirchmoser',
    'kirchmoser k',
    'anna m',
    'anna a',
    'anna i',
    'anna m.',
    'J. K. Fairweather',
    'J. J. Fairweather',
    'W. W. Fairweather',
    'D. Fairweather',
    'Fairweather, J. A.',
    'Dr. T. Fairweather',
    'Т. Бережная',
    'Бережная К.',
    'Ю. Бережная',
    'T-Mobile',
    't-mobile',
    'Google Y',
    'Careem Y',
    'Who do I know at Google Y?',
    'Terje K.',
    'S. Lee',
    'L. Lee',
    'I. Lee',
  ])
    await assertNoOne(member, query)
  for (const [query, name] of [
    ['a kirchmoser', 'Anneliese Kirchmoser'],
    ['kirchmoser a', 'Anneliese Kirchmoser'],
    ['anna w', 'Anna Wiśniewska'],
    ['Anna W.', 'Anna Wiśniewska'],
    ['Anna K.', 'Anna K.'],
    ['J. W. Fairweather', 'Dr. Jonathan William Fairweather'],
    ['W. Fairweather', 'Dr. Jonathan William Fairweather'],
    ['Н. Бережная', 'Наталья Бережная'],
    ['N. Berezhnaya', 'Наталья Бережная'],
    ['H. W. Lee', 'Hyun-woo Lee'],
    ['O Brien', 'Pat Obrien'],
    ['T-Systems', 'Dr. Jonathan William Fairweather'],
    ['X Development', 'Ulla Weber'],
    ['vitamin D', 'Ulla Weber'],
    ['plan B', 'Anneliese Kirchmoser'],
    ['I know a hydrogen engineer', 'Thomas Eichinger'],
    ['A hydrogen engineer', 'Thomas Eichinger'],
  ] as const)
    assert.deepEqual((await completeNames(member, query)).slice(0, 1), [name], query)
  assert.deepEqual(await reasons(member, 'B. Kirchmoser'), [
    ['Anneliese Kirchmoser', '1 of 2 words: Kirchmoser'],
  ])
  const { hint } = await found(member, 'T. Kirchmoser')
  const near = (name: string) => `Names that have a part of it: ${name}.`
  assert.equal(hint, `No person named T. Kirchmoser. ${near('Anneliese Kirchmoser')}`)
  const several = await found(member, 'J. K. Fairweather')
  assert.equal(
    several.hint,
    `No person named J. K. Fairweather. ${near('Dr. Jonathan William Fairweather')}`,
  )
  assert.equal(
    (await found(member, 'D. W. Kirchmoser')).hint,
    `No person named D. W. Kirchmoser. ${near('Anneliese Kirchmoser')}`,
  )
  assert.deepEqual(await taken(member, 'A. Kirchmoser'), ['Anneliese Kirchmoser'])
})

test('beside a word of a name, the beginning of another one is weaker, and writes refuse it', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  for (const [query, name, why] of [
    ['Daniel Fürst', 'Daniel Fürstenberg', 'begins with Fürst: Fürstenberg'],
    ['daniel fuerst', 'Daniel Fürstenberg', 'begins with fuerst: Fürstenberg'],
    ['Do I know Maria Schön?', 'Maria Schönfelder', 'begins with Schön: Schönfelder'],
    ['Priy Nambiar', 'Priya Nambiar', 'begins with Priy: Priya'],
  ] as const) {
    await assertNoOne(member, query)
    assert.deepEqual((await reasons(member, query))[0], [name, why], query)
    const asked = query.replace(/Do I know |\?/g, '')
    for (const [tool, input] of [
      [updateConnectionsTool, { tags: { add: ['Guessed'] } }],
      [saveNoteTool, { text: 'Guessed' }],
      [deleteConnectionsTool, {}],
    ] as const) {
      const refused = await member.refused(tool, { people: [asked], ...input })
      assert.equal(refused.code, 'not_found', asked)
      assert.match(refused.hint ?? '', new RegExp(`Did you mean ${name}\\?`), asked)
    }
  }
  for (const [query, name] of [
    ['Fürst', 'Daniel Fürstenberg'],
    ['daniel.fuerst', 'Daniel Fürstenberg'],
    ['thomas hydro', 'Thomas Eichinger'],
    ['Tom Eichinger', 'Thomas Eichinger'],
    ['Fürstenberg Daniel', 'Daniel Fürstenberg'],
  ] as const)
    assert.deepEqual(await completeNames(member, query), [name], query)
  assert.deepEqual(await completeName(member.db, 'Daniel Fürst', NO_LIMITS), ['Daniel Fürstenberg'])
  // A change is not as-you-type: a single beginning of a name is refused, too.
  const refused = await member.refused(updateConnectionsTool, {
    where: { query: 'Fürst' },
    note: 'Taken',
  })
  assert.deepEqual(refused['rejected'], [
    {
      given: 'Daniel Fürstenberg',
      reason: 'is only a weaker match: begins with Fürst: Fürstenberg',
    },
  ])
  const begun = { where: { query: 'hydro' }, note: 'Taken' }
  assert.deepEqual((await member.refused(updateConnectionsTool, begun))['rejected'], [
    { given: 'Thomas Eichinger', reason: 'is only a weaker match: begins with hydro: Hydrogen' },
  ])
})

test('people in a call are found by whole words, initials of other words, and nicknames beside a family name', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  for (const [given, name] of [
    ['Daniel F.', 'Daniel Fürstenberg'],
    ['Tom Eichinger', 'Thomas Eichinger'],
    ['Jonathan Fairweather', 'Dr. Jonathan William Fairweather'],
    ['Anna W.', 'Anna Wiśniewska'],
    ['A. Kirchmoser', 'Anneliese Kirchmoser'],
  ] as const)
    assert.equal((await requireConnection(member.db, given)).name, name, given)
  for (const given of [
    'Daniel Fürst',
    'Daniel D.',
    'Anna M.',
    'T. Kirchmoser',
    'K. Kirchmoser',
    'Tom Eich',
    'Tom',
    'A. K.',
  ])
    await assert.rejects(requireConnection(member.db, given), { code: 'not_found' }, given)
})

test('a teacher of Mila is not Mila', async () => {
  const { world, member } = await openNetwork([
    { name: 'Ludmila Nováčková', note: 'Retired teacher, my Czech tutor.' },
    { name: 'Mila Horst', title: 'Teacher', emails: ['mila@example.org'] },
    { name: 'Sabine Obermüller', title: 'Lehrerin', note: 'Unterrichtet Mila in der 3b.' },
    { name: 'Priya Nambiar', birthday: '1980-04-02', title: 'Teacher' },
    { name: 'Constanze von Treskow', title: 'Investor' },
    { name: 'Lou Marsh', title: 'Director', company: 'Siemens' },
  ])
  await using _world = world
  for (const query of [
    "Who is Mila's teacher?",
    'Teacher of Mila',
    'Mila’s new teacher',
    'insegnante di Mila',
    'profesora de Mila',
  ])
    await assertNoOne(member, query)
  assert.deepEqual(await completeNames(member, 'Lehrerin von Mila'), ['Sabine Obermüller'])
  assert.match(
    JSON.stringify(await reasons(member, "Who is Mila's teacher?")),
    /Mila only in the name/,
  )
  assert.deepEqual(await completeNames(member, "When is Priya's birthday?"), ['Priya Nambiar'])
  assert.ok((await completeNames(member, "What is Mila's email?")).includes('Mila Horst'))
  assert.deepEqual(await completeNames(member, 'investor von Treskow'), ['Constanze von Treskow'])
  assert.deepEqual(await completeNames(member, 'Director of Siemens'), ['Lou Marsh'])
  assert.deepEqual(await completeNames(member, 'teacher Mila'), ['Ludmila Nováčková', 'Mila Horst'])
})

test('names in Chinese, Japanese and Korean are stored family name first, and found in either order', async () => {
  const { world, member } = await openNetwork([
    { given_name: '서연', family_name: '박' },
    { given_name: '小明', family_name: '王' },
    { given_name: 'さくら', family_name: '田中' },
    { given_name: '健一', family_name: '佐々木' },
    { given_name: 'Ada', family_name: 'Berg' },
  ])
  await using _world = world
  const { connections } = await found(member, '')
  assert.deepEqual(connections.map(({ name }) => name).toSorted(), [
    'Ada Berg',
    '佐々木健一',
    '王小明',
    '田中 さくら',
    '박서연',
  ])
  await member.ask(addConnectionsTool, {
    connections: [
      { name: '민준 김' },
      { name: '이 준호' },
      { name: '남궁민수' },
      { name: '晓雯陈' },
    ],
  })
  for (const [name, ...queries] of [
    ['박서연', '박서연', '서연박', '박 서연', '서연 박'],
    ['민준 김', '김민준', '민준김', '김 민준', '민준 김'],
    ['이 준호', '이준호', '준호이', '이 준호', '준호 이'],
    ['남궁민수', '남궁민수', '민수 남궁', '남궁 민수', '민수남궁'],
    ['王小明', '王小明', '小明王', '王 小明', '小明 王'],
    ['田中 さくら', '田中さくら', 'さくら田中', '田中 さくら', 'さくら 田中'],
    ['佐々木健一', '佐々木健一', '健一佐々木', '佐々木 健一', '健一 佐々木'],
    ['晓雯陈', '陈晓雯', '晓雯陈', '陈 晓雯', '晓雯 陈'],
  ] as const)
    for (const query of queries) {
      assert.deepEqual(await completeNames(member, query), [name], query)
      assert.equal((await requireConnection(member.db, query)).name, name, query)
    }
  for (const query of ['김서연', '박민준', '이민수', '王小芳', '陈小明', '田中健一'])
    await assertNoOne(member, query)
})

const NAMED_CITIES = ['Madison', 'Paris', 'Austin', 'Sydney', 'Florence', 'Geneva', 'Chelsea']
const CITIES = [...NAMED_CITIES, 'Berlin', 'London', 'Lisbon', 'Hamburg', 'Toledo']
const [GIVEN, FAMILIES] = [
  ['Peter', 'Jack', 'Anna', 'Ruth'],
  ['Halvorsen', 'Whitfield', 'Okafor', 'Brenner'],
] as const

function without(names: readonly string[], left: string): string[] {
  return names.filter((name) => name !== left)
}

test('a place in the name of a person is a name, whatever the place, and after in it is no name', async () => {
  const givens = 'Kari Olga Ines Nora Lena Mara Vera Elsa Gitta Hedda Runa Tilda'.split(' ')
  const families = 'Kern Lund Moos Falk Ritt Sand Thal Voss Wirt Zorn Bach Dorn'.split(' ')
  const residents = CITIES.flatMap((location, at) => [
    ...FAMILIES.map((family) => ({ name: `${givens[at]} ${family}`, location })),
    ...GIVEN.map((given) => ({ name: `${given} ${families[at]}`, location: `${location}, Coast` })),
  ])
  const note = { name: 'Zoe Noted', note: 'Madison Halvorsen and Jack London called.' }
  const { world, member } = await openNetwork([...residents, note])
  await using _world = world
  const names = fc.oneof(
    fc.tuple(fc.constantFrom(...NAMED_CITIES), fc.constantFrom(...FAMILIES)),
    fc.tuple(fc.constantFrom(...GIVEN), fc.constantFrom(...CITIES)),
  )
  const named: string[] = []
  await fc.assert(
    fc.asyncProperty(names, async (parts) => {
      const name = parts.join(' ')
      if (!named.includes(name)) {
        await assertNoOne(member, name)
        const where = { query: name.toLowerCase() }
        await member.refused(updateConnectionsTool, { where, note: 'Taken' })
        await member.ask(addConnectionsTool, { name, location: 'Oslo' })
        named.push(name)
      }
      assert.deepEqual(await completeNames(member, name), [name])
      assert.deepEqual(await taken(member, name), [name])
      const place = parts.find((part) => CITIES.includes(part)) ?? ''
      const living = residents.filter(({ location }) => location.startsWith(place))
      const known = living.map((one) => one.name).toSorted()
      // A note may tell who is there.
      const there = await completeNames(member, `people in ${place}`)
      assert.deepEqual(without(there, 'Zoe Noted'), known, place)
    }),
    { numRuns: 30 },
  )
  // A name and a place beside it, or a company and a place, are both.
  await member.ask(addConnectionsTool, {
    name: 'Max Weber',
    location: 'Lisbon',
    company: 'Verdant',
  })
  for (const query of ['Max Weber Lisbon', 'Weber in Lisbon', 'Verdant Lisbon'])
    assert.deepEqual(await completeNames(member, query), ['Max Weber'], query)
  assert.deepEqual(await taken(member, 'Verdant Lisbon'), ['Max Weber'])
})

test('a given name that is only in a note is marked, and a word in a note is not', async () => {
  const { world, member } = await openNetwork([
    { name: 'Ruth Berger', note: 'Her daughter Valentina sails.' },
    { name: 'Nils Brandt', note: 'Valentina called about sailing.', tags: ['Charlotte'] },
    { name: 'Charlotte Moos' },
  ])
  await using _world = world
  const noted = await reasons(member, 'Valentina')
  for (const name of ['Ruth Berger', 'Nils Brandt'])
    assert.ok(
      noted.some(([one, why]) => one === name && why === 'Valentina only in a note'),
      name,
    )
  await assertNoOne(member, 'Valentina')
  assert.deepEqual(await completeNames(member, 'sails'), ['Nils Brandt', 'Ruth Berger'])
  assert.deepEqual(await completeNames(member, 'Charlotte'), ['Charlotte Moos', 'Nils Brandt'])
  await member.ask(addConnectionsTool, { name: 'Valentina Roth' })
  for (const query of ['Valentina', 'valentina'])
    assert.deepEqual(await completeNames(member, query), ['Valentina Roth'], query)
})
