/** `/.well-known/ai-catalog.json` (AI Catalog 1.0): the servers and documents for agents. */

import { DOCS_MOUNT, NETWORK_MOUNT, SERVER_CARD_TYPE, type McpMount } from './server-card.ts'

/** The media type that the specification registers for the document. */
export const AI_CATALOG_TYPE = 'application/ai-catalog+json'

export function aiCatalog(publicUrl: string): object {
  return {
    specVersion: '1.0',
    entries: [NETWORK_MOUNT, DOCS_MOUNT].map((mount) => entryOf(mount, publicUrl)),
  }
}

function entryOf(mount: McpMount, publicUrl: string): object {
  const { path, name, title, description, representativeQueries } = mount
  return {
    identifier: `urn:air:${new URL(publicUrl).hostname}:mcp:${name}`,
    type: SERVER_CARD_TYPE,
    url: `${publicUrl}${path}/server-card`,
    displayName: title,
    description,
    representativeQueries,
  }
}
