/** What `weft doctor` reports. */

import { SECOND } from '../base/clock.ts'
import { messageOf } from '../base/thrown.ts'

/** `warning`: works, but is unsafe or will fail. `error`: does not work, or data is wrong. */
type Severity = 'ok' | 'warning' | 'error'

/** What a check found. */
export interface CheckOutcome {
  readonly severity: Severity
  readonly message: string
  /** What to do; none for `ok`. */
  readonly fix?: string
}

export interface Finding extends CheckOutcome {
  readonly check: string
}

export const ok = (message: string): CheckOutcome => ({ severity: 'ok', message })
export const warning = (message: string, fix: string): CheckOutcome => {
  return { severity: 'warning', message, fix }
}
export const failure = (message: string, fix: string): CheckOutcome => {
  return { severity: 'error', message, fix }
}

/** Slower answers delay people and emails, although nothing fails. */
const SLOW_MS = 3 * SECOND

/** `answered`, or a warning if the answer took seconds. `server` is the subject of a sentence. */
export function unlessSlow(
  answered: CheckOutcome,
  server: string,
  startedAt: number,
  now: number,
): CheckOutcome {
  const elapsedMs = now - startedAt
  if (answered.severity !== 'ok' || elapsedMs <= SLOW_MS) return answered
  return warning(
    `${server} works, but is slow to answer: ${Math.round(elapsedMs / SECOND)} s.`,
    'Check its load, its name servers and the network between it and this machine.',
  )
}

/** Checks by name. Undefined from one that does not apply. A finding keeps its name, such as the clock of a server. */
type Checks = Readonly<
  Record<string, () => Promise<CheckOutcome | readonly CheckOutcome[] | undefined>>
>

/** Runs the checks at once. One that fails is a finding itself, and the others go on. */
export async function runChecks(checks: Checks): Promise<Finding[]> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([check, run]) => {
      const outcomes = (await run().catch(checkFailed)) ?? []
      return [outcomes].flat().map((outcome): Finding => Object.assign({ check }, outcome))
    }),
  )
  return found.flat()
}

/** The outcome of a check that could not be completed. */
function checkFailed(error: unknown): CheckOutcome {
  return failure(
    `The check failed: ${reasonOf(error)}`,
    'Correct the cause and run `weft doctor` again.',
  )
}

/** Tokens and codes expire by the clock; the shortest, an authorization code, after a minute. */
const CLOCK_TOLERANCE_MS = 30 * SECOND

/** A warning if the clock of `other` is too far ahead of or behind this one. */
export function compareClocks(other: string, aheadMs: number): Finding | undefined {
  if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) return undefined
  const seconds = Math.round(Math.abs(aheadMs) / SECOND)
  const message = `The clock of ${other} differs from this one by ${seconds} seconds.`
  return {
    check: 'clock',
    ...warning(message, 'Synchronize the clocks of both machines with NTP.'),
  }
}

/** Like `messageOf`, but with the cause: `fetch` has the reason in `cause`. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error)
    return messageOf(error.cause) || messageOf(error)
  return messageOf(error)
}
