import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TimeSlices } from './time-slices.ts'

/** Slices of a clock that only `spend` moves. */
function slicesOf() {
  let now = 0
  const slices = new TimeSlices<string>(() => now)
  const spend = (milliseconds: number) => {
    now += milliseconds
  }
  return { slices, spend }
}

test('other work of the event loop runs between slices', async () => {
  const { slices, spend } = slicesOf()
  const done: string[] = []
  const all = Array.from({ length: 10 }, (_, nth) =>
    slices.run('busy', () => {
      spend(5)
      done.push(`piece ${nth}`)
    }),
  )
  setImmediate(() => done.push('other'))
  await Promise.all(all)
  assert.equal(done.indexOf('other'), 4)
  assert.equal(done.length, 11)
})

test('a key with one piece waits for one slice of a key with many', async () => {
  const { slices, spend } = slicesOf()
  const done: string[] = []
  const piece = (key: string) => slices.run(key, () => (spend(5), done.push(key)))
  const all = [...Array.from({ length: 20 }, () => piece('busy')), piece('quiet')]
  await Promise.all(all)
  assert.equal(done.indexOf('quiet'), 3)
  assert.equal(done.length, 21)
})

test('short pieces run at once, in order', () => {
  const { slices, spend } = slicesOf()
  const done: number[] = []
  for (let nth = 0; nth < 5; nth += 1) void slices.run('a', () => (spend(1), done.push(nth)))
  assert.deepEqual(done, [0, 1, 2, 3, 4])
})

test('an error of one piece does not affect the others', async () => {
  const { slices, spend } = slicesOf()
  const results = await Promise.allSettled([
    slices.run('a', () => (spend(9), 1)),
    slices.run('a', () => {
      throw new Error('broken')
    }),
    slices.run('a', () => 3),
  ])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})
