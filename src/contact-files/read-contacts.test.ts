import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { ImportedContact } from './contact/contact.ts'
import { COLUMN_FIELDS } from './fields/column-fields.ts'
import { bytesOf, collect, readWhole, streamOf } from '../../test/fixtures/reading.ts'
import { zipOf } from '../../test/support/zip.ts'
import { openContactFile, UnreadableFile } from './read-contacts.ts'

const LINKEDIN = 'First Name,Last Name,URL,Email Address,Company,Position,Connected On'
const PREAMBLE = 'Notes:\n"When exporting, some of the e-mail addresses are missing, see help."\n\n' // prose-ok: quoted from LinkedIn's file
const MIRA = 'Mira,Holt,https://www.linkedin.com/in/mira-holt,M@Holt.example,"Northwind, Inc.",CEO'

const MIRA_HOLT: ImportedContact = {
  name: 'Mira Holt',
  givenName: 'Mira',
  familyName: 'Holt',
  company: 'Northwind, Inc.',
  title: 'CEO',
  location: null,
  emails: ['m@holt.example'],
  phones: [],
  profileUrl: 'https://www.linkedin.com/in/mira-holt',
  links: [],
  birthday: null,
  connectedOn: '2024-03-12',
  note: null,
  labels: [],
}

test('reads a LinkedIn export with preamble, byte order mark and CRLF', async () => {
  const text = `${PREAMBLE}${LINKEDIN}\n${MIRA},12 Mar 2024\n`.replaceAll('\n', '\r\n')
  const file = await readWhole(`\ufeff${text}`)
  assert.equal(file.format, 'linkedin')
  assert.deepEqual(
    file.columns.map(({ name }) => name),
    LINKEDIN.split(','),
  )
  assert.deepEqual(file.rows, [{ row: 1, line: 5, contact: MIRA_HOLT }])
})

test('reads a LinkedIn export whose preamble has no blank line', async () => {
  const file = await readWhole(`Notes:\nThese are yours.\n${LINKEDIN}\n${MIRA},12-Mar-24\n`)
  assert.deepEqual(file.rows, [{ row: 1, line: 4, contact: MIRA_HOLT }])
})

test('reads a LinkedIn export whose preamble has an unbalanced quotation mark', async () => {
  const file = await readWhole(`Notes:\n"These are yours.\n${LINKEDIN}\n${MIRA},2024-03-12\n`)
  assert.deepEqual(file.contacts, [MIRA_HOLT])
})

test('reads reordered, extra and missing columns, tabs, semicolons and UTF-16', async () => {
  const rows = ['Extra\tLAST NAME\tfirst name \tCompany', 'x\tHolt\tMira\tNorthwind', 'y\tBerg']
  const texts = [rows.join('\n'), rows.join('\r').replaceAll('\t', ';')]
  for (const text of texts) {
    for (const bytes of [bytesOf(text), Buffer.from(`\ufeff${text}`, 'utf16le')]) {
      const { format, contacts } = await readWhole(bytes)
      assert.equal(format, 'linkedin')
      assert.deepEqual(
        contacts.map(({ name, company }) => [name, company]),
        [
          ['Mira Holt', 'Northwind'],
          ['Berg', null],
        ],
      )
    }
  }
})

test('rejects LinkedIn rows without a person and skips empty ones', async () => {
  const url = ',,https://www.linkedin.com/in/nobody,,,,'
  const file = await readWhole(`${LINKEDIN}\n${url}\n,,,,,,01 Jan 2023\n,,,,,,\n${MIRA},\n`)
  assert.deepEqual(
    file.rows.map((row) => [row.row, row.line, Object.keys(row).at(-1)]),
    [
      [1, 2, 'rejected'],
      [2, 3, 'rejected'],
      [3, 4, 'skipped'],
      [4, 5, 'contact'],
    ],
  )
  assert.equal(file.rejected[0], 'No name, email address or phone number')
})

test('reads a Google export with the new headers', async () => {
  const { format, contacts } = await readWhole(
    'First Name,Middle Name,Last Name,File As,Organization Name,Organization Title,Birthday,Notes,Labels,' +
      'E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,' +
      'Address 1 - Label,Address 1 - City,Address 1 - Region,Address 1 - Country,Website 1 - Label,Website 1 - Value\n' +
      'Ivo,K.,Sand,,Tidal,Cook, --12-01,"Likes\nfish",* myContacts ::: Crew ::: * Family,' +
      'Home,ivo@sand.example ::: i@sand.example,* Work,work@sand.example,Mobile,+1 5 ::: +1 6,' +
      'Home,Oslo,,Norway,Profile,linkedin.com/in/ivo ::: sand.example\n',
  )
  assert.equal(format, 'google')
  assert.deepEqual(contacts, [
    {
      name: 'Ivo K. Sand',
      givenName: 'Ivo',
      familyName: 'Sand',
      company: 'Tidal',
      title: 'Cook',
      location: 'Oslo, Norway',
      emails: ['work@sand.example', 'ivo@sand.example', 'i@sand.example'],
      phones: ['+1 5', '+1 6'],
      profileUrl: 'https://www.linkedin.com/in/ivo',
      links: ['https://sand.example'],
      birthday: '--12-01',
      connectedOn: null,
      note: 'Likes\nfish',
      labels: ['Crew', 'Family'],
      details: {
        middleName: 'K.',
        labels: {
          'work@sand.example': 'work',
          'ivo@sand.example': 'home',
          'i@sand.example': 'home',
          '+1 5': 'mobile',
          '+1 6': 'mobile',
          'https://www.linkedin.com/in/ivo': 'profile',
          'https://sand.example': 'profile',
        },
        addresses: [{ label: 'home', city: 'Oslo', country: 'Norway' }],
      },
    },
  ])
})

test('reads a Google export with the old headers', async () => {
  const { format, contacts } = await readWhole(
    'Name,Given Name,Additional Name,Family Name,Nickname,Birthday,Location,Group Membership,' +
      'E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Organization 1 - Name,Organization 1 - Title,' +
      'Address 1 - Formatted\n' +
      '"Zoë, Sand",Zoë,,Sand,,1990-05-06,,* starred ::: Crew,*,zoe@sand.example,Work,(757) 1,Tidal,Cook,"1 Quay\nOslo"\n' +
      ',,,,Skipper,,,,,,,,,,\n',
  )
  assert.equal(format, 'google')
  assert.deepEqual(
    contacts.map(({ name, location, birthday, labels, company }) => [
      name,
      location,
      birthday,
      labels,
      company,
    ]),
    [
      ['Zoë, Sand', '1 Quay, Oslo', '1990-05-06', ['starred', 'Crew'], 'Tidal'],
      ['Skipper', null, null, [], null],
    ],
  )
})

test('reads both variants of an Outlook export', async () => {
  const start =
    'First Name,Middle Name,Last Name,Title,Suffix,Web Page,Birthday,Notes,E-mail Address,'
  const values = 'Ada,,Lund,Dr.,Jr.,lund.example,3/22/1985,Hi,ada@lund.example,ada2@lund.example,'
  for (const country of ['Business Country', 'Business Country/Region']) {
    const { format, contacts } = await readWhole(
      `${start}E-mail 2 Address,Home Phone,Mobile Phone,Business Fax,Company,Job Title,Business City,${country},Categories\n` +
        `${values}1,2,3,Fjord AS,Pilot,Bergen,Norway,Crew;Sea\n` +
        'Bo,,Ek,,,,0/0/00,,,,,,,,,,,\n',
    )
    assert.equal(format, 'outlook')
    assert.deepEqual(contacts[0], {
      name: 'Ada Lund Jr.',
      givenName: 'Ada',
      familyName: 'Lund',
      company: 'Fjord AS',
      title: 'Pilot',
      location: 'Bergen, Norway',
      emails: ['ada@lund.example', 'ada2@lund.example'],
      phones: ['2', '1', '3'],
      profileUrl: null,
      links: ['https://lund.example'],
      birthday: '1985-03-22',
      connectedOn: null,
      note: 'Hi',
      labels: ['Crew', 'Sea'],
      details: {
        namePrefix: 'Dr.',
        nameSuffix: 'Jr.',
        labels: { '2': 'mobile', '1': 'home', '3': 'work fax' },
        addresses: [{ label: 'work', city: 'Bergen', country: 'Norway' }],
      },
    })
    assert.equal(contacts[1]?.birthday, null)
  }
})

test('reads an Outlook export in German and in French', async () => {
  const german = 'Anrede;Vorname;Nachname;Firma;Position;E-Mail-Adresse;Mobiltelefon;Geburtstag\n'
  const row = 'Frau;Jana;Groß;Fjord;Lotsin;j@gross.example;0171 1;4.3.1985\n'
  const file = await readWhole(Buffer.from(german + row, 'latin1'))
  assert.equal(file.format, 'outlook')
  assert.equal(file.contacts[0]?.name, 'Jana Groß')
  assert.equal(file.contacts[0].title, 'Lotsin')
  assert.equal(file.contacts[0].birthday, '1985-03-04')
  const french = 'Prénom,Nom,Société,Adresse de messagerie,Anniversaire\n'
  const { contacts } = await readWhole(`${french}Anne,Roux,Fjord,a@roux.example,04/03/1985\n`)
  assert.equal(contacts[0]?.birthday, '1985-03-04')
})

test('reports which field each column becomes', async () => {
  const headers = {
    'First Name,Last Name,URL,Email Address,Company,Position,Connected On,Extra':
      'given_name family_name url email company title connected_on custom',
    'First Name,Middle Name,Last Name,Nickname,Photo,E-mail 1 - Label,E-mail 1 - Value,Address 1 - City,Labels,Birthday,Notes':
      'given_name middle_name family_name nickname custom email email city tags birthday note',
    'First Name,Last Name,Suffix,Job Title,E-mail Address,Business Phone,Web Page,Business City,Categories,Birthday':
      'given_name family_name name_suffix title email phone url city tags birthday',
  }
  for (const [header, meanings] of Object.entries(headers)) {
    const { columns } = await readWhole(`${header}\nAnn,Lee\n`)
    assert.equal(columns.map(({ becomes }) => becomes).join(' '), meanings)
  }
  const many = Array.from({ length: 5000 }, (_, at) => `x${at}`).join(',')
  const { columns } = await readWhole(`First Name,Last Name,Company,${many}\nAnn,Lee\n`)
  assert.equal(columns.length, 200)
})

test('finds vCards after a remark, regardless of the format hint', async () => {
  const file = await readWhole('my friends\nBEGIN:VCARD\nFN:Ann\nEND:VCARD\n', { hint: 'google' })
  assert.equal(file.format, 'vcard')
  assert.deepEqual(file.columns, [{ name: 'FN', filled: 1, becomes: 'name' }])
  assert.equal(file.contacts[0]?.name, 'Ann')
})

test('identifies files that it cannot read', async () => {
  const files: Record<string, string | Uint8Array> = {
    empty_file: '',
    pdf_file: '%PDF-1.7\n',
    json_file: '{"contacts": []}',
    html_file: '<!DOCTYPE html><html></html>',
    calendar_file: 'BEGIN:VCALENDAR\nEND:VCALENDAR\n',
    spreadsheet_file: Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    binary_file: Buffer.from('89504e470d0a1a0a', 'hex'),
    unknown_columns: 'Color,Size\nred,4\n',
  }
  for (const [code, file] of Object.entries(files)) {
    await assert.rejects(
      readWhole(file),
      (cause) => cause instanceof UnreadableFile && cause.code === code && cause.hint !== '',
      code,
    )
  }
  await assert.rejects(readWhole(' \n\ufeff \n'), UnreadableFile)
  await assert.rejects(readWhole('Color,Size\nred,4\n'), /"Color", "Size"/)
})

test('closes its source when the reader stops', async () => {
  let stopped = false
  async function* source() {
    try {
      yield bytesOf(`${LINKEDIN}\n`)
      for (;;) yield bytesOf(`${MIRA},\n`)
    } finally {
      stopped = true
    }
  }
  const file = await openContactFile(source())
  for await (const batch of file.rowBatches) if (batch.some(({ row }) => row === 3)) break
  assert.ok(stopped)
})

test('a name of several lines is one column, also if no name is known', async () => {
  const { columns } = await readWhole('"Color\nof eyes",A,B\nred,Ann Lee,ann@lee.example\n')
  assert.deepEqual(
    columns.map(({ name, becomes }) => [name, becomes]),
    [
      ['Color\nof eyes', 'custom'],
      ['A', 'name'],
      ['B', 'email'],
    ],
  )
})

test('passes on errors of its source', async () => {
  async function* source() {
    yield bytesOf(`${LINKEDIN}\n`)
    throw new Error('upload aborted')
  }
  await assert.rejects(
    openContactFile(source()).then((file) => collect(file.rowBatches)),
    /upload aborted/,
  )
})

const SEEDS = [
  `${PREAMBLE}${LINKEDIN}\n${MIRA},12 Mar 2024\n"Bo",,x\n`,
  'Name,Given Name,E-mail 1 - Value,Labels\nZoë,Z,a@b.example ::: c@d.example,* x\n',
  'First Name,Last Name,E-mail Address,Notes\nA,B,c@d.example,"n\nm"\n',
  'BEGIN:VCARD\nN;ENCODING=QUOTED-PRINTABLE:Zo=C3=\n=AB;😀\nEND:VCARD\nBEGIN:VCARD\nFN:x\nEND:VCARD\n',
]

/** Real files with random bytes inserted, so that more than the rejections is covered. */
const bentFile = fc
  .record({
    seed: fc.constantFrom(...SEEDS),
    bends: fc.array(fc.tuple(fc.nat({ max: 250 }), fc.uint8Array({ maxLength: 6 })), {
      maxLength: 5,
    }),
  })
  .map(({ seed, bends }) => {
    let bytes = Buffer.from(seed)
    for (const [at, more] of bends) {
      bytes = Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at + (at % 3))])
    }
    return new Uint8Array(bytes)
  })

function assertInvariants(contact: ImportedContact): void {
  const { note, emails, phones, links, labels, details: _details, ...lines } = contact
  assert.notEqual(contact.name, '')
  const texts = [...Object.values(lines).filter((text) => text !== null), ...labels, ...links]
  for (const text of [...texts, ...emails, ...phones]) {
    assert.ok(!/\p{Cc}|\p{Cs}/u.test(text) && text.trim() === text && text !== '', text)
  }
  assert.ok(texts.every((text) => text.length <= 2000))
  assert.ok(note === null || (!/(?![\n\t])\p{Cc}/u.test(note) && note.length <= 20_000))
  assert.ok(emails.every((email) => /^\S+@\S+$/.test(email) && email === email.toLowerCase()))
  for (const list of [emails, phones, links, labels]) {
    assert.ok(list.length <= 50 && new Set(list).size === list.length)
  }
}

test('any bytes are read or rejected, and every contact satisfies its invariants', async () => {
  const files = fc.oneof(
    { weight: 4, arbitrary: bentFile },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  )
  await fc.assert(
    fc.asyncProperty(files, async (bytes) => {
      try {
        const { contacts } = await readWhole(bytes)
        for (const contact of contacts) assertInvariants(contact)
      } catch (cause) {
        if (!(cause instanceof UnreadableFile)) throw cause
      }
    }),
    { numRuns: 600 },
  )
})

test('results do not depend on how the bytes are split', async () => {
  const bytes = bytesOf(SEEDS[0] ?? '')
  const whole = await readWhole(bytes)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: bytes.length }), { maxLength: 20 }), async (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
      const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
      const file = await openContactFile(streamOf(...chunks))
      assert.deepEqual((await collect(file.rowBatches)).flat(), whole.rows)
    }),
  )
})

test('limits the values of one row, and keeps the others in its note', async () => {
  const many = Array.from({ length: 80 }, (_, index) => `a${index}@x.example`).join(' ::: ')
  const { contacts } = await readWhole(
    `Name,E-mail 1 - Value,Notes\n${'n'.repeat(400)},${many},${'t'.repeat(30_000)}\n`,
  )
  assert.equal(contacts[0]?.name.length, 300)
  assert.equal(contacts[0].emails.length, 50)
  const note = contacts[0].note ?? ''
  assert.ok(note.startsWith('t'.repeat(30_000)))
  assert.ok(note.includes(`Name: ${'n'.repeat(400)}`))
  for (let index = 50; index < 80; index += 1)
    assert.ok(note.includes(`Emails: a${index}@x.example`))
})

const ODD_TEXTS = [
  'Zebra',
  'zebra quagga',
  'Quagga <zq@quagga.example> zebra',
  'zq@quagga.example; wz@quagga.example',
  'zq@',
  '@zebra',
  '12',
  '1e5',
  '2020-13-45',
  'spring 1999',
  '+44 20 7946 0991 ext 5 (Zebra)',
  'https://zebra.example/a b',
  'https://exa"mple.org/q',
  'ftp://zebra.example/x',
  'x'.repeat(3000),
]

test('whatever a cell of a known column holds is in the contact, or the report says what was cut', async () => {
  const columns = [...COLUMN_FIELDS].filter((field) => field !== 'ignore')
  const names = [
    ...columns.map((field) => field.replaceAll('_', ' ')),
    'E-mail Type', // prose-ok: a header
    'Birth Year',
    'Anniversary Day',
    'Twitter',
    'Facebook',
    'LinkedIn',
    'E-mail 1 - Value', // prose-ok: a header
    'Website 1 - Value',
    'Phone 1 - Value',
    'Event 1 - Value',
    'Organization Department',
  ]
  for (const name of names) {
    const rows = ODD_TEXTS.map((text) => `Ada Lovelace,"${text.replaceAll('"', '""')}"`)
    const read = await readWhole(`Full Name,${name}\n${rows.join('\n')}\n`)
    assert.equal(read.contacts.length, ODD_TEXTS.length)
    for (const [index, row] of read.rows.entries()) {
      if (!('contact' in row) || row.cut !== undefined) continue
      const kept = JSON.stringify([row.contact, row.cadence]).toLowerCase()
      for (const word of ODD_TEXTS[index]?.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
        assert.ok(kept.includes(word), `${name}: ${word} of ${ODD_TEXTS[index]} in ${kept}`)
    }
  }
})

test('sounds and logos that are left out, and values of which a part is missing, are reported', async () => {
  const card = (line: string) => `BEGIN:VCARD\nVERSION:3.0\nFN:Mira Holt\n${line}\nEND:VCARD\n`
  for (const [line, field] of [
    [`NOTE:${'z'.repeat(1_000_001)}`, 'note'],
    [`item1.X-LONG;TYPE=x:${'z '.repeat(500_001)}`, 'x-long'],
    ['LOGO;ENCODING=b;TYPE=PNG:AAAA', 'logo'],
    ['SOUND;ENCODING=b:AAAA', 'sound'],
  ] as const) {
    const [row] = (await readWhole(card(line))).rows
    assert.ok(row && 'contact' in row)
    assert.deepEqual(row.cut, [field])
  }
})

test('the report has the columns of every table of a zip', async () => {
  const file = await readWhole(
    zipOf([
      { name: 'one.csv', content: 'Name,Email\nMira Holt,m@holt.example\n' },
      { name: 'two.csv', content: 'Name,Email,Team\nBen Poe,b@poe.example,Sales\n' },
    ]),
  )
  assert.deepEqual(
    file.columns.map(({ name, becomes, filled }) => [name, becomes, filled]),
    [
      ['Name', 'name', 2],
      ['Email', 'email', 2],
      ['Team', 'department', 1],
    ],
  )
})
