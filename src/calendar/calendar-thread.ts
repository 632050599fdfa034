/** Runs in a worker thread: reads one calendar after another. */

import type { Message } from '../languages/message.ts'
import { parentPort } from 'node:worker_threads'
import { threadErrorOf, type ThreadError } from '../base/concurrency/thread-error.ts'
import { CalendarError } from './calendar-error.ts'
import { readCalendar } from './read-calendar.ts'
import type { CalendarReading, ReadingWindow } from './meeting.ts'

export interface CalendarTask {
  readonly bytes: Uint8Array
  readonly window: ReadingWindow
}

export type CalendarAnswer =
  | { readonly reading: CalendarReading }
  | { readonly problem: Message }
  | ThreadError

parentPort?.on('message', (task: CalendarTask) => parentPort?.postMessage(answerTo(task)))

function answerTo({ bytes, window }: CalendarTask): CalendarAnswer {
  try {
    return { reading: readCalendar(bytes, window) }
  } catch (error) {
    return error instanceof CalendarError ? { problem: error.text } : threadErrorOf(error)
  }
}
