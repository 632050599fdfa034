/** A list within a sentence. */

import { NOTHING, html, joinHtml, type Html } from '../html/html.ts'

/** As `Grace, Alan and Jean`. */
export function listed(items: readonly Html[]): Html {
  const [last = NOTHING, ...others] = items.toReversed()
  return others.length === 0 ? last : html`${joinHtml(others.toReversed(), ', ')} and ${last}`
}
