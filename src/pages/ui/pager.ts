/** Pagination links, as a fragment. */

import { NOTHING, html, type Html } from '../../html/html.ts'

interface Pages {
  readonly isFirst: boolean
  /** URL of the first page. */
  readonly first: string
  /** URL of the next page, if there is one. */
  readonly next: string | undefined
  readonly labels?: { readonly first: string; readonly next: string }
}

export function pager({ isFirst, first, next, labels = LABELS }: Pages): Html {
  if (isFirst && next === undefined) return NOTHING
  const back = isFirst ? '' : html`<a class="button plain" href="${first}">${labels.first}</a>`
  const on =
    next === undefined
      ? ''
      : html`<a class="button plain" rel="next" href="${next}">${labels.next}</a>`
  return html`<nav class="actions" aria-label="Pages">${back} ${on}</nav>`
}

const LABELS = { first: 'First page', next: 'Next page' }
