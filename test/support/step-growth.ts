/**
 * Counts how the steps of a reader grow with its input: how often V8 runs each block of code, and the elements that searches
 * and moves within arrays and strings look at. Unlike time, the count is the same on every machine. Regular expressions are
 * one step here; `npm run lint:regex` checks them.
 */

import { Session } from 'node:inspector'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

interface Reader {
  readonly name: string
  /** Reads an input with as many parts. */
  readonly read: (parts: number) => unknown
}

/** Parts of the shorter input. */
const PARTS = 300
const TIMES = 8
/** A linear reader takes 8 times as many steps for the longer input, a quadratic one 64 times. */
const MAX_FACTOR = 16

/** Returns the readers whose steps grow faster than their input. `module` exports `stepReaders`. */
export function superlinearSteps(module: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    // In a thread, because counting slows down everything.
    const worker = new Worker(new URL(import.meta.url), { workerData: { stepsOf: module } })
    worker.once('message', resolve).once('error', reject)
  })
}

const asked = (workerData as { readonly stepsOf?: string } | null)?.stepsOf
if (!isMainThread && asked !== undefined) {
  const { stepReaders } = (await import(asked)) as { stepReaders: readonly Reader[] }
  parentPort?.postMessage(await findSuperlinear(stepReaders))
}

async function findSuperlinear(readers: readonly Reader[]): Promise<string[]> {
  const countSteps = startCounting()
  const found: string[] = []
  for (const { name, read } of readers) {
    // The first time, it also runs what is prepared once.
    await countSteps(() => read(PARTS))
    const few = await countSteps(() => read(PARTS))
    const many = await countSteps(() => read(TIMES * PARTS))
    if (many > MAX_FACTOR * few) found.push(name)
  }
  return found
}

interface Coverage {
  readonly result: readonly {
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
  }[]
}

/** Returns a function that counts the steps of its argument. */
function startCounting(): (work: () => unknown) => Promise<number> {
  const session = new Session()
  session.connect()
  let moved = 0
  countNatives((elements) => (moved += elements))
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const takeSteps = () => {
    let steps = moved
    moved = 0
    session.post('Profiler.takePreciseCoverage', (error, coverage: Coverage) => {
      if (error) throw error
      for (const { functions } of coverage.result)
        for (const { ranges } of functions) for (const { count } of ranges) steps += count
    })
    return steps
  }
  return async (work) => {
    takeSteps()
    await work()
    return takeSteps()
  }
}

type Native = (this: { readonly length: number }, ...values: unknown[]) => unknown

/** Reports the elements that these methods look at or move. */
function countNatives(report: (elements: number) => void): void {
  const searched = (from: unknown, at: unknown, length: number) =>
    (typeof at === 'number' && at >= 0 ? at : length) - (typeof from === 'number' ? from : 0)
  for (const prototype of [Array.prototype, String.prototype] as unknown as Record<
    string,
    Native
  >[]) {
    wrap(prototype, 'indexOf', ([, from], at, { length }) => searched(from, at, length))
    wrap(prototype, 'includes', ([, from], _is, { length }) => searched(from, undefined, length))
  }
  const arrays = Array.prototype as unknown as Record<string, Native>
  for (const name of ['shift', 'unshift', 'splice'])
    wrap(arrays, name, (_values, _result, { length }) => length)
  for (const name of ['concat', 'slice'])
    wrap(arrays, name, (_values, result) => (result as readonly unknown[]).length)

  function wrap(
    prototype: Record<string, Native>,
    name: string,
    elementsOf: (values: unknown[], result: unknown, self: { readonly length: number }) => number,
  ): void {
    const method = prototype[name]
    if (!method) throw new Error(`no method ${name}`)
    prototype[name] = function (...values) {
      const result = method.apply(this, values)
      report(elementsOf(values, result, this))
      return result
    }
  }
}
