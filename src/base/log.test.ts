import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { MINUTE } from './clock.ts'
import { createLog, RepeatedLines, withoutRedaction } from './log.ts'
import { RequestError } from './request-error.ts'

interface Line {
  readonly msg: string
  readonly error?: string
  readonly cause?: string
  readonly repeats?: number
  readonly request_id?: string
  readonly err?: { readonly stack: string }
}

function openLog(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const lines: Line[] = []
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as Line) })
  return {
    log,
    lines,
    minutePasses: () => t.mock.timers.tick(MINUTE),
    taken: () => lines.splice(0),
  }
}

function outage(cause: unknown, message = 'The database is unavailable.'): RequestError {
  const error = new RequestError('unavailable', message)
  error.cause = cause
  return error
}

test('an outage takes one line per cause and minute, with a count and no stack', (t) => {
  const { log, taken, minutePasses } = openLog(t)
  const refused = (port: number) => outage(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`))
  for (let count = 0; count < 100; count += 1) {
    log.error({ err: refused(5000 + count), request_id: `req_${count}` }, 'request failed')
    withoutRedaction(log).warn({ err: outage(new Error('timeout')) }, 'tool unavailable')
  }
  const first = taken()
  assert.deepEqual(
    first.map(({ msg, request_id, error, cause }) => [msg, request_id, error, cause]),
    [
      [
        'request failed',
        'req_0',
        'The database is unavailable.',
        'connect ECONNREFUSED 127.0.0.1:5000',
      ],
      ['tool unavailable', undefined, 'The database is unavailable.', 'timeout'],
    ],
  )
  assert.ok(first.every(({ err }) => err === undefined))
  minutePasses()
  assert.deepEqual(
    taken().map(({ cause, repeats }) => [cause, repeats]),
    [
      ['connect ECONNREFUSED 127.0.0.1:5000', 99],
      ['timeout', 99],
    ],
  )
  log.error({ err: refused(5432) }, 'request failed')
  assert.deepEqual(taken(), [])
  minutePasses()
  assert.deepEqual(
    taken().map(({ repeats }) => repeats),
    [1],
  )
  minutePasses()
  assert.deepEqual(taken(), [])
  // The next outage is reported at once.
  log.error({ err: refused(5432) }, 'request failed')
  assert.equal(taken().length, 1)
})

test('a connection that fails at several addresses is reported with all of them', (t) => {
  const { log, taken } = openLog(t)
  const addresses = ['127.0.0.1', '::1'].map((address) => new Error(`ECONNREFUSED ${address}`))
  log.error({ err: outage(new AggregateError(addresses)) }, 'request failed')
  assert.equal(taken()[0]?.cause, 'ECONNREFUSED 127.0.0.1, ECONNREFUSED ::1')
})

test('a bug is logged with its stack each time', (t) => {
  const { log, taken } = openLog(t)
  const bug = new TypeError('x is not a function')
  for (let count = 0; count < 3; count += 1) log.error({ err: bug }, 'request failed')
  const lines = taken()
  assert.equal(lines.length, 3)
  for (const { err } of lines) assert.match(err?.stack ?? '', /log\.test\.ts/)
})

test('the memory for causes is bounded', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const repeated = new RepeatedLines()
  let lines = 0
  for (let count = 0; count < 1000; count += 1)
    repeated.write('x'.repeat(count + 1), () => (lines += 1))
  assert.equal(lines, 51)
})
