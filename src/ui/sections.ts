/** What many pages are made of, as fragments: panels, lists, tables, facts, page links and values to copy. */

import { t } from '../languages/message.ts'
import { NOTHING, attributes, html, type Html } from '../html/html.ts'

/** A section with a heading. `id` is unique on the page. */
export function panel(id: string, title: string | Html, body: Html): Html {
  return html`<section class="panel" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${body}
  </section>`
}

/** A list of `li`, or `none` if it is empty. */
export function itemList(items: readonly Html[], none: Html = NOTHING, kind = 'items'): Html {
  if (items.length === 0) return none
  return html`<ul class="${kind}">
    ${items}
  </ul>`
}

/** What a list says while it is empty, and where to go on. */
export function emptyNote(text: string, action?: Html): Html {
  if (action === undefined) return html`<p class="empty">${text}</p>`
  return html`<div class="empty">
    <p>${text}</p>
    ${action}
  </div>`
}

interface Tab {
  readonly label: string
  readonly path: string
  readonly isHere: boolean
}

/** Links to pages, or to parts of one, that stand beside each other. */
export function tabLinks(name: string, tabs: readonly Tab[]): Html {
  const links = tabs.map(({ label, path, isHere }) => {
    const link = { href: path, 'aria-current': isHere ? 'page' : undefined }
    return html`<a ${attributes(link)}>${label}</a> `
  })
  return html`<nav class="segments" aria-label="${name}">${links}</nav>`
}

/** Says that a search finds no one; fewer words help only if there are several. */
export function noResultsText(query: string): string {
  return query.trim().includes(' ')
    ? t('No results. Try fewer words.')
    : t('No results. Try another word.')
}

/** As `noResultsText`, in place of a list. */
export function noResults(query: string): Html {
  return emptyNote(noResultsText(query))
}

/** The text of a column's heading, and the class of its cells: `number`, `extra` on large screens only. */
type Heading = string | readonly [text: string, className: string]

/** `rows` are `tr` elements. */
export function table(headings: readonly Heading[], rows: readonly Html[], className?: string) {
  const cells = headings.map((heading) => {
    const [text, kind] = typeof heading === 'string' ? [heading] : heading
    return html`<th ${attributes({ scope: 'col', class: kind })}>${text}</th>`
  })
  return html`<table ${attributes({ class: className })}>
    <thead>
      <tr>
        ${cells}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

/** One entry of a description list. */
export function fact(name: string, value: string | Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
}

/** A section at the end of a page whose text is beside its button. */
export function actionPanel(id: string, title: string, text: string | Html, button: Html): Html {
  const body = html`<div class="with-act">
    <p class="quiet">${text}</p>
    ${button}
  </div>`
  return panel(id, title, body)
}

/** A rare form that its button opens; of those with the same `group`, one is open at a time. */
export function disclosure(
  label: string,
  form: Html,
  { isOpen = false, group }: { readonly isOpen?: boolean; readonly group?: string } = {},
): Html {
  return html`<details ${attributes({ class: 'rare', name: group, open: isOpen })}>
    <summary class="button plain">${label}</summary>
    ${form}
  </details>`
}

/** A link that looks like a button. */
export function buttonLink(path: string, label: string): Html {
  return html`<a class="button plain" href="${path}">${label}</a>`
}

/** A link to the edit page of an item. `what` tells the links of a list apart for screen readers. */
export function editLink(path: string, what: string): Html {
  const label = html`<span>Edit<span class="unseen"> ${what}</span></span>`
  return html`<a class="button plain" href="${path}">${label}</a>`
}

/** A value with a copy button. `what` names the value for screen readers, such as "the URL". */
export function copyable(text: string, what: string): Html {
  return html`<div class="copyable">
    <code>${text}</code>
    <button type="button" class="plain" data-copy="${text}">
      <span>Copy<span class="unseen"> ${what}</span></span>
    </button>
  </div>`
}
