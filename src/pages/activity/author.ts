/** Who made a change or wrote a note. An agent chooses its own name, so the sign beside it is what tells it apart. */

import { html, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'

interface Author {
  readonly name: string
  readonly isByAgent: boolean
}

/** The member is `you`. */
export function authorName({ name, isByAgent }: Author): Html {
  if (!isByAgent) return html`you`
  return html`<bdi>${name}</bdi> ${icon('agents')}<span class="unseen">Agent</span>`
}
