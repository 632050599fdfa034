/** `/.well-known/api-catalog` (RFC 9727): the APIs of this host, each with its description and documentation. */

import { SERVER_CARD_TYPE } from './server-card.ts'

export const API_CATALOG_PATH = '/.well-known/api-catalog'

export const LINKSET_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** RFC 9264 section 4.2. */
export function apiCatalog(publicUrl: string): object {
  const at = (path: string, type: string) => [{ href: publicUrl + path, type }]
  return {
    linkset: [
      {
        anchor: `${publicUrl}/`,
        'service-desc': at('/openapi.json', 'application/json'),
        'service-doc': at('/docs', 'text/html'),
        'service-meta': at('/v1', 'application/json'),
      },
      {
        anchor: `${publicUrl}/mcp`,
        'service-desc': at('/mcp/server-card', SERVER_CARD_TYPE),
        'service-doc': at('/docs/tools', 'text/html'),
        'service-meta': at('/.well-known/oauth-protected-resource/mcp', 'application/json'),
      },
    ],
  }
}
