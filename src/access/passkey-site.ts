/** Where passkeys work: they belong to a domain name and require a secure context. */

import { isIPv4 } from 'node:net'

export interface PasskeySite {
  /** The relying party ID (WebAuthn Level 3 section 4): the host without the port. */
  readonly rpId: string
  readonly origin: string
}

/** Undefined if browsers cannot create passkeys here: the host is an IP address, or uses HTTP and is not localhost. */
export function passkeySite(publicUrl: string): PasskeySite | undefined {
  const { hostname, origin, protocol } = new URL(publicUrl)
  const isAddress = isIPv4(hostname) || hostname.startsWith('[')
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isAddress || (protocol !== 'https:' && !isLocal)) return undefined
  return { rpId: hostname, origin }
}
