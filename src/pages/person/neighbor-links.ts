/** `People > 3 of 44` with the person before and after, on a page that was opened from the list. */

import { t } from '../../languages/message.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { icon, type IconName } from '../../html/icon.ts'
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
  const link = (id: string | undefined, rel: string, sign: IconName, label: string) =>
    id === undefined
      ? html`<span class="end">${icon(sign)}</span>`
      : html`<a rel="${rel}" href="${connectionPath(id)}?${query}"
          >${icon(sign)}<span class="unseen">${label}</span></a
        >`
  return html`<nav class="neighbors" aria-label="People of the list">
    <a href="${listPath}">${t('People')}</a> ${icon('right')}
    <span>${html`${numberText(position)} of ${numberText(total)}`}</span>
    ${link(previous, 'prev', 'left', t('Previous'))} ${link(next, 'next', 'right', t('Next'))}
  </nav>`
}
