import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { atEndOfTurn } from './turn-batch.ts'

test('what arrives in one turn runs in order at its end, and proceeds in step', async () => {
  const steps: string[] = []
  const add = atEndOfTurn((name: string) => {
    steps.push(`${name} starts`)
    void Promise.resolve().then(() => steps.push(`${name} continues`))
  })
  add('a')
  add('b')
  assert.deepEqual(steps, [])
  await nextTurn()
  assert.deepEqual(steps, ['a starts', 'b starts', 'a continues', 'b continues'])
})

test('what arrives while a batch runs belongs to the next one', async () => {
  const runs: string[] = []
  const add = atEndOfTurn((name: string) => {
    runs.push(name)
    if (name === 'a') add('c')
  })
  add('a')
  add('b')
  await nextTurn()
  assert.deepEqual(runs, ['a', 'b'])
  await nextTurn()
  assert.deepEqual(runs, ['a', 'b', 'c'])
})
