/** Forms for passkeys. A script runs the WebAuthn call, fills in the credential and shows why it failed. */

import { phrase, t } from '../../languages/message.ts'
import { type Html, html, attributes } from '../../html/html.ts'
import { assetPath } from '../../html/assets.ts'
import { hiddenField } from '../../html/form.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { problem } from '../../http/problem.ts'
import { type PageDeps, formRoute } from '../../forms/page-route.ts'
import { json } from '../../http/response.ts'
import { requestOptions } from '../../access/passkey-options.ts'
import { createChallenge } from '../../access/passkey-challenge.ts'
import type { PasskeySite } from '../../access/passkey-site.ts'
import type { Route } from '../../http/route.ts'
import type { PasskeyErrorKind } from '../../access/passkey-response.ts'

/** The field that the script fills in. */
export const CREDENTIAL = 'credential'

interface PasskeyForm {
  readonly action: string
  readonly site: PasskeySite
  /** To use a passkey or to create one. */
  readonly kind: 'get' | 'create'
  /** Data attributes of the form: where the options are, and messages. */
  readonly data: Readonly<Record<string, string | boolean | undefined>>
  /** The other controls, and the button. */
  readonly controls: Html
}

/**
 * `data-<name of the error>` holds the message for a WebAuthn error (Level 3 section 5.1.4). It is empty where the
 * person aborted the request.
 */
export function passkeyForm({ action, site, kind, data, controls }: PasskeyForm): Html {
  const own = Object.entries(data).map(([name, value]) => [`data-${name}`, value])
  const all = {
    'data-passkey': kind,
    'data-securityerror': wrongSiteMessage(site),
    'data-aborterror': '',
    'data-missing': t(NO_PASSKEY),
    ...Object.fromEntries(own),
  }
  return html`<form method="post" action="${action}" class="scripted" ${attributes(all)}>
      ${hiddenField(CREDENTIAL, '')} ${controls}
      <p class="quiet" role="status"></p>
    </form>
    <script type="module" src="${assetPath('passkey.js')}"></script>`
}

interface PasskeyOptions {
  readonly path: string
  readonly site: PasskeySite
  readonly purpose: 'sign_in' | 'confirm'
  readonly access?: 'browser'
}

/** Sends the options for the script. A form like the others, with a form token, so no other site can create challenges. */
export function passkeyOptionsRoute(
  deps: PageDeps,
  { path, site, purpose, access }: PasskeyOptions,
): Route {
  return formRoute<undefined, undefined, 'session' | 'browser'>(deps, {
    path,
    ...(access && { access }),
    limit: LIMITS.passkey,
    onError: problem,
    async handle({ browser: { formToken }, now }) {
      const challenge = await deps.database.write((tx) =>
        createChallenge(tx, { purpose, formToken }, now),
      )
      return json(requestOptions(site, challenge), 200, { 'cache-control': 'no-store' })
    },
  })
}

/** The message for a submission without a passkey that can be verified. */
export function passkeyErrorMessage(kind: PasskeyErrorKind, site: PasskeySite): string {
  if (kind === 'elsewhere') return wrongSiteMessage(site)
  return kind === 'expired' ? EXPIRED : NO_PASSKEY
}

const NO_PASSKEY = phrase(
  'Your browser sent no passkey. Passkeys need JavaScript and an up-to-date browser.',
)

const EXPIRED = phrase('This request took too long or was started in another window. Try again.')

/** For a browser that opened Weft at another address than its public URL. */
function wrongSiteMessage({ origin }: PasskeySite): string {
  return t('Passkeys only work at {origin}. Open that address and try again.', { origin })
}
