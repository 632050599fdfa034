/**
 * Reminds members while the service runs, without cron. Any number of processes share the work: a member's turn is a row
 * with an indexed time, and the process that locks it first announces what is due.
 */

import { MINUTE, SECOND, type Clock } from '../base/clock.ts'
import { findDueMembers } from './reminder-settings.ts'
import { runReminders } from './run-reminders.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'

const POLL_INTERVAL_MS = 15 * SECOND
/** Members per read; the next ones follow at once. */
const MAX_DUE = 500
/** A member whose reminders fail is tried again after this time. */
const RETRY_MS = 10 * MINUTE

interface SchedulerDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

interface ReminderScheduler extends AsyncDisposable {
  /** Looks for due members, now and every few seconds. */
  start(): void
  /** Reminds all that are due. Returns their number. */
  remindDue(): Promise<number>
}

/** Disposing waits for the member who is being reminded. */
export function createReminderScheduler({
  database,
  clock,
  log,
}: SchedulerDeps): ReminderScheduler {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> | undefined
  let isStopping = false
  /** When each member is tried again; later than that, or if the clock was set back, they are forgotten. */
  const failed = new Map<number, number>()
  const remind = async (memberId: number, now: number): Promise<boolean> => {
    if (failed.has(memberId)) return false
    try {
      return await runReminders(database, memberId, now)
    } catch (error) {
      failed.set(memberId, now + RETRY_MS)
      log.error({ err: error, member_id: memberId }, 'could not remind a member; retrying')
      return false
    }
  }
  const remindDue = async (): Promise<number> => {
    let reminded = 0
    for (;;) {
      const now = clock.now()
      for (const [memberId, retryAt] of failed)
        if (retryAt <= now || retryAt > now + RETRY_MS) failed.delete(memberId)
      const due = await findDueMembers(database, now, MAX_DUE + failed.size)
      let progress = 0
      for (const memberId of due) {
        if (isStopping) return reminded
        if (await remind(memberId, now)) progress += 1
      }
      reminded += progress
      if (progress === 0) return reminded
    }
  }
  const poll = () => {
    running ??= remindDue()
      .catch((error: unknown) =>
        log.error({ err: error }, 'could not look for reminders; retrying'),
      )
      .finally(() => (running = undefined))
  }
  return {
    remindDue,
    start() {
      timer ??= setInterval(poll, POLL_INTERVAL_MS).unref()
      poll()
    },
    async [Symbol.asyncDispose]() {
      isStopping = true
      clearInterval(timer)
      await running
    },
  }
}
