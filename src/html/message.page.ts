/** A page that says one thing: an error, or that something is done. */

import { cardPage } from './card-layout.ts'
import { html } from './html.ts'
import type { Answer } from '../http/response.ts'
import type { ErrorResponder } from '../http/route.ts'

export interface Message {
  readonly status: number
  readonly title: string
  readonly text: string
  /** What to do about it. */
  readonly hint?: string
  /** For the operator, who finds it in the log. */
  readonly requestId?: string
  /** The one way on from here. */
  readonly action?: { readonly href: string; readonly label: string }
  readonly headers?: Readonly<Record<string, string>>
}

export function messagePage(message: Message): Answer {
  const { status, title, text, hint, requestId, action, headers = {} } = message
  const body = html`<p>${text}</p>
    !${hint === undefined ? '' : html`<p class="quiet">${hint}</p>`}
    !${action === undefined ? '' : html`<a class="button" href="${action.href}">${action.label}</a>`}`
  const foot = requestId === undefined ? '' : html`Request <code>${requestId}</code>`
  return cardPage({ title, body, foot, status, headers })
}

const FIRST_PAGE = { href: '/', label: 'To the first page' }

/** A refusal as a person reads it: its sentence says what is wrong, so what lists it for a program is left out. */
export const errorPage: ErrorResponder = (refusal, requestId) => {
  const { hint, retryAfter, headers } = refusal.details
  return messagePage({
    status: refusal.status,
    title: refusal.title,
    text: refusal.message,
    // The hint of a rate limit is about headers, which programs read.
    ...(hint !== undefined && refusal.code !== 'rate_limited' && { hint }),
    requestId,
    ...(refusal.code === 'not_found' && { action: FIRST_PAGE }),
    headers: {
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...headers,
    },
  })
}
