import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { TimeLeft } from './time-left.ts'

test('the time left follows from the progress since the first observation', () => {
  const timeLeft = new TimeLeft()
  const at = (done: number, now: number) => timeLeft.observe({ done, total: 1000 }, now)
  assert.equal(at(100, HOUR), undefined)
  assert.equal(at(110, HOUR + SECOND), undefined)
  assert.equal(at(200, HOUR + 10 * SECOND), 'about 2 minutes left') // 80 s
  assert.equal(at(550, HOUR + 45 * SECOND), 'about 50 seconds left')
  assert.equal(at(950, HOUR + 85 * SECOND), 'a few seconds left')
  assert.equal(at(1000, HOUR + 90 * SECOND), undefined)
})

test('the time left is unknown without a total or without progress, and restarts if work is repeated', () => {
  const timeLeft = new TimeLeft()
  assert.equal(timeLeft.observe({ done: 5, total: null }, 0), undefined)
  assert.equal(timeLeft.observe({ done: 500, total: 1000 }, 0), undefined)
  assert.equal(timeLeft.observe({ done: 500, total: 1000 }, MINUTE), undefined)
  assert.equal(timeLeft.observe({ done: 100, total: 1000 }, 2 * MINUTE), undefined)
  const later = { done: 101, total: 1000 }
  assert.equal(timeLeft.observe(later, 2 * MINUTE + 10 * SECOND), 'about 3 hours left')
})
