import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contact, openSharedWorld } from '../../../test/fixtures/network.ts'
import { runsOf } from '../../../test/support/engine-options.ts'
import { deleteConnectionsTool } from '../../connections/deletion/delete-connections.tool.ts'
import { lookupKeysOf } from '../../connections/model/match-keys.ts'
import { loadHolders } from './load-people.ts'
import { emptyNetwork, type MergeContext, type Network } from './matched-people.ts'
import { planMerge } from './merge-contacts.ts'
import type { ImportedContact } from '../../contact-files/contact/contact.ts'

const some = <T>(...values: T[]) => fc.constantFrom(...values)
const linkedin = (slug: string) => `https://www.linkedin.com/in/${slug}`

/** Few names and companies, so that most people are namesakes of others. */
const anyContact = fc
  .record({
    name: some('Ann Lee', 'Ann Lee', 'Lee, Ann', 'Anne Lee', 'Bo Berg'),
    company: some('Acme', 'Acme', 'Acme GmbH', null),
    title: some(null, 'Boss', 'Chief'),
    location: some(null, 'Berlin'),
    emails: some([], [], ['a@x.org'], ['b@x.org']),
    phones: some([], [], ['+49 30 1234567']),
    birthday: some(null, null, '1980-02-03'),
    connectedOn: some(null, '2020-01-02', '2021-03-04'),
    profileUrl: some(
      null,
      linkedin('ann'),
      linkedin('ann-lee'),
      linkedin('ann-lee-1a2b3c'),
      linkedin('bo'),
      linkedin('anne'),
    ),
  })
  .map((values) => contact(values))

interface Case {
  readonly people: ImportedContact[]
  readonly deleted: number[]
  readonly file: ImportedContact[]
  /** Whether the rows belong to the import that added the people. */
  readonly isSameImport: boolean
}

const anyCase: fc.Arbitrary<Case> = fc.record({
  people: fc.array(anyContact, { minLength: 1, maxLength: 12 }),
  deleted: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 2 }),
  file: fc.array(anyContact, { minLength: 1, maxLength: 6 }),
  isSameImport: fc.boolean(),
})

const ANN = { name: 'Ann Lee', company: 'Acme', title: 'Boss', connectedOn: '2020-01-02' }

test('who is ruled out before they are loaded is no one that the contact may be', async () => {
  await using world = await openSharedWorld()
  let ruledOut = 0
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ people, deleted, file, isSameImport }) => {
      const member = await world.join()
      await member.import(people, { jobId: 1, source: 'linkedin' })
      const connection_ids = deleted.map((number) => `c_${number}`)
      if (connection_ids.length > 0) await member.ask(deleteConnectionsTool, { connection_ids })
      const context: MergeContext = {
        source: 'linkedin',
        jobId: isSameImport ? 1 : 2,
        now: world.clock.now(),
      }
      const plan = async (network: Network) => {
        const incoming = { contacts: file.map((one) => ({ contact: one })), groups: [] }
        const results = await planMerge(member.db, context, network)(incoming)
        return { results, changed: changesIn(network) }
      }
      const everyone = emptyNetwork()
      await loadHolders(everyone, member.db, file.flatMap(lookupKeysOf))
      const candidates = emptyNetwork()
      const [all, few] = [await plan(everyone), await plan(candidates)]
      assert.deepEqual(few, all)
      ruledOut += everyone.byId.size - candidates.byId.size
    }),
    {
      numRuns: runsOf(30),
      examples: [
        exampleOf('ann', { profileUrl: linkedin('bo') }),
        // Only the first row is about someone else.
        exampleOf(
          'ann-lee-1a2b3c',
          { profileUrl: linkedin('bo'), title: 'Chief', connectedOn: null },
          { profileUrl: linkedin('ann-lee') },
        ),
      ],
    },
  )
  assert.ok(ruledOut > 0)
})

/** One person, and a file with rows that differ from them in these values. */
function exampleOf(slug: string, ...rows: readonly Partial<ImportedContact>[]): [Case] {
  const people = [contact({ ...ANN, profileUrl: linkedin(slug) })]
  const file = rows.map((values) => contact({ ...ANN, ...values }))
  return [{ people, deleted: [], file, isSameImport: false }]
}

/** What the merge has added and changed, without the people it has only looked at. */
function changesIn({ people }: Network) {
  return people
    .filter(({ before, now }) => before?.version !== now.version || before === undefined)
    .map(({ now, perhaps }) => ({
      now,
      perhaps: perhaps.map(({ candidate }) => candidate.now.connectionId),
    }))
}
