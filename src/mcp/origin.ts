/**
 * Against DNS rebinding (MCP 2025-11-25, Streamable HTTP, Security Warning): a page on another site must not reach a
 * server on this machine or network by pointing its own name at it.
 */

import { Refusal } from '../base/refusal.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Refuses with 403 a `Host` that is not ours, and an `Origin` that is not ours. Ours is the public address and
 * loopback. A server with a public https address answers browser clients of any https origin: there the bearer token
 * decides, and no network is entered by rebinding.
 */
export function refuseForeignOrigin(
  header: (name: string) => string | undefined,
  publicUrl: string,
): void {
  const ours = new URL(publicUrl)
  const host = header('host')
  const hostname = host === undefined ? undefined : hostnameOf(`http://${host}`)
  if (host !== undefined && !isOurs(hostname, ours))
    throw new Refusal('forbidden', 'This server does not answer under that host name.', {
      hint: `Use ${publicUrl}, or set WEFT_PUBLIC_URL to the address people use.`,
    })
  const origin = header('origin')
  if (origin === undefined || isOurs(hostnameOf(origin), ours)) return
  if (ours.protocol === 'https:' && origin.startsWith('https://')) return
  throw new Refusal('forbidden', 'Pages of that origin may not use this server.')
}

function isOurs(hostname: string | undefined, ours: URL): boolean {
  return hostname !== undefined && (hostname === ours.hostname || LOOPBACK.has(hostname))
}

function hostnameOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined
}
