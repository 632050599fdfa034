/** A reporter for node:test that prints each failure at once, and the progress twice a minute. */

import { AssertionError } from 'node:assert/strict'
import { relative } from 'node:path'
import { cwd, env } from 'node:process'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

const PROGRESS_INTERVAL_MS = 30_000

type Failure = Extract<TestEvent, { type: 'test:fail' }>['data']

export default async function* liveReporter(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const name = env['WEFT_TEST_PASS'] ?? 'tests'
  let [passed, failed, printedAt] = [0, 0, performance.now()]
  for await (const event of source) {
    if (event.type === 'test:pass' && event.data.details.type !== 'suite') passed++
    if (event.type === 'test:fail' && isCause(event.data)) {
      failed++
      yield describeFailure(name, event.data)
    }
    if (performance.now() - printedAt < PROGRESS_INTERVAL_MS) continue
    printedAt = performance.now()
    yield `${name}: ${passed} passed and ${failed} failed so far\n`
  }
}

/** A test also fails when one inside it does; only the inner one is printed. */
function isCause({ details, todo }: Failure): boolean {
  return (todo === undefined || todo === false) && failureType(details.error) !== 'subtestsFailed'
}

function failureType(error: Error): unknown {
  return 'failureType' in error ? error.failureType : undefined
}

function describeFailure(name: string, { name: test, file, line, details }: Failure): string {
  const place = file === undefined ? '' : ` (${relative(cwd(), file)}:${line})`
  const text = describeError(details.error.cause ?? details.error)
  return `${name}: FAILED ${test}${place}\n${text.replaceAll(/^/gm, '    ')}\n`
}

function describeError(error: unknown): string {
  // The message already has the difference; inspect() would add both complete values.
  if (error instanceof AssertionError && error.stack !== undefined) return error.stack
  return inspect(error)
}
