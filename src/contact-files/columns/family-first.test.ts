import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole } from '../../../test/fixtures/reading.ts'

async function namesIn(names: readonly string[], header = 'Name', company = '') {
  const rows = names.map((name, at) => `"${name}",p${at}@x.org,${company}\n`)
  const { contacts } = await readWhole(`"${header}",Email,Company\n${rows.join('')}`)
  return contacts.map(({ name, givenName, familyName }) => [name, givenName, familyName])
}

const PLAIN = ['Ann Lee', 'Bo Ek', 'Cy Roe']

test('a single name with a comma becomes a given and a family name if the given name is known', async () => {
  for (const [written, given, family] of [
    ['Ravn, Otto', 'Otto', 'Ravn'],
    ['van der Berg, Anna Maria', 'Anna Maria', 'van der Berg'],
    ['García López, José', 'José', 'García López'],
    ['Müller-Lüdenscheidt, Karl', 'Karl', 'Müller-Lüdenscheidt'],
    ["O'Brien, Patrick J.", 'Patrick J.', "O'Brien"],
    ['SMITH, JOHN', 'JOHN', 'SMITH'],
    ['Иванов, Алексей', 'Алексей', 'Иванов'],
  ] as const) {
    const [first] = await namesIn([written, ...PLAIN])
    assert.deepEqual(first, [`${given} ${family}`, given, family])
  }
})

test('names with suffixes, companies and other texts with a comma stay as they are', async () => {
  const texts = [
    'Otto Ravn, PhD',
    'Otto Ravn, Jr.',
    'Otto Ravn, M.D.',
    'Otto Ravn, MBA',
    'Otto Ravn, Dr.',
    'Otto Ravn, II',
    'Otto Ravn, CPA, MBA',
    'Acme, Inc.',
    'Acme, S.A.',
    'Nordbank, Filiale Otto Bank',
    'Klinik Nord, Anna',
    'Northwind, Mira Holt',
    'Springfield, IL',
    'Ravn, Otto and Anna, Lee, Bo',
    'Ann, 2nd floor',
    'Ravn, otto@x.org',
  ]
  for (const text of texts)
    assert.deepEqual((await namesIn([text, ...PLAIN]))[0], [text, null, null], text)
  // As a whole column, too.
  assert.deepEqual(
    (await namesIn(texts.slice(0, 9))).map(([name]) => name),
    texts.slice(0, 9),
  )
  const people = ['Mira Holt', 'Ben Poe', 'Ida Quist'].map((name) => `Northwind, ${name}`)
  assert.deepEqual(
    (await namesIn(people)).map(([name]) => name),
    people,
  )
  assert.deepEqual(
    (await namesIn(people, 'Name', 'Northwind')).map(([name]) => name),
    ['Mira Holt', 'Ben Poe', 'Ida Quist'],
  )
})

test('if most names of a column have the family name first, all with a comma do', async () => {
  const column = [
    'Ravn, Otto',
    'Quist, Xylo',
    'Ek, Dr. Bo',
    'Roe, Cy, Jr.',
    'Madonna',
    'Acme, Inc.',
  ]
  assert.deepEqual(await namesIn(column), [
    ['Otto Ravn', 'Otto', 'Ravn'],
    ['Xylo Quist', 'Xylo', 'Quist'],
    ['Bo Ek', 'Bo', 'Ek'],
    ['Cy Roe Jr.', 'Cy', 'Roe'],
    ['Madonna', null, null],
    ['Acme, Inc.', null, null],
  ])
  assert.deepEqual((await namesIn(['Quist, Xylo', ...PLAIN]))[0], ['Quist, Xylo', null, null])
})

test('a header that names both parts decides', async () => {
  for (const header of [
    'Last name, First name',
    'Nachname, Vorname',
    'Nom, Prénom',
    'Apellidos, Nombre',
  ])
    assert.deepEqual(await namesIn(['Quist, Xylo'], header), [['Xylo Quist', 'Xylo', 'Quist']])
})
