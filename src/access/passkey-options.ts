/** WebAuthn options for the browser as JSON (WebAuthn Level 3 sections 5.1.9 and 5.1.10). */

import { MINUTE } from '../base/clock.ts'
import type { PasskeySite } from './passkey-site.ts'
import type { Passkey } from './passkey.ts'

/** EdDSA, ES256 and RS256 as COSE algorithm IDs. Every authenticator supports at least one. */
export const ALGORITHMS: readonly number[] = [-8, -7, -257]

/** Timeout of the browser's dialog. */
const TIMEOUT = 5 * MINUTE

export interface Creation {
  readonly site: PasskeySite
  readonly challenge: string
  /** Helps members tell their accounts apart. */
  readonly user: { readonly handle: string; readonly login: string; readonly name: string }
  /** Keeps an authenticator that holds one of these from creating another. */
  readonly known: readonly Passkey[]
}

/**
 * A passkey replaces both factors, so it requires user verification and a discoverable credential. Attestation is not
 * requested: every authenticator is accepted.
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

/** Lists no credentials: the browser offers its own, and the options do not reveal which accounts have passkeys. */
export function requestOptions({ rpId }: PasskeySite, challenge: string): object {
  return { rpId, challenge, timeout: TIMEOUT, userVerification: 'required' }
}
