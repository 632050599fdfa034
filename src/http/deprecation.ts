/** What is on its way out, and what takes its place: told by every answer of it for as long as it works. */

import { serializeItem } from 'structured-headers'

/** Times are milliseconds since 1970. */
export interface Deprecation {
  readonly path: string
  /** The one query parameter that is meant; without it, the whole path. */
  readonly parameter?: string
  /** From when on it should no longer be used. */
  readonly since: number
  /** The address of what to use instead, relative to the service or whole; percent-encoded. */
  readonly successor: string
  /** Once it is decided that it will go. */
  readonly sunset?: Sunset
}

export interface Sunset {
  /** When it stops working. */
  readonly at: number
  /** When an answer said so for the first time. */
  readonly announced: number
}

/** `Deprecation` (RFC 9745), the successor (RFC 5829) and, once it is decided, `Sunset` (RFC 8594). */
export function deprecationHeaders({
  since,
  successor,
  sunset,
}: Deprecation): Record<string, string> {
  return {
    deprecation: serializeItem(new Date(since)),
    link: `<${successor}>; rel="successor-version"`,
    // A date of HTTP (RFC 9110 section 5.6.7) is what toUTCString writes.
    ...(sunset && { sunset: new Date(sunset.at).toUTCString() }),
  }
}
