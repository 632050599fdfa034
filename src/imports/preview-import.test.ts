import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { memberStatement } from '../db/statement.ts'
import { storeText } from '../jobs/store-upload.ts'
import { contact, fileRows, openSharedWorld, type Acting } from '../../test/fixtures/network.ts'
import { runsOf } from '../../test/support/engine-options.ts'
import { emptyNetwork } from './merging/matched-people.ts'
import { mergeRows } from './merging/merge-contacts.ts'
import { previewImport } from './preview-import.ts'
import type { ImportedContact } from '../contact-files/contact/contact.ts'

const NOW = 1_000

/** Few values, so that contacts share them in every combination. */
const anyContact: fc.Arbitrary<ImportedContact> = fc
  .record({
    name: fc.constantFrom('Ann Lee', 'Bo', 'Acme'),
    company: fc.constantFrom(null, 'Acme', 'Bolt'),
    title: fc.constantFrom(null, 'Boss', 'Chief'),
    emails: fc.uniqueArray(fc.constantFrom('a@x.org', 'b@x.org'), { maxLength: 2 }),
    profileUrl: fc.constantFrom(null, null, 'https://www.linkedin.com/in/ann'),
    note: fc.constantFrom(null, 'met in Rome'),
    labels: fc.uniqueArray(fc.constantFrom('Friends', 'C++'), { maxLength: 1 }),
  })
  .map((values) => contact(values))

const PLAN = { source: 'linkedin' as const, jobId: 0, now: NOW }

test('the planned results equal the results of the actual merge, batch by batch', async () => {
  await using world = await openSharedWorld()
  const file = fc.array(anyContact, { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(
      file,
      file,
      fc.integer({ min: 1, max: 8 }),
      async (before, contacts, batch) => {
        const member = await world.join()
        await member.import(before, { source: 'google', jobId: 1 })
        const network = emptyNetwork(PLAN)
        const planned: string[] = []
        for (let at = 0; at < contacts.length; at += batch)
          planned.push(
            ...(await mergeRows(network, member.db, fileRows(contacts.slice(at, at + batch)))),
          )
        assert.deepEqual(planned, await member.import(contacts, { jobId: 2, batch }))
      },
    ),
    { numRuns: runsOf(60) },
  )
})

test('a preview matches the person who was added first, regardless of the order in which batches load people', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const emails = ['a@x.org']
  await member.import([{ name: 'Ann Lee', emails }, { name: 'Bo', emails }, { name: 'Ann Lee' }])
  const contacts = [
    { name: 'Bo' },
    { name: 'Acme', company: 'Acme', emails, labels: ['Friends'] },
    { name: 'Ann Lee', emails, labels: ['Friends'] },
  ].map(contact)
  const network = emptyNetwork(PLAN)
  const planned: string[] = []
  for (const one of contacts)
    planned.push(...(await mergeRows(network, member.db, fileRows([one]))))
  assert.deepEqual(planned, await member.import(contacts, { jobId: 2, batch: 1 }))
})

test('a preview writes nothing', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const file = 'First Name,Last Name,Company,\r\nGrace,Hopper,Navy,\r\n,,,\r\n'
  const { samples, report, isWhole } = await planFile(member, file)
  assert.deepEqual([report.rows, report.created, report.skipped], [2, 1, 1])
  assert.deepEqual([samples[0]?.name, samples.length, isWhole], ['Grace Hopper', 1, true])
  assert.deepEqual({ ...(await member.db.get(COUNTS, {})) }, { connections: 0, changes: 0 })
})

test('a preview of a long file covers the first rows and says so', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const file = 'First Name,Last Name,Company\nA,B,C\nD,E,F\nG,H,I\n'
  const longer = await planFile(member, file, 2)
  assert.deepEqual([longer.report.created, longer.isWhole], [2, false])
  const whole = await planFile(member, file, 3)
  assert.deepEqual([whole.report.created, whole.isWhole], [3, true])
})

async function planFile({ db }: Acting, text: string, most?: number) {
  const description = { filename: null, contentType: null, now: NOW }
  const upload = await db.write((tx) => storeText(tx, { ...description, text }))
  const planned = { uploadId: upload.upload_id, now: NOW, ...(most !== undefined && { most }) }
  return previewImport(db, planned, new AbortController().signal)
}

const COUNTS = memberStatement<object, { connections: number; changes: number }>()(`
  select (select count(*) from connections where member_id = :member_id) as connections,
    (select count(*) from import_changes where member_id = :member_id) as changes`)
