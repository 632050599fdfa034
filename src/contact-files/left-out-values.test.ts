import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole } from '../../test/fixtures/reading.ts'
import { zipOf } from '../../test/support/zip.ts'

const HEADER = 'First Name,Last Name,Email,Email Opt Out,Priority,Shirt\n'
const ROWS =
  'Ann,Lee,ann@x.org,false,Normal,M\nBo,Ek,bo@x.org,true,High,\nCy,Roe,cy@x.org,FALSE,,L\n'

test('the report says how many default values of each column are left out, and a choice of a person is kept', async () => {
  const { contacts, columns } = await readWhole(HEADER + ROWS)
  assert.deepEqual(
    contacts.map(({ details }) => details?.custom),
    [
      [{ field: 'Shirt', value: 'M' }],
      [
        { field: 'Email Opt Out', value: 'true' },
        { field: 'Priority', value: 'High' },
      ],
      [{ field: 'Shirt', value: 'L' }],
    ],
  )
  const kept = columns.map(({ name, becomes, filled, leftOut }) => [name, becomes, filled, leftOut])
  assert.deepEqual(kept.slice(3), [
    ['Email Opt Out', 'custom', 3, 2],
    ['Priority', 'custom', 2, 1],
    ['Shirt', 'custom', 2, undefined],
  ])
})

test('values that are left out of several files are counted together', async () => {
  const files = ['a.csv', 'b.csv'].map((name) => ({ name, content: HEADER + ROWS }))
  const { columns } = await readWhole(zipOf(files))
  const { filled, leftOut } = columns.find(({ name }) => name === 'Email Opt Out') ?? {}
  assert.deepEqual([filled, leftOut], [6, 4])
})

test('every value of a file is kept or counted as left out', async () => {
  const { contacts, columns } = await readWhole(HEADER + ROWS)
  const values = contacts.flatMap(({ details }) => details?.custom ?? [])
  for (const { name, filled, leftOut = 0 } of columns.slice(3))
    assert.equal(values.filter(({ field }) => field === name).length, filled - leftOut, name)
})

test('columns and properties do not count the values of rejected rows', async () => {
  const table = await readWhole(
    'Name,Email,Company,Connected On\nMira Holt,mira@holt.example,Acme,1 May 2020\n,,,2 May 2020\n',
  )
  assert.equal(table.rejected.length, 1)
  assert.deepEqual(
    table.columns.map(({ filled, examples }) => [filled, examples?.length]),
    [
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 2],
    ],
  )
  const cards = ['FN:Mira Holt\r\nTITLE:Boss', 'TITLE:Chief'].map(
    (lines) => `BEGIN:VCARD\r\nVERSION:4.0\r\n${lines}\r\nEND:VCARD\r\n`,
  )
  const file = await readWhole(cards.join(''))
  assert.equal(file.rejected.length, 1)
  assert.deepEqual(
    file.columns.map(({ name, filled }) => [name, filled]),
    [
      ['FN', 1],
      ['TITLE', 1],
    ],
  )
})

test('a row that is rejected counts no values that were left out', async () => {
  const table = await readWhole(
    'First Name,Last Name,Email Type,Phone,Notes\nAnn,Lee,SMTP,1,x\n,,SMTP,,y\n',
  )
  assert.equal(table.rejected.length, 1)
  assert.deepEqual(
    table.columns.map(({ filled, leftOut }) => [filled, leftOut]),
    [
      [1, undefined],
      [1, undefined],
      [1, 1],
      [1, undefined],
      [1, undefined],
    ],
  )
  const cards = await readWhole(
    'BEGIN:VCARD\nFN:Ann Lee\nNOTE:x\nEND:VCARD\nBEGIN:VCARD\nNOTE:y\nEND:VCARD\n',
  )
  assert.equal(cards.rejected.length, 1)
  assert.deepEqual(
    cards.columns.map(({ name, filled }) => [name, filled]),
    [
      ['FN', 1],
      ['NOTE', 1],
    ],
  )
})
