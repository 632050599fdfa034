/** Session settings of the planner, by what a connection is used for. */

/** Plans searches with their actual words, in the written join order, by index: see full-text.ts. */
export const SEARCH_SETTINGS = {
  enable_seqscan: 'off',
  plan_cache_mode: 'force_custom_plan',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
}
/** Anonymous searches cover only the directory, whose plan is the same for all words. */
export const ANONYMOUS_SETTINGS = { ...SEARCH_SETTINGS, plan_cache_mode: 'force_generic_plan' }
/**
 * A table that was just filled has no statistics yet, and the planner expects few rows per member. A bitmap scan would then
 * read and sort everyone for each page, instead of following the index that has the order of the page.
 */
export const SETTINGS = { jit: 'off', enable_bitmapscan: 'off' }
/** Computations use no full text, whose indexes are read by bitmap scans only. */
export const COMPUTE_SETTINGS = { ...SEARCH_SETTINGS, ...SETTINGS }
