/** The consent page: who asks, what it could and could never do, and where the browser goes next. */

import { lazy } from '../base/lazy.ts'
import { cardPage } from '../html/card-layout.ts'
import { formTarget } from '../html/content-security-policy.ts'
import { formError, formTokenField, hiddenField } from '../html/form.ts'
import { html } from '../html/html.ts'
import { icon } from '../html/icon.ts'
import { consentTimestamp, RENDERED_AT } from './consent-timestamp.ts'
import { isLoopbackUri } from './redirect-uri.ts'
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
  /** The authorization request as it came (a query string); sent back with the decision. */
  readonly request: string
  /** `WEFT_PUBLIC_URL` */
  readonly publicUrl: string
  readonly now: number
  /** The decision came too soon after the page was rendered: nothing was connected, and the member is asked again. */
  readonly isTooSoon?: boolean
}

export interface ConsentClient {
  readonly clientId: string
  readonly name: string
  readonly uri: string | null
  /** False: it describes itself by a document at its client_id, an https URL. */
  readonly registered: boolean
}

/** Its form answers `POST /oauth/authorize` with `decision` as `allow` or `deny`, and the signed time of rendering. */
export function consentPage(deps: ConsentDeps): Answer {
  const { client, redirectUri, credits, isTooSoon = false } = deps
  return cardPage({
    status: isTooSoon ? 422 : 200,
    title: 'Let an app work with your network?',
    heading: html`Let <bdi>${client.name}</bdi> work with your network?`,
    body: html`!${formError(isTooSoon ? TOO_SOON : undefined)}
    !${whoAsks(client, destinationOf(redirectUri))} !${whatItCan(credits)} !${decision(deps)}`,
    foot: whoIsAsked(deps),
    formTargets: [formTarget(redirectUri), ...ONWARD],
  })
}

const TOO_SOON =
  'Nothing was connected, because the answer came within a second of the question. Read the page, then choose again.'

/**
 * Browsers hold form-action against every redirect that follows the form, beyond the first: a client's page leads on to
 * other pages of its makers, or into their app, as Claude's does; and signing out, to an identity provider.
 */
const ONWARD = ['https:', 'claude:']

/** Where the answer is sent, and what can go wrong in such a place in particular. */
interface Destination {
  readonly name: string
  readonly warning?: string
}

function destinationOf(redirectUri: string): Destination {
  const { protocol, host } = new URL(redirectUri)
  if (isLoopbackUri(redirectUri))
    return {
      name: `${host}, on this computer`,
      warning: 'Any program on this computer could be waiting there for the answer.',
    }
  if (protocol === 'https:') return { name: host }
  return {
    name: `the app that opens ${protocol} links`,
    warning: `Any app on this device can claim ${protocol} links and receive the answer.`,
  }
}

/** Names are isolated (`bdi`): one that turns the direction of writing turns only itself. */
function whoAsks(client: ConsentClient, { name, warning }: Destination): string {
  return html`<dl class="facts">
      <div>
        <dt>Next, your browser goes to</dt>
        <dd>
          <strong><bdi>${name}</bdi></strong>
        </dd>
      </div>
      !${client.registered ? '' : fact('It describes itself at', new URL(client.clientId).host)}
      !${client.uri === null ? '' : fact('It names as its website', new URL(client.uri).host)}
    </dl>
    <p class="notice warning">
      Anyone can connect an app under any name, and nobody here has reviewed this one. ${warning}
      Allow only if you just started this yourself.
    </p>`
}

function fact(label: string, value: string): string {
  return html`<div>
    <dt>${label}</dt>
    <dd><bdi>${value}</bdi></dd>
  </div>`
}

function whatItCan({ remaining, quota, resetsAt }: ConsentDeps['credits']): string {
  const left = `${NUMBER().format(remaining)} of ${NUMBER().format(quota)} left until ${DATE().format(resetsAt)}`
  return html`<section>
      <h2>It will be able to</h2>
      <ul class="points">
        !${point('check', 'See, change and delete your connections, notes, tags and follow-ups')}
        !${point('check', 'Import contacts and edit your profile')}
        !${point('check', `Spend credits (${left})`)}
      </ul>
    </section>
    <section>
      <h2>It can never</h2>
      <ul class="points">
        !${point('cross', 'See the network of another member')}
        !${point('cross', 'See your password or change how you sign in')}
        !${point('cross', 'Make tokens, connect apps or delete your account')}
      </ul>
    </section>
    <p class="quiet">You can disconnect it at any time under Agents &amp; tokens.</p>`
}

const NUMBER = lazy(() => new Intl.NumberFormat('en'))
/** Credits are renewed by the calendar of UTC. */
const DATE = lazy(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }),
)

function point(name: 'check' | 'cross', text: string): string {
  return html`<li>!${icon(name)} <span>${text}</span></li>`
}

/** Cancel comes first, so that it is what a stray Enter presses, and is as large as the other. */
function decision({ formToken, request, now }: ConsentDeps): string {
  return html`<form method="post" action="/oauth/authorize">
    !${formTokenField(formToken)} !${hiddenField('request', request)}
    !${hiddenField(RENDERED_AT, consentTimestamp({ formToken, request }, now))}
    <div class="actions even">
      <button class="plain" name="decision" value="deny">Cancel</button>
      <button name="decision" value="allow" data-guarded>Allow</button>
    </div>
  </form>`
}

/** Signing out leads back to this very request. */
function whoIsAsked({ member, publicUrl, formToken, request }: ConsentDeps): string {
  return html`<form method="post" action="/sign-out">
    !${formTokenField(formToken)} !${hiddenField('return_to', `/oauth/authorize?${request}`)} Signed
    in to ${new URL(publicUrl).host} as <bdi>${member.name}</bdi> (@${member.username}).
    <button class="link">Not you?</button>
  </form>`
}
