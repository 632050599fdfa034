/** Deprecated paths and parameters, and the headers that announce their successors. */

import { serializeItem } from 'structured-headers'

/** Times are milliseconds since 1970. */
export interface Deprecation {
  readonly path: string
  /** The deprecated query parameter; if absent, the whole path is deprecated. */
  readonly parameter?: string
  readonly since: number
  /** URL of the replacement, percent-encoded; absolute or relative to the service. */
  readonly successor: string
  /** Set once the removal is scheduled. */
  readonly sunset?: Sunset
}

interface Sunset {
  /** When it stops working. */
  readonly at: number
  /** When responses first announced the removal. */
  readonly announced: number
}

/** `Deprecation` (RFC 9745), the successor link (RFC 5829) and, if scheduled, `Sunset` (RFC 8594). */
export function deprecationHeaders({
  since,
  successor,
  sunset,
}: Deprecation): Record<string, string> {
  return {
    deprecation: serializeItem(new Date(since)),
    link: `<${successor}>; rel="successor-version"`,
    // toUTCString writes an HTTP date (RFC 9110 section 5.6.7).
    ...(sunset && { sunset: new Date(sunset.at).toUTCString() }),
  }
}
