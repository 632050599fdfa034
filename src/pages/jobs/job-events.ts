/** The progress of a running job as server-sent events, followed by the event `end`. */

import { currentLanguage, inLanguage, type Language } from '../../languages/language.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE, SECOND, type Clock } from '../../base/clock.ts'
import { isTerminal, progressOf, type StoredJob } from '../../jobs/job-record.ts'
import { TimeLeft } from '../../jobs/time-left.ts'
import { jobProgress } from './job.page.ts'
import type { TextStream } from '../../http/response.ts'

/** How often the job is polled. In milliseconds. */
const POLL_INTERVAL_MS = SECOND / 2

/** After this the browser reconnects, which checks the session again. In milliseconds. */
const MAX_STREAM_MS = MINUTE

const END = 'event: end\ndata: end\n\n'

interface EventOptions {
  readonly clock: Clock
  readonly pollIntervalMs?: number
}

/** `read` returns undefined for a deleted job. */
export function jobEvents(
  read: () => Promise<StoredJob | undefined>,
  { clock, pollIntervalMs = POLL_INTERVAL_MS }: EventOptions,
): TextStream {
  const disconnect = new AbortController()
  // The stream is read outside the request.
  const language = currentLanguage()
  const events = pollEvents(read, { clock, pollIntervalMs, language, signal: disconnect.signal })
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

interface Polling extends Required<EventOptions> {
  readonly language: Language
  readonly signal: AbortSignal
}

async function* pollEvents(
  read: () => Promise<StoredJob | undefined>,
  { clock, pollIntervalMs, language, signal }: Polling,
): AsyncGenerator<string, void> {
  const timeLeft = new TimeLeft()
  let lastEvent = ''
  for (let passed = 0; passed < MAX_STREAM_MS && !signal.aborted; passed += pollIntervalMs) {
    const job = await read()
    if (!job || isTerminal(job.state)) {
      yield END
      return
    }
    const event = inLanguage(language, () => {
      const left = timeLeft.observe(progressOf(job), clock.now())
      return eventOf(jobProgress(job, left).toString())
    })
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
