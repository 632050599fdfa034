/** A guess is never a match: what is not in a network is not answered by people who are. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'
import { splitText } from '../../search/index/split-words.ts'
import { addConnectionsTool } from '../people/add-connections.tool.ts'
import { getConnectionsTool } from '../people/get-connections.tool.ts'
import { updateConnectionsTool } from '../people/update-connections.tool.ts'
import { listTimelineTool } from '../interactions/list-timeline.tool.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { requireConnection } from '../editing/require-connection.ts'
import { NO_LIMITS } from '../../http/caller.ts'
import { completeName } from './complete-person.ts'
import { suggestConnections } from './search.ts'
import type { PageOfMatches } from './connection-page.ts'

const PEOPLE = [
  { name: 'Ben H. Sato', emails: ['ben@example.org'], phones: ['+49 30 901820'], company: 'Teva' },
  { name: 'Ben H.', note: 'Booked a table at the gym' },
  { name: 'Mei V. Chowdhury', location: 'Zaragoza, Spain', emails: ['mei@example.org'] },
  { name: 'Noah X. Bauer', title: 'Elektriker', emails: ['noah@example.org'] },
  { name: 'Armin Quistorp', company: 'Orbital Metallurgy', note: 'Redet gern über Intelligenz.' },
  { name: 'Philip Sorensen', title: 'Vascular surgeon', birthday: '1980-04-02' },
  { name: 'Małgorzata Wrońska', company: 'Kärcher', note: 'Liest viel, mag Chöre.' },
  { name: 'Jörg Großmann', title: 'Notar', company: 'North American Sales Alliance' },
]

async function openNetwork() {
  const world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, { connections: PEOPLE })
  return { world, member }
}

async function found(member: Acting, query: string): Promise<PageOfMatches> {
  return member.ask<PageOfMatches>(searchConnectionsTool, { query })
}

/** No one matches completely, weaker matches have no contact data, and `where` changes no one. */
async function assertNoMatch(member: Acting, query: string, isTyped = true): Promise<void> {
  const { connections } = await found(member, query)
  for (const one of connections) {
    assert.notEqual(one.partial_match, undefined, `${query}: ${one.name}`)
    for (const field of ['email', 'emails', 'phones', 'birthday', 'profile_url'])
      assert.equal(field in one, false, `${query}: ${field} of ${one.name}`)
    assert.doesNotMatch(one.snippet ?? '', /@/, query)
  }
  for (const one of isTyped ? await suggestConnections(member.db, query, 8) : [])
    assert.equal(one.isWeaker, true, `${query}: suggests ${one.name}`)
  const refused = await member.refused(updateConnectionsTool, {
    where: { query },
    tags: { add: ['Guessed'] },
  })
  assert.equal(refused.code, 'not_found', query)
}

/** People, companies, trades and things that are not in the network. */
const ABSENT =
  `Haverkamp Xaver Noonan Delacourt Kaczorowski Pettinari Quaresma Verhaegen Freudenberg Kjeldgaard Robledo NASA
  IBM VASC Tesla Uber Siemens Miele Nike Renault Repsol Ferrari Pirelli Petrobras Philips Orlen Nasdaq
  Газпром Карпенко Всеволод 카카오 최민석 阿里巴巴 佐久間 أرامكو المنصوري Παπαδόπουλος falconer Kartograph ventríloquo souffleur
  taxidermiste zookeeper orologiaio cerrajero Vermieter slotenmaker kominiarz Sorenssen Chowdhurry
  Kaercherr Benedetta Arminius Intelligence Wronskova Zaragozano Grossmannova`
    .trim()
    .split(/\s+/)

/** Words with which words of the network begin: a question does not ask for these, but a search field may. */
const BEGINNINGS = ['Booking', 'Zara', 'Meta', 'Arm', 'Intel', 'Metal']

const EMPLOYMENT = [
  (word: string) => `who do I know at ${word}`,
  (word: string) => `Wen kenne ich bei ${word}?`,
  (word: string) => `qui travaille chez ${word}`,
]

const SENTENCES = [
  ...EMPLOYMENT,
  (word: string) => word,
  (word: string) => `Ben ${word} phone number`,
  (word: string) => `mein ${word}`,
]

test('for a word that is nowhere in the network, no result is complete and nothing is changed', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  for (const word of ABSENT)
    for (const sentence of SENTENCES) await assertNoMatch(member, sentence(word))
  for (const word of BEGINNINGS)
    for (const sentence of EMPLOYMENT) await assertNoMatch(member, sentence(word), false)
  const { connections } = await member.ask<{ connections: { tags?: string[] }[] }>(
    getConnectionsTool,
    { people: PEOPLE.map((_, at) => `c_${at + 1}`) },
  )
  assert.deepEqual(
    connections.filter(({ tags }) => tags?.includes('Guessed')),
    [],
  )
})

test('a name with typos is never a complete match, whatever the typos', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  // In every spelling: `kaer` begins the name Kärcher.
  const known = new Set(PEOPLE.flatMap((person) => splitText(JSON.stringify(person)).words.flat()))
  const word = fc.constantFrom('chowdhury', 'quistorp', 'sorensen', 'bauer', 'karcher', 'orbital')
  const edits = fc.array(
    fc.record({
      at: fc.nat(20),
      letter: fc.constantFrom(...'bcdfgkmptvz'.split('')),
      kind: fc.nat(2),
    }),
    { minLength: 1, maxLength: 3 },
  )
  const property = fc.asyncProperty(word, edits, async (own, list) => {
    let typed = own
    for (const { at, letter, kind } of list) {
      const place = 1 + (at % (typed.length - 1))
      typed =
        typed.slice(0, place) +
        (kind === 0 ? '' : letter) +
        typed.slice(place + (kind === 2 ? 0 : 1))
    }
    fc.pre(![...known].some((one) => one.startsWith(typed) || typed.startsWith(one)))
    await assertNoMatch(member, typed)
  })
  await fc.assert(property, { numRuns: 40 })
})

test('a weaker match says why, and comes after the complete ones', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const reasons = async (query: string) =>
    (await found(member, query)).connections.map(({ name, partial_match: why }) => [name, why])
  assert.deepEqual(await reasons('people at Kerrcher'), [
    ['Małgorzata Wrońska', 'similar spelling: Kärcher for Kerrcher'],
  ])
  assert.deepEqual(await reasons('people at Tesla'), [])
  assert.deepEqual(await reasons('electrician'), [['Noah X. Bauer', 'other words for electrician']])
  assert.deepEqual(await reasons('alguien de Zara'), [
    ['Mei V. Chowdhury', 'begins with Zara: Zaragoza'],
  ])
  assert.deepEqual(await reasons('NASA'), [['Jörg Großmann', 'initials for NASA']])
  assert.deepEqual(await reasons('Quistrop'), [
    ['Armin Quistorp', 'similar spelling: Quistorp for Quistrop'],
  ])
  await member.ask(addConnectionsTool, {
    connections: [{ name: 'Ida Berg', title: 'Electrician' }],
  })
  assert.deepEqual(await reasons('electrician'), [
    ['Ida Berg', undefined],
    ['Noah X. Bauer', 'other words for electrician'],
  ])
})

test('an initial stands for a name only if the person has no other family name', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const { connections, hint } = await found(member, 'Ben Haverkamp')
  const near = 'Names that have a part of it: Ben H., Ben H. Sato.'
  assert.equal(hint, `No person named Ben Haverkamp. ${near}`)
  assert.deepEqual(
    connections.map(({ name, partial_match: why }) => [name, why]),
    [
      ['Ben H.', 'initials for Haverkamp'],
      ['Ben H. Sato', '1 of 2 words: Ben'],
    ],
  )
})

test('a name that no one has is said, with similar spellings of the whole name only', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  for (const [query, hint, ...names] of [
    ['Haverkamp', 'No person named Haverkamp.'],
    ["What is Quentin Delacourt's email?", 'No person named Quentin Delacourt.'],
    ['Telefonnummer von Quentin Delacourt', 'No person named Quentin Delacourt.'],
    ['Xaver Noonan', 'No person named Xaver Noonan.'],
    [
      'Armni Quistrop',
      'No person is named exactly Armni Quistrop; similar spelling: Armin Quistorp.',
      'Armin Quistorp',
    ],
    [
      'Quistrop',
      'No person is named exactly Quistrop; similar spelling: Quistorp.',
      'Armin Quistorp',
    ],
    ['who do I know at Uber', 'No person has Uber.'],
  ] as const) {
    const answer = await found(member, query)
    assert.equal(answer.hint, hint, query)
    assert.deepEqual(
      answer.connections.map(({ name }) => name),
      names,
      query,
    )
  }
  const refused = await member.refused(listTimelineTool, { people: 'Xaver Noonan' })
  assert.equal('similar' in refused, false)
  const similar = await member.refused(listTimelineTool, { people: 'Armin Quistrop' })
  assert.match(similar.hint ?? '', /Did you mean Armin Quistorp\?/)
})

test('a Japanese name is not said to be missing while the reading of a name in Han letters is unknown', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const hintFor = async (query: string) => (await found(member, query)).hint
  assert.equal(await hintFor('Tanaka'), 'No person named Tanaka.')
  await member.ask(addConnectionsTool, { connections: [{ name: '田中 直樹' }] })
  assert.equal(await hintFor('Tanaka'), undefined)
  assert.equal(await hintFor('Naoki Tanaka'), undefined)
  assert.equal(await hintFor('Haverkamp'), 'No person named Haverkamp.')
})

test('spellings, inflections, scripts and nicknames of the same word are complete', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  for (const [query, name] of [
    ['Malgorzata Wronska', 'Małgorzata Wrońska'],
    ['Joerg Grossmann', 'Jörg Großmann'],
    ['Gosia Wrońska', 'Małgorzata Wrońska'],
    ['Kaercher', 'Małgorzata Wrońska'],
    ['who do I know at Kärcher', 'Małgorzata Wrońska'],
    ['Chor', 'Małgorzata Wrońska'],
    ['Quist', 'Armin Quistorp'],
  ] as const) {
    const [first] = (await found(member, query)).connections
    assert.deepEqual([first?.name, first?.partial_match], [name, undefined], query)
  }
})

test('a change of everyone who matches names the people that it left out', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  await member.ask(addConnectionsTool, {
    connections: [{ name: 'Ida Berg', title: 'Electrician' }],
  })
  const { people, rejected } = await member.ask<{ people: { name: string }[]; rejected: object[] }>(
    updateConnectionsTool,
    { where: { query: 'electricians' }, tags: { add: ['Trade'] } },
  )
  assert.deepEqual(
    people.map(({ name }) => name),
    ['Ida Berg'],
  )
  assert.deepEqual(rejected, [
    {
      given: 'Noah X. Bauer',
      reason: 'is only a weaker match: other words for electricians',
    },
  ])
  const refused = await member.refused(updateConnectionsTool, {
    where: { query: 'people at Kerrcher' },
    tags: { add: ['Trade'] },
  })
  assert.deepEqual(refused['rejected'], [
    {
      given: 'Małgorzata Wrońska',
      reason: 'is only a weaker match: similar spelling: Kärcher for Kerrcher',
    },
  ])
})

test('a company whose name only begins with the words of where is left out and named', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Ida Berg', company: 'Intel' },
      { name: 'Lou Marsh', company: 'Intel Deutschland GmbH' },
      { name: 'Uma Stone', company: 'Intelligent Systems' },
      { name: 'Per Holm', company: 'Karchers' },
    ],
  })
  const tagged = (where: object) =>
    member.ask<{ people: { name: string }[]; rejected?: object[] }>(updateConnectionsTool, {
      where,
      tags: { add: ['Trade'] },
    })
  const { people, rejected } = await tagged({ company: 'intel' })
  assert.deepEqual(people.map(({ name }) => name).toSorted(), ['Ida Berg', 'Lou Marsh'])
  assert.deepEqual(rejected, [
    { given: 'Uma Stone', reason: 'is only a weaker match: a longer word than intel' },
  ])
  assert.equal((await tagged({ company: 'Intel', query: 'Berg' })).rejected, undefined)
  for (const company of ['Karcher', 'Inte', 'Intel Deu', 'Trel'])
    assert.equal(
      (
        await member.refused(updateConnectionsTool, {
          where: { company },
          tags: { add: ['Guessed'] },
        })
      ).code,
      'not_found',
      company,
    )
})

test('a location that only begins with the words of where is left out and named', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Ida Berg', location: 'München' },
      { name: 'Lou Marsh', location: 'Munich, Bavaria' },
      { name: 'Uma Stone', location: 'Münchenbuchsee' },
    ],
  })
  const tagged = (where: object) =>
    member.ask<{ people: { name: string }[]; rejected?: object[] }>(updateConnectionsTool, {
      where,
      tags: { add: ['Wiesn'] },
    })
  const { people, rejected } = await tagged({ location: 'München' })
  assert.deepEqual(people.map(({ name }) => name).toSorted(), ['Ida Berg', 'Lou Marsh'])
  assert.deepEqual(rejected, [
    { given: 'Uma Stone', reason: 'is only a weaker match: a longer word than München' },
  ])
  const short = { where: { location: 'Mün' }, tags: { add: ['Guessed'] } }
  assert.equal((await member.refused(updateConnectionsTool, short)).code, 'not_found')
})

/** Queries that ask for no person in the network, whatever the search does with their other words. */
test('what a query excludes and a search cannot exclude is never a complete match', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Rosa Blume', title: 'Engineer', note: 'Vegan.', tags: ['vip'] },
      { name: 'Kim No', note: 'Eats no gluten.' },
    ],
  })
  for (const query of `someone who is not vegan/people who are not engineers/not engineers/not Rosa/everybody but Rosa/
    everyone except Rosa/people not tagged vip/people without vegan in the notes/people who aren't vegan/-Rosa/!Rosa/
    engineer -Rosa/engineers not in Zwolle/alle außer Rosa/Leute, die nicht vegan sind/keine Engineer/sans vegan/
    gente que no es vegan/кроме Rosa/nie vegan`.split(/\s*\/\s*/))
    await assertNoMatch(member, query)
  for (const [query, name] of [
    ['who eats no gluten', 'Kim No'],
    ['Kim No', 'Kim No'],
    ['people not in Zaragoza who are engineers', 'Rosa Blume'],
    ['engineers without an email', 'Rosa Blume'],
  ] as const) {
    const [first] = (await found(member, query)).connections
    assert.deepEqual([first?.name, first?.partial_match], [name, undefined], query)
  }
})

test('people who only meet the date of a query are weaker, and no change takes them', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  await member.ask(logInteractionTool, { people: ['Philip Sorensen'], on: 'today' })
  for (const query of [
    'Haverkamp met this week',
    'zookeepers I have not met since 2020',
    'violinists with a birthday in April',
  ])
    await assertNoMatch(member, query, false)
  const [first] = (await found(member, 'violinists with a birthday in April')).connections
  assert.equal(first?.partial_match, 'only the date, not violinists')
  const [met] = (await found(member, 'people I met this week')).connections
  assert.equal(met?.partial_match, undefined)
})

test('a change of everyone who matches takes whole words and their forms, in every field', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const isChanged = async (where: object) =>
    (await member.call(updateConnectionsTool, { where, tags: { add: ['Guessed'] } })).ok
  for (const query of ['orbi', 'metal', 'zara', 'vasc', 'spa', 'ben@exam', 'intelli'])
    assert.equal(await isChanged({ query }), false, query)
  assert.equal(await isChanged({ title: 'Vasc' }), false)
  for (const query of ['orbital', 'surgeons', 'Spain', 'ben@example.org', '030 901820', 'Chöre'])
    assert.equal(await isChanged({ query }), true, query)
  assert.equal(await isChanged({ title: 'surgeon' }), true)
})

test('a word with accents of its own is no function word: Văn is not van', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, { connections: [{ name: 'Nguyen Thi Anh' }] })
  await assertNoMatch(member, 'Nguyễn Văn Anh')
  assert.equal((await found(member, 'Nguyễn Thị Anh')).connections[0]?.partial_match, undefined)
})

test('a short form finds its full name; other forms of a name are names of their own', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const people = [
    { name: 'Ilse Vandenberg', birthday: '1980-04-02' },
    { name: 'Marek Nowak', phones: ['+49 30 901821'] },
    { name: 'Étienne Lefèvre', emails: ['etienne@example.org'] },
    { name: 'Hannes Brandt', phones: ['+49 30 901822'] },
    { name: 'William Carter' },
  ]
  await member.ask(addConnectionsTool, { connections: people })
  for (const query of ['Lisa', 'Mark', 'Steve', 'Jan']) await assertNoMatch(member, query)
  for (const query of ['Bill', 'William']) {
    const [first] = (await found(member, query)).connections
    assert.deepEqual([first?.name, first?.partial_match], ['William Carter', undefined], query)
  }
})

test('an employer matches completely only in a company, a position or an email domain of a company', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Zoe Adler', note: 'Helped with my visa. Plays chess across Latin America.' },
      { name: 'Rui Prado', title: 'Harvest manager', company: 'Bank Austria', tags: ['Signal'] },
      {
        name: 'Lou Marsh',
        note: 'Sent oranges for the harvest; good signal.',
        location: 'Oak Street',
      },
      { name: 'Uma Stone', company: 'Visa Europe' },
      { name: 'Per Holm', emails: ['per@signal.example'] },
    ],
  })
  const complete = async (query: string) =>
    (await found(member, query)).connections
      .filter(({ partial_match: why }) => why === undefined)
      .map(({ name }) => name)
  for (const sentence of [
    ...EMPLOYMENT,
    (word: string) => `trabaja en ${word}`,
    (word: string) => `chi lavora presso ${word}`,
    (word: string) => `wie ken ik bij ${word}`,
    (word: string) => `kogo znam w ${word}`,
    (word: string) => `trabalha em ${word}`,
  ]) {
    for (const word of ['Harvest', 'Latin America', 'Oak Street', 'Chess.com'])
      assert.deepEqual(await complete(sentence(word)), [], sentence(word))
    assert.deepEqual(await complete(sentence('Visa')), ['Uma Stone'])
    assert.deepEqual(await complete(sentence('Signal')), ['Per Holm'])
  }
  assert.deepEqual(await complete('who do I know at Bank of America'), [])
  const { connections, hint } = await found(member, 'who do I know at Harvest')
  assert.equal(hint, 'No person has Harvest as the company.')
  assert.deepEqual(
    new Set(connections.map(({ partial_match: why }) => why)),
    new Set(['Harvest not as the company']),
  )
  const refused = await member.refused(updateConnectionsTool, {
    where: { query: 'who do I know at Harvest' },
    tags: { add: ['Guessed'] },
  })
  assert.equal(refused.code, 'not_found')
})

test('a place of meeting or learning is no employer', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Zoe Adler', note: 'Met at Harvest. Studied at Oxbow. Hilft bei Umzügen.' },
    ],
  })
  for (const query of [
    'who did I meet at Harvest',
    'who studied at Oxbow',
    'wer hilft bei Umzügen',
  ]) {
    const [first] = (await found(member, query)).connections
    assert.deepEqual([first?.name, first?.partial_match], ['Zoe Adler', undefined], query)
  }
})

test('a noun that no one has is not called a name, and a verb is no form of a noun', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  await member.ask(addConnectionsTool, {
    connections: [{ name: 'Lou Marsh', note: 'Wohnt im Haus nebenan.' }],
  })
  for (const query of [
    'Geigenunterricht für Jana',
    'wo wechsle ich die Reifen',
    'wer kann am Freitag',
  ])
    assert.doesNotMatch((await found(member, query)).hint ?? '', /Geigen|Reifen|Freitag/, query)
  const { connections } = await found(member, 'wem gehört unsere Wohnung')
  assert.deepEqual(
    connections.map(({ name, partial_match: why }) => [name, why]),
    [['Lou Marsh', 'other words for Wohnung']],
  )
})

test('a typo is one edit of five letters, keeps the first letter, and is no grammar', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  await member.ask(addConnectionsTool, {
    connections: [
      {
        name: 'Lou Marsh',
        note: 'Built the best shed, buys timber; avec des fleurs, worst weather',
      },
    ],
  })
  for (const query of ['a pipe burst', "j'ai mal aux dents", 'where is thirst', 'the horst hours'])
    for (const { partial_match: why } of (await found(member, query)).connections)
      assert.doesNotMatch(why ?? '', /spelling/, query)
  const [first] = (await found(member, 'who has timbre')).connections
  assert.equal(first?.partial_match, 'similar spelling: timber for timbre')
})

test('a hint names the whole that was compared, and no time, place or thing as a company or a person', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Malte Hagedorn', company: 'Deutche Bahn' },
      { name: 'Verena Hochleitner', company: 'Erste Bank' },
      { name: 'Priya Raghunathan', note: 'Goes hiking every weekend.' },
      { name: 'Rui Prado', company: 'The Guardian' },
    ],
  })
  for (const [query, hint] of [
    ['Who works at Deutsche Bank?', 'No person has Deutsche Bank.'],
    [
      'Who works at Deutsche Bahn?',
      'No person has exactly Deutsche Bahn; similar spelling: Deutche Bahn.',
    ],
    ['Is there a plumber I can call at the weekend?', undefined],
    ['Кого я знаю у Жмеринці?', 'No person has Жмеринці.'],
    ['Кого я знаю в Жмеринке?', 'No person has Жмеринке.'],
    ['Who do I know in Zwolle?', 'No person has Zwolle.'],
    ['Do I know Haverkamp?', 'No person named Haverkamp.'],
  ] as const)
    assert.equal((await found(member, query)).hint, hint, query)
  const [first] = (await found(member, 'who works at the guardian')).connections
  assert.deepEqual([first?.name, first?.partial_match], ['Rui Prado', undefined])
})

test('a city in another case of Russian or Ukrainian is the city', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const cities = ['Ереван', 'Київ', 'Львів', 'Одеса', 'Харків', 'Москва', 'Берлин']
  await member.ask(addConnectionsTool, {
    connections: cities.map((location, at) => ({ name: `Person ${at}`, location })),
  })
  for (const [at, ...questions] of [
    [0, 'Кого я знаю в Ереване?', 'кто живёт в ереване'],
    [1, 'Кого я знаю у Києві?', 'хто живе в Києві', 'люди з Києва'],
    [2, 'у Львові', 'зі Львова'],
    [3, 'в Одесі'],
    [4, 'у Харкові'],
    [5, 'кто живёт в Москве', 'из Москвы'],
    [6, 'Кого я знаю в Берлине?'],
  ] as const)
    for (const question of questions) {
      const { connections, hint } = await found(member, question)
      assert.deepEqual(
        connections.filter(({ partial_match: why }) => why === undefined).map(({ name }) => name),
        [`Person ${at}`],
        question,
      )
      assert.equal(hint, undefined, question)
    }
})

/** The names found, in order, each with the reason why it is a weaker match, and the names that a change by `where` takes. */
async function answers(member: Acting, query: string) {
  const { connections, hint } = await found(member, query)
  const tagged = await member.call(updateConnectionsTool, {
    where: { query },
    tags: { add: [`Taken by ${query}`] },
  })
  const { people = [] }: { people?: readonly { name: string }[] } = tagged.ok ? tagged.output : {}
  return {
    found: connections.map(({ name, partial_match: why }) => [name, why]),
    taken: people.map(({ name }) => name),
    hint,
  }
}

test('a name in other letters is marked, and a change by where takes none', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [{ name: 'Lina Ali' }, { name: '王伟' }, { name: '박지민' }, { name: 'عمر حداد' }],
  })
  for (const [query, name, reason] of [
    ['李娜', 'Lina Ali', /^in other letters: Lina for 李/],
    ['Wang Wei', '王伟', /^in other letters: 王伟 for Wang/],
  ] as const) {
    const { found: all, taken, hint } = await answers(member, query)
    assert.equal(all[0]?.[0], name, query)
    assert.match(all[0]?.[1] ?? '', reason, query)
    assert.deepEqual(taken, [], query)
    assert.equal(hint, undefined, query)
  }
  for (const query of ['Park Jimin', 'Omar Haddad'])
    assert.deepEqual((await answers(member, query)).taken, [], query)
  for (const name of ['王伟', '박지민', 'عمر حداد'])
    assert.deepEqual((await answers(member, name)).taken, [name])
})

test('in scripts without spaces, only whole names, given names and family names are complete, and no change takes other parts', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const names = [
    '王伟明',
    '김서연',
    '桜井 さくら子',
    '田中 直樹',
    '佐々木健太',
    '남궁민수',
    '山本みどり',
  ]
  await member.ask(addConnectionsTool, {
    connections: [
      ...names.map((name) => ({ name })),
      { name: 'さくら' },
      { name: '陈晓', company: '王伟工作室' },
    ],
  })
  for (const [query, name, why] of [
    ['王伟', '王伟明', 'begins with 王伟: 王伟明'],
    ['김서', '김서연', 'begins with 김서: 김서연'],
    ['さくら', '桜井 さくら子', 'begins with さくら: さくら子'],
    ['々木健', '佐々木健太', 'part of a word: 佐々木健太 for 々木健'],
  ] as const) {
    const last = (await found(member, query)).connections.at(-1)
    assert.deepEqual([last?.name, last?.partial_match], [name, why])
  }
  for (const [query, ...taken] of [
    ['王伟', '陈晓'],
    ['"王伟"', '陈晓'],
    ['王伟明', '王伟明'],
    ['明伟王'],
    ['王', '王伟明'],
    ['明'],
    ['伟明', '王伟明'],
    ['김', '김서연'],
    ['김서'],
    ['김 서'],
    ['서연', '김서연'],
    ['서연 김', '김서연'],
    ['さくら', 'さくら'],
    ['田中さん', '田中 直樹'],
    ['田中直樹', '田中 直樹'],
    ['佐々木', '佐々木健太'],
    ['남궁', '남궁민수'],
    ['남궁민'],
    ['山本', '山本みどり'],
    ['山本み'],
    ['みどり', '山本みどり'],
  ] as const) {
    const { found: all, taken: own } = await answers(member, query)
    assert.deepEqual(own, taken, query)
    // A single character alone is how a name is found while it is typed.
    const complete = all.flatMap(([name, why]) => (why === undefined ? [name] : []))
    if (query.length > 1) assert.deepEqual(complete, taken, query)
  }
  assert.deepEqual(await completeName(member.db, '王伟', NO_LIMITS), ['王伟明'])
})

test('a change by name takes only a whole name or a whole part of it in scripts without spaces', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      ...['王伟明', '김서연', '田中 直樹', '佐々木健太', '山本みどり'].map((name) => ({ name })),
      { name: '陈晓华', details: ['nickname=小华'] },
    ],
  })
  for (const [person, name] of [
    ['王伟明', '王伟明'],
    ['伟明', '王伟明'],
    ['田中', '田中 直樹'],
    ['佐々木', '佐々木健太'],
    ['みどり', '山本みどり'],
    ['小华', '陈晓华'],
  ] as const)
    assert.equal((await requireConnection(member.db, person)).name, name)
  for (const person of ['王伟', '明', '김서', '木健', '陈晓', '陈华'])
    await assert.rejects(requireConnection(member.db, person), { code: 'not_found' }, person)
})

test('a person who only has the short form of a name is a guess for the full one', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [{ name: 'Kim Alexander' }, { name: 'Benjamin Grant' }, { name: 'María López' }],
  })
  const { found: marked, taken } = await answers(member, 'Kimberly')
  assert.deepEqual(marked, [['Kim Alexander', 'similar spelling: Kim for Kimberly']])
  assert.deepEqual(taken, [])
  assert.deepEqual((await answers(member, 'Ben Grant')).taken, ['Benjamin Grant'])
  // Rosa Maria is two names.
  assert.deepEqual((await answers(member, 'Rose')).found, [])
})

test('words of a name that are only in a note about another person are weaker', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Anna Müller', note: 'Her husband is Karl. Likes yoga. Neighbor of Wiesner.' },
      { name: 'Kurt Berg', note: 'Works with Anna.' },
    ],
  })
  for (const query of ['Karl Müller', 'karl müller', 'Anna Wiesner', "Karl Müller's email"]) {
    const { found: marked, taken } = await answers(member, query)
    assert.match(marked[0]?.[1] ?? '', /^(?:Karl|karl|Wiesner) only in a note/, query)
    assert.deepEqual(taken, [], query)
  }
  for (const query of ['Anna yoga', 'Anna, husband Karl', 'Anna Müller'])
    assert.deepEqual((await answers(member, query)).found[0], ['Anna Müller', undefined], query)
})

test('a query that is only a name does not match people who mention it, and a hint names the whole', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Ifeoma Nwosu', note: 'Recommended by Wendy Carmichael. Knows Kubernetes.' },
      { name: 'Ingrid Solheim', note: 'Married to Torvald Solheim.' },
      { name: 'Anna Müller', note: 'Works with Karl Brandt.' },
      { name: 'Karl Schmidt' },
    ],
  })
  for (const [query, name, why] of [
    ['Wendy Carmichael', 'Ifeoma Nwosu', 'Wendy Carmichael only in a note'],
    ['Do I know Wendy Carmichael?', 'Ifeoma Nwosu', 'Wendy Carmichael only in a note'],
    ['Karl Brandt', 'Anna Müller', 'Karl Brandt only in a note'],
    ['Otto Müller', 'Anna Müller', '1 of 2 words: Müller'],
  ] as const) {
    const { found: all, taken, hint } = await answers(member, query)
    assert.deepEqual([all[0], taken], [[name, why], []], query)
    const typed = query.replace(/^Do I know |\?$/g, '')
    assert.ok((hint ?? '').startsWith(`No person named ${typed}.`), query)
  }
  const { hint } = await found(member, 'Karl Müller')
  const near = 'Names that have a part of it: Anna Müller, Karl Schmidt.'
  assert.equal(hint, `No person named Karl Müller. ${near}`)
  // A change takes even less: names that are not known as such, also in small letters, and a given name alone.
  for (const query of ['Torvald Solheim', 'wendy carmichael', 'karl brandt', 'Wendy', 'wendy'])
    assert.deepEqual((await answers(member, query)).taken, [], query)
  for (const [query, name] of [
    ['recommended by Wendy Carmichael', 'Ifeoma Nwosu'],
    ['who works with Karl Brandt', 'Anna Müller'],
    ['Kubernetes', 'Ifeoma Nwosu'],
    ['Karl Schmidt', 'Karl Schmidt'],
  ] as const) {
    const { found: all, taken } = await answers(member, query)
    assert.deepEqual([all[0], taken], [[name, undefined], [name]], query)
  }
})

test('who works with someone are other people', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [{ name: 'Anna Müller' }, { name: 'Kurt Berg', note: 'Colleague: Anna' }],
  })
  for (const query of ['who works with Anna', 'wer arbeitet mit Anna', 'who knows Anna']) {
    const { found: all, taken } = await answers(member, query)
    assert.deepEqual(all, [
      ['Kurt Berg', undefined],
      ['Anna Müller', 'Anna only in the name'],
    ])
    assert.deepEqual(taken, ['Kurt Berg'], query)
  }
  const { found: known } = await answers(member, 'do I know Anna Müller')
  assert.deepEqual(known[0], ['Anna Müller', undefined])
})

test('a capitalized word that only begins a word outside of names is marked', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, {
    connections: [
      { name: 'Max Stone', company: 'Metalworks' },
      { name: 'Ida Berg', company: 'Meta' },
    ],
  })
  const { found: all } = await answers(member, 'Meta')
  assert.deepEqual(all, [
    ['Ida Berg', undefined],
    ['Max Stone', 'begins with Meta: Metalworks'],
  ])
  const { found: begun, hint } = await answers(member, 'Metalw')
  assert.deepEqual([begun, hint], [[['Max Stone', 'begins with Metalw: Metalworks']], undefined])
})

test('days of new people are those of the member, and a note about someone is no meeting', async () => {
  await using world = await openSharedWorld()
  for (const zone of ['Pacific/Auckland', 'America/Los_Angeles', 'UTC']) {
    const member = await world.join(zone)
    await member.ask(addConnectionsTool, {
      connections: [{ name: 'Ida Berg', note: 'Had coffee.' }, { name: 'Lou Marsh' }],
    })
    for (const [query, ...names] of [
      ['who did I meet today'],
      ['who did I add today', 'Ida Berg', 'Lou Marsh'],
      ['Wen habe ich heute hinzugefügt?', 'Ida Berg', 'Lou Marsh'],
      ['who did I add yesterday'],
    ] as const) {
      const { found: all, taken } = await answers(member, query)
      const complete = all.flatMap(([name = '', why]) => (why === undefined ? name : []))
      assert.deepEqual(complete.toSorted(), names, `${query} in ${zone}`)
      assert.deepEqual(taken.toSorted(), names, `${query} in ${zone}`)
    }
  }
})
