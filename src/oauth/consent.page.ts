/** The consent page: which app asks for access, what it can and cannot do, and where the browser goes next. */

import { phrase, t } from '../languages/message.ts'
import { perLanguage } from '../languages/language.ts'
import { cardPage } from '../html/card-layout.ts'
import { formTarget } from '../html/content-security-policy.ts'
import { formError, formKeyField, hiddenField } from '../html/form.ts'
import { attributes, html, type Html } from '../html/html.ts'
import { AUTHORIZE_PATH, SIGN_OUT_PATH } from '../html/site-map.ts'
import { icon } from '../html/icon.ts'
import { CONNECT_CONFIRMATION } from './consent/connect-confirmation.ts'
import { consentTimestamp, RENDERED_AT } from './consent/consent-timestamp.ts'
import { isWorthShowing, limitFields, type ShownLimits } from './consent/limits-form.ts'
import { isLoopbackUri } from './redirect-uri.ts'
import type { OperatorTexts } from '../html/legal-links.ts'
import type { Answer } from '../http/response.ts'
import type { SignedIn } from '../http/browser-request.ts'

export interface ConsentDeps {
  readonly client: ConsentClient
  readonly redirectUri: string
  readonly member: SignedIn
  /** `resetsAt` in milliseconds. */
  readonly credits: {
    readonly remaining: number
    readonly quota: number
    readonly resetsAt: number
  }
  readonly formToken: string
  /** The authorization request as received (a query string). Submitted again with the decision. */
  readonly request: string
  readonly publicUrl: string
  readonly legal: OperatorTexts
  readonly now: number
  readonly limits: ShownLimits
  /** The decision came too soon after the page was rendered, so the page is shown again. */
  readonly isTooSoon?: boolean
  /** The confirmation that the member has just signed in; empty without one. */
  readonly confirmation: string
  /** Whether the member can allow the app, or has to sign in again first. */
  readonly isConfirmed: boolean
  /** The confirmation has expired, so the page is shown again. */
  readonly isExpired?: boolean
}

export interface ConsentClient {
  readonly clientId: string
  readonly name: string
  readonly uri: string | null
  /** If false, the client_id is the https URL of a metadata document. */
  readonly registered: boolean
}

/** The form posts to `/oauth/authorize` with `decision` (`allow` or `deny`) and the signed time of rendering. */
export function consentPage(deps: ConsentDeps): Answer {
  const { client, redirectUri, credits, limits, isTooSoon = false, isExpired = false } = deps
  const isInvalid = Object.keys(limits.errors).length > 0
  return cardPage({
    status: isTooSoon || isExpired || isInvalid ? 422 : 200,
    title: t('Allow an app to use your network?'),
    heading: html`Allow <bdi>${client.name}</bdi> to use your network?`,
    body: html`${formError(isTooSoon ? TOO_SOON : isExpired ? EXPIRED : undefined)}
    ${appSection(client, destinationOf(redirectUri))} ${permissionsSection(credits)}
    ${deps.isConfirmed ? decision(deps) : signInAgain(deps)}`,
    foot: memberFooter(deps),
    legal: deps.legal,
    formTargets: [formTarget(redirectUri), ...REDIRECT_TARGETS],
  })
}

const TOO_SOON = phrase(
  'The app was not connected, because Allow was clicked less than a second after this page opened. Read the page, then choose again.',
)

const EXPIRED = phrase(
  'The app was not connected, because each sign-in can connect one app within 5 minutes. Sign in again.',
)

/**
 * Browsers check form-action against every redirect after the submission, not only the first. A client's page may
 * redirect to other sites or into its app, as Claude's does, and signing out may redirect to an identity provider.
 */
const REDIRECT_TARGETS = ['https:', 'claude:']

/** Where the code is sent, and the particular risk of that destination. */
interface Destination {
  readonly name: string
  readonly warning?: string
}

function destinationOf(redirectUri: string): Destination {
  const { protocol, host } = new URL(redirectUri)
  if (isLoopbackUri(redirectUri))
    return {
      name: `${host}, on this computer`,
      warning: t('Any program on this computer could receive the response there.'),
    }
  if (protocol === 'https:') return { name: host }
  return {
    name: `the app that opens ${protocol} links`,
    warning: t('Any app on this device can claim {protocol} links and receive the response.', {
      protocol,
    }),
  }
}

/** `bdi` isolates names, so that right-to-left text does not affect its surroundings. */
function appSection(client: ConsentClient, { name, warning }: Destination): Html {
  return html`<dl class="facts">
      <div>
        <dt>Next, your browser goes to</dt>
        <dd>
          <strong><bdi>${name}</bdi></strong>
        </dd>
      </div>
      ${client.registered ? '' : fact(t('Description published at'), new URL(client.clientId).host)}
      ${client.uri === null ? '' : fact(t('Website, as stated by the app'), new URL(client.uri).host)}
    </dl>
    <p class="notice warning">
      Anyone can register an app under any name, and no one has reviewed this one. ${warning} Allow
      only if you just started this yourself.
    </p>`
}

function fact(label: string, value: string): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd><bdi>${value}</bdi></dd>
  </div>`
}

function permissionsSection({ remaining, quota, resetsAt }: ConsentDeps['credits']): Html {
  const left = t('{remaining} of {quota} left until {resetsAt}', {
    remaining: NUMBER().format(remaining),
    quota: NUMBER().format(quota),
    resetsAt: DATE().format(resetsAt),
  })
  return html`<section>
      <h2>It will be able to</h2>
      <ul class="points">
        ${point('check', t('See, change and delete your people, notes, tags and follow-ups'))}
        ${point('check', t('Import contacts and edit your profile'))}
        ${point('check', t('Spend credits ({left})', { left }))}
      </ul>
    </section>
    <section>
      <h2>It can never</h2>
      <ul class="points">
        ${point('cross', t('See the network of another member'))}
        ${point('cross', t('See your password or change how you sign in'))}
        ${point('cross', t('Create tokens, connect apps or delete your account'))}
      </ul>
    </section>
    <p class="quiet">You can disconnect it at any time under Agents &amp; tokens.</p>`
}

const NUMBER = perLanguage((locale) => new Intl.NumberFormat(locale))
/** Credits reset by the UTC calendar. */
const DATE = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }),
)

function point(name: 'check' | 'cross', text: string): Html {
  return html`<li>${icon(name)} <span>${text}</span></li>`
}

/** Cancel comes first, so that a stray Enter presses it, and is as large as Allow. */
function decision({ formToken, request, now, limits, confirmation }: ConsentDeps): Html {
  return html`<form method="post" action="${AUTHORIZE_PATH}">
    ${formKeyField()} ${hiddenField('request', request)}
    ${hiddenField(CONNECT_CONFIRMATION, confirmation)}
    ${hiddenField(RENDERED_AT, consentTimestamp({ formToken, request }, now))}
    ${limitsSection(limits)}
    <div class="actions even">
      <button class="plain" name="decision" value="deny">Cancel</button>
      <button name="decision" value="allow" data-guarded>Allow</button>
    </div>
  </form>`
}

/** Signing out leads to the sign-in page, and from there back to this request. */
function signInAgain({ request }: ConsentDeps): Html {
  return html`<p>
      Sign in again to allow this app. Weft runs without https here, so other programs on this
      computer could use your session.
    </p>
    <div class="actions even">
      <form method="post" action="${AUTHORIZE_PATH}">
        ${hiddenField('request', request)}
        <button class="plain" name="decision" value="deny">Cancel</button>
      </form>
      <form method="post" action="${SIGN_OUT_PATH}">
        ${hiddenField('return_to', `${AUTHORIZE_PATH}?${request}`)}
        <button>Sign in again</button>
      </form>
    </div>`
}

/** Open if there is a limit, so that no one allows an app with limits they did not see. */
function limitsSection(limits: ShownLimits): Html {
  return html`<details ${attributes({ open: isWorthShowing(limits) })}>
    <summary>Limit what it may do</summary>
    <p class="quiet">You can change this later under Agents &amp; tokens.</p>
    ${limitFields(limits)}
  </details>`
}

/** Signing out returns to this request. */
function memberFooter({ member, publicUrl, request }: ConsentDeps): Html {
  return html`<form method="post" action="${SIGN_OUT_PATH}">
    ${hiddenField('return_to', `${AUTHORIZE_PATH}?${request}`)} Signed in to
    ${new URL(publicUrl).host} as <bdi>${member.name}</bdi> (@${member.username}).
    <button class="link">Not you?</button>
  </form>`
}
