import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { readWhole, streamOf } from '../../../test/fixtures/reading.ts'
import { zipOf } from '../../../test/support/zip.ts'
import { UnreadableFile } from '../read-contacts.ts'
import { filesInZip, type ZipEntry } from './zip.ts'
import { HUNG_MS } from '../../../test/support/hung.ts'

const CONNECTIONS =
  'Notes:\n"Some e-mail addresses are missing."\n\nFirst Name,Last Name,URL,Email Address,Company,Position,Connected On\nMira,Holt,,,Northwind,CEO,12 Mar 2024\n' // prose-ok: a header

function refusedWith(code: string): (cause: unknown) => boolean {
  return (cause) => cause instanceof UnreadableFile && cause.code === code && cause.hint !== ''
}

test('reads Connections.csv from a LinkedIn export, stored or deflated', async () => {
  const messages = { name: 'messages.csv', content: 'FROM,TO\na,b\n' }
  for (const store of [true, false]) {
    const name = 'Basic_LinkedInDataExport/Connections.csv'
    const file = await readWhole(zipOf([messages, { name, content: CONNECTIONS, store }]))
    assert.equal(file.format, 'linkedin')
    assert.equal(file.contacts[0]?.name, 'Mira Holt')
    assert.equal(file.rows[0]?.line, 5)
  }
})

test('reports a zip without Connections.csv', async () => {
  const zip = zipOf([{ name: 'messages.csv', content: 'x' }])
  await assert.rejects(readWhole(zip), refusedWith('no_connections_in_zip'))
  await assert.rejects(readWhole(zipOf([])), refusedWith('no_connections_in_zip'))
})

test('rejects encrypted, damaged and truncated zips', async () => {
  const name = 'Connections.csv'
  const good = zipOf([{ name, content: CONNECTIONS, store: true }])
  const encrypted = zipOf([{ name, content: CONNECTIONS, flags: 1 }])
  await assert.rejects(readWhole(encrypted), refusedWith('encrypted_zip'))
  await assert.rejects(readWhole(good.subarray(0, -30)), refusedWith('damaged_zip'))
  const wrong = Buffer.from(good)
  wrong.write('Nira', good.indexOf('Mira'))
  await assert.rejects(readWhole(wrong), refusedWith('damaged_zip'))
})

test('rejects a zip that declares more than 200 MB', async () => {
  const declaredSize = 201 * 1024 * 1024
  const zip = zipOf([{ name: 'Connections.csv', content: CONNECTIONS, declaredSize }])
  await assert.rejects(readWhole(zip), refusedWith('zip_too_large'))
})

test('rejects a zip with more files than it reads, and leaves out none of 20,000', async () => {
  const cards = (count: number) =>
    zipOf(
      Array.from({ length: count }, (_, at) => ({
        name: `${at}.vcf`,
        content: at === count - 1 ? 'BEGIN:VCARD\nFN:Ann Lee\nEND:VCARD\n' : '',
        store: true,
      })),
    )
  await assert.rejects(readWhole(cards(20_001)), (cause) => {
    assert.ok(cause instanceof UnreadableFile)
    assert.equal(cause.code, 'zip_too_large')
    assert.equal(cause.message, 'This zip file contains more than 20,000 files.')
    return true
  })
  const entries = await filesInZip(streamOf(cards(20_000)))
  assert.equal(entries.length, 20_000)
  assert.match(await textOf(entries.at(-1)), /Ann Lee/)
})

async function textOf(entry: ZipEntry | undefined): Promise<string> {
  assert.ok(entry)
  let text = ''
  for await (const bytes of entry.open()) text += Buffer.from(bytes).toString()
  return text
}

test('extracts at most 500 MB from a zip, whose files can share compressed bytes', async () => {
  const content = Buffer.alloc(190 * 1024 * 1024, ' ')
  const zip = zipOf([{ name: '0.vcf', content }])
  const start = zip.readUInt32LE(zip.length - 6)
  const directory = zip.subarray(start, -22)
  const named = [0, 1, 2].map((at) => {
    const entry = Buffer.from(directory)
    entry.write(String(at), directory.length - '0.vcf'.length)
    return entry
  })
  const end = Buffer.from(zip.subarray(-22))
  end.writeUInt16LE(named.length, 10)
  const bomb = Buffer.concat([zip.subarray(0, start), ...named, end])
  const entries = await filesInZip(streamOf(bomb))
  const extract = async (entry: ZipEntry) => {
    let size = 0
    for await (const bytes of entry.open()) size += bytes.length
    return size
  }
  const [first, second, third] = entries
  assert.ok(first && second && third)
  assert.equal((await extract(first)) + (await extract(second)), 2 * content.length)
  await assert.rejects(extract(third), refusedWith('zip_too_large'))
})

/** Undefined for a zip that is read; fails if reading never ends. */
async function problemIn(zip: Uint8Array): Promise<unknown> {
  const read = readWhole(zip).then(
    () => undefined,
    (cause: unknown) => cause,
  )
  const limit = new AbortController()
  const hangs = setTimeout(HUNG_MS, 'hangs', { signal: limit.signal })
  const problem = await Promise.race([read, hangs])
  limit.abort()
  await hangs.catch(() => {})
  return problem
}

const SEVERAL = zipOf([
  { name: 'Connections.csv', content: CONNECTIONS },
  { name: 'people/', content: '', store: true },
  { name: 'people/cards.vcf', content: 'BEGIN:VCARD\nFN:Ann Lee\nEND:VCARD\n', store: true },
])

test('throws only UnreadableFile for a zip with any byte changed', async () => {
  for (let at = 4; at < SEVERAL.length; at++) {
    const bent = Buffer.from(SEVERAL)
    bent[at] = (bent[at] ?? 0) ^ 0xff
    const problem = await problemIn(bent)
    assert.ok(
      problem === undefined || problem instanceof UnreadableFile,
      `byte ${at}: ${String(problem)}`,
    )
  }
})

test('reading a zip with several bytes changed, or cut short, ends', async () => {
  const byte = fc.tuple(fc.nat({ max: SEVERAL.length - 1 }), fc.nat({ max: 255 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(byte, { minLength: 1, maxLength: 8 }),
      fc.nat({ max: SEVERAL.length }),
      async (changes, cut) => {
        const bent = Buffer.from(SEVERAL)
        for (const [at, value] of changes) bent[at] = value
        bent.set([0x50, 0x4b, 3, 4])
        for (const zip of [bent, bent.subarray(0, Math.max(cut, 4))]) {
          const problem = await problemIn(zip)
          assert.ok(problem === undefined || problem instanceof UnreadableFile, String(problem))
        }
      },
    ),
  )
})

const CARD = 'BEGIN:VCARD\nVERSION:3.0\nFN:Mira Holt\nEMAIL:m@holt.example\nEND:VCARD\n'
const OTHER = 'BEGIN:VCARD\nVERSION:3.0\nFN:Ben Poe\nEND:VCARD\n'

test('reads every vCard of a zip, and a card in several files of Takeout only once', async () => {
  const file = await readWhole(
    zipOf([
      { name: 'Takeout/Contacts/All Contacts/All Contacts.vcf', content: CARD + OTHER },
      { name: 'Takeout/Contacts/Friends/Friends.vcf', content: CARD },
      { name: 'Takeout/archive_browser.html', content: '<html></html>' },
    ]),
  )
  assert.equal(file.format, 'vcard')
  assert.deepEqual(
    file.contacts.map(({ name }) => name),
    ['Mira Holt', 'Ben Poe'],
  )
  assert.deepEqual(
    file.rows.map((row) => [row.row, 'skipped' in row]),
    [
      [1, false],
      [2, false],
      [3, true],
    ],
  )
})

test('reads the tables of a zip and skips those without contacts', async () => {
  const file = await readWhole(
    zipOf([
      { name: 'export/Tasks.csv', content: 'Task,Due\nWash,Friday\n' },
      { name: 'export/People.csv', content: 'Name,Email\nMira Holt,m@holt.example\n' },
    ]),
  )
  assert.deepEqual(
    file.contacts.map(({ name }) => name),
    ['Mira Holt'],
  )
})

const MESSAGES = `CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,RECIPIENT PROFILE URLS,DATE,SUBJECT,CONTENT,FOLDER
c1,,Mira Holt,https://www.linkedin.com/in/mira-holt,Ada,https://www.linkedin.com/in/ada,2026-08-01 02:00:00 UTC,,"A secret, with
a line break",INBOX
c1,,Ada,https://www.linkedin.com/in/ada,Mira Holt,https://www.linkedin.com/in/mira-holt,2026-08-03 02:00:00 UTC,,Another secret,INBOX
`
const INVITATIONS = `From,To,Sent At,Message,Direction,inviterProfileUrl,inviteeProfileUrl
Ada,Mira Holt,"1/29/26, 2:37 PM",A secret,OUTGOING,https://www.linkedin.com/in/ada,https://www.linkedin.com/in/mira-holt
`

test("reads the dates of messages and invitations in LinkedIn's archive, but no text of them", async () => {
  const connections =
    'First Name,Last Name,URL,Email Address,Company,Position,Connected On\nMira,Holt,https://www.linkedin.com/in/mira-holt,,Northwind,CEO,12 Mar 2024\n'
  const imported =
    'Source,FirstName,LastName,Companies,Title,Emails,PhoneNumbers\nPhone,Ben,Poe,Fjord,Cook,b@poe.example,+1 555 0100\n'
  const file = await readWhole(
    zipOf([
      { name: 'Connections.csv', content: connections },
      { name: 'ImportedContacts.csv', content: imported },
      { name: 'messages.csv', content: MESSAGES },
      { name: 'Invitations.csv', content: INVITATIONS },
      { name: 'Positions.csv', content: 'Company Name,Title\nNorthwind,CEO\n' },
    ]),
  )
  assert.deepEqual(
    file.contacts.map(({ name, company, details }) => [
      name,
      company,
      details?.interactions ?? details?.custom,
    ]),
    [
      [
        'Mira Holt',
        'Northwind',
        [
          { kind: 'message', on: '2026-08-03' },
          { kind: 'invitation', on: '2026-01-29' },
        ],
      ],
      ['Ben Poe', 'Fjord', [{ field: 'Source', value: 'Phone' }]],
    ],
  )
  assert.doesNotMatch(JSON.stringify(file), /secret/i)
})

test('reads the connections of an export of Weft with their details, and no person twice', async () => {
  const ann = {
    connection_id: 'c_1',
    name: 'Ann Lee',
    emails: ['ann@x.org'],
    phones: ['+1 555 0100'],
    details: {
      nickname: 'Annie',
      labels: { 'ann@x.org': 'work' },
      addresses: [{ city: 'Rome', postal_code: '00100' }],
      custom: { Tier: 'Gold' },
    },
    tags: ['C++'],
    notes: [{ text: 'Met in Rome' }, { text: 'Wrote back' }],
    deleted_at: null,
  }
  const gone = { connection_id: 'c_2', name: 'Gone Soon', deleted_at: '2026-09-01T00:00:00Z' }
  const broken = { ...ann, connection_id: 'c_3', details: { addresses: 'Rome' } }
  const lines = [ann, gone, broken].map((one) => JSON.stringify(one))
  const file = await readWhole(
    zipOf([
      { name: 'profile.json', content: '{}' },
      { name: 'connections.csv', content: 'Name,E-mail 1 - Value\nAnn Lee,ann@x.org\n' }, // prose-ok: a header
      { name: 'connections.vcf', content: 'BEGIN:VCARD\nFN:Ann Lee\nEND:VCARD\n' },
      { name: 'connections.json', content: `[\n${[...lines, '{"name":'].join(',\n')}\n]\n` },
    ]),
  )
  const [first] = file.contacts
  assert.deepEqual(
    file.rows.map((row) => 'contact' in row && row.history?.notes.map(({ text }) => text))[0],
    ['Met in Rome', 'Wrote back'],
  )
  assert.equal(first?.note, null)
  assert.deepEqual(first.labels, ['C++'])
  assert.deepEqual(first.details, {
    nickname: 'Annie',
    labels: { 'ann@x.org': 'work' },
    addresses: [{ city: 'Rome', postalCode: '00100' }],
    custom: [{ field: 'Tier', value: 'Gold' }],
  })
  assert.deepEqual(
    file.rows.map((row) => [row.row, row.line, 'contact' in row && (row.cut ?? row.contact.name)]),
    [
      [1, 2, 'Ann Lee'],
      [2, 3, false],
      [3, 4, ['details']],
      [4, 5, false],
    ],
  )
  assert.deepEqual(file.rejected, ['This line is not a person of an export'])
})

test('reads an export of an empty network as a list without rows', async () => {
  const file = await readWhole(
    zipOf([
      { name: 'profile.json', content: '{}' },
      { name: 'connections.vcf', content: '' },
      { name: 'connections.json', content: '[]\n' },
    ]),
  )
  assert.deepEqual([file.format, file.rows], ['table', []])
})

test('reads a connection of many blocks, and rejects a file whose line never ends', async () => {
  const notes = Array.from({ length: 30 }, (_, at) => ({ text: `${at} ${'é'.repeat(9_000)}` }))
  const record = (name: string) => JSON.stringify({ connection_id: 'c_1', name, notes })
  const { rows } = await readWhole(`[\n${record('Ann')},\n${record('Bo')}\n]\n`)
  assert.deepEqual(
    rows.map((row) => 'contact' in row && [row.contact.name, row.history?.notes.length, row.cut]),
    ['Ann', 'Bo'].map((name) => [name, 30, undefined]),
  )
  const endless = `[\n{"connection_id":"c_1","name":"${'x'.repeat(20_000_000)}`
  await assert.rejects(readWhole(endless), refusedWith('json_file'))
})

test('a zip with vCards and tables: both are read, and what both have is one person', async () => {
  const card = (name: string, email: string) =>
    `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nEMAIL:${email}\nEND:VCARD\n`
  const { contacts } = await readWhole(
    zipOf([
      { name: 'a.csv', content: 'Name,Email\nAnn Lee,ann@lee.example\nBo Ek,bo@ek.example\n' },
      {
        name: 'b.vcf',
        content: card('Ann Lee', 'ann@lee.example') + card('Cy Roe', 'cy@roe.example'),
      },
      { name: 'readme.txt', content: 'Name, email and more of my friends\n' },
    ]),
  )
  assert.deepEqual(contacts.map(({ name }) => name).toSorted(), ['Ann Lee', 'Bo Ek', 'Cy Roe'])
})
