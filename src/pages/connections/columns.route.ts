/** `GET /user/connections/columns`: chooses the columns of the list and their order. A saved view keeps them. */

import { t } from '../../languages/message.ts'
import { pageRoute, type PageDeps } from '../../forms/page-route.ts'
import { hiddenField, selectField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { COLUMNS_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { readListState } from '../../connections/people/list-query.ts'
import { listQuery, type ListState } from '../../connections/people/list-state.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { buttonLink } from '../../ui/sections.ts'
import { OPTIONAL_COLUMNS, shownColumns, columnsText } from './columns.ts'
import type { Route } from '../../http/route.ts'

export function columnsRoute(deps: PageDeps): Route {
  return pageRoute(deps, {
    path: COLUMNS_PATH,
    async handle({ search, browser }) {
      const sent = new URLSearchParams(search)
      const state = { ...readListState(sent.get('in') ?? ''), page: '' }
      if (sent.has('apply')) return seeOther(listPath({ ...state, columns: chosenIn(sent) }))
      return memberPage({
        title: t('Columns'),
        browser,
        current: 'connections',
        body: columnsForm(state),
      })
    },
  })
}

/** Columns with a place, in that order; those with the same place in their usual order. */
function chosenIn(sent: URLSearchParams): string {
  const placed = OPTIONAL_COLUMNS.map(({ name }) => ({
    name,
    place: Number(sent.get(name) ?? '') || 0,
  }))
  const shown = placed
    .filter(({ place }) => place > 0)
    .toSorted((one, other) => one.place - other.place)
  return columnsText(shown.map(({ name }) => name))
}

function columnsForm(state: ListState): Html {
  const shown = shownColumns(state).map(({ name }) => name)
  const places = OPTIONAL_COLUMNS.map((_, at) => String(at + 1))
  const options = [
    { value: '', label: t('Not shown') },
    ...places.map((place) => ({ value: place, label: place })),
  ]
  const fields = OPTIONAL_COLUMNS.map(({ name, label }) => {
    const at = shown.indexOf(name)
    return selectField({ name, label: t(label), value: at < 0 ? '' : String(at + 1), options })
  })
  return html`<p>
      The name is always first. The other columns follow in the order of their numbers. Save a view
      to keep them.
    </p>
    <form class="panel" action="${COLUMNS_PATH}">
      ${hiddenField('in', listQuery(state))}
      <div class="pair">${fields}</div>
      <div class="actions">
        <button name="apply" value="1">Apply</button>
        ${buttonLink(listPath({ ...state, columns: '' }), t('Usual columns'))}
      </div>
    </form>`
}
