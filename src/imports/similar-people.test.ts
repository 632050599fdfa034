/** Imports of the labeled pairs of people with similar names. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookalikePairs } from '../../bench/matching-set/lookalike-pairs.ts'
import { openSharedWorld } from '../../test/fixtures/network.ts'
import type { ImportedContact } from '../contact-files/contact/contact.ts'
import type { Matchable } from '../identity/match-person.ts'

/** Without details, which no pair has. */
function contactOf({ details: _details, ...fields }: Matchable): Partial<ImportedContact> {
  return fields
}

const MERGED: ReadonlySet<string | undefined> = new Set(['updated', 'job_changed', 'unchanged'])

/** Each kind of shared value in a network of its own, because a person is in several kinds. */
const KINDS = Map.groupBy(
  lookalikePairs().filter(({ isSame }) => !isSame),
  ({ category }) => category,
)

for (const [category, pairs] of KINDS)
  test(`no import merges two people (${category})`, async () => {
    await using world = await openSharedWorld()
    const ones = pairs.map(({ one }) => contactOf(one))
    const others = pairs.map(({ other }) => contactOf(other))
    const [inTwoFiles, inOneFile] = [await world.join(), await world.join()]
    await inTwoFiles.import(ones, { source: 'google', jobId: 1 })
    const results = [
      await inTwoFiles.import(others, { source: 'linkedin', jobId: 2 }),
      (await inOneFile.import([...ones, ...others], { source: 'google' })).slice(ones.length),
    ]
    const merged = results.flatMap((some) => pairs.filter((_, at) => MERGED.has(some[at])))
    assert.deepEqual(
      merged.map(({ one, other }) => [one.name, other.name]),
      [],
    )
  })
