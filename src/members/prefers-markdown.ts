/** Whether a caller would rather have markdown than JSON. */

import { prefers } from '../http/accept.ts'

/** Markdown only when it is asked for by name, and no less than JSON. */
export function prefersMarkdown(accept: string | undefined): boolean {
  return prefers(accept, 'text/markdown', 'application/json')
}
