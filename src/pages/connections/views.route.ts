/** Forms that save, rename and delete views of the list. */

import { t } from '../../languages/message.ts'
import { RequestError } from '../../base/request-error.ts'
import { readListState } from '../../connections/people/list-query.ts'
import { listQuery } from '../../connections/people/list-state.ts'
import { deleteView, renameView, saveView } from '../../connections/people/saved-views.ts'
import { formRoute, type PageDeps } from '../../forms/page-route.ts'
import { messagePage } from '../../html/message.page.ts'
import { DELETE_VIEW_PATH, RENAME_VIEW_PATH, VIEWS_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { viewNoticePath, type ViewNotice } from './view-notices.ts'
import { listPath } from '../ui/list-path.ts'
import type { Answer } from '../../http/response.ts'
import type { Route } from '../../http/route.ts'

export function viewRoutes(deps: PageDeps): Route[] {
  const save = formRoute(deps, {
    path: VIEWS_PATH,
    async handle({ body, db, now }) {
      const state = stateIn(body)
      const view = { name: body.get('name') ?? '', query: listQuery(state) }
      return changedView(state, 'view_saved', () => db.write((tx) => saveView(tx, view, now)))
    },
  })
  const rename = formRoute(deps, {
    path: RENAME_VIEW_PATH,
    async handle({ body, db }) {
      const name = body.get('name') ?? ''
      return changedView(stateIn(body), 'view_renamed', () =>
        db.write((tx) => renameView(tx, viewIdIn(body), name)),
      )
    },
  })
  const remove = formRoute(deps, {
    path: DELETE_VIEW_PATH,
    async handle({ body, db }) {
      return changedView(stateIn(body), 'view_deleted', () =>
        db.write((tx) => deleteView(tx, viewIdIn(body))),
      )
    },
  })
  return [save, rename, remove]
}

function stateIn(body: URLSearchParams) {
  return { ...readListState(body.get('state') ?? ''), page: '' }
}

function viewIdIn(body: URLSearchParams): number {
  const id = Number(body.get('view_id'))
  return Number.isSafeInteger(id) ? id : 0
}

/** Returns to the list, or says why the view was not changed. */
async function changedView(
  state: ReturnType<typeof stateIn>,
  notice: ViewNotice,
  change: () => Promise<unknown>,
): Promise<Answer> {
  const back = listPath(state)
  try {
    await change()
    return seeOther(viewNoticePath(back, notice))
  } catch (error) {
    if (!(error instanceof RequestError) || error.status >= 500) throw error
    const action = { href: back, label: t('Back to the list') }
    return messagePage({
      status: error.status,
      title: t('View not saved'),
      text: error.message,
      action,
    })
  }
}
