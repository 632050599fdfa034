/** Pagination links, as a fragment. */

import { NOTHING, html, type Html } from '../../html/html.ts'

interface Pages {
  readonly isFirst: boolean
  /** URL of the first page. */
  readonly first: string
  /** URL of the next page, if there is one. */
  readonly next: string | undefined
}

export function pager({ isFirst, first, next }: Pages): Html {
  if (isFirst && next === undefined) return NOTHING
  const back = isFirst ? '' : html`<a class="button plain" href="${first}">First page</a>`
  const on =
    next === undefined ? '' : html`<a class="button plain" rel="next" href="${next}">Next page</a>`
  return html`<nav class="actions" aria-label="Pages">${back} ${on}</nav>`
}
