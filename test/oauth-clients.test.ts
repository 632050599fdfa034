/** Third-party clients from the endpoint URL to a tool call: discovery, registration, consent, exchange and refresh. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { HOUR } from '../src/base/clock.ts'
import { clientDocuments } from '../src/oauth/client-document.ts'
import { certifyLocalhost } from './fixtures/oauth/localhost-certificate.ts'
import { memberBrowser, oauthClient, type MemberBrowser } from './support/oauth.ts'
import { startTestService, type TestServiceOptions } from './support/service.ts'
import { fixedClock } from './support/store.ts'
import type { AddressInfo } from 'node:net'
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
  VersionNegotiationMode,
} from '@modelcontextprotocol/client'

/** Nothing listens there. The browser's URL shows what the app would receive. */
const REDIRECT_URI = 'http://127.0.0.1:33418/callback'
const CLIENT_INFO = { name: 'judge', version: '1.0.0' }
const METADATA = { client_name: 'Judge', redirect_uris: [REDIRECT_URI] }
const WHOAMI = { name: 'whoami', arguments: {} }

const MODES: [name: string, mode: VersionNegotiationMode][] = [
  ['legacy', 'legacy'],
  ['auto', 'auto'],
  ['pinned to 2026-07-28', { pin: '2026-07-28' }],
]

async function createWorld(options: TestServiceOptions = {}) {
  const service = await startTestService(options)
  return {
    service,
    /** The tool endpoint, the only thing a person enters into a client. */
    endpoint: new URL(`${service.url}/mcp`),
    ada: await memberBrowser(service, { username: 'ada', name: 'Ada Lovelace' }),
    call: (token = '') => oauthClient(service).call(token),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

for (const [name, mode] of MODES)
  test(`@modelcontextprotocol/client, ${name}, from the endpoint URL to a tool call, and after its token has expired`, async () => {
    await using world = await createWorld()
    const app = appOf(world.ada)
    const client = await connect(world.endpoint, app, mode)
    assert.equal(await usernameOf(client), 'ada')
    const before = app.tokens()
    world.service.clock.advance(HOUR)
    assert.equal(await usernameOf(client), 'ada')
    await client.close()
    assert.notEqual(app.tokens()?.refresh_token, before?.refresh_token)
    assert.equal(await world.call(before?.access_token), 401)
    assert.equal(app.asked, 1)
  })

test('@modelcontextprotocol/client requests consent again after its tokens were revoked', async (t) => {
  t.mock.method(console, 'warn', () => undefined) // it warns that it drops its tokens
  await using world = await createWorld()
  const app = appOf(world.ada)
  const client = await connect(world.endpoint, app, 'auto')
  await oauthClient(world.service).revoke({ token: app.tokens()?.refresh_token })
  await assert.rejects(client.callTool(WHOAMI), { name: 'UnauthorizedError' })
  await client.close()
  assert.equal(app.asked, 2)
  const again = new StreamableHTTPClientTransport(world.endpoint, { authProvider: app })
  await again.finishAuth(app.answer())
  assert.equal(await world.call(app.tokens()?.access_token), 200)
})

test('@modelcontextprotocol/client with a client metadata document needs no registration', async () => {
  await using site = await serveDocument()
  await using world = await createWorld({ documents: site.documents })
  const app = appOf(world.ada, site.clientId)
  const client = await connect(world.endpoint, app, 'auto')
  assert.equal(await usernameOf(client), 'ada')
  world.service.clock.advance(HOUR)
  assert.equal(await usernameOf(client), 'ada')
  await client.close()
  assert.equal(app.clientInformation()?.client_id, site.clientId)
})

test('@modelcontextprotocol/sdk, from the endpoint URL to a tool call, and after its token has expired', async () => {
  await using world = await createWorld()
  const app = appOf(world.ada)
  const first = new EarlierTransport(world.endpoint, { authProvider: app })
  await assert.rejects(new EarlierClient(CLIENT_INFO).connect(first), { message: 'Unauthorized' })
  await first.finishAuth(app.answer().get('code') ?? '')
  const client = new EarlierClient(CLIENT_INFO)
  await client.connect(new EarlierTransport(world.endpoint, { authProvider: app }))
  assert.equal(await usernameOf(client), 'ada')
  const before = app.tokens()
  world.service.clock.advance(HOUR)
  assert.equal(await usernameOf(client), 'ada')
  await client.close()
  assert.notEqual(app.tokens()?.refresh_token, before?.refresh_token)
  assert.equal(app.asked, 1)
})

test('the strict oauth4webapi finds no error from discovery to revocation', async () => {
  await using world = await createWorld()
  const { endpoint, service, ada } = world
  const insecure = { [oauth.allowInsecureRequests]: true }
  const found = await oauth.resourceDiscoveryRequest(endpoint, insecure)
  const resource = await oauth.processResourceDiscoveryResponse(endpoint, found)
  const issuer = new URL(resource.authorization_servers?.[0] ?? '')
  const described = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
  const server = await oauth.processDiscoveryResponse(issuer, described)
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(server, METADATA, insecure),
  )

  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const address = new URL(server.authorization_endpoint ?? '')
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    scope: resource.scopes_supported?.join(' ') ?? '',
    resource: resource.resource,
    state,
  }).toString()
  const answer = oauth.validateAuthResponse(server, client, await follow(ada, address), state)
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      answer,
      REDIRECT_URI,
      verifier,
      insecure,
    ),
  )
  assert.equal(await world.call(tokens.access_token), 200)

  service.clock.advance(HOUR)
  await assert.rejects(callWith(tokens.access_token, endpoint), oauth.WWWAuthenticateChallengeError)
  const renewed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      tokens.refresh_token ?? '',
      insecure,
    ),
  )
  assert.equal((await callWith(renewed.access_token, endpoint)).status, 200)

  const revoke = [server, client, oauth.None(), renewed.refresh_token ?? '', insecure] as const
  await oauth.processRevocationResponse(await oauth.revocationRequest(...revoke))
  assert.equal(await world.call(renewed.access_token), 401)
})

test('openid-client, from the issuer URL to revocation', async () => {
  await using world = await createWorld()
  const server = new URL(world.service.url)
  const client = await openid.dynamicClientRegistration(server, METADATA, openid.None(), {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  })
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const address = openid.buildAuthorizationUrl(client, {
    redirect_uri: REDIRECT_URI,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  })
  const checks = { pkceCodeVerifier, expectedState }
  const returned = await follow(world.ada, address)
  const tokens = await openid.authorizationCodeGrant(client, returned, checks)
  assert.equal(tokens.scope, 'network')
  assert.equal(tokens.expires_in, 3600)
  const renewed = await openid.refreshTokenGrant(client, tokens.refresh_token ?? '')
  assert.equal(await world.call(renewed.access_token), 200)
  await openid.tokenRevocation(client, renewed.access_token)
  assert.equal(await world.call(renewed.access_token), 401)
})

/** The in-memory storage of an SDK app, and the member whose browser it opens. */
interface App extends OAuthClientProvider {
  /** The number of times it has opened the consent page. */
  readonly asked: number
  clientInformation(): StoredOAuthClientInformation | undefined
  tokens(): StoredOAuthTokens | undefined
  /** The last request to its redirect URI. */
  answer(): URLSearchParams
}

function appOf(member: MemberBrowser, clientMetadataUrl?: string): App {
  let information: StoredOAuthClientInformation | undefined
  let tokens: StoredOAuthTokens | undefined
  let verifier = ''
  let discovered: OAuthDiscoveryState | undefined
  let answer = new URLSearchParams()
  let asked = 0
  return {
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    redirectUrl: REDIRECT_URI,
    clientMetadata: METADATA,
    get asked() {
      return asked
    },
    state: () => `state ${asked}`,
    clientInformation: () => information,
    saveClientInformation: (saved: StoredOAuthClientInformation) => void (information = saved),
    tokens: () => tokens,
    saveTokens: (saved: StoredOAuthTokens) => void (tokens = saved),
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
    saveDiscoveryState: (saved) => void (discovered = saved),
    discoveryState: () => discovered,
    invalidateCredentials(scope) {
      if (scope === 'tokens' || scope === 'all') tokens = undefined
    },
    async redirectToAuthorization(address) {
      answer = (await follow(member, address)).searchParams
      assert.equal(answer.get('state'), `state ${asked}`)
      asked += 1
    },
    answer: () => answer,
  }
}

/** Connects like a newly installed app: gets a 401, requests consent, and retries. */
async function connect(endpoint: URL, app: App, mode: VersionNegotiationMode): Promise<Client> {
  const options = { authProvider: app }
  const negotiation = { versionNegotiation: { mode } }
  const first = new StreamableHTTPClientTransport(endpoint, options)
  await assert.rejects(new Client(CLIENT_INFO, negotiation).connect(first), {
    name: 'UnauthorizedError',
  })
  await first.finishAuth(app.answer())
  const client = new Client(CLIENT_INFO, negotiation)
  await client.connect(new StreamableHTTPClientTransport(endpoint, options))
  return client
}

/** The member follows the app to the consent page and allows access. */
async function follow(member: MemberBrowser, { searchParams }: URL): Promise<URL> {
  const { location, html } = await member.decide(searchParams, 'allow')
  assert.ok(location, html)
  return new URL(location)
}

/** The username of the client's member. */
async function usernameOf(client: Pick<Client, 'callTool'> | EarlierClient): Promise<string> {
  const { structuredContent } = await client.callTool(WHOAMI)
  // Guaranteed by the tool's output schema.
  const { member } = structuredContent as { member: { username: string } }
  return member.username
}

function callWith(accessToken: string, endpoint: URL): Promise<Response> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: WHOAMI }
  const headers = new Headers({ 'content-type': 'application/json' })
  return oauth.protectedResourceRequest(
    accessToken,
    'POST',
    endpoint,
    headers,
    JSON.stringify(message),
    { [oauth.allowInsecureRequests]: true },
  )
}

/** An app's site with its client metadata document, and a document reader that trusts the site's certificate. */
async function serveDocument() {
  const certificate = certifyLocalhost()
  const site = createServer(certificate, (request, response) => {
    const document = { client_id: `https://localhost:${port}${request.url}`, ...METADATA }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  })
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const { port } = site.address() as AddressInfo
  return {
    clientId: `https://localhost:${port}/client.json`,
    documents: clientDocuments({
      clock: fixedClock(),
      isAllowedAddress: () => true,
      certificateAuthority: certificate.cert,
    }),
    async [Symbol.asyncDispose]() {
      site.closeAllConnections()
      site.close()
      await once(site, 'close')
    },
  }
}
