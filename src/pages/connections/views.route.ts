/** Forms that save, rename and delete views of the list. */

import { changeNoticePath } from '../../ui/change-notice.ts'
import { t } from '../../languages/message.ts'
import { RequestError } from '../../base/request-error.ts'
import { listQuery, readListState } from '../../connections/people/list-state.ts'
import { deleteView, renameView, saveView } from '../../connections/people/saved-views.ts'
import { formRoute, type PageDeps } from '../../forms/page-route.ts'
import { messagePage } from '../../html/message.page.ts'
import { DELETE_VIEW_PATH, RENAME_VIEW_PATH, VIEWS_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { changeManually, type ChangeRequest } from '../../ui/manual-change.ts'
import type { Change, Changing } from '../../tools/tool.ts'
import type { Answer } from '../../http/response.ts'
import type { Route } from '../../http/route.ts'

export function viewRoutes(deps: PageDeps): Route[] {
  const save = formRoute(deps, {
    path: VIEWS_PATH,
    async handle(request) {
      const state = stateIn(request.body)
      const view = { name: request.body.get('name') ?? '', query: listQuery(state) }
      return changedView(request, ({ tx, now }) => saveView(tx, view, now))
    },
  })
  const rename = formRoute(deps, {
    path: RENAME_VIEW_PATH,
    async handle(request) {
      const [id, name] = [viewIdIn(request.body), request.body.get('name') ?? '']
      return changedView(request, ({ tx, now }) => renameView(tx, id, name, now))
    },
  })
  const remove = formRoute(deps, {
    path: DELETE_VIEW_PATH,
    async handle(request) {
      const id = viewIdIn(request.body)
      return changedView(request, ({ tx }) => deleteView(tx, id))
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

/** Records the change and returns to the list, or says why the view was not changed. */
async function changedView(
  request: ChangeRequest & { readonly body: URLSearchParams },
  make: (changing: Changing) => Promise<Change | undefined>,
): Promise<Answer> {
  const back = listPath(stateIn(request.body))
  try {
    const activityId = await changeManually(request, async (changing) => {
      const change = await make(changing)
      return change && changing.record(change)
    })
    return seeOther(changeNoticePath(back, activityId))
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
