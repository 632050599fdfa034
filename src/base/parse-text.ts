/** Reads text in a format, which may be damaged: undefined instead of an error. */

/** The value of a JSON text. JSON itself has no `undefined`. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** A text without percent-encoding (RFC 3986 section 2.1). Undefined also if the bytes are not UTF-8. */
export function decodedUri(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
