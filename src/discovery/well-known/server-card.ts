/** MCP server cards (SEP-2127): metadata that a client shows before it connects. */

import type { DiscoveryDeps } from '../docs/discovery-deps.ts'
import { iconsOf } from '../../mcp/protocol/server-info.ts'
import { LEGACY_VERSIONS, MODERN_VERSIONS } from '../../mcp/protocol/era.ts'

export const SERVER_CARD_TYPE = 'application/mcp-server-card+json'

export interface McpMount {
  /** Path of the tool endpoint; its card is at `<path>/server-card`. */
  readonly path: string
  readonly name: string
  readonly title: string
  /** At most 100 characters. */
  readonly description: string
  /** Typical questions of people who need the server. */
  readonly representativeQueries: readonly string[]
}

export const NETWORK_MOUNT: McpMount = {
  path: '/mcp',
  name: 'network',
  title: 'Weft',
  description:
    "Search and manage a member's own professional network: people, notes, tags, follow-ups.",
  representativeQueries: [
    'Who do I know at Acme?',
    'Remember that Anna moved to Lisbon',
    'Import my LinkedIn connections',
  ],
}

export const DOCS_MOUNT: McpMount = {
  path: '/mcp/docs',
  name: 'docs',
  title: 'Weft documentation',
  description: 'Search and read the documentation of Weft; no credential needed.',
  representativeQueries: ['How does an agent get a token for Weft?', 'What does a tool call cost?'],
}

type CardDeps = Pick<DiscoveryDeps, 'publicUrl' | 'version' | 'repository'>

/** The card of one tool endpoint. */
export function serverCard(mount: McpMount, { publicUrl, version }: CardDeps): object {
  const { path, name, title, description } = mount
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversedHost(publicUrl)}/${name}`,
    version,
    description,
    title,
    websiteUrl: `${publicUrl}/docs`,
    remotes: [
      {
        type: 'streamable-http',
        url: publicUrl + path,
        supportedProtocolVersions: [...MODERN_VERSIONS, ...LEGACY_VERSIONS],
      },
    ],
  }
}

/** `server.json`, by which the operator lists the service in the MCP registry (schema of 2025-12-11). */
export function registryEntry(
  mount: McpMount,
  { publicUrl, version, repository }: CardDeps,
): object {
  const { path, name, title, description } = mount
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${reversedHost(publicUrl)}/${name}`,
    title,
    description,
    version,
    websiteUrl: `${publicUrl}/docs`,
    ...(repository && { repository }),
    // The registry accepts icons from HTTPS addresses only.
    ...(publicUrl.startsWith('https:') && { icons: iconsOf(publicUrl) }),
    remotes: [{ type: 'streamable-http', url: publicUrl + path }],
  }
}

/** `weft.example.org` becomes `org.example.weft`; IP addresses are unchanged. */
function reversedHost(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  const plain = hostname.replaceAll(/[^a-z0-9.-]/g, '-')
  return /[a-z]$/.test(hostname) ? plain.split('.').toReversed().join('.') : plain
}
