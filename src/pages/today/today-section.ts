/** A part of the page *Today*. */

import { html, NOTHING, type Html } from '../../html/html.ts'

/** A section of rows with a link beside its heading. */
export function section(
  id: string,
  title: Html,
  { more = NOTHING, rows }: { readonly more?: Html; readonly rows: readonly Html[] },
): Html {
  return html`<section aria-labelledby="${id}">
    <div class="over">
      <h2 id="${id}">${title}</h2>
      ${more}
    </div>
    <ul class="tasks">
      ${rows}
    </ul>
  </section>`
}
