import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addConnectionTool, updateConnectionTool } from '../../../test/fixtures/one-person.ts'
import { nameKey, tokenize } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { addConnectionsTool } from '../people/add-connections.tool.ts'
import { updateConnectionsTool } from '../people/update-connections.tool.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { namesWithAllWords, searchConnectionsTool } from '../../../test/fixtures/search.ts'
import type { ImportedContact } from '../../contact-files/contact/contact.ts'
import type { PageOfConnections, PageOfMatches } from './connection-page.ts'

type Query = Record<string, unknown>

async function namesFound(member: Acting, query: Query): Promise<string[]> {
  const page = await member.ask<PageOfMatches>(searchConnectionsTool, { query: '', ...query })
  return namesWithAllWords(page)
}

async function add(member: Acting, people: readonly Query[]): Promise<void> {
  for (const person of people)
    await member.ask(addConnectionTool, { allow_duplicate: true, ...person })
}

/** The IDs on all pages of a query, in order. */
async function allPages(
  member: Acting,
  tool: typeof searchConnectionsTool,
  query: Query,
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const input: Query = cursor === undefined ? query : { ...query, cursor }
    const page = await member.ask<PageOfConnections>(tool, input)
    assert.equal(page.count, page.connections.length)
    assert.equal(page.has_more, page.next_cursor !== undefined)
    ids.push(...page.connections.map(({ connection_id }) => connection_id))
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return ids
}

test('finds by name, company, title, location, tag and note, and by several words across them', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    {
      name: 'Ada Lovelace',
      company: 'Analytical Engines',
      title: 'Programmer',
      location: 'London, United Kingdom',
      tags: ['Poetical Science'],
      note: 'Translates Menabrea.',
    },
    { name: 'Grace Hopper', company: 'Navy' },
  ])
  for (const query of [
    'lovelace',
    'ENGINES',
    'programmer',
    'london',
    'poetical',
    'menabrea',
    'ada menabrea london prog',
    'science translates',
  ])
    assert.deepEqual(await namesFound(member, { query }), ['Ada Lovelace'], query)
  assert.deepEqual(await namesFound(member, { query: 'ada navy' }), [])
})

test('case, accents, ligatures and strokes are normalized in queries and data', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const pairs: readonly [written: string, typed: string][] = [
    ['Jörg Müller', 'jorg muller'],
    ['Jorg Muller', 'Jörg Müller'],
    ['Firma Łódź', 'lodz'],
    ['Lodz', 'Łódź'],
    ['İstanbul', 'istanbul'],
    ['Istanbul', 'İSTANBUL'],
    ['ısparta', 'Isparta'],
    ['Weiß', 'weiss'],
    ['Weiss', 'WEIẞ'],
    ['Ægir', 'aegir'],
    ['Aegir', 'ægir'],
    ['Søren Ðóra', 'soren dora'],
    ['Александр Йод', 'александр иод'],
    ['Γιώργος', 'ΓΙΩΡΓΟΣ'],
    ['Μπάμπης', 'babis'],
    ['Babis', 'Μπάμπης'],
    ['Ντίνος', 'dinos'],
    ['Ντίνος', 'ntinos'],
    ['Ευάγγελος', 'evangelos'],
    ['Λάμπρος', 'lambros'],
    ['Lambros', 'Λάμπρος'],
    ['Παντελής', 'pandelis'],
    ['ﬁnn', 'finn'],
    ['Ｆｕｌｌ Width', 'full'],
    ['Ho\u0308fer', 'h\u00f6fer'],
  ]
  for (const [written, typed] of pairs) {
    const one = await world.join()
    await add(one, [{ name: written }, { name: 'Zz Zz' }])
    assert.deepEqual(await namesFound(one, { query: typed }), [written], typed)
  }
  await add(member, [{ name: 'Κώστας' }])
  assert.deepEqual(await namesFound(member, { query: 'κως' }), ['Κώστας'])
})

test('a part of a name written without spaces finds the whole', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [{ name: '欧阳建国' }, { name: '王芳' }, { name: '田中さくら' }])
  assert.deepEqual(await namesFound(member, { query: '建国' }), ['欧阳建国'])
  assert.deepEqual(await namesFound(member, { query: '芳' }), ['王芳'])
  assert.deepEqual(await namesFound(member, { query: 'さくら' }), ['田中さくら'])
})

test('every word may be a prefix, and no other part of a word matches', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [{ name: 'Annabel Berliner' }])
  for (const query of ['a', 'an', 'anna', 'annabel', 'annabel b', 'anna berl', 'berliner annab'])
    assert.deepEqual(await namesFound(member, { query }), ['Annabel Berliner'], query)
  for (const query of ['abel', 'liner', 'annabel x'])
    assert.deepEqual(await namesFound(member, { query }), [], query)
})

test('matches in the name come first, then in company and title, then the rest', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'In Note', note: 'the baker of the street' },
    { name: 'In Title', title: 'Baker' },
    { name: 'Joan Baker' },
    { name: 'In Tag', tags: ['baker'] },
    { name: 'In Company', company: 'Baker & Sons' },
    { name: 'Zoe Baker', company: 'Baker', note: 'baker' },
  ])
  assert.deepEqual(await namesFound(member, { query: 'bake' }), [
    'Joan Baker',
    'Zoe Baker',
    'In Title',
    'In Company',
    'In Tag',
    'In Note',
  ])
})

test('each result says where it matches if it does not show the field', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ada Lovelace', emails: ['ada@engines.org'], note: 'Talked about looms in Turin.' },
    { name: 'Joan Looms' },
  ])
  const page = await member.ask<PageOfMatches>(searchConnectionsTool, { query: 'loom' })
  assert.deepEqual(
    page.connections.map(({ name, matched_fields, snippet }) => [name, matched_fields, snippet]),
    [
      ['Joan Looms', undefined, undefined],
      ['Ada Lovelace', ['notes'], 'Talked about looms in Turin.'],
    ],
  )
  assert.equal(page.total, 2)
  const email = await member.ask<PageOfMatches>(searchConnectionsTool, { query: 'ada@engines' })
  assert.deepEqual(email.connections, [
    {
      connection_id: 'c_1',
      name: 'Ada Lovelace',
      email: 'ada@engines.org',
      last_contact_on: 'never',
    },
  ])
})

test('a question is read as titles, places, former companies and dates of notes', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Paula', title: 'Product Manager', location: 'London, UK' },
    { name: 'Petra', title: 'PM', location: 'Berlin' },
    { name: 'Lena', company: 'Acme', note: 'She left Stripe for us.' },
    { name: 'Stan', company: 'Stripe', note: 'Works at Stripe.' },
  ])
  assert.deepEqual(await namesFound(member, { query: 'PMs in London' }), ['Paula'])
  assert.deepEqual(await namesFound(member, { query: 'who left Stripe' }), ['Lena', 'Stan'])
  assert.deepEqual(await namesFound(member, { query: 'PMs in London', location: 'berlin' }), [])
  for (const location of ['Germany', 'Deutschland', 'Berlin', 'Berl'])
    assert.deepEqual(await namesFound(member, { query: '', location }), ['Petra'], location)
  for (const location of ['England', 'United Kingdom'])
    assert.deepEqual(await namesFound(member, { query: '', location }), ['Paula'], location)
})

test('the letter before an apostrophe is not the initial of a place', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Rosa D’Angelo', title: 'Blockchain developer' },
    { name: 'Conor O’Shea', title: 'Arborist' },
  ])
  assert.deepEqual(await namesFound(member, { query: 'orthodontist in Oman' }), [])
  assert.deepEqual(await namesFound(member, { query: 'blockchain developers in Dubai' }), [])
  for (const query of ['Rosa D’Angelo', "R. D'Angelo", 'dangelo', 'rosa d angelo'])
    assert.deepEqual(await namesFound(member, { query }), ['Rosa D’Angelo'], query)
})

test('a name that is also an asking word is searched for beside what its person has', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Anna Huber', company: 'Siemens', location: 'Munich' },
    { name: 'Peter Weiß', company: 'Siemens', location: 'Munich' },
    { name: 'Zoe Park', company: 'Stripe' },
    { name: 'Ken Adams', company: 'Stripe' },
    { name: 'Mo Might', company: 'Stripe' },
  ])
  for (const [query, names] of [
    ['Weiß Siemens', ['Peter Weiß']],
    ['Peter Weiß Siemens', ['Peter Weiß']],
    ['weiss munich', ['Peter Weiß']],
    ['ken stripe', ['Ken Adams']],
    ['might stripe', ['Mo Might']],
    ['wer weiß etwas über siemens', ['Anna Huber', 'Peter Weiß']],
    ['who might work at stripe', ['Ken Adams', 'Mo Might', 'Zoe Park']],
  ] as const)
    assert.deepEqual((await namesFound(member, { query })).toSorted(), [...names], query)
})

test('asking words are not searched for, in several languages', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Mara', note: 'Speaks Maltese, repairs organs.' },
    { name: 'Guy Able', note: 'Knows someone who can help.' },
    { name: 'Timo', note: 'Baut Orgeln.' },
    { name: 'Aude', note: 'Répare des orgues.' },
    { name: 'Blanca', note: 'Afina órganos.' },
    { name: 'Wanda', note: 'Stroi organy kościelne.' },
    { name: 'Hana', note: 'Ladí varhany.' },
  ])
  const expected: readonly (readonly [query: string, name: string])[] = [
    ['can you find someone who speaks Maltese?', 'Mara'],
    ['Is there anybody I know who could help me with Maltese', 'Mara'],
    ['Kennst du jemanden, der Orgeln baut?', 'Timo'],
    ['Wer könnte mir bei Orgeln helfen', 'Timo'],
    ['Est-ce que tu connais quelqu’un qui répare des orgues ?', 'Aude'],
    ['¿Conoces a alguien que afine órganos?', 'Blanca'],
    ['Czy znasz kogoś, kto stroi organy?', 'Wanda'],
    ['Znáš někoho, kdo ladí varhany?', 'Hana'],
    ['guy able', 'Guy Able'],
    ['someone who can help', 'Guy Able'],
  ]
  for (const [query, name] of expected)
    assert.deepEqual(await namesFound(member, { query }), [name], query)
  for (const query of ['who do I know that juggles?', 'Kennst du jemanden, der jongliert?'])
    assert.deepEqual(await namesFound(member, { query }), [], query)
})

test('a company is found by its initials, after companies of that name', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const former = [{ name: 'Basel Chemicals Group', until: '2020', current: false }]
  await add(member, [
    { name: 'Ann', company: 'Basel Chemicals Group', location: 'Paris' },
    { name: 'Ben', company: 'BCG', location: 'Oslo' },
    { name: 'Cleo', company: 'World Health Organization', title: 'Doctor' },
    { name: 'Dan', company: 'Royal Society for the Protection of Birds' },
    { name: 'Eva', company: 'Kreditanstalt für Wiederaufbau' },
    { name: 'Fay', company: 'GlaxoSmithKline plc' },
    { name: 'Gus', company: 'Российские железные дороги' },
    { name: 'Hal', company: 'Acme', details: [`organizations=${JSON.stringify(former)}`] },
    { name: 'Ian', company: 'General Electric' },
  ])
  const expected: readonly (readonly [query: string, names: readonly string[]])[] = [
    ['people at BCG', ['Ben', 'Ann', 'Hal']],
    ['who works at bcg in Paris', ['Ann']],
    ['who left BCG', ['Hal']],
    ['BCG Oslo', ['Ben']],
    ['who do I know at WHO', ['Cleo']],
    ['doctors not at WHO', []],
    ['rspb', ['Dan']],
    ['Wer arbeitet bei der KfW?', ['Eva']],
    ['GSK', ['Fay']],
    ['РЖД', ['Gus']],
    ['GE', ['Ian']],
    ['ge electric', ['Ian']],
    ['KPMG', []],
  ]
  for (const [query, names] of expected)
    assert.deepEqual(await namesFound(member, { query }), names, query)
  assert.deepEqual(await namesFound(member, { company: 'RSPB' }), ['Dan'])
})

test('a company that is only a former one is known as a company', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const organizations = JSON.stringify([{ name: 'Stripe', until: '2021', current: false }])
  await add(member, [
    { name: 'Paula', company: 'Acme', title: 'CTO', details: [`organizations=${organizations}`] },
    { name: 'Petra', company: 'Bolt', title: 'CTO' },
  ])
  for (const query of [
    'former Stripe',
    'ex-Stripe',
    'former Stripe employees',
    'former Stripe CTO',
  ])
    assert.deepEqual(await namesFound(member, { query }), ['Paula'], query)
})

test('each filter alone and all together narrow the results', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const both = { title: 'Engineer', location: 'Oslo, Norway', tags: ['C++'] }
  await add(member, [
    { name: 'One', company: 'Acme Labs', ...both, connected_on: '2024-05-01' },
    { name: 'Two', company: 'Acme', title: 'Labs', tags: ['C#'], connected_on: '2024-04-30' },
    { name: 'Three', company: 'Bolt', ...both, note: 'was at acme labs' },
    { name: 'Four', company: 'Acme Labs', location: 'Rome', tags: ['c'] },
  ])
  const found = (query: Query) => namesFound(member, query)
  assert.deepEqual(await found({ company: 'acme labs' }), ['One', 'Four'])
  assert.deepEqual(await found({ company: 'Lab' }), ['One', 'Four'])
  assert.deepEqual(await found({ title: 'engin' }), ['One', 'Three'])
  assert.deepEqual(await found({ location: 'norway oslo' }), ['One', 'Three'])
  assert.deepEqual(await found({ connected_after: '2024-05-01' }), ['One'])
  assert.deepEqual(await found({ connected_after: '2024-04-30' }), ['One', 'Two'])
  assert.deepEqual(await found({ tag: 'c++' }), ['One', 'Three'])
  assert.deepEqual(await found({ tag: 'C#' }), ['Two'])
  assert.deepEqual(await found({ tag: 'C' }), ['Four'])
  assert.deepEqual(await found({ query: 'acme', title: 'engineer' }), ['One', 'Three'])
  assert.deepEqual(await found({ query: 'three', company: 'acme' }), [])
  const all = { query: 'oslo', company: 'acme', title: 'engineer', location: 'oslo', tag: 'C++' }
  assert.deepEqual(await found({ ...all, connected_after: '2000-01-01' }), ['One'])
})

test('the tag filter matches whole tags, ignoring case and accents', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'One', tags: ['Café owner'] },
    { name: 'Two', tags: ['cafe'] },
    { name: 'Three', tags: ['🚀'] },
  ])
  assert.deepEqual(await namesFound(member, { tag: 'CAFE' }), ['Two'])
  assert.deepEqual(await namesFound(member, { tag: ' cafe  OWNER ' }), ['One'])
  assert.deepEqual(await namesFound(member, { tag: 'owner' }), [])
  assert.deepEqual(await namesFound(member, { tag: '🚀' }), ['Three'])
  const list = await member.ask<PageOfConnections>(searchConnectionsTool, { tag: 'café' })
  assert.deepEqual(
    list.connections.map(({ name }) => name),
    ['Two'],
  )
})

test('an empty query matches everyone who passes the filters; a query of punctuation matches no one', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [{ name: 'One', company: 'Acme' }, { name: 'Two' }])
  for (const query of ['', '   ', '\t'])
    assert.deepEqual(await namesFound(member, { query }), ['One', 'Two'])
  assert.deepEqual(await namesFound(member, { company: 'acme' }), ['One'])
  for (const nothing of ['***', '🎉', '"', '-'])
    assert.deepEqual(await namesFound(member, { query: nothing }), [], nothing)
  assert.deepEqual(await namesFound(member, { company: '!!!' }), [])
})

test('a change is searchable at once, and the old value is no longer found', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [{ name: 'Ann Lee', company: 'Acme', tags: ['old'], note: 'first note' }])
  const change = { name: 'Ann Vale', company: 'Bolt', add_tags: ['new'], remove_tags: ['old'] }
  await member.ask(updateConnectionTool, { connection_id: 'c_1', ...change, note: 'second' })
  // The former company stays searchable.
  for (const query of ['vale', 'bolt', 'new', 'second', 'first note', 'acme'])
    assert.deepEqual(await namesFound(member, { query }), ['Ann Vale'], query)
  for (const query of ['lee', 'old'])
    assert.deepEqual(await namesFound(member, { query }), [], query)
})

test('a deleted connection is in no search and no list', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ann Lee', tags: ['x'] },
    { name: 'Ann Vale', tags: ['x'] },
  ])
  await member.db.write((tx) => tx.run(MARK_DELETED, { id: 1 }))
  for (const query of [{ query: 'ann' }, { tag: 'x' }, {}, { query: 'x', tag: 'x' }])
    assert.deepEqual(await namesFound(member, query), ['Ann Vale'])
  for (const sort of ['name', 'recent', 'added'])
    assert.deepEqual(await allPages(member, searchConnectionsTool, { sort }), ['c_2'])
})

const HOSTILE = [
  '"',
  '""""',
  "'; drop table connections; --",
  'NEAR(a b, 2)',
  'a NEAR b',
  'a AND',
  'OR',
  'NOT a',
  'ann NOT lee',
  'ann*',
  '^ann',
  'name:ann',
  '{name company} : ann',
  '-ann',
  '(((',
  'a)b(',
  '+',
  '\u0001\u0002\u001f\u007f',
  '👩‍👩‍👧 emoji',
  '\u202eright to left',
  '\\',
  '%_',
  ':member_id ::text',
  'x'.repeat(500),
  'x '.repeat(250),
  '字'.repeat(500),
]

test('no query or filter text causes an error', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [{ name: 'Ann Lee', company: 'Acme' }])
  for (const query of HOSTILE) {
    await namesFound(member, { query })
    const filter = query.slice(0, 200)
    await namesFound(member, { company: filter, title: filter, location: filter, tag: filter })
    await namesFound(member, { query, company: filter })
  }
  const character = fc.constantFrom(...Array.from('"\'*^:(){}-+ANDORTeé字🎉 \t'))
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: character, maxLength: 40 }), async (query) => {
      await namesFound(member, { query, company: query === '' ? 'x' : query })
    }),
    { numRuns: 40 },
  )
})

test('text with NUL or a lone surrogate is rejected with the name of the argument', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (const query of ['a\0b', '\ud800']) {
    const error = await member.refused(searchConnectionsTool, { query })
    assert.equal(error.code, 'invalid_arguments')
    assert.match(error.message, /query must not contain NUL/)
  }
})

test('a cursor of another query, tool or member, or a forged one, is rejected', async () => {
  await using world = await openSharedWorld()
  const [one, two] = [await world.join(), await world.join()]
  for (const member of [one, two])
    await add(member, [{ name: 'Ann A' }, { name: 'Ann B' }, { name: 'Ann C' }])
  const query = { query: 'ann', limit: 1 }
  const first = await one.ask<PageOfConnections>(searchConnectionsTool, query)
  const list = await one.ask<PageOfConnections>(searchConnectionsTool, { limit: 1 })
  const cursor = first.next_cursor
  assert.ok(cursor !== undefined && list.next_cursor !== undefined)
  await one.ask(searchConnectionsTool, { ...query, cursor, limit: 2 })
  const wrong: [Acting, typeof searchConnectionsTool, Query][] = [
    [two, searchConnectionsTool, { ...query, cursor }],
    [one, searchConnectionsTool, { query: 'an', cursor }],
    [one, searchConnectionsTool, { ...query, company: 'x', cursor }],
    [one, searchConnectionsTool, { cursor }],
    [two, searchConnectionsTool, { cursor: list.next_cursor }],
    [one, searchConnectionsTool, { cursor: list.next_cursor, sort: 'added' }],
    [one, searchConnectionsTool, { ...query, cursor: list.next_cursor }],
    [one, searchConnectionsTool, { ...query, cursor: 'garbage' }],
    [one, searchConnectionsTool, { ...query, cursor: Buffer.from('{}').toString('base64url') }],
    [one, searchConnectionsTool, { ...query, cursor: Buffer.from('[[]]').toString('base64url') }],
  ]
  for (const [member, tool, input] of wrong) {
    const error = await member.refused(tool, input)
    assert.equal(error.code, 'invalid_request')
    assert.deepEqual(
      error.errors?.map(({ pointer }) => pointer),
      ['/cursor'],
    )
  }
})

test('the next page goes on after the last result when the network has changed in between', async () => {
  for (const change of [
    (member: Acting) => add(member, [{ name: 'Bob' }, { name: 'Cy' }, { name: 'Di' }]),
    (member: Acting) => add(member, [{ name: 'Ann E' }]),
    (member: Acting) => member.ask(deleteConnectionsTool, { people: ['c_5'] }),
  ]) {
    await using world = await openSharedWorld()
    const member = await world.join()
    await add(
      member,
      ['A', 'B', 'C', 'D'].map((letter) => ({ name: `Ann ${letter}` })),
    )
    await add(member, [{ name: 'Zed' }])
    const query = { query: 'ann', limit: 2 }
    const { next_cursor } = await member.ask<PageOfConnections>(searchConnectionsTool, query)
    await change(member)
    const next = { ...query, cursor: next_cursor ?? '' }
    const { connections } = await member.ask<PageOfConnections>(searchConnectionsTool, next)
    assert.deepEqual(
      connections.map(({ name }) => name),
      ['Ann C', 'Ann D'],
    )
  }
})

test('a cursor with an unknown position returns an empty page', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [{ name: 'Ann A' }, { name: 'Ann B' }])
  const query = { query: 'ann', limit: 1 }
  const page = await member.ask<PageOfConnections>(searchConnectionsTool, query)
  const [mark] = JSON.parse(Buffer.from(page.next_cursor ?? '', 'base64url').toString()) as string[]
  for (const place of [
    [7, 1],
    [3, 0],
    [-1, 1e300],
    [0.5, 1],
    [1e300, -1e300],
  ]) {
    const cursor = Buffer.from(JSON.stringify([mark, ...place])).toString('base64url')
    await member.ask(searchConnectionsTool, { ...query, cursor })
  }
})

// Few words, so that every field shares some.
const word = fc.constantFrom('ann', 'anna', 'lee', 'baker', 'müller', '王', '芳')
const line = (maxLength: number) =>
  fc.array(word, { minLength: 1, maxLength }).map((some) => some.join(' '))
const person = fc.record({
  name: line(3),
  company: fc.option(line(2)),
  title: fc.option(line(2)),
  location: fc.option(line(1)),
  note: fc.option(line(3)),
  labels: fc.uniqueArray(word, { maxLength: 2 }),
  connectedOn: fc.constantFrom(null, '2020-01-01', '2021-01-01'),
})
const network = fc
  .array(person, { maxLength: 25 })
  .map((people) =>
    people.map((one, at) => ({ ...one, profileUrl: `https://www.linkedin.com/in/${at}` })),
  )

type Person = Partial<ImportedContact> & { readonly name: string }

/** Everyone who has all words in any field, whole or as a prefix, by scanning them all. */
function holders(people: readonly Person[], query: string): string[] {
  const tokens = tokenize(query)
  return people.flatMap(({ name, company, title, location, note, labels = [] }, at) => {
    const texts = [name, company, title, location, note, ...labels]
    const there = texts.flatMap((text) => tokenize(text ?? ''))
    const holds = tokens.every((one) => there.some((other) => other.startsWith(one)))
    return holds ? [`c_${at + 1}`] : []
  })
}

test('pages of any size return everyone who matches exactly once, in one order', async () => {
  await using world = await openSharedWorld()
  await fc.assert(
    fc.asyncProperty(
      network,
      line(3),
      fc.integer({ min: 1, max: 6 }),
      async (people, query, limit) => {
        const member = await world.join()
        await member.import(people)
        // By words alone: the vectors of the network may be ready between two pages, which is a change.
        const asked = { query, mode: 'keyword' }
        const whole = await member.ask<PageOfMatches>(searchConnectionsTool, {
          ...asked,
          limit: 50,
        })
        const inOrder = whole.connections.map(({ connection_id }) => connection_id)
        assert.equal(whole.total, inOrder.length)
        assert.deepEqual(
          await allPages(member, searchConnectionsTool, { ...asked, limit }),
          inOrder,
        )
        for (const id of holders(people, query)) assert.ok(inOrder.includes(id), id)
      },
    ),
    { numRuns: 40 },
  )
})

test('every sort order lists everyone exactly once across pages, with or without a date', async () => {
  await using world = await openSharedWorld()
  await fc.assert(
    fc.asyncProperty(network, fc.integer({ min: 1, max: 6 }), async (people, limit) => {
      const member = await world.join()
      await member.import(people)
      const numbered = people.map((one, at) => ({
        id: at + 1,
        name: nameKey(one.name),
        day: one.connectedOn ?? '',
      }))
      const ids = (some: typeof numbered) => some.map(({ id }) => `c_${id}`)
      const bytes = (one: string, other: string) =>
        Buffer.compare(Buffer.from(one), Buffer.from(other))
      const orders = {
        name: ids(numbered.toSorted((a, b) => bytes(a.name, b.name) || a.id - b.id)),
        recent: ids(numbered.toSorted((a, b) => bytes(b.day, a.day) || b.id - a.id)),
        added: ids(numbered.toReversed()),
      }
      for (const [sort, inOrder] of Object.entries(orders))
        assert.deepEqual(await allPages(member, searchConnectionsTool, { sort, limit }), inOrder)
      const tagged = people.flatMap(({ labels }, at) =>
        labels.includes('lee') ? [`c_${at + 1}`] : [],
      )
      const found = await allPages(member, searchConnectionsTool, {
        sort: 'name',
        tag: 'LEE',
        limit,
      })
      assert.deepEqual(found.toSorted(), tagged.toSorted())
    }),
    { numRuns: 20 },
  )
})

test('members with the same names never find each other’s connections', async () => {
  await using world = await openSharedWorld()
  await fc.assert(
    fc.asyncProperty(network, network, line(2), async (ones, others, query) => {
      const [one, two] = [await world.join(), await world.join()]
      await Promise.all([one.import(ones), two.import(others)])
      for (const [member, people] of [
        [one, ones],
        [two, others],
      ] as const) {
        const found = await allPages(member, searchConnectionsTool, { query })
        for (const id of holders(people, query)) assert.ok(found.includes(id), id)
        assert.ok(found.every((id) => Number(id.slice(2)) <= people.length))
      }
      assert.equal((await allPages(one, searchConnectionsTool, {})).length, ones.length)
    }),
    { numRuns: 20 },
  )
})

test('long names in any script can be paged through', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const names = [
    '字'.repeat(300),
    'ﷺ'.repeat(300),
    'Ж'.repeat(300),
    '𐐷'.repeat(150),
    'é'.repeat(300),
  ]
  await add(
    member,
    names.flatMap((name) => [{ name }, { name }]),
  )
  for (const sort of ['name', 'recent', 'added'])
    assert.equal((await allPages(member, searchConnectionsTool, { sort, limit: 1 })).length, 10)
  for (const query of names)
    assert.equal((await allPages(member, searchConnectionsTool, { query, limit: 1 })).length, 2)
})

test('a page of the longest entries is truncated, and the next page continues without loss', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const long = (text: string) => text.padEnd(300, ' lorem ipsum')
  await member.import(
    Array.from({ length: 50 }, (_, at) => ({
      name: long(`Ann ${at}`),
      company: long(`Company ${at}`),
      title: long('Title'),
      location: long('Location'),
      emails: [`${at}@${'x'.repeat(240)}.org`],
      profileUrl: `https://www.linkedin.com/in/${at}${'x'.repeat(300)}`,
      labels: Array.from({ length: 10 }, (__, tag) => `${tag} `.padEnd(100, 'x')),
    })),
  )
  for (const [tool, query] of [
    [searchConnectionsTool, { query: 'ann', limit: 50 }],
    [searchConnectionsTool, { limit: 50 }],
  ] as const) {
    const page = await member.ask<PageOfConnections>(tool, query)
    assert.equal(page.truncated, true)
    const ids = await allPages(member, tool, query)
    assert.deepEqual([ids.length, new Set(ids).size], [50, 50])
  }
})

const MARK_DELETED = memberStatement<{ id: number }>()(
  'update connections set deleted_at = 1 where member_id = :member_id and connection_id = :id',
)

test('birthdays are found by month and day, also across the end of the year', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ada Lovelace', birthday: '1815-12-10', location: 'London' },
    { name: 'Grace Hopper', birthday: '1906-12-09', location: 'New York' },
    { name: 'Alan Turing', birthday: '1912-06-23', location: 'London' },
    { name: 'Linus Pauling', details: { dates: [{ label: 'birthday', date: '--01-28' }] } },
    { name: 'Kurt Gödel' },
  ])
  await assertFinds(member, {
    'birthdays in December': ['Ada Lovelace', 'Grace Hopper'],
    'whose birthday is on 23 June': ['Alan Turing'],
    'birthdays in December in London': ['Ada Lovelace'],
    'birthdays after November': ['Ada Lovelace', 'Grace Hopper'],
    'Geburtstage im Januar': ['Linus Pauling'],
  })
})

/** Names by query, in alphabetical order. */
async function assertFinds(
  member: Acting,
  expected: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [query, names] of Object.entries(expected))
    assert.deepEqual((await namesFound(member, { query })).toSorted(), names, query)
}

test('a question says what people must have, lack or not be', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ada One', title: 'Lawyer', company: 'Acme', location: 'London, United Kingdom' },
    {
      name: 'Bea Two',
      title: 'Lawyer',
      company: 'Acme',
      location: 'Leeds',
      emails: ['b@two.example'],
    },
    {
      name: 'Cat Three',
      title: 'Nurse',
      company: 'Zenith',
      location: 'Lyon',
      phones: ['+33 1 23 45 67 89'],
    },
    {
      name: 'Dan Four',
      title: 'Nurse',
      company: 'Zenith',
      location: 'London',
      tags: ['vip'],
      note: 'Likes tea.',
    },
  ])
  await assertFinds(member, {
    'lawyers without an email': ['Ada One'],
    'people with a phone number': ['Cat Three'],
    'nurses without a phone': ['Dan Four'],
    'nurses without notes': ['Cat Three'],
    'nurses without tags': ['Cat Three'],
    'Acme people not in London': ['Bea Two'],
    'lawyers outside the UK': [],
    'nurses outside the UK': ['Cat Three'],
    'everyone in London except lawyers': ['Dan Four'],
    'people in London not at Acme': ['Dan Four'],
    'lawyers with a phone number': [],
  })
})

test('people met at a time are connected then, whatever notes they have', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ada One', connected_on: '2024-05-02' },
    { name: 'Bea Two', connected_on: '2023-05-02' },
    { name: 'Cat Three' },
    { name: 'Dan Four', connected_on: '2024-05-02', note: 'Written today.' },
  ])
  assert.deepEqual(await namesFound(member, { query: 'who did I meet in 2024' }), [
    'Ada One',
    'Dan Four',
  ])
  assert.deepEqual(await namesFound(member, { query: 'people I met before 2024' }), ['Bea Two'])
  assert.deepEqual(await namesFound(member, { query: 'wen habe ich im Mai 2023 getroffen' }), [
    'Bea Two',
  ])
})

test('today and yesterday in a question are those of the member, also for a change by where', async () => {
  await using world = await openSharedWorld()
  for (const zone of ['UTC', 'Pacific/Auckland', 'Pacific/Pago_Pago', 'America/St_Johns']) {
    const member = await world.join(zone)
    await member.ask(addConnectionsTool, { connections: [{ name: 'Ann Ray' }, { name: 'Bo Ek' }] })
    await member.ask(logInteractionTool, { people: ['Ann Ray'], kind: 'meeting', on: 'today' })
    await member.ask(logInteractionTool, { people: ['Bo Ek'], kind: 'meeting', on: 'yesterday' })
    for (const [query, name] of [
      ['who did I meet today', 'Ann Ray'],
      ['who did I meet yesterday', 'Bo Ek'],
    ] as const) {
      const { connections } = await member.ask<PageOfMatches>(searchConnectionsTool, { query })
      assert.deepEqual(
        connections.map((one) => one.name),
        [name],
        `${zone}: ${query}`,
      )
      const { people } = await member.ask<{ people: { name: string }[] }>(updateConnectionsTool, {
        where: { query },
        tags: { add: ['Met'] },
      })
      assert.deepEqual(
        people.map((one) => one.name),
        [name],
        zone,
      )
    }
  }
})
