/** A value to take elsewhere, and the button that takes it; a fragment. */

import { html } from '../../html/html.ts'

/** `what` says which value, to those who hear the page: "the address". */
export function copyable(text: string, what: string): string {
  return html`<div class="copyable">
    <code>${text}</code>
    <button type="button" class="plain" data-copy="${text}">
      <span>Copy<span class="unseen"> ${what}</span></span>
    </button>
  </div>`
}
