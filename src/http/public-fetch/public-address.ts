/** Decides which IP addresses are on the public internet, so that strangers can make this server connect only there. */

import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { FetchPolicy } from './public-fetch.ts'

/** Only addresses of the internet, with the certificate authorities and the name servers of the system. */
export const PUBLIC_ONLY: FetchPolicy = {
  isAllowedAddress: isPublicAddress,
  certificateAuthority: undefined,
  nameServers: [],
}

/**
 * True only for unicast addresses that are globally reachable according to the IANA special-purpose address registries
 * (RFC 6890). All protocol assignments count as not public, even if single addresses in them are reachable, because no
 * website uses them.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL.check(address, 'ipv4')
  // A zone (RFC 4007) names a network interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false
  return PUBLIC_IPV6.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6')
}

/** https://www.iana.org/assignments/iana-ipv4-special-registry and multicast (RFC 5771). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // in no registry: platform services inside Azure
  '169.254.0.0/16', // link-local, including cloud metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved and broadcast
]

/** https://www.iana.org/assignments/iana-ipv6-special-registry, limited to 2000::/3. */
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID, drone tags
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: contains any IPv4 address
  '3fff::/20', // documentation
]

/** NAT64 (RFC 6052): the resolver of an IPv6-only network maps every IPv4 address to this prefix. */
const NAT64 = '64:ff9b::'
const NAT64_BITS = 96

const SPECIAL = new BlockList()
for (const subnet of SPECIAL_IPV4) {
  const [net, bits] = partsOf(subnet)
  SPECIAL.addSubnet(net, bits, 'ipv4')
  SPECIAL.addSubnet(NAT64 + net, NAT64_BITS + bits, 'ipv6')
}
for (const subnet of SPECIAL_IPV6) SPECIAL.addSubnet(...partsOf(subnet), 'ipv6')

/** Global unicast (RFC 4291 section 2.4), which excludes loopback, IPv4-mapped, local and multicast addresses. */
const PUBLIC_IPV6 = new BlockList()
PUBLIC_IPV6.addSubnet('2000::', 3, 'ipv6')
PUBLIC_IPV6.addSubnet(NAT64, NAT64_BITS, 'ipv6')

function partsOf(subnet: string): [net: string, bits: number] {
  const [net = '', bits] = subnet.split('/')
  return [net, Number(bits)]
}
