/** Rows that a sweep deletes in one transaction: a few milliseconds, so that a large table never holds others up. */
export const SWEEP_BATCH = 1000
