import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  addConnectionTool,
  getConnectionTool,
  updateConnectionTool,
  type WholeDetails,
} from '../../../test/fixtures/one-person.ts'
import { memberStatement } from '../../db/statement.ts'
import { anyDetails } from '../../../test/fixtures/details.ts'
import {
  contact,
  openSharedWorld,
  networkOf,
  rowsOf,
  withClear,
  type Acting,
} from '../../../test/fixtures/network.ts'
import { searchConnectionsTool } from '../../../test/fixtures/search.ts'
import { runsOf } from '../../../test/support/engine-options.ts'
import { readImportedChange } from '../../connections/imported-changes/import-changes.ts'
import { nameCompanyKey } from '../../connections/model/match-keys.ts'
import { fingerprintKey } from '../../contact-files/contact/contact-keys.ts'
import type { ImportedContact, ImportFormat } from '../../contact-files/contact/contact.ts'
import type { PageOfConnections } from '../../connections/search/connection-page.ts'

const ANN = { name: 'Ann Lee', givenName: 'Ann', familyName: 'Lee' }
const APP = 'Analytical Engines'

// Few values, so that contacts share them in every combination.
const some = <T>(...values: T[]) => fc.constantFrom(...values)
const few = (values: string[], maxLength = 2) =>
  fc.uniqueArray(fc.constantFrom(...values), { maxLength })

const anyContact: fc.Arbitrary<ImportedContact> = fc
  .record({
    who: some(
      { name: 'Ann Lee', givenName: 'Ann', familyName: 'Lee' },
      { name: 'ANN LÉE', givenName: 'ANN', familyName: 'LÉE' },
      { name: 'Bo', givenName: 'Bo', familyName: null },
      { name: 'Acme', givenName: null, familyName: null },
      { name: '???', givenName: null, familyName: null },
    ),
    company: some(null, null, 'Acme', 'Bolt'),
    title: some(null, 'Boss', 'Chief'),
    location: some(null, 'Rome', 'Oslo'),
    emails: few(['a@x.org', 'b@x.org', 'c@x.org']),
    phones: few(['+1', '+2']),
    profileUrl: some(
      null,
      null,
      'https://www.linkedin.com/in/ann',
      'https://www.linkedin.com/in/bo',
    ),
    links: few(['https://a.org', 'https://b.org']),
    birthday: some(null, '--02-29', '1990-01-01'),
    connectedOn: some(null, '2020-01-01', '2021-01-01'),
    note: some(null, 'met in Rome', 'likes bees'),
    labels: few(['Friends', 'friends', 'C++', 'C#']),
    details: anyDetails,
  })
  .map(({ who, details, ...rest }) => contact({ ...who, ...rest, ...(details && { details }) }))

const anyFile = fc.record({
  source: some<ImportFormat>('linkedin', 'google', 'vcard'),
  contacts: fc.array(anyContact, { minLength: 1, maxLength: 8 }),
})

test('a name in Latin letters is compared with the reading of another one, in both orders', async () => {
  await using world = await openSharedWorld()
  const details = { phoneticFamilyName: 'サトウ', phoneticGivenName: 'ユキ' }
  const sato = { name: '佐藤 由紀', company: 'Acme', details }
  const yuki = { name: 'Yuki Sato', company: 'Acme' }
  for (const [first, second] of [
    [sato, yuki],
    [yuki, sato],
  ] as const) {
    const member = await world.join()
    assert.deepEqual(await member.import([first], { jobId: 1 }), ['created'])
    assert.deepEqual(await member.import([second], { jobId: 2 }), ['review'])
    assert.deepEqual(await member.import([second], { jobId: 3 }), ['unchanged'])
  }
})

test('importing any file again changes nothing, whatever was imported before it', async () => {
  await using world = await openSharedWorld()
  await fc.assert(
    fc.asyncProperty(fc.array(anyFile, { minLength: 1, maxLength: 3 }), async (files) => {
      const member = await world.join()
      for (const [index, { source, contacts }] of [...files, ...files.toReversed()].entries()) {
        const results = await member.import(contacts, { source, jobId: index + 1 })
        assert.equal(results.length, contacts.length)
        const before = await networkOf(world, member)
        const again = await member.import(contacts, { source, jobId: index + 100, batch: 3 })
        assert.deepEqual(new Set(again), new Set(['unchanged']))
        assert.deepEqual(await networkOf(world, member), before)
      }
      const changes = await rowsOf(world, member, 'import_changes')
      assert.ok(changes.every(({ job_id }) => Number(job_id) < 100))
    }),
    { numRuns: runsOf(50) },
  )
})

test('of several files of one kind, the one imported last wins, even if it was imported before', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const [a, b] = ['Boss', 'Chief'].map((title) => [{ ...ANN, emails: ['a@x.org'], title }])
  const title = async () => (await rowsOf(world, member, 'connections'))[0]?.['title']
  for (const [index, file] of [a, b, a, b, b, a].entries()) {
    const again = index === 4
    const [result] = await member.import(file ?? [], { jobId: index + 1 })
    assert.equal(result, again ? 'unchanged' : index === 0 ? 'created' : 'job_changed')
    assert.equal(await title(), file === a ? 'Boss' : 'Chief')
  }
  // Another kind of file only fills fields and does not make an older file the newest.
  await member.import([{ ...ANN, emails: ['a@x.org'], location: 'Rome' }], {
    jobId: 7,
    source: 'google',
  })
  assert.deepEqual(await member.import(a ?? [], { jobId: 8 }), ['unchanged'])
  await member.ask(updateConnectionTool, { connection_id: 'c_1', title: 'Typed' })
  assert.deepEqual(await member.import(b ?? [], { jobId: 9 }), ['unchanged'])
  assert.equal(await title(), 'Typed')
})

test('a contact named by its email gets a real name when one arrives', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const emails = ['ann.lee@x.org']
  await member.import([{ name: 'ann.lee@x.org', emails }], { source: 'google' })
  assert.deepEqual(await member.import([{ ...ANN, emails }], { jobId: 2 }), ['updated'])
  assert.equal((await rowsOf(world, member, 'connections'))[0]?.['name'], 'Ann Lee')
})

test('a name that the file does not split replaces an email, and an older name of the same kind of file', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const emails = ['ann.lee@x.org']
  const name = async () => (await rowsOf(world, member, 'connections'))[0]?.['name']
  await member.import([{ name: 'ann.lee@x.org', emails }], { source: 'google' })
  await member.import([{ name: 'Ann Leee', emails }], { jobId: 2, source: 'table' })
  assert.equal(await name(), 'Ann Leee')
  await member.import([{ name: 'Ann Lee', emails }], { jobId: 3, source: 'table' })
  assert.equal(await name(), 'Ann Lee')
  await member.import([{ name: 'Ann Li', emails }], { jobId: 4, source: 'google' })
  assert.equal(await name(), 'Ann Lee')
})

/**
 * Whether a contact of an earlier file is repeated after another one of its name and company: they are two people only if one
 * batch has both (decisions/0002).
 */
function hasLateRepeat(files: readonly { readonly contacts: readonly ImportedContact[] }[]) {
  const earlier = new Set<string>()
  for (const { contacts } of files) {
    const names = new Set<string>()
    for (const one of contacts) {
      const key = nameCompanyKey(one)
      if (names.has(key) && earlier.has(fingerprintKey(one))) return true
      names.add(key)
    }
    for (const one of contacts) earlier.add(fingerprintKey(one))
  }
  return false
}

test('the result does not depend on how contacts are split into batches', async () => {
  await using world = await openSharedWorld()
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyFile, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 7 }),
      fc.option(fc.integer({ min: 1, max: 4 })),
      async (files, batch, deleted) => {
        fc.pre(!hasLateRepeat(files))
        const [whole, split] = [await world.join(), await world.join()]
        for (const [jobId, { source, contacts }] of files.entries()) {
          const results = await whole.import(contacts, { source, jobId })
          assert.deepEqual(await split.import(contacts, { source, jobId, batch }), results)
          if (jobId === 0 && deleted !== null)
            for (const member of [whole, split]) await markDeleted(member, deleted)
        }
        assert.deepEqual(await comparable(split), await comparable(whole))
      },
    ),
    { numRuns: runsOf(50) },
  )

  // Without member-specific values and note numbers, which are assigned per batch.
  async function comparable(member: Acting) {
    const rows = async (table: Parameters<typeof rowsOf>[2]) => {
      const found = await rowsOf(world, member, table)
      for (const row of found) {
        delete row['member_id']
        delete row['note_id']
        if (typeof row['before'] === 'string')
          row['before'] = JSON.parse(row['before'], (name, value: unknown) =>
            name === 'added_notes' || name === 'added_keys' ? undefined : value,
          ) as unknown
      }
      return found
    }
    const notes = (await rows('notes')).map((note) => JSON.stringify(note)).sort()
    return {
      connections: await rows('connections'),
      keys: await rows('connection_keys'),
      tags: await rows('connection_tags'),
      changes: await rows('import_changes'),
      notes,
    }
  }
})

test('typed values are kept, whatever is imported before, between and after', async () => {
  await using world = await openSharedWorld()
  const edit = fc.record(
    {
      name: some('Typed Name', 'Ann Lee'),
      company: some(null, 'Typed Inc'),
      title: some(null, 'Typed title'),
      location: some(null, 'Typed place'),
      birthday: some(null, '1999-09-09'),
      connected_on: some(null, '1999-09-09'),
      profile_url: some(null, 'https://www.linkedin.com/in/typed'),
      given_name: some(null, 'Typed'),
      family_name: some(null, 'Typed'),
      add_emails: some(['typed@x.org'], ['b@x.org']),
      remove_emails: some(['a@x.org'], ['b@x.org', 'c@x.org']),
      remove_phones: some(['+1'], ['+1', '+2']),
      remove_links: some(['https://a.org']),
      remove_tags: some(['friends'], ['C++', 'nothing']),
      add_tags: some(['mine']),
    },
    { requiredKeys: [] },
  )
  const scenario = fc.record({
    first: anyFile,
    edits: fc.array(edit, { minLength: 1, maxLength: 2 }),
    later: fc.array(anyFile, { minLength: 1, maxLength: 3 }),
    again: edit,
  })
  await fc.assert(
    fc.asyncProperty(scenario, async ({ first, edits, later, again }) => {
      const member = await world.join()
      await member.import(first.contacts, { source: first.source, jobId: 1 })
      const typed = new Map<string, object>()
      const type = async (changes: object, connection_id: string) => {
        if (Object.keys(changes).length === 0) return
        const after = await member.ask<WholeDetails>(updateConnectionTool, {
          connection_id,
          ...withClear(changes),
        })
        const fields = Object.keys(changes).map((name) => name.replace(/^(add|remove)_/, ''))
        const earlier = Object.keys(typed.get(connection_id) ?? {})
        typed.set(connection_id, pick(after, new Set([...fields, ...earlier])))
      }
      for (const changes of edits) await type(changes, 'c_1')
      await member.import(first.contacts, { source: first.source, jobId: 2 })
      for (const [index, { source, contacts }] of later.entries()) {
        await member.import(contacts, { source, jobId: 3 + index, batch: 2 })
        if (index === 0) await type(again, 'c_1')
      }
      for (const [connection_id, before] of typed) {
        const now = await member.ask<WholeDetails>(getConnectionTool, { connection_id })
        assert.deepEqual(pick(now, new Set(Object.keys(before))), before)
      }
    }),
    { numRuns: runsOf(50) },
  )

  function pick(details: WholeDetails, fields: ReadonlySet<string>): object {
    const values = details as Record<string, unknown>
    return Object.fromEntries([...fields].map((field) => [field, values[field] ?? null]))
  }
})

test('an import only fills empty fields of a typed connection', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ann Lee', emails: ['a@x.org'], title: 'Boss' })
  const imported = contact({
    ...ANN,
    name: 'Ann B. Lee',
    title: 'Chief',
    company: APP,
    emails: ['a@x.org', 'z@x.org'],
  })
  assert.deepEqual(await member.import([imported]), ['updated'])
  const ann = await member.ask<WholeDetails>(getConnectionTool, { connection_id: 'c_1' })
  assert.deepEqual(
    [ann.name, ann.title, ann.company, ann.emails, ann.given_name],
    ['Ann Lee', 'Boss', APP, ['a@x.org', 'z@x.org'], 'Ann'],
  )
})

test('a newer file of the same source refreshes, another source only fills', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.import([{ ...ANN, emails: ['a@x.org'], title: 'Boss' }], { jobId: 1 })
  const newer = { ...ANN, emails: ['a@x.org'], title: 'Chief' }
  await member.import([{ ...newer, location: 'Rome', title: 'Other' }], {
    jobId: 2,
    source: 'google',
  })
  assert.deepEqual(await member.import([newer], { jobId: 3 }), ['job_changed'])
  const ann = await member.ask<WholeDetails>(getConnectionTool, { connection_id: 'c_1' })
  assert.deepEqual([ann.title, ann.location, ann.version], ['Chief', 'Rome', 3])
})

test('when a person appears twice in one file, the first title wins, also on repeated imports', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const file = [
    { ...ANN, emails: ['a@x.org'], title: 'Boss' },
    { ...ANN, emails: ['a@x.org'], title: 'Chief' },
  ]
  assert.deepEqual(await member.import(file, { jobId: 1 }), ['created', 'unchanged'])
  assert.deepEqual(await member.import(file, { jobId: 2, batch: 1 }), ['unchanged', 'unchanged'])
  const ann = await member.ask<WholeDetails>(getConnectionTool, { connection_id: 'c_1' })
  assert.equal(ann.title, 'Boss')
})

test('matches by email, by profile URL, and by name and company', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const url = 'https://www.linkedin.com/in/ann'
  await member.import([
    { ...ANN, emails: ['ann@x.org'] },
    { name: 'Bo Day', profileUrl: url },
    { name: 'Cy Fox', company: APP },
  ])
  const results = await member.import(
    [
      { name: 'Ann B. Lee', company: APP, emails: ['ann@x.org'], phones: ['1'] },
      { name: 'Bo Day-Fox', company: APP, profileUrl: url, phones: ['2'] },
      { name: 'cy fox', company: 'ANALYTICAL-ENGINES Ltd.', phones: ['3'] },
    ],
    { jobId: 2 },
  )
  assert.deepEqual(results, ['updated', 'updated', 'updated'])
  const phones = (await rowsOf(world, member, 'connections')).map((row) => row['phones'])
  assert.deepEqual(phones, ['["1"]', '["2"]', '["3"]'])
})

test('a phone number finds people who also have an email, up to the number of a switchboard', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const kenji = { name: 'Kenji Adebayo', emails: ['kenji@x.org'], phones: ['+49 151 2770083'] }
  await member.import([kenji])
  const typo = { name: 'Kenji Adbayo', phones: ['0151 2770083'] }
  assert.deepEqual(await member.import([typo], { jobId: 2 }), ['review'])
  const phones = ['+49 30 1234567']
  const colleagues = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at)).map(
    (letter) => ({
      name: `Kim ${letter}olmar`,
      emails: [`${letter}@x.org`],
      phones,
    }),
  )
  await member.import(colleagues, { jobId: 3 })
  assert.deepEqual(await member.import([{ name: 'Kim Dolmark', phones }], { jobId: 4 }), [
    'created',
  ])
})

test('two people who share an address are not merged', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const shared = { emails: ['smiths@x.org'], phones: ['+1 212 555 0100'] }
  await member.import([{ name: 'John Smith', ...shared }])
  const mary = { name: 'Mary Smith', ...shared }
  assert.deepEqual(await member.import([mary], { jobId: 2 }), ['created'])
  assert.deepEqual(await member.import([mary], { jobId: 3 }), ['unchanged'])
  assert.deepEqual(await member.import([{ ...mary, title: 'Boss' }], { jobId: 4 }), ['updated'])
  const titles = (await rowsOf(world, member, 'connections')).map(({ title }) => title)
  assert.deepEqual(titles, [null, 'Boss'])
})

test('people who differ only in a title or suffix are not merged', async () => {
  await using world = await openSharedWorld()
  const emails = ['byrne@x.org']
  for (const [one, other] of [
    [{ namePrefix: 'Mr' }, { namePrefix: 'Mrs' }],
    [{ nameSuffix: 'Sr.' }, { nameSuffix: 'Jr.' }],
  ] as const) {
    const member = await world.join()
    const pat = { name: 'Pat Byrne', givenName: 'Pat', familyName: 'Byrne', emails }
    await member.import([{ ...pat, details: one }])
    const [result] = await member.import([{ ...pat, details: other }], { jobId: 2 })
    assert.equal(result, 'namePrefix' in one ? 'review' : 'created')
  }
})

test('rows of one file with the same name and company are different people', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const rows = [
    { ...ANN, company: APP, title: 'Clerk' },
    { ...ANN, company: APP, title: 'Boss' },
  ]
  assert.deepEqual(await member.import(rows, { batch: 1 }), ['created', 'review'])
  assert.deepEqual(await member.import(rows, { jobId: 2 }), ['unchanged', 'unchanged'])
})

test('a person who may already exist is created and queued for review, with the reasons', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.import([{ ...ANN, company: APP, phones: ['+1 212 555 0100'] }])
  const other = { ...ANN, company: APP, phones: ['+1 212 555 0199'] }
  assert.deepEqual(await member.import([other], { jobId: 2, source: 'google' }), ['review'])
  const [review, ...more] = await rowsOf(world, member, 'match_reviews')
  assert.deepEqual(more, [])
  assert.partialDeepStrictEqual(review, { first_id: 1, second_id: 2, state: 'open', job_id: 2 })
  assert.deepEqual(JSON.parse(String(review?.['reasons'])), [
    'same_name',
    'other_phone',
    'same_company',
  ])
  assert.deepEqual(await member.import([other], { jobId: 3, source: 'google' }), ['unchanged'])
})

test('the reasons for a match are stored with the import', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.import([{ ...ANN, emails: ['ann.lee@gmail.com'] }])
  const other = { ...ANN, emails: ['annlee@gmail.com'], title: 'Boss' }
  await member.import([other], { jobId: 2, source: 'google' })
  const change = (await rowsOf(world, member, 'import_changes')).find(({ job_id }) => job_id === 2)
  const { match } = JSON.parse(String(change?.['before'])) as { match: { reasons: string[] } }
  assert.deepEqual(match.reasons, ['same_name', 'same_email', 'email_fits_name'])
})

test('an email or profile URL that belongs to another connection is not moved', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const url = 'https://www.linkedin.com/in/bo'
  await member.import([
    { ...ANN, emails: ['a@x.org'] },
    { name: 'Bo', emails: ['b@x.org'], profileUrl: url },
  ])
  const both = { ...ANN, emails: ['a@x.org', 'b@x.org'], profileUrl: url, phones: ['+1'] }
  assert.deepEqual(await member.import([both], { jobId: 2 }), ['updated'])
  const ann = await member.ask<WholeDetails>(getConnectionTool, { connection_id: 'c_1' })
  assert.deepEqual([ann.emails, ann.profile_url, ann.phones], [['a@x.org'], undefined, ['+1']])
})

test('people with the same name and no company are different when emails or numbers differ', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const results = await member.import([
    { ...ANN, emails: ['a@x.org'] },
    { ...ANN, emails: ['b@x.org'] },
    { ...ANN, phones: ['+1'] },
    { ...ANN, phones: ['+2'] },
  ])
  // The number may be that of one of the first two.
  assert.deepEqual(results, ['created', 'created', 'review', 'review'])
})

test('a common name is not compared with all who have it', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const rows = Array.from('abdefghilm').flatMap((one) =>
    Array.from('nprst', (other) => ({ ...ANN, company: one + other })),
  )
  const first = await member.import(rows.slice(0, 40), { batch: 10 })
  assert.ok(first.filter((result) => result === 'review').length <= 2)
  const created = rows.slice(40).map(() => 'created')
  assert.deepEqual(await member.import(rows.slice(40), { jobId: 2, batch: 5 }), created)
})

test('namesakes without an address are not merged when their other details differ', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const john = (site: string, spouse: string) => ({
    name: 'John Smith',
    links: [site],
    details: { relations: [{ name: spouse, relation: 'spouse' }] },
  })
  const boston = john('https://boston.example', 'Mary')
  await member.import([boston])
  const paris = john('https://paris.example', 'Claire')
  assert.deepEqual(await member.import([paris], { jobId: 2 }), ['review'])
  // A row with nothing new is the same contact in another export.
  const { details } = boston
  assert.deepEqual(await member.import([{ name: 'John Smith', details }], { jobId: 3 }), [
    'unchanged',
  ])
})

test('a deleted connection stays deleted; an existing match takes precedence', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const ann = { ...ANN, emails: ['a@x.org'] }
  await member.import([ann])
  await markDeleted(member, 1)
  const changed = { ...ann, title: 'Boss' }
  assert.deepEqual(await member.import([ann, changed], { jobId: 2 }), ['skipped', 'skipped'])
  await member.ask(addConnectionTool, { name: 'Ann L.', emails: ['a@x.org'] })
  const newest = { ...ann, title: 'Chief' }
  assert.deepEqual(await member.import([ann, newest], { jobId: 3 }), ['skipped', 'updated'])
  const [first, second] = await rowsOf(world, member, 'connections')
  assert.deepEqual([first?.['title'], second?.['title']], [null, 'Chief'])
})

test('a skipped contact stays skipped, even if another connection gets its email later', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.import([{ name: 'Bo Day', company: APP }])
  await markDeleted(member, 1)
  const bo = { name: 'Bo Day', company: APP, emails: ['a@x.org'], phones: ['+1'] }
  assert.deepEqual(await member.import([bo], { jobId: 2 }), ['skipped'])
  await member.import([{ ...ANN, emails: ['a@x.org'] }], { jobId: 3 })
  const before = await networkOf(world, member)
  assert.deepEqual(await member.import([bo], { jobId: 4 }), ['skipped'])
  assert.deepEqual(await networkOf(world, member), before)
})

test('a label and a note are added once, and not again after they were removed', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const labelled = {
    ...ANN,
    emails: ['a@x.org'],
    labels: ['Friends', 'FRIENDS'],
    note: 'met in Rome',
  }
  await member.import([labelled, { ...labelled, title: 'Boss' }])
  const connection_id = 'c_1'
  const there = await member.ask<WholeDetails>(getConnectionTool, { connection_id })
  assert.deepEqual([there.tags, there.notes.length], [['Friends'], 1])
  await member.ask(updateConnectionTool, { connection_id, remove_tags: ['friends'] })
  await member.db.write((tx) => tx.run(DELETE_NOTES, { at: 1 }))
  await member.import([{ ...labelled, location: 'Rome' }], { jobId: 2 })
  const after = await member.ask<WholeDetails>(getConnectionTool, { connection_id })
  assert.deepEqual([after.tags, after.notes, after.location], [[], [], 'Rome'])
})

test('labels of many imports fill a connection up to fifty tags', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (let round = 0; round < 3; round++) {
    const labels = Array.from({ length: 30 }, (_, index) => `tag ${round * 30 + index}`)
    await member.import([{ ...ANN, company: APP, labels }], { jobId: round })
  }
  assert.equal((await rowsOf(world, member, 'connection_tags')).length, 50)
})

test('an import stores each connection once: its state before, and the tags and notes it added', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const emails = ['a@x.org']
  await member.import([{ ...ANN, emails, title: 'Boss' }], { jobId: 1 })
  const [created] = await rowsOf(world, member, 'connections')
  const again = { ...ANN, emails }
  await member.import(
    [
      { ...again, title: 'Chief', labels: ['one'], note: 'first' },
      { name: 'Bo', emails: ['b@x.org'] },
      { ...again, location: 'Rome', labels: ['two'], note: 'second' },
      { name: 'Bo', emails: ['b@x.org'], title: 'Boss' },
    ],
    { jobId: 2, batch: 2 },
  )
  const changes = (await rowsOf(world, member, 'import_changes')).filter(
    ({ job_id }) => job_id === 2,
  )
  assert.deepEqual(
    changes.map(({ connection_id, before }) => [
      connection_id,
      String(before).includes('is_created'),
    ]),
    [
      [1, false],
      [2, true],
    ],
  )
  const undo = readImportedChange(String(changes[0]?.['before']))
  assert.deepEqual(
    [undo.added_tags, undo.added_notes],
    [
      ['one', 'two'],
      [1, 2],
    ],
  )
  const { title, version, location } = undo.connection ?? {}
  assert.deepEqual([title, version, location], ['Boss', created?.['version'], null])
})

test('a contact without a name does not rename a connection', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.import([{ ...ANN, emails: ['a@x.org'] }])
  await member.import([{ name: APP, company: APP, emails: ['a@x.org'] }], { jobId: 2 })
  const ann = await member.ask<WholeDetails>(getConnectionTool, { connection_id: 'c_1' })
  assert.deepEqual([ann.name, ann.company], ['Ann Lee', APP])
})

test('after an import, searches find new values and the former position', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const count = async (query: string) =>
    (await member.ask<PageOfConnections>(searchConnectionsTool, { query })).count
  await member.import([{ ...ANN, emails: ['a@x.org'], title: 'Boss', note: 'bees' }], { jobId: 1 })
  assert.deepEqual([await count('boss'), await count('bees')], [1, 1])
  const newer = { ...ANN, emails: ['a@x.org'], title: 'Chief', labels: ['Friends'] }
  await member.import([newer], { jobId: 2 })
  assert.deepEqual(
    [await count('boss'), await count('chief'), await count('friends'), await count('bees')],
    [1, 1, 1, 1],
  )
})

const MARK_DELETED = memberStatement<{ id: number }>()(
  'update connections set deleted_at = 1 where member_id = :member_id and connection_id = :id',
)
const DELETE_NOTES = memberStatement<{ at: number }>()(
  'update notes set deleted_at = :at where member_id = :member_id',
)

async function markDeleted({ db }: Acting, id: number): Promise<void> {
  await db.write((tx) => tx.run(MARK_DELETED, { id }))
}

test('a person whose name and company are in another script is found without a shared address', async () => {
  await using world = await openSharedWorld()
  for (const [first, second] of [
    [
      { name: 'Yulia Smirnova', company: 'Yandex' },
      { name: 'Юлия Смирнова', company: 'Яндекс', title: 'Engineer' },
    ],
    [
      { name: 'Папандреу Георгий', company: 'Лукойл' },
      { name: 'Georgiy Papandreu', company: 'Lukoil', title: 'Engineer' },
    ],
    [
      { name: 'Γιώργος Παπαδόπουλος', company: 'Τιτάν' },
      { name: 'Giorgos Papadopoulos', company: 'Titan', title: 'Engineer' },
    ],
  ] as const) {
    const member = await world.join()
    await member.import([contact(first)])
    assert.deepEqual(await member.import([contact(second)], { jobId: 2 }), ['updated'], first.name)
  }
  const member = await world.join()
  await member.import([contact({ name: 'Yulia Smirnova', company: 'Yandex', emails: ['y@a.org'] })])
  const other = contact({ name: 'Юлия Смирнова', company: 'Яндекс', emails: ['other@b.org'] })
  assert.deepEqual(await member.import([other], { jobId: 2 }), ['review'])
})

test('a colleague whose given name is an initial, misspelled or a short form is queued for review', async () => {
  for (const [name, other] of [
    ['Andreas Großmann', 'A. Grossmann'],
    ['Kwame Walker', 'Kwaem Walker'],
    ['Katarzyna Nowak', 'Kasia Nowak'],
    ['Jens Fischer', 'Jens Fischir'],
    ['Edward Walker', 'Ted Walker'],
    ['T. Walker', 'Ted Walker'],
    ['William Stone', 'Bill Stone'],
    ['Robert Ward', 'Bob Ward'],
    ['Margaret Hall', 'Peggy Hall'],
    ['Александр Орлов', 'Саша Орлов'],
    ['José Peña', 'Pepe Peña'],
  ] as const) {
    await using world = await openSharedWorld()
    const member = await world.join()
    const profileUrl = 'https://www.linkedin.com/in/a'
    await member.import([{ name, company: 'Acme GmbH', profileUrl }])
    const row = { name: other, company: 'Acme', phones: ['+49301234567'] }
    assert.deepEqual(await member.import([row], { source: 'google', jobId: 2 }), ['review'], other)
    const later = { name, company: 'Acme', profileUrl: 'https://www.linkedin.com/in/b' }
    assert.deepEqual(await member.import([later], { jobId: 3 }), ['review'], name)
  }
})

test('a name with a note or tag that a namesake without an address lacks is queued for review', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const [name, note] = ['Ottilie Brandvold', 'met in Rome']
  await member.import([{ name }])
  const file = { source: 'google', jobId: 2 } as const
  assert.deepEqual(await member.import([{ name, note }], file), ['review'])
  assert.deepEqual(await member.import([{ name, note }], { ...file, jobId: 3 }), ['unchanged'])
  assert.deepEqual(await member.import([{ name }], { ...file, jobId: 4 }), ['unchanged'])
  const tagged = { name: 'Sigmund Aldermoor', labels: ['Bees'] }
  await member.import([tagged], { jobId: 5 })
  const again = { source: 'google', jobId: 6 } as const
  assert.deepEqual(await member.import([{ ...tagged, labels: ['bees'] }], again), ['unchanged'])
  assert.deepEqual(await member.import([{ ...tagged, labels: ['Rome'] }], again), ['review'])
})
