/** Sync tokens (RFC 6578): the version of the book, and what else the answer depended on. */

import { DAY } from '../base/clock.ts'

/** How long a token is valid: deleted cards are remembered for this time. */
export const SYNC_TOKEN_LIFETIME_MS = 180 * DAY

const PREFIX = 'urn:weft:sync:'

export function syncTokenOf(version: number, scope: string): string {
  return `${PREFIX}${version}:${encodeURIComponent(scope)}`
}

/** The version of a token. Undefined for a foreign token, and for one of another scope. */
export function versionOfToken(token: string, scope: string): number | undefined {
  const [, version, ownScope] = /^urn:weft:sync:(\d{1,15}):([^:]*)$/.exec(token.trim()) ?? []
  return version === undefined || ownScope !== encodeURIComponent(scope)
    ? undefined
    : Number(version)
}
