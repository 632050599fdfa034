/** Devices that show messages by web push. */

import { invalidArgument } from '../base/request-error.ts'
import { readEndpointAddress } from './endpoint-hosts.ts'
import { addEndpoint, changeEndpoint, listEndpoints } from './endpoint-store.ts'
import { sealFor, unsealFor, type SealSecret } from './seal-for-member.ts'
import type { MemberTransaction } from '../db/database.ts'
import type { Cause } from './notice.ts'
import type { PushKeys } from './push-request.ts'

/** A device gets one message about a day; the others announce a moment. */
const DEVICE_CAUSES: readonly Cause[] = [
  'summary',
  'follow_up.due',
  'meeting.upcoming',
  'import.finished',
  'export.finished',
  'job_change.found',
  'agent.changed',
]

/** As `PushSubscription.toJSON()` of a browser. */
export interface PushSubscription extends PushKeys {
  readonly endpoint: string
}

/**
 * Adds the device of a browser, or renews one with the same address.
 *
 * @throws {RequestError} `invalid_request` when the browser's answer is not valid.
 * @throws {RequestError} `conflict` when the member has the maximum number of devices.
 */
export async function addDevice(
  sealSecret: SealSecret,
  tx: MemberTransaction,
  { subscription, name }: { readonly subscription: PushSubscription; readonly name: string },
  now: number,
): Promise<number> {
  const { endpoint: address, p256dh, auth } = subscription
  const url = readEndpointAddress(address, [])
  if (!url || !isPoint(p256dh) || Buffer.from(auth, 'base64url').length !== 16)
    throw invalidArgument('subscription', 'is not a valid push subscription')
  const server = sealSecret()
  const secret = sealFor(server, tx.memberId, JSON.stringify({ p256dh, auth } satisfies PushKeys))
  const known = (await listEndpoints(tx, 'push')).find(
    (one) => unsealFor(server, tx.memberId, one.address) === url.href,
  )
  if (known) {
    await changeEndpoint(tx, known, { secret, name })
    return known.endpointId
  }
  return addEndpoint(
    tx,
    {
      kind: 'push',
      name,
      format: 'push',
      address: sealFor(server, tx.memberId, url.href),
      addressHint: url.host,
      host: url.hostname,
      secret,
      causes: DEVICE_CAUSES,
    },
    now,
  )
}

/** An uncompressed point of P-256 (RFC 8291 section 2.1). */
function isPoint(p256dh: string): boolean {
  const bytes = Buffer.from(p256dh, 'base64url')
  return bytes.length === 65 && bytes[0] === 4
}
