import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextSliceSize } from './slice-size.ts'

const LIMITS = { target: 20, min: 100, max: 1000 }

test('a slice that took half as long as it may is doubled, one that took twice as long is halved', () => {
  assert.equal(nextSliceSize(400, 10, LIMITS), 800)
  assert.equal(nextSliceSize(400, 40, LIMITS), 200)
  assert.equal(nextSliceSize(400, 25, LIMITS), 320)
})

test('a slice grows to at most twice its size, and stays within its limits', () => {
  assert.equal(nextSliceSize(200, 0, LIMITS), 400)
  assert.equal(nextSliceSize(900, 1, LIMITS), 1000)
  assert.equal(nextSliceSize(200, 5000, LIMITS), 100)
})
