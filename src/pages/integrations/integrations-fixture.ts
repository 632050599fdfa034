/** A service with members who have signed in, for the tests of this page. */

import assert from 'node:assert/strict'
import { memberBrowser, oauthClient } from '../../../test/support/oauth.ts'
import { givePassword, PASSWORD } from '../../../test/support/password.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import type { Page, Visitor } from '../../../test/support/visitor.ts'
import { INTEGRATIONS_PATH } from './paths.ts'

export interface World extends AsyncDisposable {
  readonly service: TestService
  /** A new member, at the page. */
  join(username: string): Promise<Person>
}

export interface Person {
  readonly memberId: number
  readonly visitor: Visitor
  show(): Promise<Page>
  /** Sends the form that makes a token. */
  submit(fields: Readonly<Record<string, string>>): Promise<Page>
  /** The same, where all is well: the token's secret. */
  make(fields: Readonly<Record<string, string>>): Promise<string>
  /** Connects an app of this name; its access token. */
  connect(clientName: string, redirectUri?: string): Promise<string>
  /** The status of a tool call with one of this member's tokens; it costs a credit. */
  call(token: string): Promise<number>
}

export async function openWorld(): Promise<World> {
  const service = await startTestService()
  return {
    service,
    join: (username) => join(service, username),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

async function join(service: TestService, username: string): Promise<Person> {
  const visitor = await memberBrowser(service, { username, name: `Member ${username}` })
  const { memberId } = visitor.member
  await givePassword(service, visitor.member)
  const confirmed = { confirm_password: PASSWORD }
  const show = () => visitor.get(INTEGRATIONS_PATH)
  return {
    memberId,
    visitor,
    show,
    submit: async (fields) =>
      visitor.follow(await visitor.submit(await show(), { ...confirmed, ...fields })),
    async make(fields) {
      const sent = await visitor.submit(await show(), { ...confirmed, ...fields })
      return secretIn(await visitor.follow(sent))
    },
    async connect(clientName, redirectUri = 'https://client.example/callback') {
      const client = { client_name: clientName }
      const clientId = await oauthClient(service).register([redirectUri], client)
      return (await visitor.connect(clientId, { redirect_uri: redirectUri })).access_token
    },
    async call(token) {
      const status = await search(service.url, token)
      // When a token was last used is written beside the call; a member's transactions take turns.
      await service.database.member(memberId).write(() => Promise.resolve())
      return status
    },
  }
}

async function search(url: string, token: string): Promise<number> {
  const params = { name: 'search_connections', arguments: { query: 'ada' } }
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  await response.text()
  return response.status
}

/** The API token that a page shows. */
export function secretIn({ status, html, text }: Page): string {
  assert.equal(status, 200, text)
  const secret = /weft_pat_[0-9A-Za-z]{49}/.exec(html)?.[0]
  assert.ok(secret, text)
  return secret
}

/** What a page calls this app, token or cloud agent in its forms. */
export function idOf({ forms }: Page, field: string): string {
  const buttons = forms.flatMap((form) => form.buttons)
  const ids = buttons.filter(({ name }) => name === field).map(({ value }) => value)
  assert.equal(ids.length, 1, `${field}: ${ids.join(', ')}`)
  return ids[0] ?? ''
}
