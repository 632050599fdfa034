/** Facts about this process for the admin pages. */

import { hostname } from 'node:os'
import type { Clock } from '../base/clock.ts'
import type { NodeStatus } from '../pages/admin/admin-deps.ts'
import type { Config } from '../config/config.ts'

export function nodeStatus({ jobConcurrency }: Config, clock: Clock): NodeStatus {
  return {
    name: `${hostname()}:${process.pid}`,
    startedAt: clock.now(),
    jobConcurrency,
    memoryBytes: () => process.memoryUsage.rss(),
  }
}
