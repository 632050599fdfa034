/** A reporter for node:test that only writes the result of the run, as JSON. */

import { relative } from 'node:path'
import { readFileSync } from 'node:fs'
import { cpuUsage, cwd } from 'node:process'
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
  /** Milliseconds of CPU time per file, of this process and, on Linux, of the processes that it started and that ended. */
  readonly cpu: Readonly<Record<string, number>>
  /** Files with a failed test, relative to the working directory. */
  readonly failedFiles: readonly string[]
}

export default async function* countReporter(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const skipReasons: Record<string, number> = {}
  const durations: Record<string, number> = {}
  const cpu: Record<string, number> = {}
  const failedFiles = new Set<string>()
  let spent = cpuTime()
  for await (const event of source) {
    if (
      event.type === 'test:complete' &&
      event.data.nesting === 0 &&
      event.data.file !== undefined
    ) {
      const now = cpuTime()
      add(cpu, relative(cwd(), event.data.file), now - spent)
      spent = now
    }
    if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { skip, nesting, file, details } = event.data
      if (skip !== undefined && skip !== false && details.type !== 'suite')
        add(skipReasons, typeof skip === 'string' && skip !== '' ? skip : 'no reason given', 1)
      // Tests at the top level contain the others and run one after another.
      if (nesting === 0 && file !== undefined) {
        add(durations, relative(cwd(), file), details.duration_ms)
        if (event.type === 'test:fail') failedFiles.add(relative(cwd(), file))
      }
    }
    if (event.type !== 'test:summary') continue
    const { passed, tests, skipped, todo } = event.data.counts
    yield JSON.stringify({
      passed,
      failed: tests - passed - skipped - todo,
      skipped,
      skipReasons,
      durations,
      cpu,
      failedFiles: [...failedFiles],
    } satisfies Result)
  }
}

function add(sums: Record<string, number>, key: string, amount: number): void {
  sums[key] = (sums[key] ?? 0) + amount
}

function cpuTime(): number {
  const { user, system } = cpuUsage()
  return (user + system) / 1000 + childrenCpuTime()
}

/** The CPU time of the children that this process has waited for, from proc_pid_stat(5): clock ticks of 10 ms. */
function childrenCpuTime(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
    return 10 * (Number(fields[13]) + Number(fields[14]))
  } catch {
    return 0
  }
}
