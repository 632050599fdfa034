/** The layout of single-purpose pages, a centered card: sign-in, join, consent and messages. */

import { renderDocument } from './document.ts'
import { focusFirstInvalid } from './form.ts'
import { attributes, html, type Html } from './html.ts'
import { brand } from './icon.ts'
import { footer, type OperatorTexts } from './legal-links.ts'
import { pageAnswer } from './page-response.ts'
import type { Answer } from '../http/response.ts'

interface CardPage {
  /** Plain text for the window title and the page's only `h1`. */
  readonly title: string
  /** A fragment that replaces the title in the `h1`. */
  readonly heading?: Html
  readonly body: Html
  /** A fragment below the card, such as a link to another page. */
  readonly foot?: Html | undefined
  /** On pages that people see before they are members, or before they connect an app. */
  readonly legal?: OperatorTexts
  readonly status?: number
  /** Additional allowed form targets of this page, from `formTarget`. */
  readonly formTargets?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** Whether no one is signed in, so that the browser removes drafts of members. */
  readonly isSignedOut?: boolean
}

/**
 * Sets no Cross-Origin-Opener-Policy, because a client's web page may open the authorization in a popup and wait for
 * its result; the policy would disconnect the two windows.
 */
export function cardPage({
  title,
  heading = html`${title}`,
  body,
  foot,
  legal,
  status = 200,
  formTargets = [],
  headers = {},
  isSignedOut = false,
}: CardPage): Answer {
  const card = html`<main ${attributes({ 'data-signed-out': isSignedOut })}>
    <a class="brand" href="/">${brand()}</a>
    <article>
      <h1>${heading}</h1>
      ${focusFirstInvalid(body)}
    </article>
    ${footer(foot, legal)}
  </main>`
  const document = renderDocument({ title, layout: 'card', body: card })
  return pageAnswer(document, { status, formTargets, headers })
}
