/** Web push: encryption (RFC 8291), the identification of the server (VAPID, RFC 8292) and the request (RFC 8030). */

import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  hkdfSync,
  randomBytes,
  sign,
  type ECDH,
} from 'node:crypto'
import { HOUR, SECOND } from '../base/clock.ts'
import type { Delivery } from './delivery-store.ts'
import type { OpenEndpoint, OutgoingRequest, RequestContext } from './outgoing-request.ts'

/** What a browser returns for a subscription, with its keys in base64url. */
export interface PushKeys {
  /** The device's public key: an uncompressed point of P-256. */
  readonly p256dh: string
  readonly auth: string
}

const CURVE = 'prime256v1'
const RECORD_BYTES = 4096
/** The last record of an encrypted message ends with this byte (RFC 8188 section 2). */
const LAST_RECORD = 2
/** RFC 8292 section 2: at most 24 hours. */
const TOKEN_LIFETIME_MS = 12 * HOUR
/** How long a push service keeps a message for a device that is off. Seconds. */
const TIME_TO_LIVE = 12 * 60 * 60
/** Characters of a title or text, so that a message fits into the 4,096 bytes that every push service accepts. */
const MAX_TEXT = 500

/** The key pair that identifies this server to push services. Derived from its secret, so nothing is stored. */
function serverKeys(secret: string): ECDH {
  const pair = createECDH(CURVE)
  pair.setPrivateKey(new Uint8Array(hkdfSync('sha256', secret, '', 'weft web push', 32)))
  return pair
}

/** The `applicationServerKey` of browsers, in base64url. */
export function pushPublicKey(secret: string): string {
  return serverKeys(secret).getPublicKey('base64url')
}

/** Writes a message to the push service of a device. `secret` is that of the server. */
export function writePush(
  endpoint: OpenEndpoint,
  { notice }: Delivery,
  { now, publicUrl }: RequestContext,
  secret: string,
): OutgoingRequest {
  // Written when the device subscribed.
  const keys = JSON.parse(endpoint.secrets[0] ?? '{}') as PushKeys
  const { title, body, path, subject } = notice
  const text = {
    title: title.slice(0, MAX_TEXT),
    body: body.slice(0, MAX_TEXT),
    path,
    tag: subject,
  }
  const { origin } = endpoint.url
  return {
    url: endpoint.url,
    headers: {
      authorization: vapidHeader(serverKeys(secret), { audience: origin, publicUrl, now }),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(TIME_TO_LIVE),
      urgency: notice.cause === 'meeting.upcoming' ? 'high' : 'normal',
    },
    body: encrypt(JSON.stringify(text), keys),
  }
}

/** RFC 8291 section 3.4, and the header of RFC 8188 section 2.1. */
function encrypt(text: string, { p256dh, auth }: PushKeys): Uint8Array {
  const receiver = Buffer.from(p256dh, 'base64url')
  const pair = createECDH(CURVE)
  const sender = pair.generateKeys()
  const salt = randomBytes(16)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const shared = pair.computeSecret(receiver)
  const input = Buffer.from(hkdfSync('sha256', shared, Buffer.from(auth, 'base64url'), info, 32))
  const derive = (label: string, length: number) =>
    Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${label}\0`, length))
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  const plain = Buffer.concat([Buffer.from(text), Buffer.from([LAST_RECORD])])
  const header = Buffer.alloc(5)
  header.writeUInt32BE(RECORD_BYTES, 0)
  header.writeUInt8(sender.length, 4)
  return Buffer.concat([
    salt,
    header,
    sender,
    cipher.update(plain),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

/** A JWT that names the push service, signed with ES256 (RFC 8292 section 2). */
function vapidHeader(
  pair: ECDH,
  { audience, publicUrl, now }: { audience: string; publicUrl: string; now: number },
): string {
  const claims = {
    aud: audience,
    exp: Math.floor((now + TOKEN_LIFETIME_MS) / SECOND),
    // A mailto or https URL (RFC 8292 section 2.1).
    sub: publicUrl.startsWith('https:') ? publicUrl : `mailto:weft@${new URL(publicUrl).hostname}`,
  }
  const signed = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const point = pair.getPublicKey()
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: pair.getPrivateKey('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${point.toString('base64url')}`
}
