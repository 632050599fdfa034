/** The sign of a kind of entry in the timeline of a person. */

import { html, type Html } from '../../../html/html.ts'
import { icon, type IconName } from '../../../html/icon.ts'

/** `tone` is the color of what a person said or did; changes have none. */
export function sign(name: IconName, tone: 'people' | 'contact' | '' = ''): Html {
  return html`<span class="sign ${tone}" aria-hidden="true">${icon(name)}</span>`
}
