/** The page for a form that would sign in, sent by a browser that has signed in as another member since it loaded the form. */

import { t } from '../../languages/message.ts'
import { cardPage } from '../../html/card-layout.ts'
import { hiddenField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { SIGN_IN_PATH, SIGN_OUT_PATH } from '../../html/site-map.ts'
import { RETURN_TO, returnPath } from './return-path.ts'
import { type Answer, seeOther } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

/** Offers to sign out, which leads to the sign-in page, and to continue to `returnTo`, a path of this site. */
function alreadySignedInPage({ member }: SignedInRequest, returnTo: string): Answer {
  const again = `${SIGN_IN_PATH}?${RETURN_TO}=${encodeURIComponent(returnTo)}`
  return cardPage({
    status: 409,
    title: t('You are already signed in'),
    body: html`<p>
        This browser is signed in as <bdi>${member.name}</bdi> (@${member.username}), so the form
        was not submitted. To use another account, sign out first.
      </p>
      <form method="post" action="${SIGN_OUT_PATH}">
        ${hiddenField(RETURN_TO, again)}
        <div class="actions">
          <button>Sign out</button>
          <a class="button plain" href="${returnTo}">Continue as @${member.username}</a>
        </div>
      </form>`,
  })
}

interface RepeatedSignIn {
  readonly browser: SignedInRequest
  readonly publicUrl: string
  readonly body: URLSearchParams
  /** The member that the form would sign in; undefined if unknown. */
  readonly memberId: number | undefined
}

/** Continues if the form would sign in the member who is signed in now, as after a double click. */
export function repeatedSignIn({ browser, publicUrl, body, memberId }: RepeatedSignIn): Answer {
  const returnTo = returnPath(body.get(RETURN_TO), publicUrl)
  return memberId === browser.member.memberId
    ? seeOther(returnTo)
    : alreadySignedInPage(browser, returnTo)
}
