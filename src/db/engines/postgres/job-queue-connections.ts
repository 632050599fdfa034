/** How many connections the job queue opens, which `src/jobs/` keeps to. */

/** For sending, fetching and completing, which are short statements. */
export const JOB_QUEUE_POOL_SIZE = 2

/** A further connection listens for notifications. */
export const JOB_QUEUE_CONNECTIONS = JOB_QUEUE_POOL_SIZE + 1
