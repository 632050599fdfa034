/** A value with a copy button, as a fragment. */

import { html, type Html } from '../../html/html.ts'

/** `what` names the value for screen readers, such as "the URL". */
export function copyable(text: string, what: string): Html {
  return html`<div class="copyable">
    <code>${text}</code>
    <button type="button" class="plain" data-copy="${text}">
      <span>Copy<span class="unseen"> ${what}</span></span>
    </button>
  </div>`
}
