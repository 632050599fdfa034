import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import ICAL from 'ical.js'
import type { ImportedContact } from '../contact/contact.ts'
import { collect, readWhole, streamOf } from '../../../test/fixtures/reading.ts'
import { openContactFile } from '../read-contacts.ts'
import { cardFile } from './vcard.ts'
import { propertyOf, textOf } from './vcard-property.ts'

function card(...lines: readonly string[]): string {
  return ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')
}

async function only(text: string): Promise<ImportedContact> {
  const { contacts } = await readWhole(text)
  assert.equal(contacts.length, 1)
  return contacts[0] ?? assert.fail()
}

test('reads a vCard 3.0 with folded lines, escapes and Apple labels', async () => {
  const contact = await only(
    card(
      'VERSION:3.0',
      'N:Holt;Mira;Jo\\, Ann;Dr.;',
      'FN:Mira Holt',
      'ORG:Northwind\\; Ltd;Sales',
      'TITLE:Head of Sales',
      'item1.TEL:+1 555 0199',
      'item1.X-ABLabel:_$!<HomeFAX>!$_',
      'TEL;type=CELL;type=pref:tel:+1 555 0100',
      'item2.URL;type=pref:http\\://www.linkedin.com/in/Mira-Holt/',
      'URL:holt.example',
      'URL:javascript:alert(1)',
      'item3.ADR;type=HOME:;;1 High St;Leeds;;LS1;UK',
      'ADR;type=WORK:;;2 Low St;York;;YO1;UK',
      'NOTE:Met at a fair\\, liked',
      '  tea.\\nCall back.',
      'BDAY;X-APPLE-OMIT-YEAR=1604:1604-07-09',
      'CATEGORIES:Friends,myContacts,A\\,B',
    ),
  )
  assert.deepEqual(contact, {
    name: 'Mira Holt',
    givenName: 'Mira',
    familyName: 'Holt',
    company: 'Northwind; Ltd',
    title: 'Head of Sales',
    location: 'York, UK',
    emails: [],
    phones: ['+1 555 0100', '+1 555 0199'],
    profileUrl: 'https://www.linkedin.com/in/mira-holt',
    links: ['https://holt.example'],
    birthday: '--07-09',
    connectedOn: null,
    note: 'Met at a fair, liked tea.\nCall back.',
    labels: ['Friends', 'A,B'],
    details: {
      middleName: 'Jo Ann',
      namePrefix: 'Dr.',
      labels: { '+1 555 0100': 'mobile', '+1 555 0199': 'home fax' },
      addresses: [
        { label: 'work', street: '2 Low St', city: 'York', postalCode: 'YO1', country: 'UK' },
        { label: 'home', street: '1 High St', city: 'Leeds', postalCode: 'LS1', country: 'UK' },
      ],
      organizations: [
        {
          name: 'Northwind; Ltd',
          title: 'Head of Sales',
          department: 'Sales',
          current: true,
        },
      ],
      custom: [{ field: 'URL', value: 'javascript:alert(1)' }],
    },
  })
})

test('reads a vCard 2.1 with quoted-printable, charsets and bare parameters', async () => {
  const contact = await only(
    card(
      'VERSION:2.1',
      'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;;',
      'ORG;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Caf=E9',
      'EMAIL;INTERNET:second@mueller.example',
      'EMAIL;PREF;INTERNET:First@Mueller.example',
      'NOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0A=',
      'two: =',
      'three',
      'TITLE;ENCODING=QUOTED-PRINTABLE:Chef=',
      '',
      'TEL;CELL;VOICE:0171 1',
      'PHOTO;JPEG;ENCODING=BASE64:',
      ' /9j/4AAQSkZJRgABAQAAAQABAAD',
      '/9j/4AAQSkZJRgABAQAAAQABAAD',
      '',
    ),
  )
  assert.equal(contact.name, 'Jörg Müller')
  assert.equal(contact.company, 'Café')
  assert.equal(contact.title, 'Chef')
  assert.equal(contact.note, 'one\ntwo: three')
  assert.deepEqual(contact.emails, ['first@mueller.example', 'second@mueller.example'])
  assert.deepEqual(contact.phones, ['0171 1'])
})

test('reads a vCard 4.0 with preferences, quoted parameters and uri values', async () => {
  const contact = await only(
    card(
      'VERSION:4.0',
      'KIND:individual',
      'FN;PREF=2:Ignored',
      'FN;PREF=1:Lena Okoro',
      'N:Okoro;Lena;;;',
      'TEL;VALUE=uri;TYPE="work,voice";PREF=2:tel:+1-555-0102',
      'TEL;VALUE=uri;PREF=1;TYPE="cell":tel:+1-555-0101;ext=7',
      'ADR;LABEL="1 High St: back\\nLeeds":;;;;;;',
      'BDAY:--0203',
    ),
  )
  assert.equal(contact.name, 'Lena Okoro')
  assert.deepEqual(contact.phones, ['+1-555-0101;ext=7', '+1-555-0102'])
  assert.equal(contact.location, '1 High St: back, Leeds')
  assert.equal(contact.birthday, '--02-03')
})

test('does not read the card inside AGENT as a contact', async () => {
  const inner = ['AGENT:', 'BEGIN:VCARD', 'FN:Secretary', 'EMAIL:s@x.example', 'END:VCARD']
  const contact = await only(card('VERSION:2.1', 'FN:Boss', ...inner, 'EMAIL:boss@x.example'))
  assert.equal(contact.name, 'Boss')
  assert.deepEqual(contact.emails, ['boss@x.example'])
})

test('a group has all members that its card names', async () => {
  const members = Array.from({ length: 6000 }, (_, at) => `MEMBER:mailto:p${at}@x.example`)
  const { rows } = await readWhole(card('KIND:group', 'FN:Everyone', ...members))
  const [row] = rows
  assert.equal(row && 'group' in row ? row.group?.members.length : undefined, members.length)
})

test('groups come after the people of the file; cards without a person are rejected', async () => {
  const group = card('VERSION:3.0', 'FN:Club', 'X-ADDRESSBOOKSERVER-KIND:group')
  const team = card('KIND:group', 'FN:Team', 'MEMBER:mailto:Ann@x.example')
  const { rows } = await readWhole(group + team + card('NOTE:who?'))
  assert.deepEqual(
    rows.map((row) => Object.keys(row).at(-1)),
    ['rejected', 'skipped', 'group'],
  )
})

test('reads all kinds of line endings and reports the line where a card starts', async () => {
  const text = card('FN:Ann One') + card('FN:Bea Two')
  for (const lineEnd of ['\n', '\r', '\r\n', '\r\r\n']) {
    const { rows } = await readWhole(text.replaceAll('\r\n', lineEnd))
    assert.deepEqual(
      rows.map(({ row, line }) => [row, line]),
      [
        [1, 1],
        [2, 4],
      ],
    )
  }
})

test('a card without END, without BEGIN or cut off becomes one rejected row', async () => {
  const good = card('FN:Ann One')
  const file = `${good}BEGIN:VCARD\nFN:Lost\n${good}FN:Stray\nEND:VCARD\n${good}BEGIN:VCARD\nFN:Cu`
  const { contacts, rejected } = await readWhole(file)
  assert.equal(contacts.length, 3)
  assert.deepEqual(rejected, [
    'This card has no END:VCARD',
    'This card has no BEGIN:VCARD',
    'This card has no END:VCARD',
  ])
})

test('rejects a card over 5 MB, but not one with a large image', async () => {
  const image = `PHOTO;ENCODING=b:${'A'.repeat(6_000_000)}`
  assert.equal((await only(card('FN:Ann', image))).name, 'Ann')
  const notes = Array.from({ length: 60 }, () => `NOTE:${'x'.repeat(100_000)}`)
  const { rejected } = await readWhole(card('FN:Ann', ...notes) + card('FN:Bea'))
  assert.deepEqual(rejected, ['This card is longer than 5,000,000 characters'])
})

const BROKEN = ['FN', ';;;:', 'TEL;TYPE="a:1', 'NOTE;ENCODING=QUOTED-PRINTABLE:=ZZ=', 'ADR:\\', '=']

test('a broken card does not affect other cards', async () => {
  const broken = fc.array(fc.oneof(fc.constantFrom(...BROKEN), fc.string()), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(broken, fc.boolean(), async (lines, closed) => {
      const end = closed ? 'END:VCARD\r\n' : ''
      const bad = `BEGIN:VCARD\r\n${lines.join('\r\n')}\r\n${end}`
      const { contacts } = await readWhole(card('FN:Ann One') + bad + card('FN:Bea Two'))
      const names = new Set(contacts.map(({ name }) => name))
      assert.ok(names.has('Ann One') && names.has('Bea Two'))
    }),
  )
})

test('reads the same wherever the text is cut into chunks', async () => {
  const text =
    card(
      'FN;ENCODING=QUOTED-PRINTABLE:Zo=C3=',
      '=AB =F0=9F=98=80',
      'NOTE:a',
      ' b',
      'PHOTO:',
      ' AA',
    ) + card('N:Zoë;😀', 'item1.TEL:1', 'item1.X-ABLabel:x').replaceAll('\r\n', '\r\r\n')
  const whole = (await collect(cardFile(streamOf(text)).rowBatches)).flat()
  const cuts = fc.array(fc.nat({ max: text.length }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(cuts, async (at) => {
      const edges = [0, ...at.toSorted((a, b) => a - b), text.length]
      const chunks = edges.slice(1).map((edge, index) => text.slice(edges[index], edge))
      assert.deepEqual((await collect(cardFile(streamOf(...chunks)).rowBatches)).flat(), whole)
    }),
  )
})

// Without semicolons: ical.js 2.2.1 leaves `\;` escaped, against RFC 6350 section 3.4.
test('reads the properties that ical.js reads', () => {
  const unit = fc.constantFrom('a', 'é', ' ', ',', ':', '\\', '\n', '"', '=', 'n')
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const escaped = text.replace(/[\\,;]/g, '\\$&').replaceAll('\n', '\\n')
      const line = `item1.NOTE;TYPE=work:${escaped}`
      const [, [, [, , , theirs]]] = ICAL.parse(
        `BEGIN:VCARD\r\nVERSION:4.0\r\n${line}\r\nEND:VCARD`,
      ) as [string, [unknown, [string, object, string, string]]]
      assert.equal(textOf(propertyOf(line)?.value ?? ''), theirs)
      assert.equal(theirs, text)
    }),
  )
})

const [MIRA, BEN] = ['4FBE8971-0BC3-424C-9C26-36C3E1EFF6B1', '03a0e51f-d1aa-4385-8a53-e29025acd8af']

test('a related person of the same file has a name, wherever their card is', async () => {
  const mira = card(
    `UID:urn:uuid:${MIRA}`,
    'FN:Mira Holt',
    `RELATED;TYPE=spouse:urn:uuid:${BEN.toUpperCase()}`,
  )
  const ben = card(`UID:${BEN}`, 'N:Holt;Ben;;;', `RELATED;TYPE="friend":urn:uuid:${MIRA}`)
  const related = new Map([
    ['Mira Holt', [{ name: 'Ben Holt', relation: 'spouse' }]],
    ['Ben Holt', [{ name: 'Mira Holt', relation: 'friend' }]],
  ])
  for (const blocks of [[mira + ben], [mira, ben], [ben, mira]]) {
    const rows = (await collect(cardFile(streamOf(...blocks)).rowBatches)).flat()
    assert.deepEqual(
      rows.map(({ row }) => row),
      [1, 2],
    )
    for (const row of rows) {
      assert.ok('contact' in row && row.unread === undefined)
      assert.deepEqual(row.contact.details?.relations, related.get(row.contact.name))
    }
  }
})

test('cards that wait for the end of the file are read in several batches', async () => {
  const waiting = card('FN:Ann', `RELATED:urn:uuid:${BEN}`).repeat(1200)
  const batches = await collect(
    cardFile(streamOf(waiting, card(`UID:${BEN}`, 'FN:Ben'))).rowBatches,
  )
  assert.equal(batches.flat().length, 1201)
  assert.ok(batches.every(({ length }) => length <= 500))
})

test('a reference to an unknown card or page is kept as a field and reported, and never a name', async () => {
  const { rows } = await readWhole(
    card(
      'FN:Mira',
      `RELATED;TYPE=spouse:urn:uuid:${BEN}`,
      'RELATED:http://example.org/ben.vcf',
      'RELATED;TYPE=child;VALUE=text:Cleo: the young one',
      'RELATED;TYPE=colleague:mailto:dora@example.org?subject=Hi',
      'item1.X-ABRELATEDNAMES;type=pref:Eva',
      'item1.X-ABLabel:_$!<Sister>!$_',
      'X-MS-MANAGER:Fay Moss',
      'AGENT:BEGIN:VCARD\\nVERSION:3.0\\nFN:Susan Thomas\\nEMAIL:s@x.example\\nEND:VCARD',
    ),
  )
  const [row] = rows
  assert.ok(row && 'contact' in row)
  assert.deepEqual(row.contact.details?.relations, [
    { name: 'Cleo: the young one', relation: 'child' },
    { name: 'dora@example.org', relation: 'colleague' },
    { name: 'Eva', relation: 'sister' },
    { name: 'Fay Moss', relation: 'manager' },
    { name: 'Susan Thomas', relation: 'agent' },
  ])
  const kept = [
    ['RELATED (spouse)', `urn:uuid:${BEN}`],
    ['RELATED', 'http://example.org/ben.vcf'],
  ]
  assert.deepEqual(
    row.contact.details.custom?.map(({ field, value }) => [field, value]),
    kept,
  )
  assert.deepEqual(
    row.unread?.map(({ column, value }) => [column, value]),
    kept,
  )
})

test('starred contacts have a tag, and the group of all contacts has none', async () => {
  for (const group of ['starred', 'System Group: Starred in Android']) {
    const { labels } = await only(card('FN:Ann', `CATEGORIES:myContacts,${group}`))
    assert.deepEqual(labels, ['starred'], group)
  }
})

test('the properties of all cards are counted, with where they go', async () => {
  const text =
    card('VERSION:3.0', 'FN:Ann', 'EMAIL:a@x.example', 'EMAIL:b@x.example', 'X-HOBBY:chess') +
    card('FN:Bea', 'TITLE:Boss', 'ROLE:Lead', 'REV:1', 'X-SPOUSE:Bo', 'item1.X-ABLABEL:Car') +
    card('FN:Team', 'KIND:group', 'X-COLOR:red')
  const file = await openContactFile(streamOf(Buffer.from(text)))
  await collect(file.rowBatches)
  assert.deepEqual(
    file.columns().map(({ name, becomes, label = '', filled }) => [name, becomes, label, filled]),
    [
      ['FN', 'name', '', 2],
      ['EMAIL', 'email', '', 1],
      ['X-HOBBY', 'custom', '', 1],
      ['TITLE', 'title', '', 1],
      ['ROLE', 'custom', '', 1],
      ['REV', 'ignore', '', 1],
      ['X-SPOUSE', 'relation', 'spouse', 1],
    ],
  )
})
