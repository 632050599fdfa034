import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole } from '../../../test/fixtures/reading.ts'

/** The birthdays of a file, and the texts that were reported as unreadable dates. */
async function birthdaysIn(dates: readonly string[], header = 'Name,Email,Birthday') {
  const rows = dates.map((date, at) => `Ann Lee ${at},a${at}@x.org,${date}\n`)
  const { rows: read } = await readWhole(`${header}\n${rows.join('')}`)
  return read.map((row) =>
    'contact' in row ? (row.contact.birthday ?? row.unread?.map(({ value }) => value)) : row,
  )
}

test('listopad is the month that the other dates of the column say', async () => {
  assert.deepEqual(await birthdaysIn(['3 listopada 1980', '4 lipnja 1981', '5 lip 1982']), [
    '1980-10-03',
    '1981-06-04',
    '1982-06-05',
  ])
  assert.deepEqual(await birthdaysIn(['3 listopada 1980', '4 lipca 1981', '5 lip 1982']), [
    '1980-11-03',
    '1981-07-04',
    '1982-07-05',
  ])
  assert.deepEqual(await birthdaysIn(['3. listopad 1980', '4. srpna 1981', '5 srp 1982']), [
    '1980-11-03',
    '1981-08-04',
    '1982-08-05',
  ])
  assert.deepEqual(await birthdaysIn(['3. lis 1980.', '4. srpnja 1981.', '5. srp 1982.']), [
    '1980-10-03',
    '1981-07-04',
    '1982-07-05',
  ])
})

test('the period after the day, an ending and the header decide as well', async () => {
  assert.deepEqual(await birthdaysIn(['3. listopada 1980.', '5. lis 1982.']), [
    '1980-10-03',
    '1982-10-05',
  ])
  assert.deepEqual(await birthdaysIn(['3. listopadu 1980', '5 lis 1982']), [
    '1980-11-03',
    '1982-11-05',
  ])
  const of = (header: string) => birthdaysIn(['3 listopada 1980'], header)
  assert.deepEqual(await of('Ime i prezime,Email,Datum rođenja'), ['1980-10-03'])
  assert.deepEqual(await of('Imię i nazwisko,Email,Data urodzenia'), ['1980-11-03'])
  assert.deepEqual(await of('Jméno a příjmení,Email,Datum narození'), ['1980-11-03'])
})

test('a month that nothing decides is reported, and the date is kept as a custom field', async () => {
  assert.deepEqual(await birthdaysIn(['3 listopada 1980', '4 May 1981']), [
    ['3 listopada 1980'],
    '1981-05-04',
  ])
  // Dates of both languages.
  assert.deepEqual(await birthdaysIn(['3 listopada 1980', '4 lipnja 1981', '5 lipca 1982']), [
    ['3 listopada 1980'],
    '1981-06-04',
    '1982-07-05',
  ])
  const { contacts } = await readWhole(
    'Name,Email,Birthday,Anniversary\nAnn Lee,a@x.org,3 listopada 1980,listopad 2001\n',
  )
  assert.deepEqual(contacts[0]?.details?.custom, [
    { field: 'Birthday', value: '3 listopada 1980' },
    { field: 'Anniversary', value: 'listopad 2001' },
  ])
})
