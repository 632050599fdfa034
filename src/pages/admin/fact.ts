/** One entry of a description list, as a fragment. */

import { html, type Html } from '../../html/html.ts'

/** `value` is a fragment. */
export function fact(name: string, value: string | Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
}
