import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  updateConnectionTool,
  getConnectionTool,
  addConnectionTool,
  type WholeDetails,
} from '../../../test/fixtures/one-person.ts'
import { openSharedWorld, rowsOf, type Acting, type World } from '../../../test/fixtures/network.ts'
import { zipOf } from '../../../test/support/zip.ts'
import { readWhole } from '../../../test/fixtures/reading.ts'
import { deleteConnectionsTool } from '../../connections/deletion/delete-connections.tool.ts'
import { emptyReport, type ImportReport } from '../import-report.ts'
import { markAwaitedMembers } from './awaited-members.ts'
import { importRows } from '../import-batch.ts'
import { undoSlice } from '../revert-slice.ts'
import { findConnections } from '../../connections/model/connection-store.ts'
import { readImportedChange } from '../../connections/imported-changes/import-changes.ts'

const [MIRA, BEN] = ['4FBE8971-0BC3-424C-9C26-36C3E1EFF6B1', '03A0E51F-D1AA-4385-8A53-E29025ACD8AF']

function card(...lines: readonly string[]): string {
  return ['BEGIN:VCARD', 'VERSION:4.0', ...lines, 'END:VCARD', ''].join('\r\n')
}

function group(name: string, ...members: readonly string[]): string {
  return card('KIND:group', `FN:${name}`, ...members.map((member) => `MEMBER:${member}`))
}

/** Imports a file in batches of the given size. */
async function importCards(
  world: Pick<World, 'clock'>,
  { db }: Acting,
  { text, jobId, batch = 100 }: { text: string | Uint8Array; jobId: number; batch?: number },
): Promise<ImportReport> {
  const { rows, format } = await readWhole(text)
  const report = emptyReport(format, null)
  const context = { source: format, jobId, now: world.clock.now() }
  for (let at = 0; at < rows.length; at += batch)
    await db.write((tx) => importRows(tx, rows.slice(at, at + batch), report, context))
  return report
}

function person(member: Acting, id: string): Promise<WholeDetails> {
  return member.ask(getConnectionTool, { connection_id: id })
}

const BEN_CARD = card(`UID:urn:uuid:${BEN}`, 'FN:Ben Holt', 'EMAIL:ben@holt.example')
const MIRA_CARD = card(
  `UID:${MIRA}`,
  'FN:Mira Holt',
  'EMAIL:mira@holt.example',
  `RELATED;TYPE=spouse:urn:uuid:${BEN.toLowerCase()}`,
)

test('a card refers to a person that an earlier file brought', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await importCards(world, member, { text: BEN_CARD, jobId: 1 })
  const report = await importCards(world, member, { text: MIRA_CARD, jobId: 2 })
  assert.equal(report.unread_count, undefined)
  assert.deepEqual((await person(member, 'c_2')).details, {
    relations: [{ name: 'Ben Holt', relation: 'spouse', connection_id: 'c_1' }],
  })
  const keys = await rowsOf(world, member, 'connection_keys')
  const again = await importCards(world, member, { text: MIRA_CARD + BEN_CARD, jobId: 3 })
  assert.deepEqual([again.unchanged, again.updated, again.created], [2, 0, 0])
  const later = await importCards(world, member, { text: MIRA_CARD, jobId: 4 })
  assert.equal(later.unchanged, 1)
  assert.ok((await rowsOf(world, member, 'connection_keys')).length <= keys.length + 1)
})

test('a reference to a deleted person, and one that several people have, are kept as a field and reported', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await importCards(world, member, { text: BEN_CARD, jobId: 1 })
  await member.ask(deleteConnectionsTool, { people: ['c_1'] })
  const report = await importCards(world, member, { text: MIRA_CARD, jobId: 2 })
  assert.equal(report.unread_count, 1)
  assert.deepEqual((await person(member, 'c_2')).details, {
    custom: { 'RELATED (spouse)': `urn:uuid:${BEN.toLowerCase()}` },
  })
  for (const [at, name] of ['Cleo Ray', 'Dora Moss'].entries())
    await importCards(world, member, { text: card(`UID:${MIRA}`, `FN:${name}`), jobId: 3 + at })
  const fay = card('FN:Fay Lund', `RELATED:urn:uuid:${MIRA}`)
  assert.equal((await importCards(world, member, { text: fay, jobId: 5 })).unread_count, 1)
})

for (const batch of [1, 100])
  test(`a group becomes a tag of its members, wherever it is in the file (batches of ${batch})`, async () => {
    await using world = await openSharedWorld()
    const member = await world.join()
    const apple = card(
      'X-ADDRESSBOOKSERVER-KIND:group',
      'N:Choir',
      `X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:${BEN}`,
    )
    const text =
      apple +
      group('Board', `urn:uuid:${MIRA}`, 'mailto:BEN@holt.example') +
      BEN_CARD +
      card(`UID:${MIRA}`, 'FN:Mira Holt')
    const report = await importCards(world, member, { text, jobId: 1, batch })
    assert.deepEqual([report.created, report.skipped], [2, 2])
    assert.deepEqual((await person(member, 'c_1')).tags, ['Board', 'Choir'])
    assert.deepEqual((await person(member, 'c_2')).tags, ['Board'])
    const again = await importCards(world, member, { text, jobId: 2, batch })
    assert.deepEqual([again.unchanged, again.updated], [2, 0])
    const changes = await rowsOf(world, member, 'import_changes')
    assert.ok(changes.every(({ job_id }) => Number(job_id) === 1))
  })

test('a group of another file tags people who are known, and its undo removes the tags', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await importCards(world, member, { text: BEN_CARD + MIRA_CARD, jobId: 1 })
  await importCards(world, member, {
    text: group('Board', `urn:uuid:${BEN}`, 'urn:uuid:none'),
    jobId: 2,
  })
  assert.deepEqual((await person(member, 'c_1')).tags, ['Board'])
  assert.deepEqual((await person(member, 'c_2')).tags, [])
  const changes = await rowsOf(world, member, 'import_changes')
  const stored = changes.find(({ job_id }) => Number(job_id) === 2) ?? assert.fail()
  const change = readImportedChange(String(stored['before']))
  await member.db.write(async (tx) => {
    const [connection = assert.fail()] = await findConnections(tx, [1])
    const effects = [{ connection, change, hasTypedContent: false }]
    const skipped = await undoSlice(tx, {
      jobId: 2,
      effects,
      merged: new Set(),
      now: 1,
      startedAt: 0,
    })
    assert.deepEqual(skipped, [])
  })
  assert.deepEqual((await person(member, 'c_1')).tags, [])
})

for (const batch of [1, 100])
  test(`a card refers to a person that comes later in the file (batches of ${batch})`, async () => {
    await using world = await openSharedWorld()
    const member = await world.join()
    const spouse = (id: string) => `X-SPOUSE:urn:uuid:${id}`
    const text = card('FN:Cleo Ray', spouse(BEN)) + BEN_CARD
    const report = await importCards(world, member, { text, jobId: 1, batch })
    assert.deepEqual([report.created, report.unread_count], [2, undefined])
    const all = [await person(member, 'c_1'), await person(member, 'c_2')]
    const ben = all.find(({ name }) => name === 'Ben Holt') ?? assert.fail()
    assert.deepEqual(all.find(({ name }) => name === 'Cleo Ray')?.details, {
      relations: [{ name: 'Ben Holt', relation: 'spouse', connection_id: ben.connection_id }],
    })
  })

/** The cards of a zip with one card per file, whose references no part of the zip can resolve. */
function zipOfCards(...cards: readonly string[]): Uint8Array {
  return zipOf(cards.map((content, at) => ({ name: `contacts/${at}.vcf`, content })))
}

for (const batch of [1, 100])
  test(`cards and groups of a zip refer to cards of later files (batches of ${batch})`, async () => {
    await using world = await openSharedWorld()
    const member = await world.join()
    await importCards(world, member, {
      text: card(`UID:${BEN}`, 'FN:Ben Holt', 'EMAIL:ben@holt.example', 'TITLE:Cook'),
      jobId: 1,
    })
    const text = zipOfCards(
      group('Choir', `urn:uuid:${MIRA}`, `urn:uuid:${BEN}`),
      card('FN:Cleo Ray', `RELATED;TYPE=friend:urn:uuid:${MIRA}`),
      MIRA_CARD,
      card(`UID:${BEN}`, 'FN:Ben Holt', 'EMAIL:ben@holt.example', 'TITLE:Chef'),
    )
    const report = await importCards(world, member, { text, jobId: 2, batch })
    assert.deepEqual(
      [report.created, report.updated, report.unread_count, report.unread],
      [2, 1, undefined, undefined],
    )
    const [ben, cleo, mira] = [
      await person(member, 'c_1'),
      await person(member, 'c_2'),
      await person(member, 'c_3'),
    ]
    assert.deepEqual([ben.title, ben.tags, mira.tags], ['Chef', ['Choir'], ['Choir']])
    assert.deepEqual(cleo.details, {
      relations: [{ name: 'Mira Holt', relation: 'friend', connection_id: 'c_3' }],
    })
    const again = await importCards(world, member, { text, jobId: 3, batch })
    assert.deepEqual([again.unchanged, again.unread_count], [3, undefined])
  })

test('a reference becomes a relation when a later file brings its person', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const first = await importCards(world, member, { text: MIRA_CARD, jobId: 1 })
  assert.equal(first.unread_count, 1)
  const second = await importCards(world, member, { text: BEN_CARD, jobId: 2 })
  assert.deepEqual([second.created, second.updated, second.unread_count], [1, 0, undefined])
  const mira = await person(member, 'c_1')
  assert.deepEqual(mira.details, {
    relations: [{ name: 'Ben Holt', relation: 'spouse', connection_id: 'c_2' }],
  })
  const changes = await rowsOf(world, member, 'import_changes')
  assert.deepEqual(
    changes.map(({ job_id, connection_id }) => [Number(job_id), Number(connection_id)]),
    [
      [1, 1],
      [2, 2],
    ],
  )
  const before = await rowsOf(world, member, 'connections')
  for (const text of [MIRA_CARD, BEN_CARD]) {
    const again = await importCards(world, member, { text, jobId: 3 })
    assert.deepEqual([again.unchanged, again.unread_count], [1, undefined])
  }
  assert.deepEqual(await rowsOf(world, member, 'connections'), before)
})

test('a card with a newer title that comes after the person it refers to still changes the title', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const mira = (title: string) => MIRA_CARD.replace('FN:', `TITLE:${title}\r\nFN:`)
  await importCards(world, member, { text: mira('Clerk'), jobId: 1 })
  await importCards(world, member, { text: BEN_CARD + mira('Boss'), jobId: 2, batch: 1 })
  const { title, details } = await person(member, 'c_1')
  assert.equal(title, 'Boss')
  const { relations } = details as { relations?: unknown }
  assert.deepEqual(relations, [{ name: 'Ben Holt', relation: 'spouse', connection_id: 'c_2' }])
})

test('a reference stays as it is if the member has edited the relations', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await importCards(world, member, { text: MIRA_CARD, jobId: 1 })
  await member.ask(updateConnectionTool, {
    connection_id: 'c_1',
    details: { relations: [{ name: 'Sam Holt', relation: 'spouse' }] },
  })
  await importCards(world, member, { text: BEN_CARD, jobId: 2 })
  const { details } = await person(member, 'c_1')
  assert.deepEqual(details, {
    relations: [{ name: 'Sam Holt', relation: 'spouse' }],
    custom: { 'RELATED (spouse)': `urn:uuid:${BEN.toLowerCase()}` },
  })
})

test('a list of an LDIF file becomes a tag of its members', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const text = [
    'dn: cn=club,dc=example\nobjectClass: groupOfNames\ncn: Club\nmember: uid=mira,dc=example\n',
    'dn: uid=mira,dc=example\nobjectClass: inetOrgPerson\ncn: Mira Holt\nsn: Holt\n',
  ].join('\n')
  await importCards(world, member, { text, jobId: 1 })
  assert.deepEqual((await person(member, 'c_1')).tags, ['Club'])
})

for (const batch of [1, 100])
  test(`a member of a group who arrives in a later file gets its tag (batches of ${batch})`, async () => {
    await using world = await openSharedWorld()
    const member = await world.join()
    await importCards(world, member, {
      text:
        BEN_CARD +
        group('Board', `urn:uuid:${BEN}`, `urn:uuid:${MIRA}`, 'mailto:Cleo@ray.example') +
        group('Choir', `urn:uuid:${MIRA}`),
      jobId: 1,
      batch,
    })
    assert.deepEqual((await person(member, 'c_1')).tags, ['Board'])
    const text =
      card('FN:Dora Moss', 'EMAIL:dora@moss.example') +
      MIRA_CARD +
      card('FN:Cleo Ray', 'EMAIL:cleo@ray.example')
    const report = await importCards(world, member, { text, jobId: 2, batch })
    assert.deepEqual([report.created, report.updated], [3, 0])
    const tags = async () => {
      const people = ['c_2', 'c_3', 'c_4'].map((id) => person(member, id))
      return (await Promise.all(people)).map(({ tags: its }) => its)
    }
    assert.deepEqual(await tags(), [[], ['Board'], ['Board', 'Choir']])
    const again = await importCards(world, member, { text, jobId: 3, batch })
    assert.deepEqual([again.unchanged, again.updated], [3, 0])
    assert.deepEqual(await tags(), [[], ['Board'], ['Board', 'Choir']])
  })

test('a member of a group who is in the network without the card gets the tag when it arrives', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Mira Holt', emails: ['mira@holt.example'] })
  await importCards(world, member, { text: group('Choir', `urn:uuid:${MIRA}`), jobId: 1 })
  assert.deepEqual((await person(member, 'c_1')).tags, [])
  await importCards(world, member, { text: MIRA_CARD, jobId: 2 })
  assert.deepEqual((await person(member, 'c_1')).tags, ['Choir'])
})

test('undoing the import of a group ends its wait for members, and a redo continues it', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await importCards(world, member, { text: group('Choir', `urn:uuid:${MIRA}`, BEN), jobId: 1 })
  await member.db.write((tx) => markAwaitedMembers(tx, 1, true))
  await importCards(world, member, { text: MIRA_CARD, jobId: 2 })
  assert.deepEqual((await person(member, 'c_1')).tags, [])
  await member.db.write((tx) => markAwaitedMembers(tx, 1, false))
  await importCards(world, member, { text: BEN_CARD, jobId: 3 })
  assert.deepEqual((await person(member, 'c_2')).tags, ['Choir'])
})
