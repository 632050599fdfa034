/** `/user/connections/duplicates`: lists and merges possible duplicates. */

import { phrase, t } from '../../languages/message.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { readNoticed } from '../activity/read-noticed.ts'
import { seeOther } from '../../http/response.ts'
import { connectionPath, DUPLICATES_PATH } from '../../html/site-map.ts'
import {
  publicConnectionId,
  readConnectionId,
  FIELD_NAMES,
  TEXT_FIELDS,
} from '../../connections/model/connection.ts'
import { formRoute, pageRoute, type FormRequest } from '../../forms/page-route.ts'
import { changeOnce, type ChangeRequest } from '../../ui/manual-change.ts'
import { RequestError } from '../../base/request-error.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { readListState } from '../../connections/people/list-state.ts'
import { cursorOf } from '../../ui/pager.ts'
import { readTyped } from '../../forms/field-errors.ts'
import {
  markNotDuplicates,
  NotDuplicatesInput,
} from '../../connections/duplicates/not-duplicates.ts'
import { listDuplicates, DEFAULT_MIN_SCORE } from '../../connections/duplicates/duplicate-page.ts'
import { MergeInput, mergeConnections } from '../../connections/duplicates/merge-connections.ts'
import { messagePage } from '../../html/message.page.ts'
import { mergeCertain, mergedPath, readMerged, undoMerged } from './merge-all.ts'
import { duplicatesPage, sittingPath } from './duplicates.page.ts'
import type { FieldChoices } from '../../connections/duplicates/fill-gaps.ts'
import type { Route } from '../../http/route.ts'
import type { PersonDeps } from '../person/details.page.ts'

export function duplicatesRoutes(deps: PersonDeps): Route[] {
  return [showRoute(deps), mergeRoute(deps)]
}

function showRoute(deps: PersonDeps): Route {
  return pageRoute(deps, {
    path: DUPLICATES_PATH,
    async handle({ search, browser, db, signal }) {
      const cursor = cursorOf(search)
      const asked = { minScore: DEFAULT_MIN_SCORE, limit: 1, cursor, signal }
      const show = (isCertain: boolean) => listDuplicates(db, { ...asked, isCertain })
      const unsure = isCertainIn(search) ? undefined : await show(false)
      // Without others to decide, the certain ones are shown.
      const isCertain = unsure === undefined || unsure.total === 0
      return duplicatesPage({
        browser,
        page: isCertain ? await show(true) : unsure,
        isCertain,
        cursor,
        noticed: await readNoticed(db, search, deps.undoers),
        merged: await readMerged(db, search),
      })
    },
  })
}

function isCertainIn(search: string): boolean {
  return new URLSearchParams(search).get('show') === 'certain'
}

/** Merges connections into the chosen one, or remembers that they are different people. */
function mergeRoute(deps: PersonDeps): Route {
  return formRoute(deps, {
    path: DUPLICATES_PATH,
    async handle(request) {
      const { body } = request
      const keep_id = body.get('keep') ?? ''
      const same = [...new Set(body.getAll('same'))]
      const decision = body.get('decision')
      try {
        if (decision === 'certain') return seeOther(mergedPath(await mergeCertain(request)))
        if (decision === 'undo') {
          await undoMerged(request, deps.undoers)
          return seeOther(DUPLICATES_PATH)
        }
        const activityId =
          decision === 'different'
            ? await markDifferent(request, same)
            : await merge(request, { keep_id, merge_ids: same.filter((id) => id !== keep_id) })
        return seeOther(changeNoticePath(backPath(body), activityId))
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        return messagePage({
          status: error.status,
          title: t('Could not merge'),
          text: SENTENCES.get(error.code) ?? error.message,
          action: { href: backPath(body), label: t('Back') },
        })
      }
    },
  })
}

/** The list or the page of a connection, if the form is from there. */
function backPath(body: URLSearchParams): string {
  const state = body.get('state')
  if (state !== null) return listPath(readListState(state))
  const connectionId = readConnectionId(body.get('back') ?? '')
  if (connectionId === undefined)
    return sittingPath(body.get('show') ?? '', body.get('cursor') ?? '')
  return connectionPath(publicConnectionId(connectionId))
}

function markDifferent(request: ChangeRequest, ids: readonly string[]) {
  const { connection_ids } = readTyped(NotDuplicatesInput, { connection_ids: ids })
  return changeOnce(request, async ({ tx, now, record }) =>
    record((await markNotDuplicates(tx, connection_ids, now)).change),
  )
}

function merge(request: FormRequest, typed: Readonly<Record<string, unknown>>) {
  const { keep_id, merge_ids } = readTyped(MergeInput, typed)
  const choices = choicesIn(request.body)
  return changeOnce(request, async ({ tx, now, record }) =>
    record((await mergeConnections(tx, keep_id, merge_ids, now, choices)).change),
  )
}

/** The connection whose value each field gets, if one was chosen. */
function choicesIn(body: URLSearchParams): FieldChoices {
  return Object.fromEntries(
    TEXT_FIELDS.flatMap((field) => {
      const id = readConnectionId(body.get(`take_${FIELD_NAMES[field]}`) ?? '')
      return id === undefined ? [] : [[field, id]]
    }),
  )
}

/** Replace the messages that are written for tool callers. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['invalid_request', phrase('Choose the person to keep and at least one other to merge into it.')],
  [
    'not_found',
    phrase('One of the people was deleted or merged in the meantime. Reload the page.'),
  ],
])
