/** `/.well-known/security.txt` (RFC 9116), served only if the operator set a contact. */

import { DAY, rfc3339 } from '../../base/clock.ts'
import type { DiscoveryDeps } from '../docs/discovery-deps.ts'
import { content } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'

const TYPE = 'text/plain; charset=utf-8'
/** Less than a year, as section 2.5.5 recommends, so that the contact of an abandoned service expires. */
const LIFETIME = 180 * DAY

type SecurityTxtDeps = Pick<DiscoveryDeps, 'clock' | 'publicUrl' | 'securityContact'>

export function securityTxtRoutes({ clock, publicUrl, securityContact }: SecurityTxtDeps): Route[] {
  if (securityContact === null) return []
  return [
    defineRoute({
      method: 'GET',
      path: '/.well-known/security.txt',
      operationId: 'readSecurityContact',
      summary: 'Contact for security reports (RFC 9116)',
      access: 'public',
      answers: { 200: { description: 'The contact', type: TYPE, headers: ['ETag'] } },
      async handle() {
        const expires = Math.floor(clock.now() / DAY) * DAY + LIFETIME
        const lines = [
          `Contact: ${securityContact}`,
          `Expires: ${rfc3339(expires)}`,
          `Canonical: ${publicUrl}/.well-known/security.txt`,
          '',
        ]
        return content(lines.join('\n'), TYPE, 200, { 'cache-control': 'public, max-age=86400' })
      },
    }),
  ]
}
