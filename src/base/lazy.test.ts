import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lazy, lazyInSteps } from './lazy.ts'

test('a value is created on first use and only once, even if it is undefined', () => {
  let made = 0
  const value = lazy(() => {
    made += 1
    return undefined
  })
  assert.equal(made, 0)
  assert.deepEqual([value(), value(), made], [undefined, undefined, 1])
})

test('a value in steps is there after the last one, or on first use', () => {
  let made = 0
  const makeTwice = function* () {
    made += 1
    yield
    made += 1
    return 'value'
  }
  const [inSteps, atOnce] = [lazyInSteps(makeTwice), lazyInSteps(makeTwice)]
  assert.deepEqual([inSteps.advance(), made], [true, 1])
  assert.deepEqual([inSteps.advance(), made], [false, 2])
  assert.deepEqual([inSteps(), inSteps.advance(), made], ['value', false, 2])
  assert.deepEqual([atOnce.advance(), atOnce(), atOnce(), made], [true, 'value', 'value', 4])
})

test('a value whose creation fails is created again from the first step', () => {
  const steps: string[] = []
  let isMissing = true
  const value = lazyInSteps(function* () {
    steps.push('first')
    yield
    if (isMissing) throw new Error('no file')
    return steps.length
  })
  assert.throws(value, /no file/)
  isMissing = false
  assert.equal(value(), 2)
})
