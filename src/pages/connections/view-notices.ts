/** What the list says after a view was saved, renamed or deleted. */

import { phrase } from '../../languages/message.ts'
import { CONNECTIONS_PATH } from '../../html/site-map.ts'
import { noticesOf } from '../../ui/notices.ts'

export const VIEW_NOTICES = noticesOf(CONNECTIONS_PATH, {
  view_saved: phrase('View saved. It is beside your pages.'),
  view_renamed: phrase('View renamed.'),
  view_deleted: phrase('View deleted. The people are still in your network.'),
})

export type ViewNotice = Parameters<typeof VIEW_NOTICES.pathTo>[0]

/** The path of the list with a notice. `path` may have a query string. */
export function viewNoticePath(path: string, notice: ViewNotice): string {
  const [, query = ''] = path.split('?')
  return query === '' ? VIEW_NOTICES.pathTo(notice) : `${path}&notice=${notice}`
}
