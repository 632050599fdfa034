/** A page that asks or says one thing: a small card in the middle. For sign-in, join, consent and messages. */

import { documentOf } from './document.ts'
import { focusFirstInvalid } from './form.ts'
import { html } from './html.ts'
import { brand } from './icon.ts'
import { pageAnswer } from './page-response.ts'
import type { Answer } from '../http/response.ts'

export interface CardPage {
  /** As text: of the window, and the page's one `h1`. */
  readonly title: string
  /** A fragment that takes the place of the title in the `h1`. */
  readonly heading?: string
  /** A fragment: what stands below the heading. */
  readonly body: string
  /** A fragment below the card, such as the way to another page. */
  readonly foot?: string
  readonly status?: number
  /** Sources beside our own that a form of this page may lead to, as `formTarget` gives them. */
  readonly formTargets?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Has no Cross-Origin-Opener-Policy: an agent's web page opens these in a window of its own and waits there for the
 * end of the authorization; the policy would cut the two apart.
 */
export function cardPage({
  title,
  heading = html`${title}`,
  body,
  foot = '',
  status = 200,
  formTargets = [],
  headers = {},
}: CardPage): Answer {
  const card = html`<main>
    <a class="brand" href="/">!${brand()}</a>
    <article>
      <h1>!${heading}</h1>
      !${focusFirstInvalid(body)}
    </article>
    !${foot && html`<footer>!${foot}</footer>`}
  </main>`
  const document = documentOf({ title, layout: 'card', body: card })
  return pageAnswer(document, { status, formTargets, headers })
}
