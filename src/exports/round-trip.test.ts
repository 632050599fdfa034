import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { addConnectionTool } from '../../test/fixtures/one-person.ts'
import { keepInTouchTool } from '../connections/cadence/keep-in-touch.tool.ts'
import { logInteractionTool } from '../connections/interactions/log-interaction.tool.ts'
import { addConnectionsTool } from '../connections/people/add-connections.tool.ts'
import { saveNoteTool } from '../connections/notes/save-note.tool.ts'
import { type ImportedContact, type ImportRow } from '../contact-files/contact/contact.ts'
import { rowOf, type DraftValue } from '../contact-files/contact/contact-draft.ts'
import { oneLine } from '../contact-files/contact/clean-text.ts'
import { normalizedLabel } from '../contact-files/values/labels.ts'
import type { ContactDetails, LabeledDate } from '../contact-files/contact/details.ts'
import { openContactFile } from '../contact-files/read-contacts.ts'
import { decideMatch } from '../identity/decide-match.ts'
import { createWorld, networkOf, rowsOf, type Acting } from '../../test/fixtures/network.ts'
import { importBytes } from '../../test/fixtures/import-file.ts'
import { latestArchive, runExport, type Archive } from '../../test/fixtures/export.ts'
import { connectionPages } from './exported-connection.ts'
import { portableContact, type PortableContact } from './contact-mapping.ts'
import type { MergeResult } from '../imports/merging/merge-contact.ts'

const FILES = ['connections.csv', 'connections.vcf', 'connections.json'] as const
/** Files with contacts only. `archive-round-trip.test.ts` tests the whole archive. */
const CONTACT_FILES = ['connections.csv', 'connections.vcf'] as const

const anyOf = (characters: string) => fc.constantFrom(...Array.from(characters))

const text = (maxLength = 30) =>
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength }),
    fc.string({ unit: anyOf('ab,;:"\\\n =-+@\'\u202e*é漢'), maxLength }),
  )
const word = fc.string({ unit: anyOf('abc9'), minLength: 1, maxLength: 3 })

const severalLines = fc.string({ unit: anyOf('ab \n;\\,"^=\':'), maxLength: 20 })
/** In the spelling of `normalizedLabel`, to which an import normalizes every label. */
const label = fc
  .oneof(fc.constantFrom('work', 'home', 'mobile', 'fax', 'home fax', 'Küche; "^n"'), text(9))
  .map((written) => normalizedLabel(oneLine(written, 300)))
  .filter((written) => normalizedLabel(written) === written)

function labeled(value: fc.Arbitrary<string>): fc.Arbitrary<DraftValue> {
  return fc.oneof(value, fc.record({ value, label }))
}

/** Small alphabets, so that people share names, companies and addresses. */
const DRAFT = fc.record({
  fullName: fc.oneof(fc.constantFrom('Ann Lee', 'Bo', ''), text()),
  givenName: fc.oneof(fc.constantFrom('Ann', ''), text(8)),
  familyName: fc.oneof(fc.constantFrom('Lee', ''), text(8)),
  company: fc.oneof(fc.constantFrom('Acme', ''), text()),
  title: text(),
  location: text(),
  emails: fc.array(labeled(word.map((name) => `${name}@x.org`)), { maxLength: 5 }),
  phones: fc.array(
    labeled(
      fc.oneof(
        word.map((digits) => `+49 9${digits}`),
        text(9),
      ),
    ),
    { maxLength: 5 },
  ),
  urls: fc.array(
    labeled(
      fc.oneof(
        word.map((slug) => `https://www.linkedin.com/in/${slug}`),
        word.map((path) => `https://x.org/${path};,?q=\\n${path}`),
      ),
    ),
    { maxLength: 5 },
  ),
  birthday: fc.constantFrom(null, '1985-04-12', '--02-29'),
  connectedOn: fc.constantFrom(null, '2024-03-12'),
  note: fc.string({ unit: anyOf('ab \n;\\,"=\''), maxLength: 60 }),
  labels: fc.array(text(12), { maxLength: 4 }),
  details: fc.record(
    {
      namePrefix: text(8),
      middleName: text(8),
      nameSuffix: text(8),
      nickname: text(8),
      phoneticGivenName: text(8),
      phoneticFamilyName: text(8),
      pronouns: text(8),
      addresses: fc.array(
        fc.record(
          {
            label,
            street: severalLines,
            extended: text(9),
            poBox: text(9),
            city: text(9),
            region: text(9),
            postalCode: text(9),
            country: text(9),
            formatted: severalLines,
          },
          { requiredKeys: [] },
        ),
        { maxLength: 5 },
      ),
      handles: fc.array(
        fc.record(
          {
            service: fc.oneof(fc.constantFrom('skype', 'x', 'jabber', 'm"a;:^n'), word),
            value: text(9),
            label,
          },
          { requiredKeys: ['service', 'value'] },
        ),
        { maxLength: 5 },
      ),
      organizations: fc.array(
        fc.record(
          {
            name: fc.oneof(fc.constantFrom('Acme', 'Bolt'), text(9)),
            title: text(9),
            department: text(9),
            from: fc.constantFrom('2010', '2011-03', '2012-04-05'),
            until: fc.constantFrom('2013', '2014-03', '2015-04-05'),
            current: fc.boolean(),
          },
          { requiredKeys: ['current'] },
        ),
        { maxLength: 5 },
      ),
      dates: fc.array(
        fc.record({
          label: fc.oneof(fc.constantFrom('anniversary', 'other'), label),
          date: fc.constantFrom('2010-06-01', '--02-29', '2019', '2019-07'),
        }),
        { maxLength: 5 },
      ),
      relations: fc.array(
        fc.record({ name: text(9), relation: label }, { requiredKeys: ['name'] }),
        { maxLength: 5 },
      ),
      interactions: fc.array(
        fc.record({ kind: label, on: fc.constantFrom('2024-02-29', '2025-01-01', '2025-07-09') }),
        { maxLength: 5 },
      ),
      custom: fc.array(
        fc.record({
          field: fc.oneof(
            fc.constantFrom('Role', 'Email', 'Tier @ us', 'Position 1 - Name'),
            text(),
          ),
          value: severalLines,
        }),
        { maxLength: 3 },
      ),
    },
    { requiredKeys: [] },
  ),
})

/** Values with the separator of a cell are missing from a CSV file; a separate test covers them. */
const NETWORK = fc
  .array(
    DRAFT.map((draft) => rowOf(1, 1, draft)),
    { maxLength: 12 },
  )
  .map((rows) => contactsIn(rows).filter((one) => !JSON.stringify(one).includes(':::')))

const ANN: ImportedContact = {
  name: 'Ann Lee',
  givenName: 'Ann',
  familyName: 'Lee',
  company: 'Acme',
  title: null,
  location: null,
  emails: ['ba@x.org'],
  phones: [],
  profileUrl: null,
  links: [],
  birthday: null,
  connectedOn: null,
  note: null,
  labels: [],
}

/** The second Ann's profile belongs to Bo, so only a link to another profile is left, which contact files omit. */
const LABELED_SECOND_PROFILE: ImportedContact[] = [
  { ...ANN, name: 'Bo', company: null, emails: [], profileUrl: 'https://www.linkedin.com/in/b' },
  ANN,
  {
    ...ANN,
    profileUrl: 'https://www.linkedin.com/in/b',
    links: ['https://www.linkedin.com/in/a'],
    details: { labels: { 'ba@x.org': 'work', 'https://www.linkedin.com/in/a': 'a' } },
  },
]

/** The second one does not say when the position ended. */
const ENDED_POSITION: ImportedContact[] = ['2013', undefined].map(formerly)

/** Two contacts of one day, the first without anything else. */
const BARE_INTERACTION: ImportedContact[] = ['other', 'a'].map(contacted)

function contacted(kind: string): ImportedContact {
  return { ...ANN, details: { interactions: [{ kind, on: '2024-02-29' }] } }
}

function formerly(until?: string): ImportedContact {
  const position = { name: 'Bolt', current: false, ...(until !== undefined && { until }) }
  const profileUrl = 'https://www.linkedin.com/in/a'
  return { ...ANN, profileUrl, details: { organizations: [position] } }
}

test('importing an export restores it in an empty account and changes nothing in the same one', async () => {
  await using world = await createWorld()
  await fc.assert(
    fc.asyncProperty(NETWORK, async (contacts) => {
      const member = await world.join()
      await member.import(contacts, { batch: 5 })
      await runExport(world, member.db)
      const archive = await latestArchive(world, member.db)
      const exported = await portable(member)
      for (const file of CONTACT_FILES) {
        const read = await contactsOf(archive, file)
        if (hasTwins(read)) continue
        const newcomer = await world.join()
        await newcomer.import(read, { source: sourceOf(file), jobId: 2 })
        assert.deepEqual(await portable(newcomer), exported, file)
        const before = await networkOf(world, member)
        const results = await member.import(read, { source: sourceOf(file), jobId: 3 })
        assert.deepEqual(
          results,
          results.map(() => 'unchanged' satisfies MergeResult),
          file,
        )
        assert.deepEqual(withoutKeys(await networkOf(world, member)), withoutKeys(before), file)
      }
    }),
    { numRuns: 25, examples: [[LABELED_SECOND_PROFILE], [ENDED_POSITION], [BARE_INTERACTION]] },
  )
})

test('typed people with several notes, all kinds of tags and another profile are restored', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, {
    name: 'Ann Lee',
    company: 'Acme:::Bolt',
    title: 'Head of A ::: B',
    profile_url: 'https://ann.example/me',
    links: ['https://x.org/a', 'https://linkedin.com/in/Other'],
    tags: ['starred', 'a ::: b', 'C++', 'x,y'],
    note: 'First; with \\n, and\nlines',
  })
  await member.ask(saveNoteTool, { people: 'c_1', text: 'Second\u202e one\n\nof two parts' })
  await runExport(world, member.db)
  const archive = await latestArchive(world, member.db)
  for (const file of FILES) {
    const read = await contactsOf(archive, file)
    assert.equal(read.length, 1)
    if (file !== 'connections.json') {
      assert.equal(read[0]?.note, 'First; with \\n, and\nlines\n\nSecond one\n\nof two parts')
      assert.deepEqual([read[0].company, read[0].title], ['Acme:::Bolt', 'Head of A ::: B'])
      assert.deepEqual(read[0].links, ['https://ann.example/me', 'https://x.org/a'])
    }
    const results = await member.import(read, { source: sourceOf(file), jobId: 3 })
    assert.deepEqual(results, ['unchanged'], file)
  }
  assert.deepEqual((await contactsOf(archive, 'connections.vcf'))[0]?.labels.toSorted(), [
    'C++',
    'a ::: b',
    'starred',
    'x,y',
  ])
})

test('an address that has the location is written once, and both are restored', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const street = { street: '1 High St', city: 'Leeds', region: 'Yorkshire', country: 'UK' }
  const home = { label: 'home', city: 'Bath' }
  const people = [
    { name: 'Ann Lee', location: 'Leeds, Yorkshire, UK', addresses: [street, home], lines: 2 },
    { name: 'Bo Poe', location: 'Bath', addresses: [home], lines: 1 },
    { name: 'Cy Ray', location: 'Bath', addresses: [street, home], lines: 3 },
    { name: 'Di Fox', location: 'Bath', addresses: [{ city: 'Bath' }], lines: 2 },
    { name: 'Ed Kay', location: 'Bath; UK', addresses: [], lines: 1 },
  ]
  await member.ask(addConnectionsTool, {
    connections: people.map(({ name, location, addresses }) => ({
      name,
      location,
      details: { addresses },
    })),
  })
  await runExport(world, member.db)
  const archive = await latestArchive(world, member.db)
  const cards = (archive['connections.vcf'] ?? '').split('END:VCARD')
  for (const [at, { name, lines }] of people.entries())
    assert.equal(cards[at]?.match(/^(?:item\d+\.)?ADR/gm)?.length, lines, name)
  const newcomer = await world.join()
  const read = await contactsOf(archive, 'connections.vcf')
  await newcomer.import(read, { source: 'vcard', jobId: 2 })
  assert.deepEqual(await portable(newcomer), await portable(member))
})

test('notes beyond the maximum length are cut between two notes', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ann Lee', note: 'a'.repeat(15_000) })
  await member.ask(saveNoteTool, { people: 'c_1', text: 'b'.repeat(15_000) })
  const [ann] = await portable(member)
  assert.equal(ann?.note, 'a'.repeat(15_000))
  assert.equal((await rowsOf(world, member, 'notes')).length, 2)
})

test('no name or note ends its card or row in any reader', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const card = (end: string) => ['x', 'END:VCARD', 'BEGIN:VCARD', 'FN:Eve', 'END:VCARD'].join(end)
  const ends = ['\r', '\n', '\r\n', '\u2028', '\u0085', '\v', '\f']
  for (const [at, end] of ends.entries())
    await member.ask(addConnectionTool, { name: `Ann ${at}`, note: card(end) })
  const turned = `${card('\u2028')} \u202eeilrahC`
  await member.ask(addConnectionTool, { name: turned, company: turned })
  await runExport(world, member.db)
  const archive = await latestArchive(world, member.db)
  const lines = (archive['connections.vcf'] ?? '').split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/)
  assert.equal(lines.filter((line) => line === 'END:VCARD').length, ends.length + 1)
  assert.doesNotMatch(archive['connections.csv'] ?? '', /[\v\f\u0085\u2028\u2029\u202e]|\r(?!\n)/)
})

test('no cell starts like a formula, and all cells are read back unchanged', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const formulas = [
    '=1+1',
    '@SUM(A1)',
    '+cmd|x',
    '-2+A1',
    "'=1",
    "''=1",
    "'tis",
    '- one\n- two',
    '＝1+1',
    '＋1+1',
    '－1+1',
    '＠SUM(A1)',
    "|'1'!A0",
    "'＝1",
  ]
  for (const formula of formulas)
    await member.ask(addConnectionTool, {
      name: formula.replace('\n', ' '),
      emails: [`=${formulas.indexOf(formula)}@x.org`],
      phones: ['+49 (30) 12-34', '=1+1'],
      note: formula,
      tags: [formula.replace('\n', ' ')],
    })
  await runExport(world, member.db)
  const csv = (await latestArchive(world, member.db))['connections.csv'] ?? ''
  const cells = parse(csv).flat()
  assert.deepEqual(
    cells.filter((cell) => /^[=@+\-|＝＋－＠]/.test(cell)),
    formulas.map(() => '+49 (30) 12-34'),
  )
  const read = await contactsOf({ 'connections.csv': csv }, 'connections.csv')
  assert.deepEqual(
    read.map(({ note }) => note),
    formulas,
  )
  const newcomer = await world.join()
  await newcomer.import(read, { source: 'google', jobId: 2 })
  assert.deepEqual(await portable(newcomer), await portable(member))
})

function contactsIn(rows: readonly ImportRow[]): ImportedContact[] {
  return rows.flatMap((row) => ('contact' in row ? [row.contact] : []))
}

const SOURCES = {
  'connections.csv': 'google',
  'connections.vcf': 'vcard',
  'connections.json': 'table',
} as const

function sourceOf(file: (typeof FILES)[number]) {
  return SOURCES[file]
}

/** Whether an import would match two contacts that the network has separately, because they became similar after both were added. */
function hasTwins(contacts: readonly ImportedContact[]): boolean {
  return contacts.some((one, at) => {
    const before = contacts.slice(0, at)
    return before.some((other) => decideMatch(one, other, { isSameFile: true }).outcome === 'same')
  })
}

/** In the format of the import; every row is a contact. */
async function contactsOf(
  archive: Archive,
  name: (typeof FILES)[number],
): Promise<ImportedContact[]> {
  const content = archive[name] ?? ''
  // An empty network exports an empty file.
  if (content === '') return []
  const bytes = async function* () {
    yield Buffer.from(content)
  }
  const file = await openContactFile(bytes())
  const rows: ImportRow[] = []
  for await (const batch of file.rowBatches) rows.push(...batch)
  assert.ok(
    rows.every((row) => 'contact' in row),
    JSON.stringify(rows),
  )
  assert.equal(file.format, sourceOf(name))
  return contactsIn(rows)
}

async function portable({ db }: Acting): Promise<PortableContact[]> {
  const contacts: PortableContact[] = []
  for await (const page of connectionPages(db))
    for (const one of page) {
      const exported = portableContact(one)
      contacts.push({
        ...exported,
        labels: exported.labels.toSorted(),
        details: withSortedDates(exported.details),
      })
    }
  return contacts
}

/** vCard has separate anniversaries. */
function withSortedDates(details: ContactDetails): ContactDetails {
  const { dates } = details
  if (dates === undefined) return details
  const keyOf = ({ label: kind, date }: LabeledDate) => `${date} ${kind}`
  return { ...details, dates: dates.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) }
}

/** Imports record the contacts that they have read. */
function withoutKeys(network: Awaited<ReturnType<typeof networkOf>>): object {
  return { ...network, keys: undefined }
}

test('the last contact and the cadence are columns of the table, which an import reads', async () => {
  await using world = await createWorld(1000)
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ann Lee' })
  await member.ask(logInteractionTool, { people: ['Ann Lee'], kind: 'call', on: '2026-03-04' })
  await member.ask(keepInTouchTool, { people: ['Ann Lee'], every: 6, unit: 'week' })
  await runExport(world, member.db)
  const archive = await latestArchive(world, member.db)
  const file = Buffer.from(archive['connections.csv'] ?? '')
  const newcomer = await world.join()
  await importBytes(world, newcomer, file)
  const [times] = await rowsOf(world, newcomer, 'contact_times')
  assert.deepEqual(
    [times?.['last_contact_on'], times?.['every'], times?.['unit']],
    ['2026-03-04', 6, 'week'],
  )
  const interactions = await rowsOf(world, newcomer, 'interactions')
  assert.deepEqual(
    interactions.map(({ kind }) => kind),
    ['call'],
  )
  assert.equal((await importBytes(world, member, file)).unchanged, 1)
})
