/** A reporter of node:test that writes nothing but the totals, as JSON. */

import type { TestEvent } from 'node:test/reporters'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export default async function* countReporter(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type !== 'test:summary' || event.data.file !== undefined) continue
    const { passed, tests, skipped, todo } = event.data.counts
    yield JSON.stringify({
      passed,
      failed: tests - passed - skipped - todo,
      skipped,
    } satisfies Counts)
  }
}
