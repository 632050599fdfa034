/** What marks an entry of a timeline: the sign of its kind, and who wrote it. */

import { html, type Html } from '../html/html.ts'
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
