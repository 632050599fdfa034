/** Determines the client IP address that rate limits are counted by. */

import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv4, isIPv6, SocketAddress, type Socket } from 'node:net'

/** An IPv4 address, the /64 network of an IPv6 address (`2001:db8:1:2::/64`), or `UNKNOWN_ADDRESS`. */
type AddressReader = (request: IncomingMessage) => string

/** A peer without an IP address, such as a Unix socket or a closed connection. */
export const UNKNOWN_ADDRESS = 'unknown'

/**
 * Returns the peer's address. If the peer is a trusted proxy (an address or CIDR network), returns the rightmost address
 * in X-Forwarded-For that is not a trusted proxy: anything before it may be forged by the client.
 */
export function addressReader(trustedProxies: readonly string[]): AddressReader {
  const trusted = networks(trustedProxies)
  const isTrusted = (address: string) => trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  const peers = new WeakMap<Socket, Peer>()
  return ({ socket, headers }) => {
    let peer = peers.get(socket)
    if (!peer) {
      peer = peerOf(socket.remoteAddress, isTrusted)
      peers.set(socket, peer)
    }
    const forwarded = headers['x-forwarded-for']
    if (!peer.trusted || forwarded === undefined) return peer.origin
    // Repeated headers form one list (RFC 9110 section 5.3).
    return originOf(firstUntrusted(String(forwarded), peer.address, isTrusted))
  }
}

/** The remote end of the connection, the same for all its requests. */
interface Peer {
  readonly address: string
  readonly origin: string
  readonly trusted: boolean
}

function peerOf(text: string | undefined, isTrusted: (address: string) => boolean): Peer {
  const address = text === undefined ? undefined : readAddress(text)
  if (address === undefined)
    return { address: UNKNOWN_ADDRESS, origin: UNKNOWN_ADDRESS, trusted: false }
  return { address, origin: originOf(address), trusted: isTrusted(address) }
}

function networks(list: readonly string[]): BlockList {
  const found = new BlockList()
  for (const one of list) {
    const [address = '', prefix] = one.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (prefix === undefined) found.addAddress(address, family)
    else found.addSubnet(address, Number(prefix), family)
  }
  return found
}

/** Each proxy appends its own peer. An invalid address ends the search, because the part before it cannot be trusted. */
function firstUntrusted(
  forwarded: string,
  proxy: string,
  isTrusted: (address: string) => boolean,
): string {
  let nearest = proxy
  for (const entry of forwarded.split(',').toReversed()) {
    const address = readAddress(withoutPort(entry.trim()))
    if (address === undefined) return nearest
    nearest = address
    if (!isTrusted(address)) return nearest
  }
  return nearest
}

/** Some proxies include the port: `203.0.113.7:49152` and `[2001:db8::7]:49152`. */
function withoutPort(entry: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? []
  return bracketed ?? dotted ?? entry
}

/** Canonical form; IPv4-mapped addresses (RFC 4291 section 2.5.5.2) become IPv4. */
function readAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  if (!isIPv6(text)) return undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  return MAPPED.exec(address)?.[1] ?? address
}

const MAPPED = /^::ffff:([\d.]+)$/

/** Hosts change their IPv6 address within their /64 at will (RFC 8981), so the /64 is counted. */
function originOf(address: string): string {
  if (isIPv4(address)) return address
  const [before = '', after = ''] = address.split('::')
  const [left, right] = [groupsOf(before), groupsOf(after)]
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  const network = [...left, ...zeros, ...right].slice(0, 4).join(':')
  // regex-ok: at most four groups
  return `${network.replace(/(?:^|:)0(?::0)*$/, '')}::/64`
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
