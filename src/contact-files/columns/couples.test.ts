import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole } from '../../../test/fixtures/reading.ts'

const lines = async (text: string) =>
  (await readWhole(text)).contacts.map(({ name, emails, phones, details }) =>
    [
      name,
      ...emails,
      ...phones,
      ...(details?.relations ?? []).map((one) => `${one.relation ?? 'with'} ${one.name}`),
    ].join(', '),
  )

const namesIn = async (...cells: string[]) =>
  (await readWhole(`Name;Town\n${cells.map((cell) => `"${cell}";Ryde\n`).join('')}`)).contacts.map(
    ({ name }) => name,
  )

test('two names in a cell are two people who share what the row has', async () => {
  const text =
    'Names,Phone,Email\n' +
    'Anna & Paul Maier,030 5550101,maiers@example.org\n' +
    'Ruth Hollis and Owen Tregaskis,030 5550102,ruth.hollis@example.org\n' +
    'Mira Holt,030 5550103,\n'
  assert.deepEqual(await lines(text), [
    'Anna Maier, maiers@example.org, 030 5550101, with Paul Maier',
    'Paul Maier, maiers@example.org, 030 5550101, with Anna Maier',
    'Ruth Hollis, ruth.hollis@example.org, 030 5550102, with Owen Tregaskis',
    'Owen Tregaskis, 030 5550102, with Ruth Hollis',
    'Mira Holt, 030 5550103',
  ])
})

test('families, titles and commas are parts of the two names', async () => {
  assert.deepEqual(
    await namesIn(
      'Maier, Anna & Paul',
      'Familie Anna und Paul Maier',
      'Dr. Anna und Paul van der Berg',
      'Anna+Paul',
    ),
    [
      'Anna Maier',
      'Paul Maier',
      'Anna Maier',
      'Paul Maier',
      'Anna van der Berg',
      'Paul van der Berg',
      'Anna',
      'Paul',
    ],
  )
  const columns = 'First name,Last name\nAnna & Joscha,Maier\nAnna & Joscha,Maier/Roth\n'
  assert.deepEqual(
    (await readWhole(columns)).contacts.map(({ name }) => name),
    ['Anna Maier', 'Joscha Maier', 'Anna Maier', 'Joscha Roth'],
  )
})

test('an unknown given name is one of a couple where other rows are couples', async () => {
  assert.deepEqual(await namesIn('Anna & Xyra Maier'), ['Anna & Xyra Maier'])
  assert.deepEqual(await namesIn('Anna & Paul Roth', 'Anna & Xyra Maier'), [
    'Anna Roth',
    'Paul Roth',
    'Anna Maier',
    'Xyra Maier',
  ])
})

test('companies, families and people with one of two values stay as they are', async () => {
  const names = [
    'Marks & Spencer',
    'Ernst & Young Services',
    'Peter & Söhne Bau',
    'Mr. and Mrs. John Smith',
    'José Ortega y Gasset',
    'Anna, Paul und Ben Maier',
    'Familie Maier',
  ]
  assert.deepEqual(await namesIn(...names), names)
  const born = 'Name,Birthday\nAnna & Paul Maier,1980-01-02\n'
  assert.deepEqual(await lines(born), ['Anna & Paul Maier'])
})
