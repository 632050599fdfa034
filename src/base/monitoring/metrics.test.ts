import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Metrics } from './metrics.ts'

test('counters, gauges and histograms are written in the text format', async () => {
  const metrics = new Metrics()
  const served = metrics.counter({ name: 'served_total', help: 'Served.', labels: ['kind'] })
  const took = metrics.histogram({ name: 'took_seconds', help: 'Took.' }, [0.1, 1])
  metrics.observed({
    type: 'gauge',
    name: 'height_meters',
    help: 'A "height" \\ in\nmeters.',
    read: () => [{ value: 1.5 }],
  })
  served.add({ kind: 'a' })
  served.add({ kind: 'a' }, 2)
  served.add({ kind: 'quote " backslash \\ newline \n' })
  for (const value of [0.05, 0.1, 0.5, 7]) took.observe({}, value)
  assert.equal(
    await metrics.text(),
    `# HELP served_total Served.
# TYPE served_total counter
served_total{kind="a"} 3
served_total{kind="quote \\" backslash \\\\ newline \\n"} 1
# HELP took_seconds Took.
# TYPE took_seconds histogram
took_seconds_bucket{le="0.1"} 2
took_seconds_bucket{le="1"} 3
took_seconds_bucket{le="+Inf"} 4
took_seconds_sum 7.65
took_seconds_count 4
# HELP height_meters A "height" \\\\ in\\nmeters.
# TYPE height_meters gauge
height_meters 1.5
`,
  )
})

test('a metric whose read fails is omitted without affecting the others', async () => {
  const metrics = new Metrics()
  metrics.observed({
    type: 'gauge',
    name: 'broken',
    help: 'B.',
    read: () => Promise.reject(new Error('gone')),
  })
  metrics.observed({ type: 'gauge', name: 'whole', help: 'W.', read: () => [{ value: 1 }] })
  const errors: unknown[] = []
  const text = await metrics.text((error) => errors.push(error))
  assert.equal(text, '# HELP whole W.\n# TYPE whole gauge\nwhole 1\n')
  assert.equal(errors.length, 1)
})

test('a metric name cannot be used twice', () => {
  const metrics = new Metrics()
  metrics.counter({ name: 'a_total', help: 'A.' })
  assert.throws(() => metrics.histogram({ name: 'a_total', help: 'A.' }), /exists/)
})

test('buckets are cumulative, and the last one counts all values', async () => {
  const buckets = [1, 2, 5, 10]
  await fc.assert(
    fc.asyncProperty(fc.array(fc.double({ min: 0, max: 20, noNaN: true })), async (values) => {
      const metrics = new Metrics()
      const histogram = metrics.histogram({ name: 'x', help: 'X.', labels: ['of'] }, buckets)
      for (const value of values) histogram.observe({ of: 'all' }, value)
      const text = await metrics.text()
      for (const bucket of values.length > 0 ? buckets : []) {
        const expected = values.filter((value) => value <= bucket).length
        assert.ok(text.includes(`x_bucket{of="all",le="${bucket}"} ${expected}\n`), text)
      }
      if (values.length > 0) assert.ok(text.includes(`x_count{of="all"} ${values.length}\n`))
    }),
  )
})
