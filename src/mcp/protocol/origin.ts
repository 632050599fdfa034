/**
 * Against DNS rebinding (MCP 2025-11-25, Streamable HTTP, Security Warning): a page on another site must not reach a
 * server on this machine or network by pointing its own name at it.
 */

import { memoize } from '../../base/memoize.ts'
import { RequestError } from '../../base/request-error.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Returns a check that rejects a foreign `Host` or `Origin` with 403. The public URL and loopback addresses are allowed. A
 * server with a public https URL also accepts any https origin: the bearer token protects it, and rebinding gains nothing.
 */
export function originCheck(
  publicUrl: string,
): (header: (name: string) => string | undefined) => void {
  const ours = new URL(publicUrl)
  const isOurs = memoize((address) => {
    if (!URL.canParse(address)) return false
    const { hostname } = new URL(address)
    return hostname === ours.hostname || LOOPBACK.has(hostname)
  })
  return (header) => {
    const host = header('host')
    if (host !== undefined && host !== ours.host && !isOurs(`http://${host}`))
      throw new RequestError(
        'forbidden',
        'This server does not accept requests for that host name.',
        {
          hint: `Use ${publicUrl}, or set WEFT_PUBLIC_URL to the address people use.`,
        },
      )
    const origin = header('origin')
    if (origin === undefined || isOurs(origin)) return
    if (ours.protocol === 'https:' && origin.startsWith('https://')) return
    throw new RequestError('forbidden', 'Requests from that origin are not allowed.')
  }
}
