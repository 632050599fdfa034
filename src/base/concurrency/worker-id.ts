/** Worker IDs contain the host and process ID, so that a worker on the same host can tell whether another is dead. */

import { codeOf } from '../thrown.ts'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** `host:pid:mark`. The random mark distinguishes processes that reuse a process ID. */
export function newWorkerId(): string {
  return `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`
}

/**
 * Whether `other` is certainly dead, from the view of `self`. For a worker on another host, or one whose process ID was
 * reused, that is not certain, and its lease decides.
 */
export function isDeadWorker(other: string, self: string): boolean {
  const [them, us] = [parse(other), parse(self)]
  if (!them || !us || them.host !== us.host) return false
  // The same process ID with another mark is an earlier process, such as pid 1 of a restarted container.
  if (them.pid === us.pid) return them.mark !== us.mark
  return !isAlive(them.pid)
}

/** Whether `other` ran on another host, such as a container that was replaced. */
export function isOnOtherHost(other: string, self: string): boolean {
  const [them, us] = [parse(other), parse(self)]
  return them !== undefined && us !== undefined && them.host !== us.host
}

function parse(id: string): { host: string; pid: number; mark: string } | undefined {
  const parts = /^(.+):(\d{1,10}):([^:]+)$/.exec(id)
  if (!parts) return undefined
  return { host: parts[1] ?? '', pid: Number(parts[2]), mark: parts[3] ?? '' }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0) // signal 0 only checks that the process exists: kill(2)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}
