/** The progress of a running job as server-sent events, followed by the event `end`. */

import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../base/clock.ts'
import { isTerminal, type StoredJob } from '../../jobs/job-record.ts'
import { jobProgress } from './job-progress.ts'
import type { TextStream } from '../../http/response.ts'

/** How often the job is polled. In milliseconds. */
const POLL_INTERVAL_MS = SECOND / 2

/** After this the browser reconnects, which checks the session again. In milliseconds. */
const MAX_STREAM_MS = MINUTE

const END = 'event: end\ndata: end\n\n'

/** `read` returns undefined for a deleted job. */
export function jobEvents(
  read: () => Promise<StoredJob | undefined>,
  pollIntervalMs = POLL_INTERVAL_MS,
): TextStream {
  const disconnect = new AbortController()
  const events = pollEvents(read, pollIntervalMs, disconnect.signal)
  return {
    keepAlive: ':\n\n',
    stop: () => disconnect.abort(),
    [Symbol.asyncIterator]: () => ({
      next: () => events.next(),
      return() {
        disconnect.abort()
        return events.return()
      },
    }),
  }
}

async function* pollEvents(
  read: () => Promise<StoredJob | undefined>,
  pollIntervalMs: number,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  let lastEvent = ''
  for (let passed = 0; passed < MAX_STREAM_MS && !signal.aborted; passed += pollIntervalMs) {
    const job = await read()
    if (!job || isTerminal(job.state)) {
      yield END
      return
    }
    const event = eventOf(jobProgress(job).toString())
    if (event !== lastEvent) yield event
    lastEvent = event
    await sleep(pollIntervalMs, undefined, { signal }).catch(() => {})
  }
}

/** Each line of an event's data needs its own `data:` prefix (HTML Living Standard, section 9.2.6). */
function eventOf(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line.trim()}\n`)
  return `${lines.join('')}\n`
}
