/** Runs code before the first request needs it, while a started service has nothing else to do. */

import { setTimeout as sleep } from 'node:timers/promises'
import { warmUpSearch } from '../connections/search/warm-up.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'

interface Deps {
  readonly clock: Clock
  readonly log: Log
}

/** The first requests after a start come first. Milliseconds. */
const DELAY_MS = 1000
/** Steps that run without a pause, and the pause. Milliseconds. */
const SLICE_MS = 2
const PAUSE_MS = 10

/** Dispose it to stop. It does not keep the process running. */
export function warmUpWhenStarted({ clock, log }: Deps): Disposable {
  const stopping = new AbortController()
  const { signal } = stopping
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false })
  const work = async () => {
    await wait(DELAY_MS)
    let began = performance.now()
    await warmUpSearch(clock.now(), async () => {
      if (performance.now() - began < SLICE_MS) return
      await wait(PAUSE_MS)
      began = performance.now()
    })
  }
  void work().catch((error: unknown) => {
    if (!signal.aborted) log.warn({ err: error }, 'searches are not warmed up')
  })
  return { [Symbol.dispose]: () => stopping.abort() }
}
