/** One entry of a description list, as a fragment. */

import { html } from '../../html/html.ts'

/** `value` is a fragment. */
export function fact(name: string, value: string): string {
  return html`<div>
    <dt>${name}</dt>
    <dd>!${value}</dd>
  </div>`
}
