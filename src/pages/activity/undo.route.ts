/** The undo buttons of the pages, and the page that lists what an undo skipped. */

import { phrase, t } from '../../languages/message.ts'
import { resultCookies } from '../../access/result-cookie.ts'
import { RequestError, hasCode } from '../../base/request-error.ts'
import { findSubmitted } from '../../forms/submission.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { messagePage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { activityNumber } from '../../tools/activity.ts'
import { findChangingCredential } from '../../tools/activity-log/read-activity.ts'
import { undoneChanges } from '../../tools/activity-log/undone-changes.ts'
import {
  MAX_UNDONE,
  prepareUndo,
  undoChange,
  undoEach,
  undoSince,
} from '../../tools/undo/undo-change.ts'
import { changeManually } from '../../ui/manual-change.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { returnToPath } from '../../ui/return-to.ts'
import { ACTIVITY_PATH, UNDO_PATH, UNDO_SINCE_PATH } from '../../html/site-map.ts'
import { countOf } from '../../ui/numbers.ts'
import { pageRoute, type PageDeps, formRoute, type FormRequest } from '../../forms/page-route.ts'
import { buttonLink } from '../../ui/sections.ts'
import { withQuery } from '../../ui/with-query.ts'
import type { Route } from '../../http/route.ts'
import type { KeyedSemaphore } from '../../base/concurrency/keyed-semaphore.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface UndoDeps extends PageDeps {
  readonly publicUrl: string
  readonly undoers: readonly Undoer[]
  /** Shared with the undo tool. */
  readonly undoTurns: KeyedSemaphore<number>
}

export function undoRoutes(deps: UndoDeps): Route[] {
  return [undoRoute(deps), undoSinceRoute(deps), skippedRoute(deps)]
}

/** The connections that an undo skipped, for the page that lists them once. */
interface SkippedConnections {
  readonly count: number
  readonly sentences: readonly string[]
  /** The path of the page to return to. */
  readonly back: string
}

function skippedResults(publicUrl: string) {
  return resultCookies<SkippedConnections>(publicUrl, UNDO_PATH)
}

function skippedRoute(deps: UndoDeps): Route {
  const results = skippedResults(deps.publicUrl)
  return pageRoute(deps, {
    path: UNDO_PATH,
    handle: (request) =>
      results.show(request, (skipped) =>
        skipped ? skippedPage(request.browser, skipped) : seeOther(ACTIVITY_PATH),
      ),
  })
}

function undoRoute(deps: UndoDeps): Route {
  return formRoute(deps, {
    path: UNDO_PATH,
    async handle(request) {
      const { body, browser } = request
      const back = returnToPath(body.get('back'))
      const several = (body.get('activity_id') ?? '').split(' ').map(activityNumber)
      if (several.length > 1)
        return inTurn(deps, request, back, () => undoSeveral(deps, request, several))
      return inTurn(deps, request, back, async () => {
        const { undoId, skipped } = await undoOnce(deps, request)
        const undone = changeNoticePath(back, undoId)
        if (skipped.count === 0) return seeOther(undone)
        const results = skippedResults(deps.publicUrl)
        return results.redirect(browser.member, { ...skipped, back: undone })
      })
    },
  })
}

/** Undoes the changes of one line of the log, newest first: all of them or none. */
async function undoSeveral(
  { undoers }: UndoDeps,
  request: FormRequest,
  activityIds: readonly number[],
): Promise<Answer> {
  const count = await changeManually(
    request,
    async (changing) =>
      (await undoEach(changing, undoers, activityIds.slice(0, MAX_UNDONE))).length,
    { bulk: true },
  )
  return seeOther(withQuery(returnToPath(request.body.get('back')), { undone: String(count) }))
}

interface UndoneOnce {
  readonly undoId: number
  readonly skipped: Pick<SkippedConnections, 'count' | 'sentences'>
}

async function undoOnce({ undoers }: UndoDeps, request: FormRequest): Promise<UndoneOnce> {
  const { body, db, now, submission } = request
  const activityId = activityNumber(body.get('activity_id'))
  const isUndone = async () => (await undoneChanges(db)).has(activityId)
  const earlier = await findSubmitted<UndoneOnce>(db, submission)
  // A page that was left open may undo a change that was redone since.
  if (earlier && (await isUndone())) return earlier
  try {
    const prepared = await prepareUndo({ db, now }, undoers, { activityId })
    return await changeManually<UndoneOnce>(
      { ...request, submission: earlier ? undefined : submission },
      async (changing) => {
        const undo = await undoChange({ ...changing, prepared }, undoers, { activityId })
        const { undoId, skipped } = undo
        const sentences = skipped.slice(0, MAX_LISTED)
        return { undoId, skipped: { count: skipped.length, sentences } }
      },
      // It may be a whole import.
      { bulk: true },
    )
  } catch (error) {
    // The same submission to another node may have finished while this one prepared.
    const finished = hasCode(error, 'conflict')
      ? await findSubmitted<UndoneOnce>(db, submission)
      : undefined
    if (finished && (await isUndone())) return finished
    throw error
  }
}

/** Undoes a change by an agent and all later ones by the same agent, or none of them. */
function undoSinceRoute(deps: UndoDeps): Route {
  const { undoers } = deps
  return formRoute(deps, {
    path: UNDO_SINCE_PATH,
    async handle(request) {
      const { body, db, submission } = request
      const since = activityNumber(body.get('activity_id'))
      return inTurn(deps, request, ACTIVITY_PATH, async () => {
        const earlier = await findSubmitted(db, submission)
        const undone = changeManually(
          { ...request, submission: earlier === undefined ? submission : undefined },
          async (changing) => {
            const credentialId = await findChangingCredential(changing.tx, since)
            if (credentialId === undefined)
              throw new RequestError(
                'not_found',
                t('This change was not found, or no agent made it.'),
              )
            return (await undoSince(changing, undoers, { since, credentialId })).length
          },
          { bulk: true },
        )
        // A page that was left open also undoes what the agent has changed since, if anything.
        const count = await (earlier === undefined ? undone : undone.catch(ignoreNotFound))
        return seeOther(withQuery(ACTIVITY_PATH, { undone: String(count ?? earlier) }))
      })
    },
  })
}

function ignoreNotFound(error: unknown): undefined {
  if (!hasCode(error, 'not_found')) throw error
}

/** Undoes after the member's earlier undos in this process. Ends without a change if the browser leaves the queue. */
async function inTurn(
  { undoTurns }: UndoDeps,
  { browser, signal }: Pick<FormRequest, 'browser' | 'signal'>,
  back: string,
  undo: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await undoTurns.run(browser.member.memberId, undo, signal)
  } catch (error) {
    if (error instanceof RequestError && PAGE_TEXTS.has(error.code)) return failedPage(error, back)
    throw error
  }
}

const CHANGED_SINCE = phrase(
  'No changes were made. Undo the later changes in Activity first, or edit the values yourself.',
)

/** The errors that have a page with a link back. Their hints are for tool callers, so the page has its own. */
const PAGE_TEXTS: ReadonlyMap<string, { readonly text?: string; readonly hint: string }> = new Map([
  ['conflict', { hint: CHANGED_SINCE }],
  ['not_found', { hint: CHANGED_SINCE }],
  [
    'rate_limited',
    {
      text: phrase('Your earlier undos are still running.'),
      hint: phrase('No changes were made. Wait until they are listed in Activity, then try again.'),
    },
  ],
])

function failedPage({ code, status, message, details }: RequestError, back: string): Answer {
  const { text = message, hint } = PAGE_TEXTS.get(code) ?? {}
  return messagePage({
    status,
    title: t('Could not undo'),
    text,
    ...(hint !== undefined && { hint }),
    action: { href: back, label: t('Back') },
    ...(details.retryAfter !== undefined && {
      headers: { 'retry-after': String(details.retryAfter) },
    }),
  })
}

/** Keeps the cookie that carries the list below the 4,096 bytes of RFC 6265 section 6.1. */
const MAX_LISTED = 20

function skippedPage(
  browser: SignedInRequest,
  { count, sentences, back }: SkippedConnections,
): Answer {
  const items = sentences.map((sentence) => html`<li>${sentence}</li>`)
  const more = count - items.length
  return memberPage({
    title: t('Partly undone'),
    browser,
    current: 'activity',
    body: html`<section class="panel" aria-label="Skipped">
        <p role="status">${countOf(count, 'person')} skipped because of later changes.</p>
        <ul>
          ${items}
        </ul>
        ${more > 0 ? html`<p>And ${countOf(more, 'other')}.</p>` : ''}
      </section>
      <div class="actions">${buttonLink(back, t('Back'))}</div>`,
  })
}
