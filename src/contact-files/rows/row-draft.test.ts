import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole } from '../../../test/fixtures/reading.ts'

const peopleIn = async (text: string) =>
  (await readWhole(text)).contacts.map(({ name, details }) =>
    [name, details?.namePrefix, details?.nameSuffix, details?.nickname].filter(Boolean).join(', '),
  )

test('titles and degrees in the columns of names have fields of their own', async () => {
  const text =
    'First name,Last name\nDr. Kwaku,"Boadu, MD MPH"\nÄnne,"Ränk, Dr."\nMira,Holt\n"Bo","Ek, Lee"\n'
  assert.deepEqual(await peopleIn(text), [
    'Kwaku Boadu MD MPH, Dr., MD MPH',
    'Änne Ränk, Dr.',
    'Mira Holt',
    'Bo Ek, Lee',
  ])
})

test('emoji are not in names of LinkedIn', async () => {
  const header = 'First Name,Last Name,URL,Email Address,Company,Position,Connected On\n'
  const text = `${header}Lidia 🌸,Ferrari,,,,,30 Sep 2021\n`
  assert.deepEqual(await peopleIn(text), ['Lidia Ferrari'])
  assert.deepEqual(await peopleIn('First name,Last name\nMama 🌸,Holt\n'), ['Mama 🌸 Holt'])
})

test('Family in the column of salutations is a part of a name without a given name', async () => {
  const text = 'Anrede;Vorname;Name;Ort\nFamilie;;Holt;Kiel\nFrau;Mira;Holt;Kiel\n'
  assert.deepEqual(await peopleIn(text), ['Familie Holt, Familie', 'Mira Holt, Frau'])
})

test('a name that only says that there is none is skipped, unless the row has an address', async () => {
  const rows = 'Untitled,\ntba,\nUnknown,030 5550101\nMira Holt,\n'
  const { contacts, rows: read } = await readWhole(`Name,Phone\n${rows}`)
  assert.deepEqual(
    contacts.map(({ name }) => name),
    ['Unknown', 'Mira Holt'],
  )
  assert.equal(read.filter((row) => 'skipped' in row).length, 2)
})

test('emails and phone numbers in the other column, or in one for both, are read', async () => {
  const text =
    'Name,Contact info,Phone\nMira Holt,mira@example.org 030 5550101,\nBen Poe,030 5550102,ben@example.org\n'
  const { contacts } = await readWhole(text)
  assert.deepEqual(
    contacts.map(({ emails, phones }) => emails.concat(phones)),
    [
      ['mira@example.org', '030 5550101'],
      ['ben@example.org', '030 5550102'],
    ],
  )
})

test('a child with the family name first, and a date as Notion writes it', async () => {
  const { contacts } = await readWhole(
    'Kind;Mutter;Tel. Mutter;geb.\n"Osei, Nana";Akosua Osei;030 5550101;"@June 2, 2015"\n',
  )
  assert.deepEqual(
    contacts.map(({ name, birthday }) => [name, birthday]),
    [
      ['Nana Osei', '2015-06-02'],
      ['Akosua Osei', null],
    ],
  )
})

test('lists of objects in JSON have the value of each', async () => {
  const people = [
    { fullName: 'Mira Holt', emails: [{ type: 'home', address: 'mira@example.org' }] },
    {
      fullName: 'Ben Poe',
      emails: [{ type: 'home', address: 'ben@example.org', primary: true }, { address: null }],
    },
  ]
  const { contacts } = await readWhole(JSON.stringify({ contacts: people }))
  assert.deepEqual(
    contacts.map(({ emails }) => emails),
    [['mira@example.org'], ['ben@example.org']],
  )
})
