/** The columns of the list and their order: a menu above the list, whose choices apply at once. A saved view keeps them. */

import { t } from '../../languages/message.ts'
import { pageRoute, type PageDeps } from '../../forms/page-route.ts'
import { hiddenField } from '../../html/form.ts'
import { attributes, html, NOTHING, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { COLUMNS_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { listQuery, readListState, type ListState } from '../../connections/people/list-state.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { OPTIONAL_COLUMNS, shownColumns, columnsText, type ColumnName } from './list-columns.ts'
import type { Route } from '../../http/route.ts'

/** The parameter of the list that opens the menu at this column. */
const OPENED = 'choosing'

/** Leads back to the list with the chosen columns and the open menu. */
export function columnsRoute(deps: PageDeps): Route {
  return pageRoute(deps, {
    path: COLUMNS_PATH,
    async handle({ search }) {
      const sent = new URLSearchParams(search)
      const state = { ...readListState(sent.get('in') ?? ''), page: '' }
      const path = listPath({ ...state, columns: chosenIn(sent) })
      const opened = sent.get('up') ?? sent.get('down') ?? ''
      const query = new URLSearchParams({ [OPENED]: opened }).toString()
      return seeOther(`${path}${path.includes('?') ? '&' : '?'}${query}`)
    },
  })
}

/** The checked columns in the order of the form, in which one may move. */
function chosenIn(sent: URLSearchParams): string {
  const names = shownColumns({ columns: sent.getAll('column').join(',') }).map(({ name }) => name)
  const move = (moved: string | null, by: -1 | 1) => {
    const at = names.findIndex((name) => name === moved)
    const [one, other] = [names[at], names[at + by]]
    if (one !== undefined && other !== undefined) [names[at], names[at + by]] = [other, one]
  }
  move(sent.get('up'), -1)
  move(sent.get('down'), 1)
  return columnsText(names)
}

/** `search` is the query string of the list. */
export function columnsMenu(state: ListState, search: string): Html {
  const opened = new URLSearchParams(search).get(OPENED)
  const shown = shownColumns(state)
  const hidden = OPTIONAL_COLUMNS.filter((column) => !shown.includes(column))
  const rows = [...shown, ...hidden].map(({ name, label }, at) => {
    const place = at < shown.length ? { at, last: shown.length - 1 } : undefined
    return columnRow({ name, label: t(label) }, place, opened)
  })
  const usual = listPath({ ...state, columns: '', page: '' })
  return html`<details
    class="dropdown columns-menu"
    name="menu"
    ${attributes({ open: opened !== null })}
  >
    <summary class="button plain">Columns</summary>
    <div>
      <form action="${COLUMNS_PATH}" data-save>
        ${hiddenField('in', listQuery({ ...state, page: '' }))}
        <ul class="choices">
          ${rows}
        </ul>
        <div class="actions">
          <button class="plain unscripted">Apply</button>
          ${state.columns === '' ? NOTHING : html`<a href="${usual}">Usual columns</a>`}
        </div>
      </form>
    </div>
  </details>`
}

/** `place` is undefined for a column that is not shown. */
function columnRow(
  { name, label }: { readonly name: ColumnName; readonly label: string },
  place: { readonly at: number; readonly last: number } | undefined,
  opened: string | null,
): Html {
  const isFirst = opened === '' && place?.at === 0
  const box = {
    type: 'checkbox',
    id: `column-${name}`,
    name: 'column',
    value: name,
    checked: place !== undefined,
  }
  const mover = (way: 'up' | 'down', isPossible: boolean) =>
    html`<button
      ${attributes({ class: 'quiet', name: way, value: name, disabled: !isPossible, autofocus: isPossible && opened === name && (way === 'up' || place?.at === 0) })}
    >
      ${icon(way === 'up' ? 'arrow-up' : 'arrow-down')}<span class="unseen"
        >${way === 'up' ? t('Move up') : t('Move down')} ${label}</span
      >
    </button>`
  return html`<li>
    <label><input ${attributes({ ...box, autofocus: isFirst })} /> ${label}</label>
    ${place === undefined ? NOTHING : html`${mover('up', place.at > 0)} ${mover('down', place.at < place.last)}`}
  </li>`
}
