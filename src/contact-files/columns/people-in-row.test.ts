import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole } from '../../../test/fixtures/reading.ts'

const lines = async (...rows: string[]) =>
  (await readWhole(rows.join('\n'))).contacts.map(
    ({ name, emails, phones, birthday, location, details }) =>
      [
        name,
        ...emails,
        ...phones,
        ...(birthday === null ? [] : [birthday]),
        ...(location === null ? [] : [location]),
        ...(details?.relations ?? []).map((one) => `${one.relation ?? 'with'} ${one.name}`),
        ...Object.values(details?.labels ?? {}).map((label) => `[${label}]`),
      ].join(', '),
  )

test('a parent with an email or a phone in columns of their own is a person', async () => {
  assert.deepEqual(
    await lines(
      'Kind;geb.;Elternteil;Handy Eltern;Mail Eltern;Ort',
      'Levke Roth;04.05.2016;Wiebke Roth;0152 5550101;roth@example.org;Kiel',
      'Mats Berg;30.12.2015;;0152 5550102;berg@example.org;Kiel',
    ),
    [
      'Levke Roth, 2016-05-04, Kiel, parent Wiebke Roth',
      'Wiebke Roth, roth@example.org, 0152 5550101, Kiel, child Levke Roth, [mobile]',
      'Mats Berg, berg@example.org, 0152 5550102, 2015-12-30, Kiel, [Mail Eltern], [Handy Eltern]',
    ],
  )
})

test('each of two parents has the columns with their number, and both what all parents have', async () => {
  assert.deepEqual(
    await lines(
      'Child,Parent 1,Mobile 1,Parent 2,Mobile 2,Parents email',
      'Pim Roth,Tess Roth,030 5550101,Hamza Berg,030 5550102,all@example.org',
    ),
    [
      'Pim Roth, parent Tess Roth, parent Hamza Berg',
      'Tess Roth, all@example.org, 030 5550101, child Pim Roth, [mobile]',
      'Hamza Berg, all@example.org, 030 5550102, child Pim Roth, [mobile]',
    ],
  )
})

test('numbered names are the two of a couple, who share the other columns', async () => {
  assert.deepEqual(
    await lines(
      'Name 1;Vorname 1;Name 2;Vorname 2;Telefon;E-Mail 1;E-Mail 2', // prose-ok: a header
      'Roth;Hanna;Berg;Jörn;0351 5550101;hanna@example.org;jb@example.org',
      'Noack;Sigrun;;;0351 5550102;;',
    ),
    [
      'Hanna Roth, hanna@example.org, 0351 5550101, with Jörn Berg',
      'Jörn Berg, jb@example.org, 0351 5550101, with Hanna Roth',
      'Sigrun Noack, 0351 5550102',
    ],
  )
})

test('relatives without an email or a phone, and assistants, stay relations of the person', async () => {
  assert.deepEqual(
    await lines(
      'Name,Email,Mother,Assistant name,Assistant phone',
      'Ann Lee,ann@example.org,Eve Lee,Cy Roe,030 5550101',
    ),
    ['Ann Lee, ann@example.org, 030 5550101, mother Eve Lee, assistant Cy Roe, [assistant]'],
  )
})

test('a column of a relative has phone numbers as its cells say', async () => {
  assert.deepEqual(await lines('Name;Eltern', 'Ann Lee;030 5550101', 'Ben Poe;030 5550102'), [
    'Ann Lee, 030 5550101, [Eltern]',
    'Ben Poe, 030 5550102, [Eltern]',
  ])
})

test('a mapped column stays with the person of the row', async () => {
  const mappingOf = () =>
    new Map([
      ['Spouse name', { field: 'relation', label: 'spouse' }],
      ['Spouse email', { field: 'email', label: 'spouse' }],
    ] as const)
  const text = 'Name,Spouse name,Spouse email\nAnn Lee,Ben Lee,ben@example.org\n'
  const mapped = await readWhole(text, { mappingOf })
  assert.deepEqual(
    mapped.contacts.map(({ name }) => name),
    ['Ann Lee'],
  )
  assert.equal((await readWhole(text)).contacts.length, 2)
})
