/** Pages with sample content on a real server, for browser tests. */

import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLog } from '../../src/base/log.ts'
import { RequestError } from '../../src/base/request-error.ts'
import { assetRoutes } from '../../src/html/assets.route.ts'
import { cardPage } from '../../src/html/card-layout.ts'
import { formError, textField } from '../../src/html/form.ts'
import { html, type Html } from '../../src/html/html.ts'
import { memberPage } from '../../src/html/member-layout.ts'
import { messagePage, errorPage } from '../../src/html/message.page.ts'
import { seeOther, type Answer } from '../../src/http/response.ts'
import { assemble } from '../../src/http/http-service.ts'
import { defineRoute } from '../../src/http/route.ts'
import { NO_LIMITS } from '../../src/http/caller.ts'
import { shownLimits } from '../../src/oauth/consent/limits-form.ts'
import { consentPage, type ConsentClient } from '../../src/oauth/consent.page.ts'
import { openGate } from '../support/gate.ts'
import { TEST_NOW } from '../support/store.ts'

export interface World extends AsyncDisposable {
  readonly url: string
}

const ADA = {
  memberId: 1,
  username: 'ada',
  name: 'Ada Lovelace',
  role: 'member' as const,
  sessionId: 'session',
  signedInAt: TEST_NOW,
}

/** Every kind of page, with minimal and maximal content, by path. */
export const PAGES: Readonly<Record<string, () => Answer>> = {
  '/form': () => signIn(),
  '/form-refused': () => signIn('Enter a valid email address.'),
  '/consent': () => consent('https://claude.ai/api/mcp/auth_callback'),
  '/consent-local': () =>
    consent('http://127.0.0.1:33418/callback', { name: 'Claude Code (weft)' }),
  '/consent-app': () => consent('cursor://anysphere.cursor-mcp/oauth/callback', { name: 'Cursor' }),
  '/consent-hostile': () =>
    consent(`https://weft.example.org.${'a'.repeat(60)}.${'b'.repeat(60)}.example:8443/cb`, {
      clientId: `https://${'very-long-label-'.repeat(3)}x.example/client.json`,
      name: `\u202E<script>alert(1)</script> ${'W'.repeat(80)}`,
      uri: `https://${'c'.repeat(63)}.example/`,
      registered: false,
    }),
  '/message': () =>
    messagePage({
      status: 200,
      title: 'You are signed out',
      text: 'Nothing of yours is left in this browser.',
      action: { href: '/form', label: 'Sign in again' },
    }),
  '/error': () =>
    errorPage(
      new RequestError('forbidden', 'This form has expired, so it was not submitted.', {
        hint: 'Go back, reload the page and submit it again. Cookies must be enabled.',
      }),
      'req_6tVQm0yfkVfR1nG0',
    ),
  '/member': () => agents(),
}

/** The pages, and a consent form that responds like the authorization endpoint: 303 to `redirect_uri`. */
export async function startWorld(): Promise<World> {
  const looks = Object.entries(PAGES).map(([path, make]) =>
    defineRoute({
      method: 'GET',
      path,
      operationId: path,
      summary: path,
      access: 'browser',
      answers: {},
      handle: async () => make(),
    }),
  )
  let url = ''
  const service = assemble({
    ...openGate(),
    // Read with each request, by when the port is known: forms are accepted from this address alone.
    get publicUrl() {
      return url
    },
    routes: [...assetRoutes(), ...looks, ...authorization()],
    log: createLog('silent'),
  })
  url = `http://127.0.0.1:${await service.listen('127.0.0.1', 0)}`
  return {
    url,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

/** A third-party server, such as an app that waits for its code. Rejects if the host is unavailable. */
export async function startOther(
  host: '127.0.0.1' | '::1',
  listener: RequestListener,
): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer(listener).listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function authorization() {
  const path = '/oauth/authorize'
  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: 'authorize',
      summary: path,
      access: 'browser',
      answers: {},
      handle: async ({ search }) =>
        consent(new URLSearchParams(search).get('redirect_uri') ?? '', {}, search),
    }),
    defineRoute({
      method: 'POST',
      path,
      operationId: 'decide',
      summary: path,
      access: 'browser',
      body: { kind: 'form', maxBytes: 10_000 },
      answers: {},
      async handle({ body }) {
        const asked = new URLSearchParams(body.get('request') ?? '')
        return seeOther(`${asked.get('redirect_uri')}?decision=${body.get('decision')}`)
      },
    }),
  ]
}

function consent(redirectUri: string, client: Partial<ConsentClient> = {}, request = ''): Answer {
  return consentPage({
    client: { clientId: 'client_1', name: 'Claude', uri: null, registered: true, ...client },
    redirectUri,
    member: ADA,
    credits: { remaining: 812, quota: 1000, resetsAt: Date.UTC(2026, 11, 1) },
    formToken: 'form',
    request,
    publicUrl: 'https://weft.example.org',
    legal: { privacyPolicy: 'Ours', termsOfService: 'Ours' },
    now: TEST_NOW,
    confirmation: '',
    isConfirmed: true,
    limits: shownLimits({ ok: true, limits: NO_LIMITS }, 'UTC'),
  })
}

function signIn(error?: string): Answer {
  const refused = error !== undefined
  const email = { name: 'email', label: 'Email', type: 'email', autofocus: true } as const
  return cardPage({
    title: 'Sign in',
    status: refused ? 400 : 200,
    body: html`${formError(refused ? 'You are not signed in.' : undefined)}
      <form method="post" action="/form">
        ${textField(refused ? { ...email, value: 'ada@', error } : email)}
        ${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', hint: 'A sentence is good.' })}
        <button>Sign in</button>
      </form>`,
    foot: html`Have an invitation? <a href="/join">Join</a>`,
  })
}

const TOKENS = [
  { name: 'Claude Desktop', tail: 'x3fK', used: '2 hours ago', ends: '21 Feb 2027', live: true },
  { name: 'Digest '.repeat(9), tail: '81Qp', used: 'never', ends: 'never', live: true },
  { name: 'W'.repeat(80), tail: '9dMz', used: '3 Oct 2026', ends: 'expired', live: false },
]

function agents(): Answer {
  return memberPage({
    title: 'Agents & tokens',
    actions: html`<a class="button" href="/form">New token</a>`,
    browser: { member: ADA },
    current: 'agents',
    body: html`<p class="notice success" role="status">Token revoked.</p>
      <section class="panel">
        <h2>The address for your agents</h2>
        <p class="quiet">Paste it into any MCP client.</p>
        <div class="copyable">
          <code>https://weft.example.org/mcp</code>
          <button type="button" class="plain" data-copy="https://weft.example.org/mcp">Copy</button>
        </div>
      </section>
      <section class="panel">
        <h2>API tokens</h2>
        ${tokenTable()}
      </section>
      <section class="panel">
        <h2>Make a token</h2>
        <form method="post" action="/form">
          ${textField({ name: 'name', label: 'Name', hint: 'A name that helps you recognize it.' })}
          <div class="field">
            <label for="expires">Expires</label>
            <select id="expires">
              <option>in 90 days</option>
            </select>
          </div>
          <div class="field">
            <label for="note">Note</label>
            <textarea id="note" placeholder="If you like"></textarea>
          </div>
          <label><input type="checkbox" name="cloud" /> For a cloud agent</label>
          <div class="actions">
            <button>Create token</button>
            <button class="plain">Cancel</button>
            <button class="quiet">Quiet</button>
            <button class="danger">Revoke all</button>
          </div>
        </form>
      </section>
      <section class="panel">
        <h2>Import</h2>
        <p>4,210 of 10,000 rows <span class="badge warning">running</span></p>
        <progress value="0.42" aria-label="Rows imported">42 %</progress>
      </section>
      <section class="panel">
        <div class="empty">
          <p>No agent is connected yet.</p>
          <a class="button plain" href="/docs">How to connect one</a>
        </div>
      </section>`,
  })
}

function tokenTable(): Html {
  const rows = TOKENS.map(
    ({ name, tail, used, ends, live }) =>
      html`<tr>
        <td>
          <bdi>${name}</bdi>
          <span class="badge ${live ? 'success' : 'danger'}">${live ? 'live' : 'expired'}</span>
        </td>
        <td class="extra"><code>weft_pat_…${tail}</code></td>
        <td><time>${used}</time></td>
        <td class="extra"><time>${ends}</time></td>
        <td class="act"><button class="plain danger">Revoke</button></td>
      </tr>`,
  )
  return html`<table>
    <thead>
      <tr>
        <th>Name</th>
        <th class="extra">Token</th>
        <th>Last used</th>
        <th class="extra">Expires</th>
        <th><span class="unseen">Revoke</span></th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}
