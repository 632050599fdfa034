/** The clock of the database server. */

export const SERVER_CLOCK = 'select extract(epoch from clock_timestamp())::float8 * 1000 as now'

/** How far it is ahead, if it was `now` between `sentAt` and this moment of this machine; 0 if that is possible. Milliseconds. */
export function clockAheadOf(now: number, sentAt: number): number {
  return now < sentAt ? now - sentAt : Math.max(0, now - Date.now())
}
