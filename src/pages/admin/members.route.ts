/** `GET /admin/members`: lists and searches members. */

import * as Type from '../../base/type.ts'
import { errorPage } from '../../html/message.page.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { PAGED_ANSWERS } from '../ui/cursor.ts'
import { timesOf } from '../ui/time.ts'
import { readTyped } from '../ui/form-input.ts'
import { ADMIN_MEMBERS_PATH } from '../../html/site-map.ts'
import { MAX_MEMBER_QUERY_LENGTH, membersPage } from './members.page.ts'
import { readMemberList } from './member-list.ts'
import type { AdminDeps } from './admin-deps.ts'

const PAGE_SIZE = 50

const Question = Type.Object({
  q: Type.Optional(Type.String({ maxLength: MAX_MEMBER_QUERY_LENGTH })),
  cursor: Type.Optional(Type.String()),
})

export function membersRoute({ database, clock }: AdminDeps): Route {
  return defineRoute({
    method: 'GET',
    path: ADMIN_MEMBERS_PATH,
    operationId: 'showMembers',
    summary: 'List members, searched by name, username and email',
    access: 'session',
    answers: PAGED_ANSWERS,
    onError: errorPage,
    async handle({ search, browser }) {
      const now = clock.now()
      const sent = Object.fromEntries(new URLSearchParams(search))
      const { q = '', cursor } = readTyped(Question, sent)
      const query = q.trim()
      const page = await readMemberList(database, { query, cursor, limit: PAGE_SIZE }, now)
      const isFirst = cursor === undefined
      return membersPage({ browser, times: timesOf(browser, now), query, isFirst, page })
    },
  })
}
