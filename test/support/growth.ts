/**
 * Measures how the CPU time of a reader grows with the length of its text, in a thread of its own that can be ended. Time
 * of the CPU, because other processes can have the clock.
 */

import process from 'node:process'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

interface Reader {
  readonly name: string
  /** Characters of a text that a linear reader reads within milliseconds. */
  readonly length: number
  readonly read: (text: string) => unknown
}

/** A module that exports `readers`, and the readers' names. */
export interface Readers {
  readonly module: string
  readonly names: readonly string[]
}

interface Task {
  readonly module: string
  readonly reader: string
  readonly unit: string
}

type Growth = 'linear' | 'superlinear'

/** A shorter time is too short to grow noticeably: at full length, quadratic readers take much longer. */
const FLOOR_MS = 30
/** How many times longer the longer text is. A linear reader takes about 8 times as long, a quadratic one 64 times. */
const TIMES = 8
const MAX_FACTOR = 24
/** So much longer is no accident. */
const PLAIN_FACTOR = 48
/** A reading by chance can be slow. */
const ATTEMPTS = 2
/** By the clock. A quadratic reader of the longer text can take hours, a linear one takes seconds. */
const PATIENCE_MS = 120_000

/** The readers and units of text for which the time grows faster than the text. */
export async function superlinear(
  { module, names }: Readers,
  units: readonly string[],
): Promise<string[]> {
  const found: string[] = []
  let worker: Worker | undefined
  for (const reader of names)
    for (const unit of units) {
      worker ??= new Worker(new URL(import.meta.url))
      const growth = await answerOf(worker, { module, reader, unit })
      if (growth === undefined) {
        await worker.terminate()
        worker = undefined
      }
      if (growth !== 'linear') found.push(`${reader} ${JSON.stringify(unit)}`)
      if (growth === undefined) break
    }
  await worker?.terminate()
  return found
}

/** Undefined if there is none in time. */
function answerOf(worker: Worker, task: Task): Promise<Growth | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
    worker.removeAllListeners().once('error', reject)
    worker.once('message', (growth: Growth) => {
      clearTimeout(timer)
      resolve(growth)
    })
    worker.postMessage(task)
  })
}

if (!isMainThread)
  parentPort?.on('message', (task: Task) => {
    void growthOf(task).then((growth) => parentPort?.postMessage(growth))
  })

async function growthOf({ module, reader: name, unit }: Task): Promise<Growth> {
  const { readers } = (await import(module)) as { readers: () => Promise<readonly Reader[]> }
  const reader = (await readers()).find((one) => one.name === name)
  if (!reader) throw new Error(`no reader ${name}`)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const short = await timeOf(reader, unit, reader.length)
    if (short < FLOOR_MS) return 'linear'
    const long = await timeOf(reader, unit, TIMES * reader.length)
    if (long < MAX_FACTOR * short) return 'linear'
    if (long > PLAIN_FACTOR * short) return 'superlinear'
  }
  return 'superlinear'
}

/** Milliseconds. Errors are answers too. */
async function timeOf({ read }: Reader, unit: string, length: number): Promise<number> {
  const text = `a ${unit.repeat(length / unit.length)}\u0001z`
  const before = process.threadCpuUsage()
  try {
    await read(text)
  } catch {
    // The file is not a list of contacts, or the text is no value of the kind.
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
