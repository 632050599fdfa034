/** Session settings of the planner, by what a connection is used for. */

/** Plans searches with their actual words, by index. */
export const SEARCH_SETTINGS = {
  enable_seqscan: 'off',
  plan_cache_mode: 'force_custom_plan',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
}
/**
 * A table that was just filled has no statistics yet, and the planner expects few rows per member. A bitmap scan would then
 * read and sort everyone for each page, instead of following the index that has the order of the page.
 */
export const SETTINGS = { jit: 'off', enable_bitmapscan: 'off' }
export const COMPUTE_SETTINGS = { ...SEARCH_SETTINGS, ...SETTINGS }
