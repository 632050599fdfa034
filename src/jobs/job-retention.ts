/** How long jobs are kept after their end, and how many: MCP tells it as the TTL of tasks. */

import { DAY } from '../base/clock.ts'

/** How long a finished job is kept, with the data to undo an import. Milliseconds. */
export const FINISHED_JOB_RETENTION_MS = 90 * DAY

/** How many jobs of a kind a member keeps. Older ones are deleted when another starts. */
export const MAX_JOBS_PER_KIND = 20
