/** The process that answers, as its operators are told of it. */

import { hostname } from 'node:os'
import type { Clock } from '../base/clock.ts'
import type { ThisNode } from '../pages/admin/admin-deps.ts'
import type { Config } from './config.ts'

export function thisNode({ jobConcurrency }: Config, clock: Clock): ThisNode {
  return {
    name: `${hostname()}:${process.pid}`,
    startedAt: clock.now(),
    jobConcurrency,
    memoryBytes: () => process.memoryUsage.rss(),
  }
}
