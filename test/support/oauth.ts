/** A minimal OAuth client that can send invalid requests, and members who approve it. */

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createConfirmation } from '../../src/access/reauthentication.ts'
import { createMember } from '../../src/members/member.ts'
import { type Member } from '../../src/members/member-row.ts'
import {
  consentTimestamp,
  MIN_CONSENT_AGE_MS,
  RENDERED_AT,
} from '../../src/oauth/consent/consent-timestamp.ts'
import { openSignedIn, type MembersService, type Page, type Visitor } from './visitor.ts'
import type { NewMember } from '../../src/members/member-fields.ts'

export const REDIRECT_URI = 'https://client.example/callback'

export interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export interface OAuthAnswer {
  readonly status: number
  readonly headers: Headers
  /** Empty if the response was not JSON. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
}

export type Parameters = Readonly<Record<string, string | undefined>>

/** Calls the endpoints without an OAuth library. */
export function oauthClient({ url }: { readonly url: string }) {
  const post = async (
    path: string,
    body: URLSearchParams | string,
    headers: Record<string, string> = {},
  ): Promise<OAuthAnswer> => {
    const response = await fetch(url + path, { method: 'POST', body, headers, redirect: 'manual' })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
    }
  }
  const client = {
    post,
    async register(redirectUris: readonly string[] = [REDIRECT_URI], more: object = {}) {
      const body = JSON.stringify({ redirect_uris: redirectUris, client_name: 'Test', ...more })
      const answer = await post('/oauth/register', body, { 'content-type': 'application/json' })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      return String(answer.body['client_id'])
    },
    token: (parameters: Parameters) => post('/oauth/token', searchOf(parameters)),
    revoke: (parameters: Parameters) => post('/oauth/revoke', searchOf(parameters)),
    exchange: (clientId: string, code: string, verifier: string, more: Parameters = {}) =>
      client.token({
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        code_verifier: verifier,
        redirect_uri: REDIRECT_URI,
        ...more,
      }),
    refresh: (clientId: string, refreshToken: string, more: Parameters = {}) =>
      client.token({
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: refreshToken,
        ...more,
      }),
    /** The status of a tool call with this bearer. */
    async call(token: string, path = '/mcp'): Promise<number> {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const params = { name: 'whoami', arguments: {} }
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      return (await post(path, JSON.stringify(message), headers)).status
    },
  }
  return client
}

export type OAuthClient = ReturnType<typeof oauthClient>

export function searchOf(parameters: Parameters): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) search.append(name, value)
  return search
}

/** Encoded for a URL. */
export function queryOf(parameters: Parameters): string {
  return searchOf(parameters).toString()
}

export function authorizeParameters(clientId: string, { challenge }: Pkce): Record<string, string> {
  return {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope: 'network',
    state: 'st4te',
  }
}

/** The browser of a signed-in member who allows apps. */
export interface MemberBrowser extends Visitor {
  readonly member: Member
  /** Presses a button on the consent page of the request in `search`. */
  decide(search: URLSearchParams, decision: 'allow' | 'deny'): Promise<Page>
  /** Allows a valid request and returns its code. */
  allow(clientId: string, pkce: Pkce, more?: Parameters): Promise<string>
  /** Runs the whole flow and returns the tokens. */
  connect(clientId: string, more?: Parameters): Promise<Tokens>
}

/** The consent page as for a member who has just signed in. */
export async function openConsent(
  { database, clock }: Pick<MembersService, 'database' | 'clock'>,
  visitor: Visitor,
  search: string,
): Promise<Page> {
  const path = `/oauth/authorize?${search}`
  const page = await visitor.get(path)
  const formToken = page.forms[0]?.fields['form_token']
  if (formToken === undefined) return page
  const confirmed = { action: 'connect_app', formToken } as const
  const confirmation = await database.write((tx) => createConfirmation(tx, confirmed, clock.now()))
  return visitor.get(`${path}&confirmation=${confirmation}`)
}

/** The URL that signing in leads to, without the confirmation. */
export function unconfirmed(address: string | undefined): string {
  assert.match(address ?? '', /&confirmation=[\w-]{43}$/)
  return (address ?? '').replace(/&confirmation=[\w-]+$/, '')
}

/** The browser of a new member. */
export async function memberBrowser(
  service: MembersService,
  fields: NewMember,
): Promise<MemberBrowser> {
  const { database, clock } = service
  const member = await database.write((tx) => createMember(tx, fields, clock.now()))
  const visitor = await openSignedIn(service, member)
  const browser: MemberBrowser = Object.assign(visitor, {
    member,
    async decide(search: URLSearchParams, decision: 'allow' | 'deny') {
      const page = await openConsent(service, visitor, search.toString())
      assert.equal(page.status, 200, page.html)
      return visitor.submit(page, readFor(page, MIN_CONSENT_AGE_MS), decision)
    },
    async allow(clientId: string, pkce: Pkce, more: Parameters = {}) {
      const parameters = { ...authorizeParameters(clientId, pkce), ...more }
      const page = await browser.decide(searchOf(parameters), 'allow')
      const code = redirectOf(page).get('code')
      assert.ok(code, page.html)
      return code
    },
    async connect(clientId: string, more: Parameters = {}) {
      const pkce = newPkce()
      const code = await browser.allow(clientId, pkce, more)
      const redirect = { redirect_uri: more['redirect_uri'] ?? REDIRECT_URI }
      const answer = await oauthClient(service).exchange(clientId, code, pkce.verifier, redirect)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body as unknown as Tokens
    },
  })
  return browser
}

/** The timestamp field of a consent form, moved back as if a person had read the page for this time. */
export function readFor(page: Page, milliseconds: number): { readonly rendered_at: string } {
  const fields = page.forms.map((form) => form.fields).find((one) => RENDERED_AT in one)
  assert.ok(fields, page.html)
  const { form_token: formToken = '', request = '', [RENDERED_AT]: timestamp = '' } = fields
  const renderedAt = Number(timestamp.split('.')[0])
  return { rendered_at: consentTimestamp({ formToken, request }, renderedAt - milliseconds) }
}

/** The parameters that a redirect passes to the client. */
export function redirectOf({ location, html }: Page): URLSearchParams {
  assert.ok(location, html)
  return new URL(location).searchParams
}
