/** People who have only some of the words of a query, and the words that count most. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConnectionTool } from '../../../test/fixtures/one-person.ts'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'
import { setCustomFieldTool } from '../custom-fields/set-custom-field.tool.ts'
import type { PageOfMatches } from './connection-page.ts'

async function found(member: Acting, query: string): Promise<PageOfMatches['connections']> {
  return (await member.ask<PageOfMatches>(searchConnectionsTool, { query })).connections
}

async function first(member: Acting, query: string): Promise<string | undefined> {
  return (await found(member, query))[0]?.name
}

async function add(member: Acting, people: readonly object[]): Promise<void> {
  for (const person of people)
    await member.ask(addConnectionTool, { allow_duplicate: true, ...person })
}

test('a word that no one has leaves the people who have the others', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Nuno Reis' },
    { name: 'Clara Voss', title: 'Fachanwältin für Mietrecht', location: 'Leipzig' },
    { name: 'Otto Kern', title: 'Professor of logic' },
    { name: 'Ines Alves', note: 'Installed our wallbox.' },
    { name: '山田太郎', title: '医師' },
    { name: 'Siobhán Ní Bhriain' },
    { name: 'Яна', company: 'Яндекс' },
    { name: 'Karl Moser', title: 'HNO-Arzt', location: 'Wien' },
    { name: 'Gus Ott', title: 'Arzt' },
    { name: '佐々木美咲', location: '金沢', note: '太郎くんのお母さん' },
    { name: 'Zé Pinto', location: 'Porto', note: 'Canalizador, arranja canos.' },
    { name: 'Ada Berg', title: 'CFO', note: 'Took two companies through an IPO.' },
    { name: 'Bo Lind', title: 'CFO' },
    { name: 'Lucía Prado', title: 'Abogada', note: 'Especialista en inmigración.' },
    { name: 'Juan Ruiz', title: 'Abogado mercantil' },
    { name: 'Pia Kern', title: 'Product manager', location: 'Berlin', note: 'Helps with hiring.' },
    { name: 'Jan Ost', title: 'Product manager', location: 'Berlin' },
  ])
  for (const [query, name] of Object.entries({
    'uncle nuno': 'Nuno Reis',
    'anwalt mietrecht': 'Clara Voss',
    'lawyer in Leipzig': 'Clara Voss',
    'professor I could ask': 'Otto Kern',
    'electrician wallbox': 'Ines Alves',
    山田さん: '山田太郎',
    'Siobhan Ni Brian': 'Siobhán Ní Bhriain',
    Yandex: 'Яна',
    'hno arzt': 'Karl Moser',
    金沢のお母さん: '佐々木美咲',
    'quem arranja canos no Porto': 'Zé Pinto',
    'CFO with IPO experience': 'Ada Berg',
    'abogada de inmigración': 'Lucía Prado',
    'product managers in Berlin who can help me hire': 'Pia Kern',
  }))
    assert.equal(await first(member, query), name, query)
  const [partial] = await found(member, 'electrician wallbox')
  assert.equal(partial?.partial_match, '1 of 2 words: wallbox')
})

test('people with every word come first, and those with the name asked for come alone', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ada Lovelace', location: 'London' },
    { name: 'Ada Byron', title: 'Notary', location: 'Porto' },
    { name: 'Rui Costa', title: 'Notary', location: 'Lisbon' },
  ])
  const notaries = await found(member, 'notary porto')
  assert.deepEqual(
    notaries.map(({ name, partial_match }) => [name, partial_match]),
    [
      ['Ada Byron', undefined],
      ['Rui Costa', '1 of 2 words: notary'],
    ],
  )
  assert.deepEqual(
    (await found(member, 'Ada Lovelace')).map(({ name }) => name),
    ['Ada Lovelace'],
  )
})

test('the word itself outranks its synonyms, and a custom field counts like a title', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(setCustomFieldTool, { name: 'Trade' })
  await add(member, [
    { name: 'Ann', title: 'Mechanical engineer' },
    { name: 'Ben', note: 'Our mechanic, honest.' },
    { name: 'Cleo', note: 'Knows a good plumber.' },
    { name: 'Dan', details: ['custom={"Trade":"plumber"}'] },
    { name: 'Eve', title: 'Orthopäde' },
    { name: 'Fay', title: 'Doctor' },
  ])
  assert.equal(await first(member, 'mechanic'), 'Ben')
  assert.equal(await first(member, 'plumber'), 'Dan')
  assert.equal(await first(member, 'Orthopäde'), 'Eve')
})

test('things of everyday life are found in other languages, after those who say the word itself', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ann Lee', note: 'Sogra da Inês, hat zwei Katzen.' },
    { name: 'Ben Ott', note: 'Spielt Geige im Chor.' },
    { name: 'Cleo Kern', note: 'Nous a prêté sa tente.' },
    { name: 'Dan Fox', note: 'Her cat sleeps all day.' },
    { name: 'Eva Ruiz', title: 'Enfermeira' },
    { name: 'Bastian E.', title: 'Prof. em.' },
  ])
  for (const [query, name] of Object.entries({
    'my mother-in-law': 'Ann Lee',
    gato: 'Ann Lee',
    'qui joue du violon': 'Ben Ott',
    cat: 'Dan Fox',
    'who lent us something': 'Cleo Kern',
    // `e` and `em` are names here, but no one types a name in two small letters.
    'médicos e enfermeiras em Portugal': 'Eva Ruiz',
  }))
    assert.equal(await first(member, query), name, query)
})

test('questions about toothache find the dentist, in other languages, too', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ann Lee', title: 'Dentist' },
    { name: 'Ben Ott', title: 'Accountant', note: 'Mag Kaffee. Bad knee..' },
    { name: 'Cleo Kern', title: 'Malerin', company: 'Avoir' },
  ])
  for (const query of [
    'I have a toothache',
    'Zahnschmerzen',
    "j'ai mal aux dents",
    'mal de dents',
    "qui peut m'aider, j'ai une dent cassée",
    'dor de dente',
    'estou com dor de dentes',
    'dolor de muelas',
    'me duele un diente',
    'ho mal di denti',
    'kiespijn',
    'boli mnie ząb',
  ])
    assert.equal(await first(member, query), 'Ann Lee', query)
})

test('parts and ends of compounds are found, marked as similar', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ann', title: 'Bezirksschornsteinfeger' },
    { name: 'Ben', title: 'Fotograf' },
    { name: 'Cleo', title: 'Winzerin' },
    { name: 'Dan', title: 'Straßenbauer' },
    { name: 'Eve', title: 'Landwirtin' },
  ])
  assert.equal(await first(member, 'schornsteinfeger'), 'Ann')
  const kinds = async (query: string) =>
    (await found(member, query)).map(({ name, partial_match }) => [name, partial_match])
  assert.deepEqual(await kinds('hochzeitsfotograf'), [
    ['Ben', 'part of a word: Fotograf for hochzeitsfotograf'],
  ])
  assert.deepEqual(await kinds('winemaker Winzer'), [
    ['Cleo', 'other words for winemaker'],
    ['Eve', 'related to winemaker Winzer'],
  ])
})

test('quoted words and emails are strict', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [
    { name: 'Ann', title: 'Engineer', emails: ['ann@acme.example'] },
    { name: 'Ben', title: 'Engineering manager' },
  ])
  const names = async (query: string) => (await found(member, query)).map(({ name }) => name)
  assert.deepEqual(await names('"engineer"'), ['Ann'])
  assert.deepEqual(await names('ann@acme.example engineer'), ['Ann'])
  assert.deepEqual(await names('"plumber" engineer'), [])
})

test('a relative is found by a note', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await add(member, [{ name: 'Rui Costa' }, { name: 'Mia Reis', note: 'Married to Rui.' }])
  assert.equal(await first(member, "Rui's wife"), 'Mia Reis')
})
