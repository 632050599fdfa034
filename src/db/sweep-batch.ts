/** Rows that a sweep deletes per transaction: a few milliseconds, so that large tables do not block other work. */
export const SWEEP_BATCH = 1000
