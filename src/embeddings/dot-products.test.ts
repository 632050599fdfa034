import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { dotProducts, queryVectorOf } from './dot-products.ts'

const cases = fc.integer({ min: 1, max: 70 }).chain((dimensions) => {
  const signedByte = fc.integer({ min: -127, max: 127 })
  const vector = fc.array(signedByte, { minLength: dimensions, maxLength: dimensions })
  const component = fc.double({ min: -1, max: 1, noNaN: true })
  const question = fc.array(component, { minLength: dimensions, maxLength: dimensions })
  return fc.record({ question, vectors: fc.array(vector, { maxLength: 20 }) })
})

test('products are those of a loop, whatever the number of components and vectors', () => {
  fc.assert(
    fc.property(cases, ({ question, vectors }) => {
      const asked = queryVectorOf(Float32Array.from(question))
      const products = dotProducts(asked, Int8Array.from(vectors.flat()))
      assert.equal(products.length, vectors.length)
      for (const [at, vector] of vectors.entries()) {
        const expected = vector.reduce((sum, one, nth) => sum + one * (question[nth] ?? 0), 0)
        const error = Math.abs((products[at] ?? 0) * asked.unit - expected)
        const size = Math.max(...question.map(Math.abs))
        assert.ok(error <= (127 * size * vector.length) / 16_000 + 1e-6, `${error}`)
      }
    }),
  )
})

test('the largest products of the longest vectors do not exceed 32 bits', () => {
  const dimensions = 100_000
  const asked = queryVectorOf(new Float32Array(dimensions).fill(1))
  const [most, least] = dotProducts(
    asked,
    new Int8Array(2 * dimensions).fill(127, 0, dimensions).fill(-127, dimensions),
  )
  assert.ok(Math.abs((most ?? 0) * asked.unit - 127 * dimensions) < 0.01 * 127 * dimensions)
  assert.equal(least, -(most ?? 0))
})
