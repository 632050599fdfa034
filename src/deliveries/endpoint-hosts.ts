/** Which hosts messages may go to: public ones by https, and those that the operator allows. */

import { PUBLIC_ONLY } from '../http/public-fetch/public-address.ts'
import { isFetchable, type FetchPolicy } from '../http/public-fetch/public-fetch.ts'

/** `WEFT_WEBHOOK_HOSTS`: hosts, each with a port if it has one, such as `homeassistant.local:8123`. */
export type AllowedHosts = readonly string[]

const MAX_ADDRESS_LENGTH = 2000

/** How the host of an address is reached. Its IP addresses are checked when it is connected to. */
export function policyOfHosts(
  hosts: AllowedHosts,
  policy: Partial<FetchPolicy> = {},
): (url: URL) => FetchPolicy {
  return (url) => ({
    ...PUBLIC_ONLY,
    ...policy,
    ...(hosts.includes(url.host) && { isAllowedAddress: () => true }),
  })
}

/** Undefined if messages may not go to this address. */
export function readEndpointAddress(text: string, hosts: AllowedHosts): URL | undefined {
  const url = URL.parse(text.trim())
  if (!url || text.length > MAX_ADDRESS_LENGTH || url.username + url.password !== '')
    return undefined
  const isAllowed = hosts.includes(url.host) && /^https?:$/.test(url.protocol)
  return isAllowed || isFetchable(url) ? url : undefined
}
