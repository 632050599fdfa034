/** The layout of member pages: the sidebar, and the page beside it. */

import { t } from '../languages/message.ts'
import { renderDocument } from './document.ts'
import { currentLanguage } from '../languages/language.ts'
import { focusFirstInvalid } from './form.ts'
import { NOTHING, attributes, html, type Html } from './html.ts'
import { pageAnswer } from './page-response.ts'
import { paletteDialog } from './palette-dialog.ts'
import {
  ACTIVITY_PATH,
  connectionPath,
  END_TOUR_PATH,
  GETTING_STARTED_PATH,
  JOIN_PATH,
  NETWORK_PATH,
  SIGN_IN_PATH,
} from './site-map.ts'
import { NO_SIDEBAR, addMenu, bottomBar, sidebar, type PageName, type Sidebar } from './sidebar.ts'
import type { Answer } from '../http/response.ts'
import type { SignedInRequest } from '../http/browser-request.ts'

interface MemberPage {
  /** Plain text for the window title and the page's only `h1`. */
  readonly title: string
  /** A fragment that replaces the title in the `h1`; `NOTHING` if the body has the `h1`. */
  readonly heading?: Html
  /** A fragment with additional head elements. */
  readonly head?: Html
  /** A fragment next to the heading with the page's actions. */
  readonly actions?: Html
  /** A fragment below the heading. */
  readonly body: Html
  readonly browser: Pick<SignedInRequest, 'member' | 'outsideTour' | 'theme'>
  /** Undefined on a page that no entry of the sidebar leads to. */
  readonly current: PageName | undefined
  /** Language of the body, if the sidebar has another one. */
  readonly language?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
}

/** A page whose sidebar is not filled in yet. */
interface MemberAnswer extends Answer {
  readonly bodyWith: (counts: Sidebar) => string
}

/** The response with a page for the signed-in member. The pipeline of pages adds the counts of the sidebar. */
export function memberPage(page: MemberPage): Answer {
  const { title, head = NOTHING, status = 200, headers = {} } = page
  const content = main(page)
  const write = (counts: Sidebar) => {
    const body = html`<a class="skip" href="#content">Skip to content</a>
      <header>${sidebar(page, counts)} ${addMenu()}</header>
      ${content} ${bottomBar(page.current, counts)} ${paletteDialog()}`
    return renderDocument({ title, layout: 'member', theme: page.browser.theme, head, body })
  }
  const answer: MemberAnswer = {
    ...pageAnswer(write(NO_SIDEBAR), { status, headers: { ...APART, ...headers } }),
    bodyWith: (counts) => write(counts).toString(),
  }
  return answer
}

/** True for an answer of `memberPage`. */
export function isMemberPage(answer: Answer): answer is MemberAnswer {
  return 'bodyWith' in answer
}

/** Isolates this window from windows of other sites. */
const APART = { 'cross-origin-opener-policy': 'same-origin' }

type TourBrowser = Pick<SignedInRequest, 'member' | 'outsideTour'>

function tourNotice(browser: TourBrowser): Html {
  const { outsideTour, member } = browser
  const ownPath = member.canJoin === true ? JOIN_PATH : GETTING_STARTED_PATH
  return html`<p class="tour">
    This is a tour of a demo account. Begin with a
    <a href="${connectionPath('c_1')}">person</a>, the <a href="${NETWORK_PATH}">network</a> or
    <a href="${ACTIVITY_PATH}">what agents did</a>. Nothing is saved.
    ${
      outsideTour
        ? html`<a href="${END_TOUR_PATH}">${t('Back to your network')}</a>`
        : html`<a href="${ownPath}">Make it yours</a> ·
            <a href="${SIGN_IN_PATH}">${t('Sign in')}</a>`
    }
  </p>`
}

/** Where a tour leads: back, or to an account. */
export function leaveTour({ outsideTour, member }: TourBrowser): { href: string; label: string } {
  if (outsideTour) return { href: END_TOUR_PATH, label: t('Back to your network') }
  if (member.canJoin === true) return { href: JOIN_PATH, label: t('Join') }
  return { href: SIGN_IN_PATH, label: t('Sign in') }
}

function main({
  title,
  heading = html`${title}`,
  actions = NOTHING,
  body,
  browser,
  language,
}: MemberPage) {
  return html`<main
    id="content"
    ${attributes({
      lang: language === currentLanguage() ? undefined : language,
      'data-member': browser.member.isTour ? undefined : browser.member.memberId,
    })}
  >
    ${browser.member.isTour ? tourNotice(browser) : NOTHING}
    ${
      heading === NOTHING
        ? NOTHING
        : html`<div class="heading">
            <h1>${heading}</h1>
            ${actions}
          </div>`
    }
    ${focusFirstInvalid(body)}
  </main>`
}
