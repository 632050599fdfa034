/** Where passkeys are good: they belong to a name, and browsers make them in secure contexts alone. */

import { isIPv4 } from 'node:net'

export interface PasskeySite {
  /** The relying party's id (WebAuthn Level 3 section 4): the host, without its port. */
  readonly rpId: string
  readonly origin: string
}

/** Undefined where no browser makes one: the host is an address, or is reached by http and is not this machine. */
export function passkeySite(publicUrl: string): PasskeySite | undefined {
  const { hostname, origin, protocol } = new URL(publicUrl)
  const isAddress = isIPv4(hostname) || hostname.startsWith('[')
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isAddress || (protocol !== 'https:' && !isLocal)) return undefined
  return { rpId: hostname, origin }
}
