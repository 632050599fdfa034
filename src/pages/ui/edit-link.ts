/** A link to the edit page of one item in a list. */

import { html, type Html } from '../../html/html.ts'

/** `what` tells the links of a list apart for screen readers. */
export function editLink(path: string, what: string): Html {
  const label = html`<span>Edit<span class="unseen"> ${what}</span></span>`
  return html`<a class="button plain" href="${path}">${label}</a>`
}
