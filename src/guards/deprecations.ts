/** Current deprecations of parameters. Routes that are deprecated as a whole declare it themselves. */

import type { Deprecation } from '../http/deprecation.ts'

/** The `q` parameter of `/ask`, an alias of `query`. No removal is scheduled. */
export const ASK_Q: Deprecation = {
  path: '/ask',
  parameter: 'q',
  since: Date.parse('2026-11-01'),
  successor: '/ask?query=',
}
