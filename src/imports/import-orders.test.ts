/** The same files in every order, and as one file: who is one person, and who is not. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld, rowsOf, type Acting, type World } from '../../test/fixtures/network.ts'
import { runsOf } from '../../test/support/engine-options.ts'
import { importLines } from '../../test/fixtures/import-sequences/import-file.ts'
import { readSequences, type Step } from '../../test/fixtures/import-sequences/read-sequences.ts'

type Network = Pick<World, 'clock' | 'database'>
type File = Pick<Step, 'rest' | 'lines'>

/** Whether some tags are of one connection, and whether two connections are in review. */
interface Outcome {
  readonly holderOf: (tag: string) => number | undefined
  readonly isInReview: (one: number, other: number) => boolean
}

for (const { name, steps } of readSequences('orders'))
  test(`${name}: in every order`, async () => {
    await using world = await openSharedWorld()
    const files = steps.filter(({ kind }) => kind === 'import')
    const rules = steps.filter(({ kind }) => kind !== 'import' && kind !== 'one-file')
    const asOneFile = steps.some(({ kind }) => kind === 'one-file') ? [oneFileOf(files)] : []
    const orders = ordersOf(files)
    for (const order of [...orders.slice(0, runsOf(orders.length)), ...asOneFile]) {
      const member = await world.join()
      await importAll(world, member, order)
      const written = order.map(({ lines }) => lines.join(' & ')).join('\n')
      const outcome = await outcomeOf(world, member)
      for (const rule of rules)
        assert.ok(isKept(outcome, rule), `${rule.kind} ${rule.rest}:\n${written}`)
    }
    const again = await world.join()
    await importAll(world, again, files)
    assert.equal(await importAll(world, again, files), 0, 'created again')
  })

/** `together a b`: one connection. `apart a b`: never one. `linked a b`: one, or in review. */
function isKept({ holderOf, isInReview }: Outcome, { kind, rest }: Step): boolean {
  const holders = rest.split(' ').map((tag) => holderOf(tag) ?? assert.fail(`no one has ${tag}`))
  const distinct = [...new Set(holders)]
  if (kind === 'together') return distinct.length === 1
  if (kind === 'apart') return distinct.length === holders.length
  if (kind !== 'linked') throw new Error(`unknown rule: ${kind}`)
  const [one = 0, other = one] = distinct
  return one === other || isInReview(one, other)
}

/** Returns how many people were created. */
async function importAll(world: Network, member: Acting, files: readonly File[]): Promise<number> {
  let created = 0
  for (const { rest, lines } of files) {
    world.clock.advance(60_000)
    created += (await importLines(world, member, rest, lines)).created
  }
  return created
}

async function outcomeOf(world: Network, member: Acting): Promise<Outcome> {
  const tags = await rowsOf(world, member, 'connection_tags')
  const reviews = await rowsOf(world, member, 'match_reviews')
  return {
    holderOf: (tag) =>
      tags.flatMap((row) => (row['tag'] === tag ? [Number(row['connection_id'])] : []))[0],
    isInReview: (one, other) =>
      reviews.some(
        (row) =>
          Number(row['first_id']) === Math.min(one, other) &&
          Number(row['second_id']) === Math.max(one, other),
      ),
  }
}

function oneFileOf(files: readonly File[]): readonly File[] {
  return [{ rest: 'table', lines: files.flatMap(({ lines }) => lines) }]
}

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((first, at) =>
    ordersOf(items.toSpliced(at, 1)).map((others) => others.toSpliced(0, 0, first)),
  )
}
