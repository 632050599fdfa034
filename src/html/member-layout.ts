/** The layout of member pages: a sidebar with all pages and the member's name, or a menu on small screens. */

import { renderDocument } from './document.ts'
import { focusFirstInvalid, formTokenField } from './form.ts'
import { NOTHING, attributes, html, type Html } from './html.ts'
import { brand, icon } from './icon.ts'
import { pageAnswer } from './page-response.ts'
import type { Answer } from '../http/response.ts'
import type { SignedInRequest } from '../http/browser-request.ts'

/** In sidebar order. */
const PAGES = [
  { name: 'profile', label: 'Profile', path: '/user/profile' },
  { name: 'connections', label: 'Connections', path: '/user/connections' },
  { name: 'follow-ups', label: 'Follow-ups', path: '/user/follow-ups' },
  { name: 'import', label: 'Import', path: '/user/import' },
  { name: 'jobs', label: 'Jobs', path: '/user/jobs' },
  { name: 'agents', label: 'Agents & tokens', path: '/user/integrations/mcp' },
  { name: 'credits', label: 'Credits', path: '/user/credits' },
  { name: 'activity', label: 'Activity', path: '/user/activity' },
] as const

/** Shown to admins only. */
const ADMINS = { name: 'admin', label: 'Admin', path: '/admin' } as const

/** The page linked from the member's name. */
const ACCOUNT_PATH = '/user/account'

type PageName = (typeof PAGES)[number]['name'] | 'account' | 'admin'

interface MemberPage {
  /** Plain text for the window title and the page's only `h1`. */
  readonly title: string
  /** A fragment that replaces the title in the `h1`. */
  readonly heading?: Html
  /** A fragment with additional head elements. */
  readonly head?: Html
  /** A fragment next to the heading with the page's actions. */
  readonly actions?: Html
  /** A fragment below the heading. */
  readonly body: Html
  readonly browser: Pick<SignedInRequest, 'member' | 'formToken'>
  readonly current: PageName
  readonly status?: number
}

/** The response with a page for the signed-in member. */
export function memberPage(page: MemberPage): Answer {
  const {
    title,
    heading = html`${title}`,
    head = NOTHING,
    actions = NOTHING,
    body,
    status = 200,
  } = page
  const content = html`<a class="skip" href="#content">Skip to content</a>
    <header>
      <a class="brand" href="/">${brand()}</a>
      <button class="quiet" popovertarget="menu">${icon('menu')} Menu</button>
      ${bar(page)}
    </header>
    <main id="content">
      <div class="heading">
        <h1>${heading}</h1>
        ${actions}
      </div>
      ${focusFirstInvalid(body)}
    </main>`
  const document = renderDocument({ title, layout: 'member', head, body: content })
  return pageAnswer(document, { status, headers: APART })
}

/** Isolates this window from windows of other sites. */
const APART = { 'cross-origin-opener-policy': 'same-origin' }

/** A popover menu on small screens; on large ones the style sheet shows it permanently. */
function bar({ browser: { member, formToken }, current }: MemberPage): Html {
  const here = (name: PageName) => (name === current ? 'page' : undefined)
  const pages = member.role === 'admin' ? [...PAGES, ADMINS] : PAGES
  const links = pages.map(
    ({ name, label, path }) =>
      html`<li>
        <a href="${path}" ${attributes({ 'aria-current': here(name) })}>${icon(name)} ${label}</a>
      </li>`,
  )
  return html`<nav id="menu" popover aria-label="Your pages">
    <ul>
      ${links}
    </ul>
    <div class="self">
      <a href="${ACCOUNT_PATH}" title="Account" ${attributes({ 'aria-current': here('account') })}>
        ${icon('account')}
        <span><bdi>${member.name}</bdi><small>@${member.username}</small></span>
      </a>
      <form method="post" action="/sign-out">
        ${formTokenField(formToken)}
        <button class="quiet" aria-label="Sign out" title="Sign out">${icon('sign-out')}</button>
      </form>
    </div>
  </nav>`
}
