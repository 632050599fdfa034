/** What a browser is asked to do with passkeys, as JSON (WebAuthn Level 3 sections 5.1.9 and 5.1.10). */

import { MINUTE } from '../base/clock.ts'
import type { PasskeySite } from './passkey-site.ts'
import type { Passkey } from './passkey.ts'

/** EdDSA, ES256 and RS256, as COSE numbers them; between them every authenticator has one. */
export const ALGORITHMS: readonly number[] = [-8, -7, -257]

/** For how long the browser's own question may stand. */
const TIMEOUT = 5 * MINUTE

export interface Creation {
  readonly site: PasskeySite
  readonly challenge: string
  /** What the member tells their accounts apart by. */
  readonly user: { readonly handle: string; readonly login: string; readonly name: string }
  /** An authenticator that holds one of these makes no second. */
  readonly known: readonly Passkey[]
}

/**
 * A passkey is both factors, so the person is verified, and is found without a name. What made it is not asked: no
 * authenticator is refused.
 */
export function creationOptions({ site, challenge, user, known }: Creation): object {
  return {
    rp: { id: site.rpId, name: 'Weft' },
    user: { id: user.handle, name: user.login, displayName: user.name },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      type: 'public-key',
      id: credentialId,
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

/** Names no credential: the browser offers those it has, and nobody learns whose account has any. */
export function requestOptions({ rpId }: PasskeySite, challenge: string): object {
  return { rpId, challenge, timeout: TIMEOUT, userVerification: 'required' }
}
