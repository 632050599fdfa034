/** `3 of 44` with the person before and after, on a page that was opened from the list. */

import { t } from '../../languages/message.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { connectionPath } from '../../html/site-map.ts'
import { numberText } from '../../ui/numbers.ts'

export interface Neighbors {
  /** From 1. */
  readonly position: number
  readonly total: number
  /** Public IDs. */
  readonly previous: string | undefined
  readonly next: string | undefined
  /** The page of the list with the person. */
  readonly listPath: string
}

/** `list` is the query of the list. */
export function neighborLinks(list: string, neighbors: Neighbors | undefined): Html {
  if (!neighbors) return NOTHING
  const { position, total, previous, next, listPath } = neighbors
  const query = new URLSearchParams({ in: list }).toString()
  const link = (id: string | undefined, rel: string, label: string) =>
    id === undefined
      ? NOTHING
      : html`<a rel="${rel}" href="${connectionPath(id)}?${query}">${label}</a>`
  return html`<nav class="neighbors" aria-label="People of the list">
    ${link(previous, 'prev', t('Previous'))}
    <a href="${listPath}">${numberText(position)} of ${numberText(total)}</a>
    ${link(next, 'next', t('Next'))}
  </nav>`
}
