/**
 * Against DNS rebinding (MCP 2025-11-25, Streamable HTTP, Security Warning): a page on another site must not reach a
 * server on this machine or network by pointing its own name at it.
 */

import { RequestError } from '../../base/request-error.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * A check that refuses with 403 a `Host` that is not ours, and an `Origin` that is not ours. Ours is the public address
 * and loopback. A server with a public https address answers browser clients of any https origin: there the bearer
 * token decides, and no network is entered by rebinding.
 */
export function originCheck(
  publicUrl: string,
): (header: (name: string) => string | undefined) => void {
  const ours = new URL(publicUrl)
  const isOurs = (address: string) => {
    if (!URL.canParse(address)) return false
    const { hostname } = new URL(address)
    return hostname === ours.hostname || LOOPBACK.has(hostname)
  }
  return (header) => {
    const host = header('host')
    if (host !== undefined && host !== ours.host && !isOurs(`http://${host}`))
      throw new RequestError('forbidden', 'This server does not answer under that host name.', {
        hint: `Use ${publicUrl}, or set WEFT_PUBLIC_URL to the address people use.`,
      })
    const origin = header('origin')
    if (origin === undefined || isOurs(origin)) return
    if (ours.protocol === 'https:' && origin.startsWith('https://')) return
    throw new RequestError('forbidden', 'Pages of that origin may not use this server.')
  }
}
