/** A page with one message: an error or a confirmation. */

import { phrase, t } from '../languages/message.ts'
import { cardPage } from './card-layout.ts'
import { html, NOTHING, type Html } from './html.ts'
import { publicPage } from './public-layout.ts'
import { CONNECTIONS_PATH, DIRECTORY_PATH, DOCS_PATH, NETWORK_PATH, USER_PATH } from './site-map.ts'
import { leaveTour, memberPage } from './member-layout.ts'
import type { SignedInRequest } from '../http/browser-request.ts'
import type { Answer } from '../http/response.ts'
import type { ErrorResponder } from '../http/route.ts'

interface Message {
  readonly status: number
  readonly title: string
  readonly text: string
  /** What to do about it. */
  readonly hint?: string
  /** Identifies the request in the operator's log. */
  readonly requestId?: string
  /** The link to continue. */
  readonly action?: { readonly href: string; readonly label: string }
  readonly headers?: Readonly<Record<string, string>>
}

/** The response with the message on a card. */
export function messagePage(message: Message): Answer {
  const { status, title, requestId, headers = {} } = message
  const body = textOf(message)
  const foot = requestId === undefined ? undefined : html`Request <code>${requestId}</code>`
  return cardPage({ title: t(title), body, foot, status, headers })
}

/** The same, beside the pages of a signed-in member. What is not found can be searched for. */
export function workspaceMessage(message: Message): Answer {
  const { status, headers = {}, title, action } = message
  const isNotFound = status === 404
  return {
    ...(isNotFound ? notFoundForAll(message) : messagePage(message)),
    forMember: (browser) =>
      memberPage({
        title: t(title),
        body: html`<div class="message">
          ${
            isNotFound
              ? searchInstead(message, OWN_PLACES)
              : textOf(action === HOME_ACTION ? { ...message, action: OWN_HOME } : message)
          }
          ${status === 403 && browser.member.isTour ? tourActions(browser) : NOTHING}
        </div>`,
        browser,
        current: undefined,
        status,
        headers,
      }),
  }
}

function notFoundForAll(message: Message): Answer {
  const title = t(message.title)
  return publicPage({
    title,
    status: message.status,
    headers: message.headers ?? {},
    body: html`<h1>${title}</h1>
      <div class="message">${searchInstead(message, PUBLIC_PLACES)}</div>`,
  })
}

/** Where a search is sent and what it finds, and the pages to go on with. */
interface Places {
  readonly search: string
  readonly finds: string
  readonly pages: readonly NonNullable<Message['action']>[]
}

const DOCS = { href: DOCS_PATH, label: phrase('Documentation') }

const OWN_PLACES: Places = {
  search: CONNECTIONS_PATH,
  finds: phrase('People and notes'),
  pages: [
    { href: USER_PATH, label: phrase('Today') },
    { href: CONNECTIONS_PATH, label: phrase('People') },
    { href: NETWORK_PATH, label: phrase('Network') },
    DOCS,
  ],
}

const PUBLIC_PLACES: Places = {
  search: DIRECTORY_PATH,
  finds: phrase('Name, skill, company or location'),
  pages: [
    { href: '/', label: phrase('Home') },
    { href: DIRECTORY_PATH, label: phrase('Directory') },
    DOCS,
  ],
}

function searchInstead({ text, hint, action }: Message, { search, finds, pages }: Places): Html {
  const first = action === undefined || action === HOME_ACTION ? [] : [action]
  const links = [...first, ...pages.filter(({ href }) => href !== action?.href)]
  return html`<p class="quiet">${t(text)} ${hint === undefined ? '' : t(hint)}</p>
    <form class="search" action="${search}" role="search">
      <input
        name="q"
        type="search"
        aria-label="${t('Search')}"
        placeholder="${t(finds)}"
        autofocus
      />
      <button>Search</button>
    </form>
    <div class="actions">${links.map(({ href, label }) => buttonTo(href, label))}</div>`
}

function buttonTo(href: string, label: string): Html {
  return html`<a class="button plain" href="${href}">${t(label)}</a>`
}

function tourActions(browser: SignedInRequest): Html {
  const { href, label } = leaveTour(browser)
  return html`<div class="actions">
    <a class="button" href="${href}">${label}</a>
    <a class="button plain back" href="${USER_PATH}">${t('Back to the tour')}</a>
  </div>`
}

function textOf({ text, hint, action }: Message): Html {
  return html`<p>${t(text)}</p>
    ${hint === undefined ? '' : html`<p class="quiet">${t(hint)}</p>`}
    ${action === undefined ? '' : html`<a class="button" href="${action.href}">${t(action.label)}</a>`}`
}

/** The response for something that no longer exists, with a way to continue. */
export function notFoundPage(
  title: string,
  text: string,
  action: NonNullable<Message['action']>,
): Answer {
  return workspaceMessage({ status: 404, title, text, action })
}

const OWN_HOME = { href: USER_PATH, label: phrase('Go to Today') }
const HOME_ACTION = { href: '/', label: phrase('Go to home') }

/** An error as a page. Omits the machine-readable error list, because the message already says what is wrong. */
export const errorPage: ErrorResponder = (error, requestId) => {
  const { hint, retryAfter, headers } = error.details
  const isNotFound = error.code === 'not_found'
  return workspaceMessage({
    status: error.status,
    ...(isNotFound
      ? // The title says what happened.
        { title: phrase('Page not found'), text: hint ?? error.message, action: HOME_ACTION }
      : { title: error.title, text: error.message, requestId }),
    // The hint of a rate limit is about headers, which only matter to programs.
    ...(hint !== undefined && !isNotFound && error.code !== 'rate_limited' && { hint }),
    headers: {
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...headers,
    },
  })
}
