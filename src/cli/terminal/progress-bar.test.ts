import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { SECOND } from '../../base/clock.ts'
import { progressBar } from './progress-bar.ts'

for (const [columns, end] of [
  [100, '40 rows read, about 20 seconds left'],
  [80, '40 rows read'],
] as const)
  test(`a progress bar on ${columns} columns ends with "${end}"`, async () => {
    let now = 0
    const stderr = Object.assign(new PassThrough(), { isTTY: true, columns })
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    const terminal = { environment: {}, stdin, stdout, stderr, onStop: () => {} }
    const bar = progressBar(terminal, 'Importing people.csv', { now: () => now })
    for (const done of [10, 40]) {
      bar.show({ done, total: 100, message: `${done} rows read` })
      now += 10 * SECOND
    }
    stderr.end()
    assert.ok((await text(stderr)).endsWith(`  40 %  ${end}`))
  })
