/** A worker's name says where it lives, so that a worker on the same host can tell when it is dead. */

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** `host:pid:mark`; the mark tells a process from an earlier one that had the same number. */
export function newWorkerId(): string {
  return `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`
}

/**
 * Whether `other` certainly runs no more, as `self` sees it. A worker of another host, or one whose process number
 * was given to a stranger, is not certain: its lease decides.
 */
export function isDeadWorker(other: string, self: string): boolean {
  const [them, us] = [parse(other), parse(self)]
  if (!them || !us || them.host !== us.host) return false
  // Our own number under another mark: the process that had it before us, as pid 1 in a restarted container.
  if (them.pid === us.pid) return them.mark !== us.mark
  return !isAlive(them.pid)
}

function parse(id: string): { host: string; pid: number; mark: string } | undefined {
  const parts = /^(.+):(\d{1,10}):([^:]+)$/.exec(id)
  if (!parts) return undefined
  return { host: parts[1] ?? '', pid: Number(parts[2]), mark: parts[3] ?? '' }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0) // signal 0 only asks: kill(2)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
