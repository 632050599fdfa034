/** Counts rows of all members that are worked on when they are due, such as calendars that are read again and again. */

import { serviceStatement } from './statement.ts'
import type { Reader } from './database.ts'

export interface DueState {
  /** Includes rows that are being worked on. */
  readonly due: number
  /** Since when the one that has waited longest is due; null if none is. */
  readonly dueSince: number | null
  /** Rows whose last attempt failed. */
  readonly failing: number
}

/**
 * Counts the rows of a table whose column `dueAt` has the time of the next attempt, in milliseconds. A row without this
 * condition waits for its member.
 */
export function dueStateOf(
  table: string,
  dueAt: string,
  condition = 'true',
): (database: Reader, now: number) => Promise<DueState> {
  const DUE_NOW = serviceStatement<{ now: number }, Omit<DueState, 'failing'>>(`
    select count(*) as due, min(${dueAt}) as "dueSince" from ${table} where ${dueAt} <= :now and ${condition}`)
  const FAILING = serviceStatement<object, Pick<DueState, 'failing'>>(
    `select count(*) as failing from ${table} where failures > 0`,
  )
  return async (database, now) => ({
    due: 0,
    dueSince: null,
    failing: 0,
    ...(await database.get(DUE_NOW, { now })),
    ...(await database.get(FAILING, {})),
  })
}
