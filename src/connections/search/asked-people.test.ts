/** Questions about one person, people in a place, at a company or with a label: what is only similar is marked as a guess. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'
import { addConnectionsTool } from '../people/add-connections.tool.ts'
import { updateConnectionsTool } from '../people/update-connections.tool.ts'
import { labeledWords } from '../../search/query/field-labels.ts'
import type { PageOfMatches } from './connection-page.ts'

async function openNetwork(people: readonly object[]) {
  const world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, { connections: people })
  return { world, member }
}

/** The names of those who are found without a mark, and of those with one. */
async function answer(member: Acting, query: string) {
  const { connections } = await member.ask<PageOfMatches>(searchConnectionsTool, { query })
  const split = Object.groupBy(connections, ({ partial_match: why }) =>
    why === undefined ? 'complete' : 'guessed',
  )
  const namesOf = (list: PageOfMatches['connections'] = []) => list.map(({ name }) => name)
  return { complete: namesOf(split.complete), guessed: namesOf(split.guessed), connections }
}

type Expected = readonly (readonly [query: string, complete: readonly string[]])[]

async function assertComplete(member: Acting, expected: Expected): Promise<void> {
  for (const [query, names] of expected)
    assert.deepEqual((await answer(member, query)).complete, names, query)
}

function formerAt(name: string, title: string) {
  return [`organizations=${JSON.stringify([{ name, title, until: '2021', current: false }])}`]
}

test('half a given name of two syllables is a guess, in Korean and in Latin letters', async () => {
  const people = [
    { name: 'Choi Eun-bi', emails: ['eun-bi.choi@example.org'] },
    { name: 'Bae Seo-jin' },
    { name: '윤서아' },
    { name: 'Han Su-min', links: ['https://example.org/in/su-min-han'] },
    { name: 'Otto F.', emails: ['otto.fersen@example.org'] },
    { name: 'Lin Mei-hua' },
    { name: 'Lin Mei' },
    { name: 'Eva-Maria Sonnleitner' },
    { name: 'Clara Kim-Park' },
  ]
  const { world, member } = await openNetwork(people)
  await using _world = world
  await assertComplete(member, [
    ['최은', []],
    ['배서', []],
    ['윤서', []],
    ['Choi Eun', []],
    ['Han Su', []],
    ['Do I know Choi Eun?', []],
    ['Bae Seo', []],
    ['Bae Jin', []],
    ['Yun Seo', []],
    ['Lin Mei', ['Lin Mei']],
    ['Otto Fersen', ['Otto F.']],
    ['최은비', ['Choi Eun-bi']],
    ['은비', ['Choi Eun-bi']],
    ['서진', ['Bae Seo-jin']],
    ['Choi Eunbi', ['Choi Eun-bi']],
    ['Choi Eun-bi', ['Choi Eun-bi']],
    ['Eun-bi Choi', ['Choi Eun-bi']],
    ['Bae Seo Jin', ['Bae Seo-jin']],
    ['S. J. Bae', ['Bae Seo-jin']],
    ['Lin Mei-hua', ['Lin Mei-hua']],
    ['Yun Seoa', ['윤서아']],
    ['Eva Sonnleitner', ['Eva-Maria Sonnleitner']],
    ['Maria Sonnleitner', ['Eva-Maria Sonnleitner']],
    ['Clara Park', ['Clara Kim-Park']],
  ])
  const { connections } = await answer(member, 'Choi Eun')
  assert.deepEqual(
    connections.map(({ name, partial_match: why }) => [name, why]),
    [['Choi Eun-bi', 'a longer word than Eun']],
  )
})

test('a question for a field of someone who is only mentioned has no complete answer, whatever the field', async () => {
  const people = [
    { name: 'Odile Marchetti', note: 'Shares a studio with Tancrede Vauquelin.' },
    { name: 'Bruno Achterberg', company: 'Ferdinand Lohse KG', phones: ['+49 711 555 0101'] },
    { name: 'Rosalind Pike', company: 'Quillon', note: 'Plays squash.', birthday: '1980-03-04' },
  ]
  const { world, member } = await openNetwork(people)
  await using _world = world
  const fields = 'birthday,company,title,job title,address,location,tags,website,phone number,email'
  const germanFields = 'Geburtstag,Firma,Titel,Adresse,Wohnort,Telefonnummer,Webseite,Notizen'
  for (const name of ['Tancrede Vauquelin', 'Ferdinand Lohse', 'Vauquelin', 'Rosalind Pike'])
    for (const query of [
      ...fields.split(',').map((field) => `${field} of ${name}`),
      ...fields.split(',').map((field) => `What is ${name}'s ${field}?`),
      ...germanFields.split(',').map((field) => `${field} von ${name}`),
      `notes of ${name}`,
      `last contact with ${name}`,
      `when was ${name} born`,
      `where does ${name} live`,
      `Wann hat ${name} Geburtstag?`,
      `Wo wohnt ${name}?`,
      `Wo arbeitet ${name}?`,
      `Wie lautet die Adresse von ${name}?`,
      `letzter Kontakt mit ${name}`,
    ]) {
      const isKnown = name === 'Rosalind Pike'
      const { complete } = await answer(member, query)
      assert.deepEqual(complete, isKnown ? ['Rosalind Pike'] : [], query)
    }
  const { connections } = await answer(member, 'phone number of Ferdinand Lohse')
  assert.deepEqual(
    connections.map(({ name, partial_match: why, phones }) => [name, why, phones]),
    [['Bruno Achterberg', 'Ferdinand Lohse only in the company', undefined]],
  )
  await assertComplete(member, [
    ['Ferdinand Lohse', ['Bruno Achterberg']],
    ['phone number of Quillon', ['Rosalind Pike']],
    ['who plays squash', ['Rosalind Pike']],
    ['Tancrede Vauquelin', ['Odile Marchetti']],
    ['studio', ['Odile Marchetti']],
  ])
})

test('someone at a company that is named like a place is not in that place', async () => {
  const people = [
    { name: 'Nadia Kovač', company: 'Galerie Vienna', location: 'Graz' },
    { name: 'Erik Solheim', company: 'Fjordbank', location: 'Vienna' },
    { name: 'Mona Fell', company: 'Oslo Seafood', location: 'Bergen' },
    { name: 'Tilda Moss', company: 'Kleinbach Mühle', location: 'Ulm' },
    { name: 'Piet Horn', company: 'Nordwerk', location: 'Kleinbach' },
    { name: 'Gwen Abbott', company: 'Boston Consulting Group', location: 'Lyon' },
    { name: 'Lars Vik', company: 'Quenstedt', location: 'Hamm' },
  ]
  const { world, member } = await openNetwork(people)
  await using _world = world
  await assertComplete(member, [
    ['who do I know in Vienna', ['Erik Solheim']],
    ['people in Vienna', ['Erik Solheim']],
    ['anyone in Vienna?', ['Erik Solheim']],
    ['who lives in Vienna', ['Erik Solheim']],
    ['contacts in Vienna', ['Erik Solheim']],
    ['who is in Oslo', []],
    ['people in Oslo', []],
    ['wen kenne ich in Oslo', []],
    ['Wer wohnt in Kleinbach?', ['Piet Horn']],
    ['people in Kleinbach', ['Piet Horn']],
    ['people at Oslo Seafood', ['Mona Fell']],
    ['Oslo Seafood', ['Mona Fell']],
    ['Galerie Vienna', ['Nadia Kovač']],
    ['who works in Boston Consulting Group', ['Gwen Abbott']],
    ['quién trabaja en Quenstedt', ['Lars Vik']],
  ])
  const { connections } = await answer(member, 'people in Oslo')
  const [first] = connections
  assert.equal(first?.name, 'Mona Fell')
  assert.equal(first.partial_match, 'Oslo only in the company')
})

const WORKERS = [
  { name: 'Ines Hartung', company: 'Werft Alt', title: 'Welder', tags: ['sailing'] },
  {
    name: 'Paul Testhof',
    company: 'Hafenkontor',
    title: 'Bookkeeper',
    details: formerAt('Werft Alt', 'Painter'),
  },
  { name: 'Greta Testhof', company: 'Sailing Club Nord', title: 'Painter', location: 'Kiel' },
  {
    name: 'Uwe Brandt',
    company: 'Hafenkontor',
    location: 'Kiel',
    details: [
      `organizations=${JSON.stringify([{ name: 'Werft Alt', title: 'Diver', current: true }])}`,
    ],
  },
]

test('a former position is weaker than a present one, and says so', async () => {
  const { world, member } = await openNetwork(WORKERS)
  await using _world = world
  await assertComplete(member, [
    ['people at Werft Alt', ['Ines Hartung', 'Uwe Brandt']],
    ['who works at Werft Alt', ['Ines Hartung', 'Uwe Brandt']],
    ['Wer arbeitet bei Werft Alt?', ['Ines Hartung', 'Uwe Brandt']],
    ['Testhof at Werft Alt', []],
    ['painters', ['Greta Testhof']],
    ['painters, but not in Berlin', ['Greta Testhof']],
    ['who is a painter', ['Greta Testhof']],
    ['divers', ['Uwe Brandt']],
    ['who used to work at Werft Alt', ['Paul Testhof']],
    ['former Werft Alt', ['Paul Testhof']],
    ['ehemalige von Werft Alt', ['Paul Testhof']],
  ])
  const { connections } = await answer(member, 'people at Werft Alt')
  const [why] = connections.flatMap(({ name, partial_match }) =>
    name === 'Paul Testhof' ? [partial_match] : [],
  )
  assert.equal(why, 'Werft Alt only in a former position')
})

test('a change of people at a company spares those who left it', async () => {
  const { world, member } = await openNetwork(WORKERS)
  await using _world = world
  const change = async (query: string) => {
    const { people } = await member.ask<{ people: { name: string }[] }>(updateConnectionsTool, {
      where: { query },
      note: 'Changed',
    })
    return people.map(({ name }) => name).toSorted()
  }
  for (const query of ['Testhof at Werft Alt', 'Paul at Werft Alt', 'Testhof bei Werft Alt']) {
    const { code } = await member.refused(updateConnectionsTool, { where: { query }, note: 'No' })
    assert.equal(code, 'not_found', query)
  }
  for (const query of ['people at Werft Alt', 'who works at Werft Alt', 'Leute bei Werft Alt'])
    assert.deepEqual(await change(query), ['Ines Hartung', 'Uwe Brandt'], query)
  assert.deepEqual(await change('Testhof at Hafenkontor'), ['Paul Testhof'])
  assert.deepEqual(await change('who used to work at Werft Alt'), ['Paul Testhof'])
})

test('a label restricts to its field', async () => {
  const { world, member } = await openNetwork(WORKERS)
  await using _world = world
  const all: readonly (readonly [string, readonly string[]])[] = [
    ['tag: sailing', ['Ines Hartung']],
    ['tag:sailing', ['Ines Hartung']],
    ['Schlagwort: sailing', ['Ines Hartung']],
    ['company: sailing', ['Greta Testhof']],
    ['firma: Werft Alt', ['Ines Hartung', 'Uwe Brandt']],
    ['company: "Werft Alt"', ['Ines Hartung', 'Uwe Brandt']],
    ['company: Werft Alt, title: welder', ['Ines Hartung']],
    ['title: painter', ['Greta Testhof']],
    ['Titel: Painter', ['Greta Testhof']],
    ['title: painter in Kiel', ['Greta Testhof']],
    ['name: Testhof', ['Paul Testhof', 'Greta Testhof']],
    ['name: sailing', []],
    ['note: sailing', []],
    ['location: Kiel', ['Greta Testhof', 'Uwe Brandt']],
    ['city: Kiel, company: Hafenkontor', ['Uwe Brandt']],
    ['Ort: Kiel', ['Greta Testhof', 'Uwe Brandt']],
    ['tag: Kiel', []],
  ]
  for (const [query, names] of all) {
    const { connections } = await member.ask<PageOfMatches>(searchConnectionsTool, { query })
    assert.deepEqual(connections.map(({ name }) => name).toSorted(), names.toSorted(), query)
  }
  const many = `${'tag: sailing, '.repeat(20)}company: Werft`
  assert.deepEqual((await answer(member, many)).complete, ['Ines Hartung'])
  for (const piece of ['tag: ', 'tag: "', "tag:'a ", 'a:', 'tag: in '])
    labeledWords(piece.repeat(100_000 / piece.length))
})
