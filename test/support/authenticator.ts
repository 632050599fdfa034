/**
 * A software authenticator with a browser: creates and uses passkeys according to WebAuthn Level 3, and can be
 * configured to send the invalid data that tests need.
 */

import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** The options in the page. */
export interface CreationOptions {
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
  readonly challenge: string
}

export interface RequestOptions {
  readonly rpId: string
  readonly challenge: string
}

/** Deviations from correct behavior. */
export interface Deviations {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly crossOrigin?: boolean
  /** The type in the client data, for example `webauthn.get` instead of `webauthn.create`. */
  readonly type?: string
  readonly userVerified?: boolean
  /** The flags for backup eligibility and backup state. */
  readonly backup?: 'none' | 'eligible' | 'synced'
  readonly counter?: number
  readonly credentialId?: string
  readonly userHandle?: string
  /** The attestation of the new passkey: the authenticator's maker signs it with this key and certificate. */
  readonly maker?: { readonly key: KeyObject; readonly certificate: Buffer }
  /** Signs with another key. */
  readonly key?: KeyObject
}

export interface SoftKey {
  readonly credentialId: string
  readonly userHandle: string
  readonly privateKey: KeyObject
}

export interface Authenticator {
  /** The JSON of a new credential, and the data needed to use it. */
  create(
    options: CreationOptions,
    deviations?: Deviations,
  ): { readonly sent: string; readonly key: SoftKey }
  /** The JSON of an assertion. */
  show(options: RequestOptions, key: SoftKey, deviations?: Deviations): string
}

/** `counter` is the signature counter at the first use. It increases by one per use; 0 disables it. */
export function authenticatorAt(
  origin: string,
  { counter = 0, isSynced = false }: { counter?: number; isSynced?: boolean } = {},
): Authenticator {
  let uses = counter
  const flags = ({ userVerified = true, backup = isSynced ? 'synced' : 'none' }: Deviations) =>
    USER_PRESENT | (userVerified ? USER_VERIFIED : 0) | BACKUP_FLAGS[backup]
  const clientData = (type: string, challenge: string, deviations: Deviations) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge,
        origin,
        crossOrigin: false,
        ...deviatingClientData(deviations),
      }),
    )
  return {
    create({ rp, user, challenge }, deviations = {}) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const id = deviations.credentialId ?? randomBytes(32).toString('base64url')
      const data = authenticatorData(rp.id, flags(deviations) | ATTESTED, uses, deviations)
      const authData = Buffer.concat([data, attestedCredential(id, publicKey)])
      const client = clientData('webauthn.create', challenge, deviations)
      const attestationObject = cborMap([
        ...statementOf(deviations, signedOver(authData, client)),
        [cborText('authData'), cborBytes(authData)],
      ])
      const response = {
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      }
      return {
        sent: JSON.stringify({ id, rawId: id, type: 'public-key', response }),
        key: { credentialId: id, userHandle: user.id, privateKey },
      }
    },
    show({ rpId, challenge }, key, deviations = {}) {
      if (uses > 0) uses += 1
      const id = deviations.credentialId ?? key.credentialId
      const data = authenticatorData(rpId, flags(deviations), uses, deviations)
      const client = clientData('webauthn.get', challenge, deviations)
      const signed = signedOver(data, client)
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, deviations.key ?? key.privateKey).toString('base64url'),
        userHandle: deviations.userHandle ?? key.userHandle,
      }
      return JSON.stringify({ id, rawId: id, type: 'public-key', response })
    },
  }
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const BACKUP_FLAGS = { none: 0, eligible: 0x08, synced: 0x18 }
const ATTESTED = 0x40

function deviatingClientData({ type, challenge, origin, crossOrigin }: Deviations): object {
  return JSON.parse(JSON.stringify({ type, challenge, origin, crossOrigin })) as object
}

function signedOver(data: Buffer, client: Buffer): Buffer {
  return Buffer.concat([data, createHash('sha256').update(client).digest()])
}

/** Sections 8.7 and 8.2. */
function statementOf({ maker }: Deviations, signed: Buffer): [Buffer, Buffer][] {
  const statement: [Buffer, Buffer][] = maker
    ? [
        [cborText('alg'), cborInteger(-7)],
        [cborText('sig'), cborBytes(sign('sha256', signed, maker.key))],
        [cborText('x5c'), cborArray([cborBytes(maker.certificate)])],
      ]
    : []
  return [
    [cborText('fmt'), cborText(maker ? 'packed' : 'none')],
    [cborText('attStmt'), cborMap(statement)],
  ]
}

/** Section 6.1: the hash of the relying party's id, flags, counter. */
function authenticatorData(
  rpId: string,
  flags: number,
  uses: number,
  deviations: Deviations,
): Buffer {
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flags)
  tail.writeUInt32BE(deviations.counter ?? uses, 1)
  return Buffer.concat([
    createHash('sha256')
      .update(deviations.rpId ?? rpId)
      .digest(),
    tail,
  ])
}

/** Section 6.5.1: the AAGUID (zero), the credential ID, and the public key as a COSE_Key for ES256. */
function attestedCredential(credentialId: string, publicKey: KeyObject): Buffer {
  const id = Buffer.from(credentialId, 'base64url')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key = cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ])
  return Buffer.concat([Buffer.alloc(16), length, id, key])
}

/** The needed subset of CBOR (RFC 8949). */
function cborInteger(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes])
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)])
}

function cborArray(items: readonly Buffer[]): Buffer {
  return Buffer.concat([cborHead(4, items.length), ...items])
}

function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
}

function cborHead(major: number, value: number): Buffer {
  const kind = major << 5
  if (value < 24) return Buffer.from([kind | value])
  return value < 256
    ? Buffer.from([kind | 24, value])
    : Buffer.from([kind | 25, value >> 8, value & 255])
}
