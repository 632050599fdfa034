/** A page of a member's own: the bar on the left with all of them, the member at its foot. A menu on a phone. */

import { documentOf } from './document.ts'
import { focusFirstInvalid, formTokenField } from './form.ts'
import { html } from './html.ts'
import { brand, icon } from './icon.ts'
import { pageAnswer } from './page-response.ts'
import type { Answer } from '../http/response.ts'
import type { SignedIn } from '../http/browser-request.ts'

/** In the order of the bar; a page that is not there yet has no entry. */
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

/** Only of those who run the service. */
const ADMINS = { name: 'admin', label: 'Admin', path: '/admin' } as const

/** The page behind the member's own name. */
const ACCOUNT_PATH = '/user/account'

export type PageName = (typeof PAGES)[number]['name'] | 'account' | 'admin'

export interface MemberPage {
  /** As text: of the window, and the page's one `h1`. */
  readonly title: string
  /** A fragment that takes the place of the title in the `h1`. */
  readonly heading?: string
  /** A fragment: what the head says beside the title. */
  readonly head?: string
  /** A fragment beside the heading: what can be done here. */
  readonly actions?: string
  /** A fragment: what stands below the heading. */
  readonly body: string
  readonly member: SignedIn
  readonly current: PageName
  readonly formToken: string
  readonly status?: number
}

export function memberPage(page: MemberPage): Answer {
  const { title, heading = html`${title}`, head = '', actions = '', body, status = 200 } = page
  const content = html`<a class="skip" href="#content">Skip to the content</a>
    <header>
      <a class="brand" href="/">!${brand()}</a>
      <button class="quiet" popovertarget="menu">!${icon('menu')} Menu</button>
      !${bar(page)}
    </header>
    <main id="content">
      <div class="heading">
        <h1>!${heading}</h1>
        !${actions}
      </div>
      !${focusFirstInvalid(body)}
    </main>`
  const document = documentOf({ title, layout: 'member', head, body: content })
  return pageAnswer(document, { status, headers: APART })
}

/** No page of another site holds a handle on this window. */
const APART = { 'cross-origin-opener-policy': 'same-origin' }

/** A popover where it is a menu; where there is room, the style sheet shows it as it stands. */
function bar({ member, current, formToken }: MemberPage): string {
  const here = (name: PageName) => (name === current ? 'aria-current="page"' : '')
  const pages = member.role === 'admin' ? [...PAGES, ADMINS] : PAGES
  const links = pages.map(
    ({ name, label, path }) =>
      html`<li>
        <a href="${path}" !${here(name)}>!${icon(name)} ${label}</a>
      </li>`,
  )
  return html`<nav id="menu" popover aria-label="Your pages">
    <ul>
      !${links}
    </ul>
    <div class="self">
      <a href="${ACCOUNT_PATH}" title="Account" !${here('account')}>
        !${icon('account')}
        <span><bdi>${member.name}</bdi><small>@${member.username}</small></span>
      </a>
      <form method="post" action="/sign-out">
        !${formTokenField(formToken)}
        <button class="quiet" aria-label="Sign out" title="Sign out">!${icon('sign-out')}</button>
      </form>
    </div>
  </nav>`
}
