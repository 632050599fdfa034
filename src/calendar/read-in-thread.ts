/** Reads a calendar in a worker thread with limits, because calendars come from other servers. */

import { phrase } from '../languages/message.ts'
import { SECOND } from '../base/clock.ts'
import { errorOf } from '../base/concurrency/thread-error.ts'
import { ThreadPool } from '../base/concurrency/thread-pool.ts'
import { ThreadLimitExceeded, WorkerThread } from '../base/concurrency/worker-thread.ts'
import { CalendarError } from './calendar-error.ts'
import type { CalendarReading } from './meeting.ts'
import type { CalendarAnswer, CalendarTask } from './calendar-thread.ts'

/** CPU time. A calendar of 10 MB takes two seconds; the rest is for slow machines. */
const CPU_LIMIT_MS = 10 * SECOND
const MAX_HEAP_MEBIBYTES = 256
/** A small calendar takes milliseconds, so two threads keep up with `OutgoingPool`. */
const MAX_THREADS = 2

const threads = new ThreadPool<number>(
  () =>
    new WorkerThread(import.meta.url, './calendar-thread', { heapMebibytes: MAX_HEAP_MEBIBYTES }),
  { size: MAX_THREADS, idleTimeoutMs: 30 * SECOND },
)

interface ReadingOptions {
  /** Reads one calendar at a time. */
  readonly memberId: number
  readonly signal?: AbortSignal
  readonly cpuLimitMs?: number
}

const TOO_MUCH = { source: phrase('takes too long or needs too much memory to read') }

/** @throws {CalendarError} when the bytes are not a calendar, or reading it takes too much time or memory. */
export async function readCalendarInThread(
  task: CalendarTask,
  { memberId, signal, cpuLimitMs = CPU_LIMIT_MS }: ReadingOptions,
): Promise<CalendarReading> {
  const receive = (message: CalendarAnswer) => message
  try {
    const answer = await threads.run(
      memberId,
      (thread) => thread.ask(task, { receive, cpuLimitMs, ...(signal && { signal }) }),
      signal,
    )
    if ('problem' in answer) throw new CalendarError(answer.problem)
    if ('reading' in answer) return answer.reading
    throw errorOf(answer)
  } catch (error) {
    if (error instanceof ThreadLimitExceeded) throw new CalendarError(TOO_MUCH)
    throw error
  }
}
