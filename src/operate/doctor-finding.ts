/** What `weft doctor` reports. */

import { SECOND } from '../base/clock.ts'
import { messageOf } from '../base/thrown.ts'

/** `warning`: works, but is unsafe or will fail. `error`: does not work, or data is wrong. */
type Severity = 'ok' | 'warning' | 'error'

export interface Finding {
  readonly check: string
  readonly severity: Severity
  readonly message: string
  /** What to do; none for `ok`. */
  readonly fix?: string
}

export const ok = (check: string, message: string): Finding => ({ check, severity: 'ok', message })
export const warning = (check: string, message: string, fix: string): Finding => {
  return { check, severity: 'warning', message, fix }
}
export const failure = (check: string, message: string, fix: string): Finding => {
  return { check, severity: 'error', message, fix }
}

/** Slower answers delay people and emails, although nothing fails. */
const SLOW_MS = 3 * SECOND

/** `answered`, or a warning if the answer took seconds. `server` is the subject of a sentence. */
export function unlessSlow(
  answered: Finding,
  server: string,
  startedAt: number,
  now: number,
): Finding {
  const elapsedMs = now - startedAt
  if (answered.severity !== 'ok' || elapsedMs <= SLOW_MS) return answered
  return warning(
    answered.check,
    `${server} works, but is slow to answer: ${Math.round(elapsedMs / SECOND)} s.`,
    'Check its load, its name servers and the network between it and this machine.',
  )
}

/** Runs the checks at once. One that fails is a finding itself, and the others go on. */
export async function runChecks(
  checks: Readonly<Record<string, () => Promise<Finding | undefined>>>,
): Promise<Finding[]> {
  const names = Object.keys(checks)
  const settled = await Promise.allSettled(Object.values(checks).map(async (check) => check()))
  return settled.flatMap((one, at) =>
    one.status === 'fulfilled' ? (one.value ?? []) : checkFailed(names[at] ?? '', one.reason),
  )
}

/** The finding for a check that could not be completed. */
function checkFailed(name: string, error: unknown): Finding {
  return failure(
    name,
    `The check failed: ${reasonOf(error)}`,
    'Correct the cause and run `weft doctor` again.',
  )
}

/** Tokens and codes expire by the clock; the shortest, an authorization code, after a minute. */
const CLOCK_TOLERANCE_MS = 30 * SECOND

/** A warning if the clock of `other` is too far ahead of or behind this one. */
export function compareClocks(other: string, aheadMs: number): Finding | undefined {
  if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) return undefined
  return warning(
    'clock',
    `The clock of ${other} differs from this one by ${Math.round(Math.abs(aheadMs) / SECOND)} seconds.`,
    'Synchronize the clocks of both machines with NTP.',
  )
}

/** Like `messageOf`, but with the cause: `fetch` has the reason in `cause`. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error)
    return messageOf(error.cause) || messageOf(error)
  return messageOf(error)
}
