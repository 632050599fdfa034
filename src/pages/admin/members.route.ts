/** `GET /admin/members`: the members, searched. */

import Type from 'typebox'
import { refusePage } from '../../html/message.page.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { PAGED_ANSWERS } from '../ui/cursor.ts'
import { timesOf } from '../ui/time.ts'
import { readTyped } from '../ui/form-input.ts'
import { MEMBERS_PATH } from './paths.ts'
import { LONGEST_QUERY, rosterPage } from './members.page.ts'
import { readRoster } from './member-list.ts'
import type { AdminParts } from './admin-deps.ts'

const PAGE_SIZE = 50

const Question = Type.Object({
  q: Type.Optional(Type.String({ maxLength: LONGEST_QUERY })),
  cursor: Type.Optional(Type.String()),
})

export function rosterRoute({ database, clock }: AdminParts): Route {
  return defineRoute({
    method: 'GET',
    path: MEMBERS_PATH,
    operationId: 'showMembers',
    summary: 'The members, searched by name, username and e-mail address',
    access: 'session',
    answers: PAGED_ANSWERS,
    refuse: refusePage,
    async handle({ search, visit }) {
      const now = clock.now()
      const sent = Object.fromEntries(new URLSearchParams(search))
      const { q = '', cursor } = readTyped(Question, sent)
      const query = q.trim()
      const page = await readRoster(database, { query, cursor, limit: PAGE_SIZE }, now)
      const isFirst = cursor === undefined
      return rosterPage({ visit, times: timesOf(visit, now), query, isFirst, page })
    },
  })
}
