/** Everything that a member has here, to take along: one JSON file, sent as it is read. */

import { rfc3339 } from '../../base/clock.ts'
import { refusePage } from '../../html/message-page.ts'
import { JSON_TYPE } from '../../http/answer.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { archiveOf } from './archive.ts'
import { EXPORT_PATH } from './paths.ts'
import type { AccountParts } from './parts.ts'

export function exportRoute({ database, clock }: Pick<AccountParts, 'database' | 'clock'>): Route {
  return defineRoute({
    method: 'GET',
    path: EXPORT_PATH,
    operationId: 'exportAccount',
    summary: 'Everything that the member has here, as a JSON file',
    access: 'session',
    answers: { 200: { description: 'The file', type: JSON_TYPE } },
    refuse: refusePage,
    async handle({ visit }) {
      const { memberId, username } = visit.member
      const now = clock.now()
      const filename = `weft-${username}-${rfc3339(now).slice(0, 'YYYY-MM-DD'.length)}.json`
      return {
        status: 200,
        headers: {
          'content-type': JSON_TYPE,
          // A username has no character that would have to be quoted.
          'content-disposition': `attachment; filename="${filename}"`,
          'cache-control': 'no-store',
        },
        body: undefined,
        stream: archiveOf(database, memberId, now),
        page: true,
      }
    },
  })
}
