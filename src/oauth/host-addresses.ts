/**
 * Finds the addresses of a host by c-ares, with a timeout of its own. `getaddrinfo`, which `node:dns` calls for every other
 * connection, has four threads and no timeout: names that a stranger chose must not occupy them.
 */

import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { platform } from 'node:os'
import { SECOND } from '../base/clock.ts'
import type { LookupAddress } from 'node:dns'

export interface HostLookup {
  /** Name servers as `address:port`; those of the system where there are none. */
  readonly nameServers: readonly string[]
  /** Cancels the queries. */
  readonly signal: AbortSignal
}

/** Of one query to one name server, which is then asked once more. */
const QUERY_TIMEOUT_MS = 1.5 * SECOND
const TRIES = 2

const HOSTS_FILE =
  platform() === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts'

/** `localhost` and the hosts file come first, as with `getaddrinfo`. Rejects for a name without an address. */
export async function findHostAddresses(
  hostname: string,
  lookup: HostLookup,
): Promise<LookupAddress[]> {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  // RFC 6761 section 6.3: no name server is asked.
  if (name === 'localhost' || name.endsWith('.localhost')) return listed('127.0.0.1', '::1')
  const local = await readHostsFile(name)
  return local.length > 0 ? listed(...local) : queryNameServers(name, lookup)
}

async function queryNameServers(
  name: string,
  { nameServers, signal }: HostLookup,
): Promise<LookupAddress[]> {
  signal.throwIfAborted()
  // One for each lookup, as `cancel` ends all queries of a resolver.
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
  if (nameServers.length > 0) resolver.setServers(nameServers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    )
    if (addresses.length === 0) throw new Error('the name has no address, or no server answered')
    return listed(...addresses)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Empty where there is no such file. */
async function readHostsFile(name: string): Promise<string[]> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return names.includes(name) && isIP(address) > 0 ? [address] : []
  })
}

function listed(...addresses: readonly string[]): LookupAddress[] {
  return addresses.map((address) => ({ address, family: isIP(address) }))
}
