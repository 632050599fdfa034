/** A record that may be either of two people does not make them one, in whichever order the three are imported. */

import assert from 'node:assert/strict'
import { env } from 'node:process'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { pairsOf } from '../../bench/matching-set/pairs.ts'
import { openSharedWorld, rowsOf } from '../../test/fixtures/network.ts'
import { runsOf } from '../../test/support/engine-options.ts'
import type { ImportedContact } from '../contact-files/contact/contact.ts'
import type { Matchable } from '../identity/match-person.ts'

const PAIRS = [...pairsOf('tuning'), ...pairsOf('heldOut')].filter(({ isSame }) => !isSame)

/** What another source may have of a person; undefined if that is nothing less. */
const SHORTENED: readonly ((person: Matchable) => Matchable | undefined)[] = [
  withInitial,
  ({ birthday, ...others }) => (birthday === null ? undefined : { ...others, birthday: null }),
  (person) => (person.familyName === null ? undefined : named(person, person.givenName, null)),
  (person) => named(person, firstWord(person.givenName), person.familyName),
  (person) => named(person, person.givenName, firstWord(person.familyName)),
  ({ emails, ...others }) =>
    emails[0] === undefined
      ? undefined
      : { ...others, emails, name: emails[0], givenName: null, familyName: null },
]

const RUNS = Number(env['WEFT_TEST_SEQUENCES'] ?? runsOf(60))

test('two people stay two after a shortened record of one of them, in any order', async () => {
  await using world = await openSharedWorld()
  const cases = fc.record({
    pair: fc.constantFrom(...PAIRS),
    shorten: fc.constantFrom(...SHORTENED),
    order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ pair: { one, other }, shorten, order }) => {
      const short = shorten(one)
      fc.pre(short !== undefined)
      const member = await world.join()
      const records = [one, other, short].map(contactOf)
      for (const [at, which] of order.entries())
        await member.import([{ ...records[which], labels: [`${which}`] }], {
          source: (['google', 'outlook', 'vcard'] as const)[which] ?? 'table',
          jobId: at + 1,
        })
      const tags = await rowsOf(world, member, 'connection_tags')
      const holderOf = (tag: string) => tags.find((row) => row['tag'] === tag)?.['connection_id']
      assert.notEqual(holderOf('0'), holderOf('1'), JSON.stringify(records))
    }),
    { numRuns: RUNS },
  )
})

function withInitial(person: Matchable): Matchable | undefined {
  const { givenName, familyName } = person
  if (givenName === null || familyName === null) return undefined
  return named(person, `${Array.from(givenName)[0] ?? ''}.`, familyName)
}

/** Undefined if that is the name it has. */
function named(
  person: Matchable,
  givenName: string | null,
  familyName: string | null,
): Matchable | undefined {
  if (givenName === person.givenName && familyName === person.familyName) return undefined
  const name = [givenName, familyName].filter((part) => part !== null).join(' ')
  return { ...person, name, givenName, familyName }
}

function firstWord(text: string | null): string | null {
  return text?.split(' ')[0] ?? null
}

/** Without details, which no pair has. */
function contactOf({ details: _details, ...fields }: Matchable): Partial<ImportedContact> {
  return fields
}
