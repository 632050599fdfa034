/** Lists in pages: the cursor in the URL, and the links to the first and next page. */

import { phrase, t } from '../languages/message.ts'
import { NOTHING, html, type Html } from '../html/html.ts'
import { buttonLink } from './sections.ts'
import type { Page } from '../base/cursor.ts'

/** The cursor from the URL; undefined on the first page. */
export function cursorOf(search: string): string | undefined {
  return new URLSearchParams(search).get('cursor') ?? undefined
}

/** Labels of the page links of lists that are sorted by time. */
export const BY_TIME = { first: phrase('Newest'), next: phrase('Older') }

interface Pages {
  /** Path of the first page. A cursor is added to its query. */
  readonly path: string
  /** Cursor of the page that is shown. */
  readonly cursor: string | undefined
  /** Cursor of the next page, if there is one. */
  readonly next: string | undefined | null
  readonly labels?: { readonly first: string; readonly next: string }
  /** The query parameter, and the ID of the list on the page. */
  readonly parameter?: string
  readonly id?: string
  /** The URL of the first page, if it is not at the list. */
  readonly first?: string
}

/** The links to the first and next page, as a fragment. */
export function pager({ path, cursor, next, labels = LABELS, ...place }: Pages): Html {
  const { parameter = 'cursor', id, first } = place
  if (cursor === undefined && next == null) return NOTHING
  const to = (query: string) => path + query + (id === undefined ? '' : `#${id}`)
  const back = cursor === undefined ? '' : buttonLink(first ?? to(''), t(labels.first))
  const query = `${path.includes('?') ? '&' : '?'}${parameter}=${encodeURIComponent(next ?? '')}`
  const on =
    next == null
      ? ''
      : html`<a class="button plain" rel="next" href="${to(query)}">${t(labels.next)}</a>`
  return html`<nav class="actions" aria-label="Pages">${back} ${on}</nav>`
}

const LABELS = { first: phrase('First page'), next: phrase('Next page') }

/** The cursor of the page after this one, which shows `length` items. */
export function nextOf(page: Omit<Page<unknown>, 'entries'>, length: number): string | undefined {
  return page.hasMore ? page.cursorAfter(length - 1) : undefined
}
