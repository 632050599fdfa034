import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isIdentity, runOf } from '../model/key-run.ts'
import { PeopleTableBuilder } from './people-table.ts'
import { sharedKeyBuckets, sharedKeysIn } from './shared-keys.ts'

/** Few keys of several kinds: email, profile URL, name and company, and a fingerprint, which identifies no one. */
const KEYS = ['e', 'u', 'n', 'f', 'h'].flatMap((kind) =>
  ['AAAAAAAAAA', 'AAAAAAAAAB', 'zAAAAAAAAA', '_________9'].map((hash) => `${kind}${hash}`),
)

const RUN = fc.uniqueArray(
  fc.record({ key: fc.constantFrom(...KEYS), connectionId: fc.integer({ min: 1, max: 9 }) }),
  { selector: ({ key, connectionId }) => `${key} ${connectionId}`, maxLength: 12 },
)

test('people who share a key of any run are found once per key, in the order of the keys', async () => {
  const builder = new PeopleTableBuilder()
  // Connection 5 is deleted.
  const ids = [1, 2, 3, 4, 6, 7, 8, 9]
  for (const id of ids) {
    builder.begin(id)
    for (let list = 0; list < 4; list += 1) builder.endList()
  }
  const table = builder.finish()
  await fc.assert(
    fc.asyncProperty(fc.array(RUN, { maxLength: 4 }), async (runs) => {
      const found = sharedKeyBuckets(await sharedKeysIn(runs.map(runOf)), table)
      const all = runOf(runs.flat())
      const byKey = Map.groupBy(all.ids.keys(), (at) => `${all.high[at] ?? 0} ${all.low[at] ?? 0}`)
      const expected = [...byKey.values()].flatMap((places) => {
        const [first = 0] = places
        const holders = [...new Set(places.map((at) => all.ids[at] ?? 0))]
        if (!isIdentity(all.low[first] ?? 0) || holders.length < 2) return []
        return [holders.map((id) => ids.indexOf(id)).filter((at) => at >= 0)]
      })
      assert.deepEqual(found, expected)
    }),
  )
})
