/** Who made a change or wrote a note. An agent chooses its own name, so the word beside it is what tells it apart. */

import { html, type Html } from '../../html/html.ts'

interface Author {
  readonly name: string
  readonly isByAgent: boolean
}

/** The member is `you`. */
export function authorName({ name, isByAgent }: Author): Html {
  return isByAgent ? actorName({ name, isByAgent }) : html`you`
}

/** Also of someone else, such as an admin. */
export function actorName({ name, isByAgent }: Author): Html {
  return html`<bdi>${name}</bdi>${isByAgent ? html` <span class="badge agent">Agent</span>` : ''}`
}
