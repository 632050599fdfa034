import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addHolders,
  decodeRun,
  encodePart,
  highOf,
  isIdentity,
  joinParts,
  lowOf,
  mergeRuns,
  partWith,
  runOf,
  withoutPairs,
  type KeyRun,
} from './key-run.ts'

function keyOf(kind: string, text: string): string {
  return kind + hash('sha256', text, 'base64url').slice(0, 11)
}

// Few texts, so that connections share keys, and the same text for several kinds.
const anyKey = fc
  .tuple(
    fc.constantFrom('e', 'u', 'p', 'n', 'f', 'g', 'h', 's', 'h~'),
    fc.integer({ max: 40, min: 0 }),
  )
  .map(([kind, number]) => keyOf(kind, String(number)))
const anyKeys = fc.array(fc.record({ key: anyKey, connectionId: fc.integer({ min: 1, max: 9 }) }), {
  maxLength: 300,
})

function holdersIn(run: KeyRun, key: string): number[] {
  const ids: number[] = []
  addHolders(run, highOf(key), lowOf(key), ids)
  return ids
}

function entriesOf({ high, low, ids }: KeyRun): string[] {
  return [...high].map((one, at) => `${one} ${low[at]} ${ids[at]}`)
}

function sorted(keys: readonly { readonly key: string; readonly connectionId: number }[]) {
  return keys
    .map(({ key, connectionId }) => [highOf(key), lowOf(key), connectionId] as const)
    .sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2])
    .map((entry) => entry.join(' '))
}

test('a run has its keys in order, finds their connections and no others', () => {
  fc.assert(
    fc.property(anyKeys, anyKey, (keys, other) => {
      const run = runOf(keys)
      assert.deepEqual(entriesOf(run), sorted(keys))
      for (const wanted of [other, ...keys.map(({ key }) => key)]) {
        const expected = keys.filter(({ key }) => key === wanted).map((one) => one.connectionId)
        assert.deepEqual(
          holdersIn(run, wanted),
          expected.sort((a, b) => a - b),
        )
      }
    }),
  )
})

test('a merged run has the keys of all runs, each once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyKeys, { maxLength: 5 }), async (some) => {
      const merged = await mergeRuns(some.map(runOf))
      const all = sorted(some.flat())
      // A single run is not merged.
      assert.deepEqual(new Set(entriesOf(merged)), new Set(all))
      if (some.length > 1) assert.deepEqual(entriesOf(merged), [...new Set(all)])
    }),
  )
})

test('the parts of a run are the run, and each key is in its part', () => {
  fc.assert(
    fc.property(anyKeys, fc.constantFrom(1, 2, 8, 64), (keys, count) => {
      const run = runOf(keys)
      const parts = Array.from({ length: count }, (_, part) =>
        decodeRun(new Uint8Array(encodePart(run, part, count))),
      )
      assert.deepEqual(entriesOf(joinParts(parts)), entriesOf(run))
      for (const { key, connectionId } of keys) {
        const part = parts[partWith(highOf(key), count)]
        assert.ok(part && holdersIn(part, key).includes(connectionId))
      }
    }),
  )
})

test('bytes that start anywhere are decoded', () => {
  const run = runOf([{ key: keyOf('e', 'a'), connectionId: 7 }])
  const bytes = encodePart(run, 0, 1)
  const shifted = new Uint8Array(bytes.length + 1)
  shifted.set(bytes, 1)
  assert.deepEqual(entriesOf(decodeRun(shifted.subarray(1))), entriesOf(run))
})

test('a run without some keys of connections has the others', () => {
  const [a, b] = [keyOf('e', 'a'), keyOf('n', 'b')]
  const run = runOf([
    { key: a, connectionId: 1 },
    { key: a, connectionId: 2 },
    { key: b, connectionId: 1 },
  ])
  const left = withoutPairs(run, [{ key: a, connection_id: 1 }])
  assert.deepEqual(holdersIn(left, a), [2])
  assert.deepEqual(holdersIn(left, b), [1])
})

test('fingerprints do not identify people, and the other kinds of keys do', () => {
  for (const kind of ['e', 'u', 'p', 'n', 'f', 'g']) assert.ok(isIdentity(lowOf(keyOf(kind, 'a'))))
  for (const kind of ['h', 's', 'h~']) assert.ok(!isIdentity(lowOf(keyOf(kind, 'a'))))
})
