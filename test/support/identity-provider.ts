/** An OpenID Connect provider for tests: the certified oidc-provider, on a local port. */

import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { mock } from 'node:test'
import type Provider from 'oidc-provider'

export interface Person {
  readonly sub: string
  readonly name?: string
  readonly preferred_username?: string
  readonly email?: string
  readonly email_verified?: boolean
}

export interface IdentityProvider extends AsyncDisposable {
  /** The next person to sign in; undefined cancels. */
  person: Person | undefined
  /** Changes the claims of its ID tokens, signed with its key or with a foreign one. */
  idToken: IdTokenChange | undefined
  /** The authorization requests, in order. */
  readonly asked: readonly URLSearchParams[]
}

export interface IdTokenChange {
  readonly claims: Readonly<Record<string, unknown>>
  readonly isForged?: boolean
}

/** The configuration of its only client. */
export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** The configuration for a provider on this port, running or not. */
export function providerSettings(port: number): ProviderSettings {
  const issuer = `http://127.0.0.1:${port}`
  return { issuer, clientId: 'weft', clientSecret: 'a secret of weft, at its provider' }
}

export interface ProviderOptions {
  readonly port: number
  /** The redirect URI of its only client. */
  readonly redirectUri: string
  /** Includes all claims in the ID token without a userinfo request. */
  readonly claimsInIdToken?: boolean
  /** Overrides the claims that its metadata lists. */
  readonly claimsSupported?: readonly string[]
}

export async function startIdentityProvider(options: ProviderOptions): Promise<IdentityProvider> {
  const { port, redirectUri, claimsInIdToken = false, claimsSupported } = options
  const { issuer, clientId, clientSecret } = providerSettings(port)
  const people = new Map<string, Person>()
  const key = newKey()
  const asked: URLSearchParams[] = []
  const provider = await createProvider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    claims: { profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: !claimsInIdToken,
    cookies: { keys: ['of the test'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => people.get(sub) }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    jwks: { keys: [jwkOf(key)] },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      Grant: 60,
      IdToken: 60,
      Interaction: 60,
      Session: 60,
    },
  })
  const answer = provider.callback()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer)
    if (pathname === '/auth') asked.push(searchParams)
    if (pathname === METADATA_PATH && claimsSupported)
      changeAnswer(response, (metadata) => ({ ...metadata, claims_supported: claimsSupported }))
    if (pathname === '/token' && self.idToken) changeIdToken(response, self.idToken, key)
    if (!pathname.startsWith('/interaction/')) answer(request, response)
    else void signIn(provider, { request, response, person: self.person, people })
  })
  const self: IdentityProvider = {
    person: undefined,
    idToken: undefined,
    asked,
    async [Symbol.asyncDispose]() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return self
}

/** Suppresses the warning that it is not configured for production. */
async function createProvider(issuer: string, configuration: object): Promise<Provider> {
  const silenced = mock.method(console, 'warn', () => {})
  const { default: OidcProvider } = await import('oidc-provider')
  const provider = new OidcProvider(issuer, configuration)
  silenced.mock.restore()
  return provider
}

interface Interaction {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly person: Person | undefined
  readonly people: Map<string, Person>
}

/** The sign-in page, and a person who signs in immediately. */
async function signIn(
  provider: Provider,
  { request, response, person, people }: Interaction,
): Promise<void> {
  if (!person) {
    const error_description = 'changed their mind'
    return provider.interactionFinished(request, response, {
      error: 'access_denied',
      error_description,
    })
  }
  people.set(person.sub, person)
  const grant = new provider.Grant({ accountId: person.sub, clientId: 'weft' })
  grant.addOIDCScope('openid profile email')
  const consent = { grantId: await grant.save() }
  return provider.interactionFinished(request, response, {
    login: { accountId: person.sub },
    consent,
  })
}

const METADATA_PATH = '/.well-known/openid-configuration'

type Json = Readonly<Record<string, unknown>>

/** Changes its JSON answer, which is written at once. */
function changeAnswer(response: ServerResponse, change: (answer: Json) => Json): void {
  const end = response.end.bind(response)
  response.end = (text: unknown) => {
    const body = Buffer.from(JSON.stringify(change(JSON.parse(String(text)) as Json)))
    response.setHeader('content-length', body.length)
    return end(body)
  }
}

function changeIdToken(
  response: ServerResponse,
  { claims, isForged = false }: IdTokenChange,
  key: KeyObject,
): void {
  changeAnswer(response, (tokens) => {
    const [header = '', payload = ''] = String(tokens['id_token']).split('.')
    const said = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const signed = `${header}.${Buffer.from(JSON.stringify({ ...said, ...claims })).toString('base64url')}`
    const signature = sign('sha256', Buffer.from(signed), {
      key: isForged ? newKey() : key,
      dsaEncoding: 'ieee-p1363',
    })
    return { ...tokens, id_token: `${signed}.${signature.toString('base64url')}` }
  })
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

function jwkOf(key: KeyObject): object {
  return { ...key.export({ format: 'jwk' }), kid: 'test', use: 'sig', alg: 'ES256' }
}
