import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  contact,
  liveKeysOf,
  openSharedWorld,
  rowsOf,
  type Acting,
} from '../../../test/fixtures/network.ts'
import { runsOf } from '../../../test/support/engine-options.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { planBatch, saveBatches, type ImportRun } from './import-batch.ts'
import { emptyReport, type ImportReport } from './import-report.ts'
import { KeyLoader } from './known-keys.ts'
import type { ImportRow } from '../model/contact.ts'

// Few values, so that rows of one transaction are about the same people, and replace each other's values.
const some = <T>(...values: T[]) => fc.constantFrom(...values)
const anyRow = fc.record({
  name: some('Ann Lee', 'Ann Lee', 'Anne Lee', 'Bo Berg', 'Cy Cole'),
  company: some(null, 'Acme', 'Bolt'),
  title: some(null, 'Boss', 'Chief'),
  emails: some([], [], ['a@x.org'], ['b@x.org'], ['a@x.org', 'b@x.org']),
  profileUrl: some(
    null,
    null,
    'https://www.linkedin.com/in/ann',
    'https://www.linkedin.com/in/lee',
    'https://www.linkedin.com/in/bo',
  ),
  labels: some([], [], [], [], [], [], ['Friends']),
})
const anyFile = fc.record({
  rows: fc.array(anyRow, { minLength: 1, maxLength: 14 }),
  size: fc.integer({ min: 1, max: 3 }),
  knowsKeys: fc.boolean(),
  deletes: some(false, false, true),
})

/** Rows of one person with these profiles. */
function file(...slugs: readonly string[]) {
  const rows = slugs.map((slug) => ({
    name: 'Ann Lee',
    company: 'Acme',
    title: slug,
    emails: ['a@x.org'],
    profileUrl: `https://www.linkedin.com/in/${slug}`,
    labels: [],
  }))
  return { rows, size: 1, knowsKeys: true, deletes: false }
}

const LARGE_FILE = 1_000_000_000

interface Import {
  readonly batches: readonly (readonly ImportRow[])[]
  readonly jobId: number
  readonly knowsKeys: boolean
  /** Batches per transaction. */
  readonly together: number
}

async function importBatches(
  member: Acting,
  { batches, jobId, knowsKeys, together }: Import,
): Promise<ImportReport> {
  const confirmed = new Set<number>()
  const run: ImportRun = { job: { jobId, now: () => jobId }, source: 'linkedin', confirmed }
  const keys = new KeyLoader(member.db, { minBytes: 0 })
  let report = emptyReport('linkedin', null)
  let planned: Awaited<ReturnType<typeof planBatch>>
  for (let left = batches; left.length > 0;) {
    if (knowsKeys) run.knownKeys ??= await keys.load(LARGE_FILE)
    planned ??= await planBatch(member.db, run, left[0] ?? [])
    const saved = await member.db.write(
      async (tx) => {
        const counted = structuredClone(report)
        const batchesSaved = await saveBatches(tx, run, {
          batches: left.slice(0, together),
          planned,
          report: counted,
        })
        return { ...batchesSaved, counted }
      },
      { bulk: true },
    )
    report = saved.counted
    for (const id of saved.confirmed) confirmed.add(id)
    run.knownKeys = saved.knownKeys
    planned = saved.next
    left = left.slice(saved.count)
  }
  return report
}

test('batches that share a transaction leave the network as those with one each', async () => {
  await using world = await openSharedWorld()
  await fc.assert(
    fc.asyncProperty(fc.array(anyFile, { minLength: 1, maxLength: 3 }), async (files) => {
      const [one, other] = [await world.join(), await world.join()]
      for (const [index, { rows, size, knowsKeys, deletes }] of files.entries()) {
        const all = rows.map((values, at) => ({
          row: at + 1,
          line: at + 2,
          contact: contact(values),
        }))
        const batches = Array.from({ length: Math.ceil(all.length / size) }, (_, batch) =>
          all.slice(batch * size, (batch + 1) * size),
        )
        const same = { batches, jobId: index + 1 }
        assert.deepEqual(
          await importBatches(one, { ...same, knowsKeys, together: Infinity }),
          await importBatches(other, { ...same, knowsKeys: false, together: 1 }),
        )
        if (deletes)
          for (const member of [one, other])
            await member.ask(deleteConnectionsTool, { connection_ids: ['c_1'] })
      }
      assert.deepEqual(await stateOf(one), await stateOf(other))
    }),
    {
      numRuns: runsOf(60),
      examples: [[[file('ann'), file('lee'), file('ann'), file('lee', 'ann')]]],
    },
  )

  async function stateOf(member: Acting) {
    const tables = [
      'connections',
      'connection_tags',
      'import_changes',
      'match_reviews',
      'networks',
    ] as const
    const found = await Promise.all(tables.map((table) => rowsOf(world, member, table)))
    const keys = await liveKeysOf(world, member)
    return [...found.map((rows) => rows.map(({ member_id: _id, ...row }) => row)), keys]
  }
})

test('an import that fails leaves nothing of its transaction', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const batches = ['Ann Lee', 'Bo Berg', 'Cy Cole'].map((name, at) => [
    { row: at + 1, line: at + 2, contact: contact({ name }) },
  ])
  const run: ImportRun = {
    job: { jobId: 1, now: () => 1 },
    source: 'linkedin',
    confirmed: new Set<number>(),
  }
  const planned = await planBatch(member.db, run, batches[0] ?? [])
  const write = (fails: boolean) =>
    member.db.write(
      async (tx) => {
        const report = emptyReport('linkedin', null)
        await saveBatches(tx, run, { batches, planned, report })
        if (fails) throw new Error('stopped')
        return report
      },
      { bulk: true },
    )
  await assert.rejects(write(true), /stopped/)
  assert.deepEqual(await rowsOf(world, member, 'connections'), [])
  assert.equal((await write(false)).created, 3)
  const names = (await rowsOf(world, member, 'connections')).map(({ name }) => name)
  assert.deepEqual(names, ['Ann Lee', 'Bo Berg', 'Cy Cole'])
})
