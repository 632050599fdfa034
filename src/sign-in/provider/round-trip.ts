/** The cookie that holds the state of one sign-in while the person is at the identity provider. */

import { t } from '../../languages/message.ts'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { cookiesFor } from '../../access/cookies.ts'
import { MINUTE, SECOND } from '../../base/clock.ts'
import { RequestError } from '../../base/request-error.ts'
import { isWellFormedSecret, newSecret } from '../../base/secrets.ts'
import { returnPath } from '../session/return-path.ts'

export interface RoundTrip {
  /** The state, nonce and PKCE verifier are derived from it. Never leaves the cookie. */
  readonly secret: string
  /** A path of this site. */
  readonly returnTo: string
  /** The secret of the one-time link that the person opened; empty without one. */
  readonly link: string
  readonly purpose: TripPurpose
}

/** To sign in, or to reauthenticate a member who is signed in. */
type TripPurpose = 'sign_in' | 'confirm'

const PREFIX = 'weft_oidc_'
const COOKIE = 'weft_oidc'

/** Seconds; long enough to fetch a second factor from another room. */
const LIFETIME = (30 * MINUTE) / SECOND

/** Browsers accept 4,096 bytes including the name (RFC 6265 section 6.1). */
const MAX_VALUE_LENGTH = 4000
const MAX_PATH_LENGTH = 16_000

export function roundTrips(publicUrl: string) {
  const cookies = cookiesFor(publicUrl)
  return {
    /**
     * The `Set-Cookie` value with a new secret. It replaces the cookie of any earlier sign-in.
     *
     * @throws {RequestError} `uri_too_long` when `returnTo` does not fit in a cookie.
     */
    begin(
      returnTo: string,
      link: string,
      purpose: TripPurpose = 'sign_in',
    ): RoundTrip & { readonly cookie: string } {
      const secret = newSecret(PREFIX)
      const value = [secret, link, pack(returnTo), purpose].join('.')
      if (value.length > MAX_VALUE_LENGTH) throw tooLong()
      return { secret, returnTo, link, purpose, cookie: cookies.write(COOKIE, value, LIFETIME) }
    },
    read(header: string | undefined): RoundTrip | undefined {
      const parts = cookies.read(header, COOKIE)?.split('.') ?? []
      const [secret = '', link = '', packed = '', purpose] = parts
      if (!isWellFormedSecret(PREFIX, secret)) return undefined
      return {
        secret,
        link,
        returnTo: returnPath(unpack(packed), publicUrl),
        purpose: purpose === 'confirm' ? 'confirm' : 'sign_in',
      }
    },
    end: () => cookies.clear(COOKIE),
  }
}

/** Most people come from an agent's authorization request, whose long path fits in a cookie only when compressed. */
function pack(path: string): string {
  return deflateRawSync(path).toString('base64url')
}

function unpack(packed: string): string | null {
  try {
    const bytes = inflateRawSync(Buffer.from(packed, 'base64url'), {
      maxOutputLength: MAX_PATH_LENGTH,
    })
    return bytes.toString()
  } catch {
    return null
  }
}

function tooLong(): RequestError {
  return new RequestError(
    'uri_too_long',
    t('The URL of the page is too long to return to after signing in.'),
    {
      hint: t('Sign in first, then open that page again.'),
    },
  )
}
