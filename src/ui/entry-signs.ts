/** What every entry of a timeline has: the sign of its kind, who wrote it, and what can be done with it. */

import { NOTHING, html, type Html } from '../html/html.ts'
import { icon, type IconName } from '../html/icon.ts'

interface Author {
  readonly name: string
  readonly isByAgent: boolean
}

/** Names who made a change or wrote a note. An agent chooses its own name, so the sign beside it is what tells it apart. */
export function authorName({ name, isByAgent }: Author): Html {
  if (!isByAgent) return html`you`
  return html`<bdi>${name}</bdi> ${icon('agents')}<span class="unseen">Agent</span>`
}

/** `tone` is the color of what a person said or did; changes have none. */
export function sign(name: IconName, tone: 'people' | 'contact' | '' = ''): Html {
  return html`<span class="sign ${tone}" aria-hidden="true">${icon(name)}</span>`
}

/** Beside an entry under a pointer, and in a menu on touch screens. `id` is that of the entry. */
export function entryActions(id: string, actions: readonly Html[]): Html {
  const offered = actions.filter((one) => one !== NOTHING)
  if (offered.length === 0) return NOTHING
  return html`<button type="button" class="quiet" popovertarget="acts-${id}">
      ${icon('more')}<span class="unseen">More</span>
    </button>
    <div class="actions pop" id="acts-${id}" popover>${offered}</div>`
}
