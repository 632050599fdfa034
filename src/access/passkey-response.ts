/** Parses and verifies WebAuthn registration and authentication responses (WebAuthn Level 3 section 7). */

import { jsonOf } from '../base/parse-text.ts'
import * as Type from '../base/type.ts'
import type { Static, TSchema } from 'typebox'
import { checkSchema } from '../base/schema.ts'
import { takeChallenge, type ChallengeScope } from './passkey-challenge.ts'
import { ALGORITHMS } from './passkey-options.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'
import type { PasskeySite } from './passkey-site.ts'
import type { NewPasskey, PasskeyUse, StoredPasskey } from './passkey.ts'

/** Maximum length of a credential ID: 1023 bytes (section 4, "Credential ID"). */
const CredentialId = Type.String({ minLength: 1, maxLength: 1364, pattern: '^[\\w-]+$' })
const Bytes = Type.String({ pattern: '^[\\w-]+$' })

const Transport = Type.String({ maxLength: 32, pattern: '^[a-z-]+$' })

/** The fields of `PublicKeyCredential.toJSON` that are used. */
const Registration = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: Type.Optional(Type.Array(Transport, { maxItems: 10 })),
  }),
})

const Assertion = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Type.String(),
  }),
})

/** The browser's record of the challenge and origin (section 5.8.1). */
const ClientData = Type.Object({
  challenge: Type.String(),
  origin: Type.String(),
  crossOrigin: Type.Optional(Type.Boolean()),
})

type RegistrationCredential = Static<typeof Registration>
type AssertionCredential = Static<typeof Assertion>

/** `unreadable`: malformed. `elsewhere`: for another site. `expired`: the challenge is unknown, expired or of another browser. */
export type PasskeyErrorKind = 'unreadable' | 'elsewhere' | 'expired'

type Answered<Credential> =
  | { readonly kind: 'answered'; readonly credential: Credential; readonly challenge: string }
  | { readonly kind: PasskeyErrorKind }

interface AnswerDeps {
  readonly database: Database
  readonly clock: Clock
  readonly site: PasskeySite
}

/** Consumes the challenge in `text`, whether or not the response is valid. */
export function readRegistration(
  deps: AnswerDeps,
  text: string,
  asked: ChallengeScope,
): Promise<Answered<RegistrationCredential>> {
  return takeAnswer(deps, readJson(Registration, text), asked)
}

/** Like `readRegistration`, for authentication. */
export function readAssertion(
  deps: AnswerDeps,
  text: string,
  asked: ChallengeScope,
): Promise<Answered<AssertionCredential>> {
  return takeAnswer(deps, readJson(Assertion, text), asked)
}

/** The ID of the passkey in `text`, not verified. Does not consume the challenge. Undefined if `text` is malformed. */
export function readAssertionId(text: string): string | undefined {
  return readJson(Assertion, text)?.id
}

/** The new passkey without name and owner; undefined if it does not meet the requirements. */
export async function verifyRegistration(
  { rpId, origin }: PasskeySite,
  { credential, challenge }: { credential: RegistrationCredential; challenge: string },
): Promise<Omit<NewPasskey, 'name' | 'userHandle'> | undefined> {
  if (!(await hasNoCertificate(credential))) return undefined
  const { verifyRegistrationResponse } = await loadChecks()
  const checked = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...ALGORITHMS],
  }).catch(() => undefined)
  if (checked?.verified !== true) return undefined
  const { credential: made, credentialBackedUp, credentialDeviceType } = checked.registrationInfo
  // Use the signed ID, not the unsigned one next to it.
  if (made.id !== credential.id) return undefined
  return {
    credentialId: made.id,
    publicKey: made.publicKey,
    counter: made.counter,
    transports: credential.response.transports ?? [],
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isSynced: credentialBackedUp,
  }
}

/**
 * Attestation is not requested, so browsers send none or self attestation (section 5.1.3). Certificates would trigger
 * revocation lookups at attacker-chosen URLs.
 */
async function hasNoCertificate({ response }: RegistrationCredential): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const made = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'))
    const format = made.get('fmt')
    return format === 'none' || (format === 'packed' && !made.get('attStmt').get('x5c'))
  } catch {
    return false
  }
}

/**
 * Undefined if the signature is invalid, the user was not verified, the signature counter decreased (a possible clone), or
 * the backup eligibility is not that of the registration (section 7.2, the comparison of `currentBe` with `backupEligible`).
 */
export async function verifyAssertion(
  { rpId, origin }: PasskeySite,
  { credential, challenge }: { credential: AssertionCredential; challenge: string },
  known: StoredPasskey,
): Promise<PasskeyUse | undefined> {
  if (credential.response.userHandle !== known.userHandle) return undefined
  const { verifyAuthenticationResponse } = await loadChecks()
  const checked = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: known.credentialId,
      publicKey: new Uint8Array(known.publicKey),
      counter: known.counter,
    },
  }).catch(() => undefined)
  if (checked?.verified !== true) return undefined
  const { newCounter, credentialBackedUp, credentialDeviceType } = checked.authenticationInfo
  if ((credentialDeviceType === 'multiDevice') !== known.isBackupEligible) return undefined
  return { credentialId: known.credentialId, counter: newCounter, isSynced: credentialBackedUp }
}

/** Loaded on first use: it takes a third of a second and is rarely needed. */
function loadChecks() {
  return import('@simplewebauthn/server')
}

async function takeAnswer<Credential extends RegistrationCredential | AssertionCredential>(
  { database, clock, site }: AnswerDeps,
  credential: Credential | undefined,
  asked: ChallengeScope,
): Promise<Answered<Credential>> {
  if (!credential) return { kind: 'unreadable' }
  const bytes = Buffer.from(credential.response.clientDataJSON, 'base64url')
  const clientData = readJson(ClientData, bytes.toString())
  if (!clientData) return { kind: 'unreadable' }
  const { challenge, origin, crossOrigin } = clientData
  const now = clock.now()
  const isTaken = await database.write((tx) => takeChallenge(tx, challenge, asked, now))
  if (origin !== site.origin || crossOrigin === true) return { kind: 'elsewhere' }
  return isTaken ? { kind: 'answered', credential, challenge } : { kind: 'expired' }
}

function readJson<S extends TSchema>(schema: S, text: string): Static<S> | undefined {
  const checked = checkSchema(schema, jsonOf(text))
  return checked.ok ? checked.value : undefined
}
