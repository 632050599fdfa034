/** A running job as server-sent events: each time it got further, and once it has ended the event `end`. */

import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE, SECOND } from '../../base/clock.ts'
import { isTerminal, type StoredJob } from '../../jobs/job-record.ts'
import { jobProgress } from './job-progress.ts'
import type { TextStream } from '../../http/response.ts'

/** How often it is looked at: as often as a person sees a difference. Milliseconds. */
const POLL_INTERVAL_MS = SECOND / 2

/** Then the browser asks again, and whoever has signed out in the meantime is told no more. Milliseconds. */
const MAX_STREAM_MS = MINUTE

const END = 'event: end\ndata: end\n\n'

/** `read` gives undefined for a job that is gone. */
export function jobEvents(
  read: () => Promise<StoredJob | undefined>,
  lookEvery = POLL_INTERVAL_MS,
): TextStream {
  const leaving = new AbortController()
  const events = tell(read, lookEvery, leaving.signal)
  return {
    keepAlive: ':\n\n',
    stop: () => leaving.abort(),
    [Symbol.asyncIterator]: () => ({
      next: () => events.next(),
      return() {
        leaving.abort()
        return events.return()
      },
    }),
  }
}

async function* tell(
  read: () => Promise<StoredJob | undefined>,
  lookEvery: number,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  let told = ''
  for (let passed = 0; passed < MAX_STREAM_MS && !signal.aborted; passed += lookEvery) {
    const job = await read()
    if (!job || isTerminal(job.state)) {
      yield END
      return
    }
    const event = eventOf(jobProgress(job))
    if (event !== told) yield event
    told = event
    await sleep(lookEvery, undefined, { signal }).catch(() => {})
  }
}

/** A line break in an event's data begins a new line of it (HTML Living Standard, section 9.2.6). */
function eventOf(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line.trim()}\n`)
  return `${lines.join('')}\n`
}
