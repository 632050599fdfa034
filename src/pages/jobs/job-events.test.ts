import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR, SECOND } from '../../base/clock.ts'
import { jobEvents } from './job-events.ts'
import type { StoredJob } from '../../jobs/job-record.ts'
import type { TextStream } from '../../http/response.ts'

const NOW = { clock: { now: () => 0 }, pollIntervalMs: 0 }

const RUNNING: StoredJob = {
  job_id: 1,
  kind: 'file_import',
  state: 'running',
  credits: 5,
  charged_period: 0,
  credential_id: null,
  progress_done: 10,
  progress_total: 100,
  progress_message: '1 row read',
  result: null,
  error: null,
  cancel_requested_at: null,
  created_at: 0,
  started_at: 0,
  finished_at: null,
  expires_at: null,
  filename: null,
}

test('each progress step is sent once, followed by the end event', async () => {
  const further: StoredJob = { ...RUNNING, progress_done: 50, progress_message: '<b>\n5 rows read' }
  const looks = [RUNNING, RUNNING, further, { ...further, state: 'succeeded' } as const]
  const told = await collect(jobEvents(async () => looks.shift(), NOW))
  assert.equal(told.length, 3)
  assert.match(told[0] ?? '', /^data: <p>\n.*\ndata: 1 row read · 10/)
  assert.match(told[1] ?? '', /data: <progress [^>]*value="50" max="100"/)
  assert.equal(told[2], 'event: end\ndata: end\n\n')
  // A message cannot inject markup, events or event fields.
  const lines = (told[1] ?? '').trimEnd().split('\n')
  assert.ok(lines.every((line) => line.startsWith('data: ')))
  assert.ok(!told[1]?.includes('<b>'))
})

test('the events have the share that is done and, once known, the time left', async () => {
  let now = 0
  const clock = { now: () => (now += 10 * SECOND) }
  const at = (progress_done: number): StoredJob => ({ ...RUNNING, progress_done })
  const steps = [at(10), at(40), at(70)]
  const events = jobEvents(async () => steps.shift(), { clock, pollIntervalMs: 0 })
  const texts = (await collect(events)).map((event) => /1 row read[^<\n]*/.exec(event)?.[0].trim())
  assert.deepEqual(texts, [
    '1 row read · 10\u00A0%',
    '1 row read · 40\u00A0% · about 20 seconds left',
    '1 row read · 70\u00A0% · about 10 seconds left',
    undefined,
  ])
})

test('the stream of a missing or finished job ends immediately', async () => {
  const end = ['event: end\ndata: end\n\n']
  assert.deepEqual(await collect(jobEvents(async () => undefined, NOW)), end)
  assert.deepEqual(
    await collect(jobEvents(async () => ({ ...RUNNING, state: 'failed' }), NOW)),
    end,
  )
})

for (const [how, leave] of [
  ['whose reader leaves', async (_: TextStream, told: AsyncIterator<string>) => told.return?.()],
  ['of a service that stops', async (events: TextStream) => events.stop?.()],
] as const)
  test(`a stream ${how} ends while it waits`, async () => {
    const events = jobEvents(async () => RUNNING, { ...NOW, pollIntervalMs: HOUR })
    const told = events[Symbol.asyncIterator]()
    await told.next()
    const next = told.next()
    await leave(events, told)
    assert.equal((await next).done, true)
  })

async function collect(events: TextStream): Promise<string[]> {
  const told: string[] = []
  for await (const event of events) told.push(event)
  return told
}
