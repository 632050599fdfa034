/** The MCP revisions served at every tool endpoint, and what differs between them on the wire. */

/** Revisions that start with `initialize`, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

/** The response of `initialize` to an unknown version (MCP 2025-11-25, basic/lifecycle). */
export const LATEST_LEGACY_VERSION = '2025-11-25'

/** Revisions that include their version in every request; the only ones named in errors and in `server/discover`. */
export const MODERN_VERSIONS = ['2026-07-28'] as const

/** The version of a request without an `MCP-Protocol-Version` header (MCP 2025-06-18, basic/transports). */
export const ASSUMED_VERSION = '2025-03-26'

const FIRST_MODERN_VERSION = '2026-07-28'

/** MCP 2025-06-18 removed JSON-RPC batches. */
const FIRST_VERSION_WITHOUT_BATCHES = '2025-06-18'

const VERSION_SHAPE = /^\d{4}-\d{2}-\d{2}$/

/** True for the supported revisions that begin with `initialize`. */
export function isLegacyVersion(version: string): boolean {
  return (LEGACY_VERSIONS as readonly string[]).includes(version)
}

/** True for the supported revisions without sessions. */
export function isServedModernVersion(version: string): boolean {
  return (MODERN_VERSIONS as readonly string[]).includes(version)
}

/** True for 2026-07-28 and later revisions, supported or not. Revisions are dates, so they compare as text. */
export function namesModernEra(version: string | undefined): boolean {
  return version !== undefined && version >= FIRST_MODERN_VERSION && VERSION_SHAPE.test(version)
}

/** JSON-RPC batches were removed in revision 2025-06-18. */
export function allowsBatches(legacyVersion: string): boolean {
  return legacyVersion < FIRST_VERSION_WITHOUT_BATCHES
}
