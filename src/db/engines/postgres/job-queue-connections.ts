/** The number of connections that the job queue opens; `src/jobs/` stays within it. */

/** For sending, fetching and completing, which are short statements. */
export const JOB_QUEUE_POOL_SIZE = 2

/** A further connection listens for notifications. */
export const JOB_QUEUE_CONNECTIONS = JOB_QUEUE_POOL_SIZE + 1
