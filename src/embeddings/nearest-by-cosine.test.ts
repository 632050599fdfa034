import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { gatherVectors, nearest, type StoredVectors } from './nearest-by-cosine.ts'
import { packVectors, unpackVectors } from './packed-vectors.ts'

const DIMENSIONS = 4

// Whole numbers are stored exactly, so the test can compute the nearest vectors itself.
const vector = fc
  .array(fc.integer({ min: -127, max: 127 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((components) => Float32Array.from(components))
const person = fc.array(vector, { maxLength: 3 })
const people = fc.array(person, { maxLength: 30 })

function storedOf(some: readonly (readonly Float32Array[])[]): StoredVectors[] {
  return some.map((vectors, index) => ({ connectionId: index + 1, packed: packVectors(vectors) }))
}

function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const [a, b] = [Array.from(one), Array.from(other)]
  const dot = a.reduce((sum, component, at) => sum + component * (b[at] ?? 0), 0)
  const length = Math.hypot(...a) * Math.hypot(...b)
  return length === 0 ? 0 : dot / length
}

test('packed vectors keep their direction at any length; zero vectors are dropped', () => {
  fc.assert(
    fc.property(person, fc.integer({ min: 1, max: 1000 }), (vectors, divisor) => {
      const given = vectors.map((one) => one.map((component) => component / divisor))
      const { count, dimensions, components } = unpackVectors(packVectors(given))
      const telling = vectors.filter((one) => one.some((component) => component !== 0))
      assert.equal(count, telling.length)
      for (const [index, one] of telling.entries()) {
        const from = index * dimensions
        assert.ok(cosine(one, components.subarray(from, from + dimensions)) > 0.999)
      }
    }),
  )
})

test('only the first 127 vectors are kept', () => {
  const vectors = Array.from({ length: 200 }, (_, at) => Float32Array.of(at + 1, 0, 1))
  const { count, dimensions, components } = unpackVectors(packVectors(vectors))
  assert.deepEqual([count, dimensions, components.length], [127, 3, 381])
})

test('a connection ranks by its nearest vector, in the same order as a full scan', async () => {
  await fc.assert(
    fc.asyncProperty(people, vector, fc.integer({ min: 1, max: 10 }), async (some, asked, most) => {
      const stored = storedOf(some)
      const found = await nearest(await gatherVectors(stored), asked, { most })
      const scores = new Map(
        stored.map(({ connectionId, packed }) => {
          const { count, components } = unpackVectors(packed)
          const each = Array.from({ length: count }, (_, index) =>
            cosine(components.subarray(index * DIMENSIONS, (index + 1) * DIMENSIONS), asked),
          )
          return [connectionId, Math.max(0, ...each)]
        }),
      )
      const best = [...scores.values()].toSorted((a, b) => b - a)
      const near = best.filter((score) => score > 1e-6)
      assert.ok(found.length >= Math.min(most, near.length))
      for (const [rank, id] of found.entries())
        assert.ok(Math.abs((scores.get(id) ?? -1) - (best[rank] ?? 0)) < 1e-5)
    }),
  )
})

test('ties are ordered by ID, and a connection is returned once', async () => {
  const same = Array.from({ length: 9000 }, () => [Float32Array.of(1, 2), Float32Array.of(2, 1)])
  const found = await nearest(await gatherVectors(storedOf(same)), Float32Array.of(1, 1), {
    most: 5,
  })
  assert.deepEqual(found, [1, 2, 3, 4, 5])
})

test('a search within a set of IDs finds no others', async () => {
  const network = await gatherVectors(storedOf([1, 2, 3, 4].map((x) => [Float32Array.of(x, 1)])))
  assert.deepEqual(await nearest(network, Float32Array.of(1, 0), { most: 9 }), [4, 3, 2, 1])
  assert.deepEqual(
    await nearest(network, Float32Array.of(1, 0), { most: 9, among: new Set([1, 3, 99]) }),
    [3, 1],
  )
  assert.deepEqual(await nearest(network, Float32Array.of(-1, 0), { most: 9 }), [])
})

test('vectors and queries of different dimensions are not compared', async () => {
  const mixed = storedOf([[Float32Array.of(1, 0)], [Float32Array.of(1, 0, 0)], []])
  const network = await gatherVectors(mixed)
  assert.deepEqual(network.ids, [1])
  assert.deepEqual(await nearest(network, Float32Array.of(1, 0, 0), { most: 9 }), [])
  assert.deepEqual(await nearest(network, new Float32Array(0), { most: 9 }), [])
  assert.deepEqual(await nearest(await gatherVectors([]), new Float32Array(0), { most: 9 }), [])
})
