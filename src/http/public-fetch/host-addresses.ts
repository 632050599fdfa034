/**
 * Resolves host names with c-ares and a timeout. `getaddrinfo`, which Node uses for all other connections, has four
 * threads and no timeout, so names chosen by strangers must not occupy it.
 */

import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { platform } from 'node:os'
import { SECOND } from '../../base/clock.ts'
import type { LookupAddress } from 'node:dns'

interface HostLookup {
  /** Name servers as `address:port`. If empty, those of the system. */
  readonly nameServers: readonly string[]
  /** Cancels the queries. */
  readonly signal: AbortSignal
}

/** For one query to one name server. Each query is sent up to `TRIES` times. */
const QUERY_TIMEOUT_MS = 1.5 * SECOND
const TRIES = 2

const HOSTS_FILE =
  platform() === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts'

/** Checks `localhost` and the hosts file first, like `getaddrinfo`. Rejects if the name has no address. */
export async function findHostAddresses(
  hostname: string,
  lookup: HostLookup,
): Promise<LookupAddress[]> {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  // RFC 6761 section 6.3: never sent to a name server.
  if (name === 'localhost' || name.endsWith('.localhost')) return listed('127.0.0.1', '::1')
  const local = await readHostsFile(name)
  return local.length > 0 ? listed(...local) : queryNameServers(name, lookup)
}

async function queryNameServers(
  name: string,
  { nameServers, signal }: HostLookup,
): Promise<LookupAddress[]> {
  signal.throwIfAborted()
  // One resolver per lookup, because `cancel` ends all queries of a resolver.
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
  if (nameServers.length > 0) resolver.setServers(nameServers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    )
    if (addresses.length === 0)
      throw new Error('the name has no address, or no name server responded')
    return listed(...addresses)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Empty if the file does not exist. */
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
