/** A part of the page *Today*. */

import { itemList } from '../../ui/sections.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'

/** A section with a list; empty without items. */
export function listSection(
  id: string,
  title: string | Html,
  items: readonly Html[],
  kind = 'short-list',
): Html {
  if (items.length === 0) return NOTHING
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${itemList(items, NOTHING, kind)}
  </section>`
}

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
