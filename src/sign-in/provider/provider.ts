/** The OpenID Connect client: builds authorization URLs and turns the provider's responses into claims. */

import { t } from '../../languages/message.ts'
import { createHmac } from 'node:crypto'
import { KeyedSemaphore } from '../../base/concurrency/keyed-semaphore.ts'
import { isVisible } from '../../base/schema.ts'
import { RequestError } from '../../base/request-error.ts'
import { SIGN_IN_PATH } from '../../html/site-map.ts'
import type { Configuration } from 'openid-client'
import type { Log } from '../../base/log.ts'
import type { Identity } from '../../access/provider-identity.ts'

/** A confidential client. */
export interface OidcSettings {
  /** Exactly as in the provider's tokens. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** The claims of the provider (OpenID Connect Core section 5.1). */
export interface Claims extends Identity {
  readonly name: string | undefined
  readonly preferredUsername: string | undefined
  readonly email: string | undefined
  readonly emailVerified: boolean
}

export interface Provider {
  /** For people to recognize the provider: its host. */
  readonly name: string
  /**
   * The URL to send the browser to, which keeps `secret` until it returns.
   *
   * @throws {RequestError} `unavailable` when the provider cannot be reached.
   */
  authorizationUrl(secret: string, login: Login): Promise<string>
  /** Whether the response in this query belongs to the sign-in started with `secret`. */
  isResponseTo(secret: string, answer: URLSearchParams): boolean
  /**
   * Exchanges the authorization code for claims. With the login `confirmed`, the browser may have changed the request, so
   * the provider must say when the person entered their credentials (OpenID Connect Core section 3.1.2.1).
   *
   * @throws {RequestError} `unavailable` when the provider cannot be reached.
   * @throws {RequestError} `forbidden` when the provider denies the request, or when its response is not valid: issuer,
   *   nonce, signature, audience or time.
   */
  redeem(secret: string, search: string, login?: Login): Promise<Claims>
}

/**
 * `usual`: a session at the provider is enough. `again`: the provider asks for credentials even if the person is signed
 * in there. `confirmed`: the same, and the person must have entered them in the last `CONFIRMED_MAX_AGE` seconds.
 */
type Login = 'usual' | 'again' | 'confirmed'

/** Seconds; long enough for a second factor after the password. */
export const CONFIRMED_MAX_AGE = 300

export const CALLBACK_PATH = `${SIGN_IN_PATH}/callback`

/** Seconds. */
const REQUEST_TIMEOUT = 10
/** Sign-ins that ask the provider at a time, and that wait. */
const TURNS = { permits: 16, waitingPerKey: 200 }

export function openProvider(
  settings: OidcSettings,
  { publicUrl, log }: { readonly publicUrl: string; readonly log: Log },
): Provider {
  const { issuer } = settings
  const name = new URL(issuer).host
  const configuration = discoverOnce(settings)
  const turns = new KeyedSemaphore<0>(TURNS)
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
    isResponseTo: (secret, answer) => answer.get('state') === derived(secret, 'state'),
    async authorizationUrl(secret, login) {
      return buildUrl(await reachable(), { secret, login, publicUrl })
    },
    async redeem(secret, search, login = 'usual') {
      const config = await reachable()
      const answer = new URL(`${publicUrl}${CALLBACK_PATH}?${search}`)
      try {
        return await turns.run(0, () => redeem(config, answer, { secret, login }))
      } catch (error) {
        log.warn({ issuer, ...reasonOf(error) }, 'the identity provider rejected a sign-in')
        throw await toRequestError(error, name)
      }
    },
  }
}

/** Fetches the provider's metadata on first use, and again after a failure. */
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
  // Imported lazily: the library is large, and unused until the first sign-in.
  const { allowInsecureRequests, ClientSecretBasic, discovery, enableNonRepudiationChecks } =
    await import('openid-client')
  const method = ClientSecretBasic(clientSecret)
  // Without this the library relies on TLS alone for tokens received directly from the provider (Core section 3.1.3.7).
  const verifySignatures = enableNonRepudiationChecks
  // The configuration allows http only for loopback addresses.
  const execute = issuer.startsWith('http:')
    ? [verifySignatures, allowInsecureRequests]
    : [verifySignatures]
  return discovery(new URL(issuer), clientId, {}, method, { timeout: REQUEST_TIMEOUT, execute })
}

/**
 * The state, nonce and PKCE verifier of one sign-in are derived from the secret in the browser's cookie, so a response to
 * another browser's request matches none of them. 256 bits in base64url, as RFC 7636 section 4.1 recommends.
 */
function derived(secret: string, use: 'state' | 'nonce' | 'verifier'): string {
  return createHmac('sha256', secret).update(use).digest('base64url')
}

interface UrlOptions {
  readonly secret: string
  readonly login: Login
  readonly publicUrl: string
}

async function buildUrl(config: Configuration, options: UrlOptions): Promise<string> {
  const { secret, login, publicUrl } = options
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
  const url = buildAuthorizationUrl(config, {
    redirect_uri: publicUrl + CALLBACK_PATH,
    scope: 'openid profile email',
    state: derived(secret, 'state'),
    nonce: derived(secret, 'nonce'),
    code_challenge: await calculatePKCECodeChallenge(derived(secret, 'verifier')),
    code_challenge_method: 'S256',
    ...(login !== 'usual' && { prompt: 'login' }),
    ...(login === 'confirmed' && { max_age: String(CONFIRMED_MAX_AGE) }),
  })
  return url.href
}

async function redeem(
  config: Configuration,
  answer: URL,
  { secret, login }: Pick<UrlOptions, 'secret' | 'login'>,
): Promise<Claims> {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
  const tokens = await authorizationCodeGrant(config, answer, {
    expectedState: derived(secret, 'state'),
    expectedNonce: derived(secret, 'nonce'),
    pkceCodeVerifier: derived(secret, 'verifier'),
    ...(login === 'confirmed' && reportsLoginTime(config) && { maxAge: CONFIRMED_MAX_AGE }),
  })
  const idToken = tokens.claims()
  if (!idToken) throw new Error('the provider sent no ID token')
  // The library accepts an empty string, which would be the same account for everyone who has it.
  if (!isVisible(idToken.sub)) throw new Error('the ID token has an empty sub')
  // Many providers return claims from the userinfo endpoint rather than in the ID token (Core section 5.4).
  const needsUserInfo = !hasEmailClaims(idToken) && config.serverMetadata().userinfo_endpoint
  const userInfo = needsUserInfo
    ? await fetchUserInfo(config, tokens.access_token, idToken.sub)
    : {}
  return claimsOf(idToken, userInfo)
}

/**
 * Whether ID tokens must have `auth_time`. Google, for example, lists the claims that it sends, without this one; its
 * members could confirm nothing otherwise. A provider that lists no claims has to send it (Core section 3.1.2.1).
 */
function reportsLoginTime(config: Configuration): boolean {
  const { claims_supported: claims } = config.serverMetadata()
  return claims === undefined || claims.includes('auth_time')
}

type RawClaims = Readonly<Record<string, unknown>>

/** Whether a source has both the email and its verification. */
function hasEmailClaims(raw: RawClaims): boolean {
  return raw['email'] !== undefined && raw['email_verified'] !== undefined
}

/** Takes the email and its verification from the same source: the two sources may have different emails. */
function claimsOf(
  idToken: RawClaims & { readonly iss: string; readonly sub: string },
  userInfo: RawClaims,
): Claims {
  const merged = { ...userInfo, ...idToken }
  const emailSource =
    hasEmailClaims(idToken) || userInfo['email'] === undefined ? idToken : userInfo
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    name: textIn(merged, 'name'),
    preferredUsername: textIn(merged, 'preferred_username'),
    email: textIn(emailSource, 'email'),
    emailVerified: emailSource['email_verified'] === true,
  }
}

function textIn(raw: RawClaims, name: string): string | undefined {
  const value = raw[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

async function toRequestError(error: unknown, provider: string): Promise<RequestError> {
  const { AuthorizationResponseError } = await import('openid-client')
  if (error instanceof AuthorizationResponseError)
    return new RequestError(
      'forbidden',
      error.error === 'access_denied'
        ? t('You were not signed in, because the request was canceled at {provider}.', { provider })
        : t('You were not signed in. {provider} returned the error “{error}”.', {
            provider,
            error: error.error,
          }),
    )
  if (isOutage(error)) return outage(provider)
  if (isAboutLoginTime(error))
    return new RequestError(
      'forbidden',
      t('{provider} did not confirm that you signed in again just now.', { provider }),
      {
        hint: t(
          'Try again and sign in at {provider} when it asks you to. If the problem continues, contact your administrator.',
          { provider },
        ),
      },
    )
  return new RequestError(
    'forbidden',
    t('The response from {provider} could not be verified.', { provider }),
    {
      hint: t('Sign in again. If the problem continues, contact your administrator.'),
    },
  )
}

function outage(provider: string): RequestError {
  return new RequestError(
    'unavailable',
    t('The identity provider {provider} cannot be reached.', { provider }),
    {
      hint: t('Try again in a minute. If the problem continues, contact your administrator.'),
      retryAfter: 60,
    },
  )
}

/** No connection (fetch throws a TypeError), a timeout, or a server error. */
function isOutage(error: unknown): boolean {
  const { code } = reasonOf(error)
  return (
    error instanceof TypeError ||
    code === 'OAUTH_TIMEOUT' ||
    code === 'OAUTH_RESPONSE_IS_NOT_CONFORM'
  )
}

/** The ID token has no `auth_time`, or one that is too long ago. */
function isAboutLoginTime(error: unknown): boolean {
  const failed = error instanceof Error ? error.cause : undefined
  if (!(failed instanceof Error)) return false
  const { message, cause } = failed as Error & { readonly cause?: { readonly claim?: unknown } }
  return message.includes('"auth_time"') || cause?.claim === 'auth_time'
}

/** The part of the error that is safe to log. The rest may contain a code or a token. */
function reasonOf(error: unknown): { readonly reason: string; readonly code?: string } {
  if (!(error instanceof Error)) return { reason: String(error) }
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { reason: error.message + cause, ...code }
}
