/** A menu that puts something off, as a fragment: a button and its popover, which needs no script. */

import { icon } from '../html/icon.ts'
import { html, type Html } from '../html/html.ts'

interface LaterMenu {
  /** Unique on the page. */
  readonly id: string
  /** Label of the button. */
  readonly label: string
  /** What is put off, for screen readers. */
  readonly what: string
  readonly form: Html
  /** The link beside the button, which is in the menu on touch screens. */
  readonly log?: Html | undefined
}

export function laterMenu({ id, label, what, form, log }: LaterMenu): Html {
  return html`<button type="button" class="plain act" popovertarget="later-${id}" data-key="l">
      ${icon('later')}${log && icon('more')}
      <span>${label}<span class="unseen"> ${what}</span></span>
      <kbd class="keys" aria-hidden="true">l</kbd>
    </button>
    <div class="pop" id="later-${id}" popover role="dialog" aria-label="${label} ${what}">
      ${log}${log && html`<p class="label" aria-hidden="true">${label}</p>`} ${form}
    </div>`
}
