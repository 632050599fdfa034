/** A reporter of node:test that writes nothing but the result of the run, as JSON. */

import { relative } from 'node:path'
import { cwd } from 'node:process'
import type { TestEvent } from 'node:test/reporters'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export interface Result extends Counts {
  /** The number of tests per skip reason. */
  readonly skipReasons: Readonly<Record<string, number>>
  /** Milliseconds per file, relative to the working directory. Imports are not included. */
  readonly durations: Readonly<Record<string, number>>
}

export default async function* countReporter(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const skipReasons: Record<string, number> = {}
  const durations: Record<string, number> = {}
  for await (const event of source) {
    if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { skip, nesting, file, details } = event.data
      if (skip !== undefined && skip !== false && details.type !== 'suite')
        add(skipReasons, typeof skip === 'string' && skip !== '' ? skip : 'no reason given', 1)
      // Tests at the top level contain the others and run one after another.
      if (nesting === 0 && file !== undefined)
        add(durations, relative(cwd(), file), details.duration_ms)
    }
    if (event.type !== 'test:summary' || event.data.file !== undefined) continue
    const { passed, tests, skipped, todo } = event.data.counts
    yield JSON.stringify({
      passed,
      failed: tests - passed - skipped - todo,
      skipped,
      skipReasons,
      durations,
    } satisfies Result)
  }
}

function add(sums: Record<string, number>, key: string, amount: number): void {
  sums[key] = (sums[key] ?? 0) + amount
}
