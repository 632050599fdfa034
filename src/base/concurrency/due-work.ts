/** Does the work of members that is due while the service runs. Any number of processes share it. */

import { DAY, SECOND, type Clock } from '../clock.ts'
import { hasCode } from '../request-error.ts'
import type { Log } from '../log.ts'

const POLL_INTERVAL_MS = 10 * SECOND
/** Work that waits for a permit in this process. */
const MAX_DUE = 20_000

interface WorkDefinition<Due> {
  readonly clock: Clock
  readonly log: Log
  /** Default: 10 seconds. */
  readonly pollIntervalMs?: number
  /** All that is due, longest overdue first. */
  readonly find: (now: number, limit: number) => Promise<readonly Due[]>
  readonly keyOf: (due: Due) => string
  /** Returns false if another process has done it. */
  readonly run: (due: Due, signal: AbortSignal) => Promise<boolean>
  /** For the log, such as `sync calendars`. */
  readonly name: string
}

export interface DueWork extends AsyncDisposable {
  start(): void
  /** Does all that is due. Returns how much. */
  runDue(): Promise<number>
}

/** Disposing ends the work that is running. */
export function createDueWork<Due>({
  clock,
  log,
  pollIntervalMs = POLL_INTERVAL_MS,
  find,
  keyOf,
  run,
  name,
}: WorkDefinition<Due>): DueWork {
  const stopping = new AbortController()
  /** Work that waits or runs, by its key. Never rejects. */
  const pending = new Map<string, Promise<boolean>>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<unknown> | undefined

  async function runOne(due: Due): Promise<boolean> {
    try {
      return await run(due, stopping.signal)
    } catch (err) {
      // Removed meanwhile, or the member has too much work that waits.
      if (!stopping.signal.aborted && !hasCode(err, 'not_found', 'rate_limited'))
        log.error({ err, work: keyOf(due) }, `could not ${name}; retrying`)
      return false
    }
  }

  /** Members take turns; see `OutgoingPool`. */
  async function startDue(): Promise<Promise<boolean>[]> {
    const started: Promise<boolean>[] = []
    for (const due of await find(clock.now(), MAX_DUE)) {
      const key = keyOf(due)
      if (stopping.signal.aborted || pending.has(key)) continue
      const running = runOne(due).finally(() => pending.delete(key))
      pending.set(key, running)
      started.push(running)
    }
    return started
  }

  const poll = () => {
    polling ??= startDue()
      .catch((error: unknown) => log.error({ err: error }, `could not ${name}; retrying`))
      .finally(() => (polling = undefined))
  }
  return {
    runDue: async () => (await Promise.all(await startDue())).filter(Boolean).length,
    start() {
      timer ??= setInterval(poll, pollIntervalMs).unref()
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('the service is stopping'))
      clearInterval(timer)
      await polling
      await Promise.all(pending.values())
    },
  }
}

/** After that many failures in a row, the work is no longer done. The pauses between them double up to a day. */
export const MAX_FAILURES = 8
const MAX_PAUSE_MS = DAY

/** When work is done again after a number of failures in a row; null if it is no longer done. */
export function nextAttemptAt(failures: number, interval: number, now: number): number | null {
  if (failures >= MAX_FAILURES) return null
  return now + Math.min(interval * 2 ** (failures - 1), MAX_PAUSE_MS)
}
