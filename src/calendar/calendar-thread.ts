/** Runs in a worker thread: reads one calendar. */

import { parentPort, workerData } from 'node:worker_threads'
import { CalendarError } from './calendar-error.ts'
import { readCalendar } from './read-calendar.ts'
import type { CalendarReading, ReadingWindow } from './meeting.ts'

export interface CalendarTask {
  readonly bytes: Uint8Array
  readonly window: ReadingWindow
}

export type CalendarAnswer = { readonly reading: CalendarReading } | { readonly problem: string }

const { bytes, window } = workerData as CalendarTask
parentPort?.postMessage(answerTo())

function answerTo(): CalendarAnswer {
  try {
    return { reading: readCalendar(bytes, window) }
  } catch (error) {
    if (error instanceof CalendarError) return { problem: error.message }
    throw error
  }
}
