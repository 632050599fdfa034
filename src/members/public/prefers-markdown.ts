/** Whether the caller prefers markdown to JSON. */

import { prefers } from '../../http/content/accept.ts'

/** True only if markdown is named explicitly with at least the quality of JSON. */
export function prefersMarkdown(accept: string | undefined): boolean {
  return prefers(accept, 'text/markdown', 'application/json')
}
