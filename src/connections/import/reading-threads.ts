/**
 * Worker threads that read contact files. The one that read the last file waits a while for the next: compiling its code again
 * takes as long as reading some ten thousand rows.
 */

import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** Of the thread's heap, in MiB. A young generation without limit takes 60 MB more and saves no time. */
const LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 6 }

/** Milliseconds. A waiting thread takes about 25 MB. */
const IDLE_TIME = 30_000

interface IdleThread {
  readonly worker: Worker
  readonly timer: NodeJS.Timeout
}

let idle: IdleThread | undefined

/** A thread that reads nothing. Return it with `keepThread`, or terminate it. */
export function takeThread(): Worker {
  const worker = idle?.worker
  if (!worker) return startThread()
  forget(worker)
  worker.ref()
  return worker
}

/** Keeps a thread that has read its file to the end; ends it if another one waits already. */
export function keepThread(worker: Worker): void {
  if (idle) return void worker.terminate()
  worker.unref()
  const timer = setTimeout(() => void worker.terminate(), IDLE_TIME)
  timer.unref()
  idle = { worker, timer }
}

function startThread(): Worker {
  const worker = new Worker(
    new URL(import.meta.resolve(`./reading-thread${extname(import.meta.url)}`)),
    { resourceLimits: LIMITS },
  )
  // While it waits, no one else listens to its errors.
  return worker.on('error', () => {}).on('exit', () => forget(worker))
}

function forget(worker: Worker): void {
  if (idle?.worker !== worker) return
  clearTimeout(idle.timer)
  idle = undefined
}
