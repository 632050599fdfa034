/** `/user/connections/duplicates`: lists and merges possible duplicates. */

import { RequestError } from '../../base/request-error.ts'
import { MergeInput, mergeConnections } from '../../connections/duplicates/merge-connections.ts'
import {
  markNotDuplicates,
  NotDuplicatesInput,
} from '../../connections/duplicates/not-duplicates.ts'
import { listDuplicates, DEFAULT_MIN_SCORE } from '../../connections/duplicates/duplicate-page.ts'
import { messagePage, errorPage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { changeNoticePath, readNoticed } from '../activity/change-notice.ts'
import { changeOnce } from '../ui/manual-change.ts'
import { readTyped } from '../ui/form-input.ts'
import { cursorOf, PAGED_ANSWERS } from '../ui/cursor.ts'
import { duplicatesPage } from './duplicates.page.ts'
import { DUPLICATES_PATH } from '../../html/site-map.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { ConnectionDeps } from './connection-deps.ts'

const PAGE_SIZE = 10

/** Remembers that the selected connections are different people. */
async function markDifferent(
  deps: ConnectionDeps,
  body: URLSearchParams,
  browser: SignedInRequest,
): Promise<Answer> {
  const { connection_ids: ids } = readTyped(NotDuplicatesInput, {
    connection_ids: [...new Set(body.getAll('same'))],
  })
  const form = { browser, body, form: DUPLICATES_PATH }
  const activityId = await changeOnce(deps, form, async ({ tx, now, record }) =>
    record((await markNotDuplicates(tx, ids, now)).change),
  )
  return seeOther(changeNoticePath(DUPLICATES_PATH, activityId))
}

/** The ids of one group. */
const MAX_FORM_BYTES = 8 * 1024

export function duplicatesRoutes(deps: ConnectionDeps): Route[] {
  return [showRoute(deps), mergeRoute(deps)]
}

function showRoute({ database, undoers }: ConnectionDeps): Route {
  return defineRoute({
    method: 'GET',
    path: DUPLICATES_PATH,
    operationId: 'showDuplicates',
    summary: 'List possible duplicates',
    access: 'session',
    answers: PAGED_ANSWERS,
    onError: errorPage,
    async handle({ search, browser, signal }) {
      const db = database.member(browser.member.memberId)
      const cursor = cursorOf(search)
      const asked = { minScore: DEFAULT_MIN_SCORE, limit: PAGE_SIZE, cursor, signal }
      return duplicatesPage({
        browser,
        page: await listDuplicates(db, asked),
        isFirst: cursor === undefined,
        noticed: await readNoticed(db, search, undoers),
      })
    },
  })
}

function mergeRoute(deps: ConnectionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: DUPLICATES_PATH,
    operationId: 'mergeDuplicates',
    summary: 'Merge connections into the chosen one',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Merged; redirects to the page, whose notice has an undo button' },
      400: { description: 'No connection to merge was selected', type: 'text/html' },
      404: { description: 'One of the connections no longer exists', type: 'text/html' },
      409: { description: 'The merged connection would exceed a limit', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const keep_id = body.get('keep') ?? ''
      const merge_ids = body.getAll('same').filter((id) => id !== keep_id)
      try {
        if (body.get('decision') === 'different') return await markDifferent(deps, body, browser)
        const input = readTyped(MergeInput, { keep_id, merge_ids })
        const form = { browser, body, form: DUPLICATES_PATH }
        const activityId = await changeOnce(deps, form, async ({ tx, now, record }) =>
          record((await mergeConnections(tx, input.keep_id, input.merge_ids, now)).change),
        )
        return seeOther(changeNoticePath(DUPLICATES_PATH, activityId))
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        const text = SENTENCES.get(error.code)
        return messagePage({
          status: error.status,
          title: 'Could not merge',
          text: text ?? error.message,
          action: { href: DUPLICATES_PATH, label: 'Back to duplicates' },
        })
      }
    },
  })
}

/** Replace the messages that are written for tool callers. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['invalid_request', 'Choose the connection to keep and at least one other to merge into it.'],
  ['not_found', 'One of the connections was deleted or merged in the meantime. Reload the page.'],
])
