/** Reads a calendar in a worker thread with limits, because calendars come from other servers. */

import { SECOND } from '../base/clock.ts'
import { ThreadLimitExceeded, WorkerThread } from '../base/concurrency/worker-thread.ts'
import { CalendarError } from './calendar-error.ts'
import type { CalendarReading } from './meeting.ts'
import type { CalendarAnswer, CalendarTask } from './calendar-thread.ts'

/** A calendar of 10 MB takes two seconds; the rest is for slow and busy machines. */
const TIME_LIMIT_MS = 30 * SECOND
const MAX_HEAP_MEBIBYTES = 256

interface ReadingOptions {
  readonly signal?: AbortSignal
  readonly timeLimitMs?: number
}

/** @throws {CalendarError} when the bytes are not a calendar, or reading it takes too much time or memory. */
export async function readCalendarInThread(
  task: CalendarTask,
  { signal, timeLimitMs = TIME_LIMIT_MS }: ReadingOptions = {},
): Promise<CalendarReading> {
  const thread = new WorkerThread(import.meta.url, './calendar-thread', {
    data: task,
    heapMebibytes: MAX_HEAP_MEBIBYTES,
  })
  try {
    const answer = await thread.answer<CalendarAnswer, CalendarAnswer>({
      receive: (message) => message,
      signal,
      timeLimitMs,
    })
    if ('problem' in answer) throw new CalendarError(answer.problem)
    return answer.reading
  } catch (error) {
    if (error instanceof ThreadLimitExceeded) throw new CalendarError(`${error.reason} to read`)
    throw error
  } finally {
    await thread.end()
  }
}
