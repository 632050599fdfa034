/** Reads the name of an uploaded file from its header and sanitizes it. */

const MAX_FILENAME_LENGTH = 255

/** Control characters, and bidirectional controls that make a name look like a different one. */
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** RFC 6266 section 4.1: `; name=token`, `; name="quoted"` or `; name*=ext-value`. */
const PARAMETER = /;\s*([a-z0-9!#$%&'*+.^_`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/gi

/** RFC 8187 section 3.2: charset, language, percent-encoded value. */
const EXTENDED_VALUE = /^(utf-8|iso-8859-1)'[^']*'([^\s"]*)$/i

/** The file name of a `Content-Disposition`. Prefers `filename*` (RFC 6266 section 4.3). */
export function filenameOf(disposition: string | undefined): string | null {
  if (disposition === undefined) return null
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, token = ''] of `;${disposition}`.matchAll(PARAMETER))
    parameters.set(name.toLowerCase(), quoted === undefined ? token.trim() : unquote(quoted))
  const extended = decodeExtended(parameters.get('filename*') ?? '')
  const plain = parameters.get('filename')
  return cleanFilename(extended ?? (plain === undefined ? '' : decodeHeaderText(plain)))
}

/** The last segment of a path, without control characters and at most 255 characters long. Null if nothing is left. */
export function cleanFilename(name: string): string | null {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const printable = last.replace(UNPRINTABLE, '').trim()
  const short = Array.from(printable).slice(0, MAX_FILENAME_LENGTH).join('')
  return short === '' || short === '.' || short === '..' ? null : short
}

/** Unescapes only `\"` and `\\`, because browsers send `C:\contacts.csv` unescaped. */
function unquote(quoted: string): string {
  return quoted.replace(/\\(["\\])/g, '$1')
}

function decodeExtended(value: string): string | undefined {
  const [, charset = '', encoded = ''] = EXTENDED_VALUE.exec(value) ?? []
  if (encoded === '') return undefined
  try {
    if (charset.toLowerCase() === 'utf-8') return decodeURIComponent(encoded)
    return encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  } catch {
    return undefined // RFC 8187 section 3.2.1: a value that cannot be decoded is ignored
  }
}

/** node:http decodes headers as ISO-8859-1, but most clients send UTF-8. */
function decodeHeaderText(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
