/** What a browser keeps while its person is at the identity provider: a cookie of one sign-in, for one answer. */

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { cookiesFor } from '../../access/cookies.ts'
import { MINUTE, SECOND } from '../../base/clock.ts'
import { RequestError } from '../../base/request-error.ts'
import { isWellFormedSecret, newSecret } from '../../base/secrets.ts'
import { returnPath } from '../session/return-path.ts'

export interface RoundTrip {
  /** State, nonce and PKCE verifier come from it; never shown to anyone. */
  readonly secret: string
  /** A path of ours. */
  readonly returnTo: string
  /** The secret of the one-time link that the person came with; empty without one. */
  readonly link: string
  readonly purpose: TripPurpose
}

/** To sign in, or to confirm who is signed in already. */
export type TripPurpose = 'sign_in' | 'confirm'

const PREFIX = 'weft_oidc_'
const COOKIE = 'weft_oidc'

/** Long enough for a second factor that has to be fetched from another room. */
const LIFETIME = (30 * MINUTE) / SECOND

/** Browsers take 4,096 bytes with the name (RFC 6265 section 6.1). */
const MAX_VALUE_LENGTH = 4000
const MAX_PATH_LENGTH = 16_000

export function roundTrips(publicUrl: string) {
  const cookies = cookiesFor(publicUrl)
  return {
    /** The `Set-Cookie` line with a new secret; in place of that of a sign-in that was begun before. */
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

/** An authorization request of an agent, with which most people come, is long; packed it fits a cookie. */
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
    'The address to return to is too long to be kept meanwhile.',
    {
      hint: 'Sign in first, then open that address once more.',
    },
  )
}
