/** An OpenID Connect provider as Weft asks it: where to send a person, and who it says has come back. */

import { createHmac } from 'node:crypto'
import { RequestError } from '../../base/request-error.ts'
import type { Configuration } from 'openid-client'
import type { Log } from '../../base/log.ts'
import type { Identity } from '../../access/provider-identity.ts'

/** A confidential client of a provider. */
export interface OidcSettings {
  /** As the provider writes it in its tokens. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** What the provider says of a person (OpenID Connect Core section 5.1). */
export interface Claims extends Identity {
  readonly name: string | undefined
  readonly preferredUsername: string | undefined
  readonly email: string | undefined
  /** Whether the provider made sure that the address is theirs. */
  readonly emailVerified: boolean
}

export interface Provider {
  /** By which a person knows it: its host. */
  readonly name: string
  /**
   * Where to send a browser that keeps `secret` until it comes back. `again`: the provider asks who it is, even
   * somebody who is signed in there. Refuses `unavailable` when the provider cannot be reached.
   */
  authorizationAddress(secret: string, again: boolean): Promise<string>
  /** Whether the answer in this query is the one to a sign-in that `secret` began. */
  isAnswerTo(secret: string, answer: URLSearchParams): boolean
  /**
   * Exchanges the answer's code. Refuses `unavailable` when the provider cannot be reached, `forbidden` when it denies
   * or when its answer does not hold: issuer, nonce, signature, audience, time.
   */
  redeem(secret: string, search: string): Promise<Claims>
}

export interface ProviderDeps {
  readonly settings: OidcSettings
  readonly publicUrl: string
  readonly log: Log
}

export const CALLBACK_PATH = '/sign-in/callback'

/** Seconds that a provider has to answer. */
const PATIENCE = 10

export function openProvider({ settings, publicUrl, log }: ProviderDeps): Provider {
  const { issuer } = settings
  const name = new URL(issuer).host
  const configuration = discoverOnce(settings)
  const reachable = async () => {
    try {
      return await configuration()
    } catch (error) {
      log.warn({ issuer, ...reasonOf(error) }, 'the identity provider cannot be reached')
      throw outage(name)
    }
  }
  return {
    name,
    isAnswerTo: (secret, answer) => answer.get('state') === derived(secret, 'state'),
    async authorizationAddress(secret, again) {
      return addressAt(await reachable(), { secret, again, publicUrl })
    },
    async redeem(secret, search) {
      const config = await reachable()
      try {
        return await redeem(config, secret, new URL(`${publicUrl}${CALLBACK_PATH}?${search}`))
      } catch (error) {
        log.warn({ issuer, ...reasonOf(error) }, 'the identity provider did not sign somebody in')
        throw await refusalOf(error, name)
      }
    },
  }
}

/** The provider's metadata: fetched at the first use, and again where that failed. */
function discoverOnce(settings: OidcSettings): () => Promise<Configuration> {
  let discovered: Promise<Configuration> | undefined
  return () => {
    discovered ??= discover(settings).catch((error: unknown) => {
      discovered = undefined
      throw error
    })
    return discovered
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  // Heavy, and needed by nobody before the first sign-in.
  const { allowInsecureRequests, ClientSecretBasic, discovery, enableNonRepudiationChecks } =
    await import('openid-client')
  const method = ClientSecretBasic(clientSecret)
  // Without it the library relies on TLS alone for tokens that come straight from the provider (Core section 3.1.3.7).
  const verifySignatures = enableNonRepudiationChecks
  // The configuration lets http through for this very machine alone.
  const execute = issuer.startsWith('http:')
    ? [verifySignatures, allowInsecureRequests]
    : [verifySignatures]
  return discovery(new URL(issuer), clientId, {}, method, { timeout: PATIENCE, execute })
}

/**
 * State, nonce and PKCE verifier of one sign-in, all from the secret in the browser's cookie: an answer that was not
 * asked for by this browser matches none of them. 256 bits in base64url, as RFC 7636 section 4.1 wants a verifier.
 */
function derived(secret: string, use: 'state' | 'nonce' | 'verifier'): string {
  return createHmac('sha256', secret).update(use).digest('base64url')
}

interface Departure {
  readonly secret: string
  readonly again: boolean
  readonly publicUrl: string
}

async function addressAt(config: Configuration, departure: Departure): Promise<string> {
  const { secret, again, publicUrl } = departure
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
  const address = buildAuthorizationUrl(config, {
    redirect_uri: publicUrl + CALLBACK_PATH,
    scope: 'openid profile email',
    state: derived(secret, 'state'),
    nonce: derived(secret, 'nonce'),
    code_challenge: await calculatePKCECodeChallenge(derived(secret, 'verifier')),
    code_challenge_method: 'S256',
    ...(again && { prompt: 'login' }),
  })
  return address.href
}

async function redeem(config: Configuration, secret: string, answer: URL): Promise<Claims> {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
  const tokens = await authorizationCodeGrant(config, answer, {
    expectedState: derived(secret, 'state'),
    expectedNonce: derived(secret, 'nonce'),
    pkceCodeVerifier: derived(secret, 'verifier'),
  })
  const idToken = tokens.claims()
  if (!idToken) throw new Error('the provider sent no ID token')
  // Many providers keep what they say of a person out of the ID token (Core section 5.4).
  const asks = !saysEmail(idToken) && config.serverMetadata().userinfo_endpoint
  const more = asks ? await fetchUserInfo(config, tokens.access_token, idToken.sub) : {}
  return claimsOf(idToken, more)
}

type Said = Readonly<Record<string, unknown>>

/** Whether a source says both what the address is and whether it was verified. */
function saysEmail(said: Said): boolean {
  return said['email'] !== undefined && said['email_verified'] !== undefined
}

/** The address and whether it was verified are from one source: the verification of one address is not another's. */
function claimsOf(
  idToken: Said & { readonly iss: string; readonly sub: string },
  userInfo: Said,
): Claims {
  const named = { ...userInfo, ...idToken }
  const aboutEmail = saysEmail(idToken) || userInfo['email'] === undefined ? idToken : userInfo
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    name: textIn(named, 'name'),
    preferredUsername: textIn(named, 'preferred_username'),
    email: textIn(aboutEmail, 'email'),
    emailVerified: aboutEmail['email_verified'] === true,
  }
}

function textIn(said: Said, name: string): string | undefined {
  const value = said[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

async function refusalOf(error: unknown, provider: string): Promise<RequestError> {
  const { AuthorizationResponseError } = await import('openid-client')
  if (error instanceof AuthorizationResponseError)
    return new RequestError(
      'forbidden',
      error.error === 'access_denied'
        ? `You were not signed in: that was cancelled at ${provider}.`
        : `You were not signed in: ${provider} says “${error.error}”.`,
    )
  if (isOutage(error)) return outage(provider)
  return new RequestError('forbidden', `What ${provider} says of you could not be confirmed.`, {
    hint: 'Sign in once more. If that does not help, tell whoever runs this service.',
  })
}

function outage(provider: string): RequestError {
  return new RequestError('unavailable', `${provider}, where people sign in, cannot be reached.`, {
    hint: 'Try again in a minute. If that does not help, tell whoever runs this service.',
    retryAfter: 60,
  })
}

/** No connection (fetch throws a TypeError), no answer in time, or an error of the server. */
function isOutage(error: unknown): boolean {
  const { code } = reasonOf(error)
  return (
    error instanceof TypeError ||
    code === 'OAUTH_TIMEOUT' ||
    code === 'OAUTH_RESPONSE_IS_NOT_CONFORM'
  )
}

/** For the log: what these errors carry beside it may hold a code or a token. */
function reasonOf(error: unknown): { readonly reason: string; readonly code?: string } {
  if (!(error instanceof Error)) return { reason: String(error) }
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { reason: error.message + cause, ...code }
}
