/** The undo buttons of the pages, and the page that lists what an undo skipped. */

import { resultCookies } from '../../access/result-cookie.ts'
import { RequestError } from '../../base/request-error.ts'
import { findSubmitted, submissionOf, type Submission } from '../../guards/form-submission.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { messagePage, errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { activityNumber } from '../../tools/activity.ts'
import { findChangingCredential, undoneChanges } from '../../tools/read-activity.ts'
import { prepareUndo, undoChange, undoSince } from '../../tools/undo-change.ts'
import { changeManually } from '../ui/manual-change.ts'
import { countOf } from '../ui/count-of.ts'
import { changeNoticePath } from './change-notice.ts'
import { returnToPath } from './return-to.ts'
import { ACTIVITY_PATH, UNDO_PATH, UNDO_SINCE_PATH } from '../../html/site-map.ts'
import type { Clock } from '../../base/clock.ts'
import type { KeyedSemaphore } from '../../base/keyed-semaphore.ts'
import type { Database } from '../../db/database.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface UndoDeps {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string
  readonly undoers: readonly Undoer[]
  /** Shared with the undo tool. */
  readonly undoTurns: KeyedSemaphore<number>
}

/** Two names, an ID and the key of the form. */
const MAX_FORM_BYTES = 4 * 1024

const TOO_MANY = { description: 'Too many undos are waiting', type: 'text/html' }

export function undoRoutes(deps: UndoDeps): Route[] {
  return [undoRoute(deps), undoSinceRoute(deps), skippedRoute(deps)]
}

/** The connections that an undo skipped, for the page that lists them once. */
interface SkippedConnections {
  readonly count: number
  /** The first of them. */
  readonly sentences: readonly string[]
  /** The path of the page to return to. */
  readonly back: string
}

function skippedResults(publicUrl: string) {
  return resultCookies<SkippedConnections>(publicUrl, UNDO_PATH)
}

function skippedRoute({ publicUrl }: UndoDeps): Route {
  const results = skippedResults(publicUrl)
  return defineRoute({
    method: 'GET',
    path: UNDO_PATH,
    operationId: 'showLeftAlone',
    summary: 'List the connections that an undo skipped because they changed later',
    access: 'session',
    answers: {
      200: { description: 'The page, shown once', type: 'text/html' },
      303: { description: 'Nothing to show; redirects to the activity page' },
    },
    onError: errorPage,
    async handle({ browser, header }) {
      const skipped = results.read(header('cookie'), browser.member)
      return skipped ? results.shownOnce(skippedPage(browser, skipped)) : seeOther(ACTIVITY_PATH)
    },
  })
}

function undoRoute(deps: UndoDeps): Route {
  const { clock, publicUrl } = deps
  return defineRoute({
    method: 'POST',
    path: UNDO_PATH,
    operationId: 'undoChange',
    summary: 'Undo a change',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Undone; redirects to the page, or to the list of skipped connections' },
      404: { description: 'The member has no such change', type: 'text/html' },
      409: { description: 'It changed later, or was already undone', type: 'text/html' },
      429: TOO_MANY,
    },
    onError: errorPage,
    async handle({ body, browser, signal }) {
      const back = returnToPath(body.get('back'))
      const activityId = activityNumber(body.get('activity_id'))
      const now = clock.now()
      const submission = submissionOf({ browser, body, form: UNDO_PATH, now })
      return inTurn(deps, { browser, signal, back }, async () => {
        const { undoId, skipped } = await undoOnce(deps, browser, { activityId, now, submission })
        const undone = changeNoticePath(back, undoId)
        return skipped.count === 0
          ? seeOther(undone)
          : skippedResults(publicUrl).redirect(UNDO_PATH, browser.member, {
              ...skipped,
              back: undone,
            })
      })
    },
  })
}

interface UndoneForm {
  readonly activityId: number
  readonly now: number
  readonly submission: Submission | undefined
}

interface UndoneOnce {
  readonly undoId: number
  readonly skipped: Pick<SkippedConnections, 'count' | 'sentences'>
}

async function undoOnce(
  { database, undoers }: UndoDeps,
  { member }: SignedInRequest,
  { activityId, now, submission }: UndoneForm,
): Promise<UndoneOnce> {
  const db = database.member(member.memberId)
  const earlier = await findSubmitted<UndoneOnce>(db, submission)
  // A page that was left open may undo a change that was redone since.
  if (earlier && (await undoneChanges(db)).has(activityId)) return earlier
  const prepared = await prepareUndo({ db, now }, undoers, { activityId })
  return changeManually<UndoneOnce>(
    database,
    member,
    now,
    async (changing) => {
      const { undoId, skipped } = await undoChange({ ...changing, prepared }, undoers, {
        activityId,
      })
      return {
        undoId,
        skipped: { count: skipped.length, sentences: skipped.slice(0, MAX_LISTED) },
      }
    },
    // It may be a whole import.
    { bulk: true, submission: earlier ? undefined : submission },
  )
}

function undoSinceRoute(deps: UndoDeps): Route {
  const { database, clock, undoers } = deps
  return defineRoute({
    method: 'POST',
    path: UNDO_SINCE_PATH,
    operationId: 'undoChangesSince',
    summary: 'Undo a change by an agent and all later ones by the same agent',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Undone, all of them; redirects to the page' },
      404: { description: 'The member has no such change by an agent', type: 'text/html' },
      409: { description: 'One changed later, so none was undone', type: 'text/html' },
      429: TOO_MANY,
    },
    onError: errorPage,
    async handle({ body, browser, signal }) {
      const since = activityNumber(body.get('activity_id'))
      const now = clock.now()
      const submission = submissionOf({ browser, body, form: UNDO_SINCE_PATH, now })
      return inTurn(deps, { browser, signal, back: ACTIVITY_PATH }, async () => {
        const earlier = await findSubmitted(database.member(browser.member.memberId), submission)
        const undone = changeManually(
          database,
          browser.member,
          now,
          async (changing) => {
            const credentialId = await findChangingCredential(changing.tx, since)
            if (credentialId === undefined)
              throw new RequestError('not_found', 'This change was not found, or no agent made it.')
            return (await undoSince(changing, undoers, { since, credentialId })).length
          },
          { bulk: true, submission: earlier === undefined ? submission : undefined },
        )
        // A page that was left open also undoes what the agent has changed since, if anything.
        await (earlier === undefined ? undone : undone.catch(ignoreNotFound))
        return seeOther(ACTIVITY_PATH)
      })
    },
  })
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof RequestError) || error.code !== 'not_found') throw error
}

interface Turn {
  readonly browser: SignedInRequest
  readonly signal: AbortSignal
  readonly back: string
}

/** Undoes after the member's earlier undos in this process. Ends without a change if the browser leaves the queue. */
async function inTurn(
  { undoTurns }: UndoDeps,
  { browser, signal, back }: Turn,
  undo: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await undoTurns.run(browser.member.memberId, undo, signal)
  } catch (error) {
    if (error instanceof RequestError && PAGE_TEXTS.has(error.code)) return failedPage(error, back)
    throw error
  }
}

const CHANGED_SINCE =
  'No changes were made. Undo the later changes in Activity first, or edit the values yourself.'

/** The errors that have a page with a link back. Their hints are for tool callers, so the page has its own. */
const PAGE_TEXTS: ReadonlyMap<string, { readonly text?: string; readonly hint: string }> = new Map([
  ['conflict', { hint: CHANGED_SINCE }],
  ['not_found', { hint: CHANGED_SINCE }],
  [
    'rate_limited',
    {
      text: 'Your earlier undos are still running.',
      hint: 'No changes were made. Wait until they are listed in Activity, then try again.',
    },
  ],
])

function failedPage({ code, status, message, details }: RequestError, back: string): Answer {
  const { text = message, hint } = PAGE_TEXTS.get(code) ?? {}
  return messagePage({
    status,
    title: 'Could not undo',
    text,
    ...(hint !== undefined && { hint }),
    action: { href: back, label: 'Back' },
    ...(details.retryAfter !== undefined && {
      headers: { 'retry-after': String(details.retryAfter) },
    }),
  })
}

/** Keeps the cookie that carries the list below the 4,096 bytes of RFC 6265 section 6.1. */
const MAX_LISTED = 20

function skippedPage(
  { member, formToken }: SignedInRequest,
  { count, sentences, back }: SkippedConnections,
): Answer {
  const items = sentences.map((sentence) => html`<li>${sentence}</li>`)
  const more = count - items.length
  return memberPage({
    title: 'Partly undone',
    member,
    current: 'activity',
    formToken,
    body: html`<section class="panel" aria-label="Skipped">
        <p role="status">${countOf(count, 'connection')} skipped because of later changes.</p>
        <ul>
          ${items}
        </ul>
        ${more > 0 ? html`<p>And ${countOf(more, 'other')}.</p>` : ''}
      </section>
      <div class="actions"><a class="button plain" href="${back}">Back</a></div>`,
  })
}
