/** Who made a change or wrote a note. An agent chooses its own name, so the word beside it is what tells it apart. */

import { html, type Html } from '../../html/html.ts'

interface Author {
  readonly name: string
  readonly isByAgent: boolean
}

/** The member is `you`. */
export function authorName({ name, isByAgent }: Author): Html {
  if (!isByAgent) return html`you`
  return html`<bdi>${name}</bdi> ${html`<span class="badge agent">Agent</span>`}`
}
