// Reads one unfolded vCard line into a property: vCard 2.1, RFC 2426 (3.0) and RFC 6350 (4.0).
// Own reader: ical.js refuses a whole card for one odd parameter, so a second reader of everything
// would stand behind it anyway (the tests hold this one against it on the cards both can read).

export interface CardProperty {
  /** `item1` in `item1.EMAIL`, lower-case; empty where there is none. */
  readonly group: string
  /** Upper-case. */
  readonly name: string
  /** TYPE values and the bare parameters of 2.1, lower-case. */
  readonly types: readonly string[]
  /** PREF: 1 is the most preferred, 100 the least; 101 where nothing is said. */
  readonly rank: number
  /** Decoded from its transfer encoding; still escaped. */
  readonly value: string
  readonly label: string
}

export function propertyOf(line: string): CardProperty | null {
  const colon = unquotedIndex(line, ':')
  if (colon === -1) return null
  const [path = '', ...parameters] = splitUnquoted(line.slice(0, colon))
  const dot = path.lastIndexOf('.')
  const read = parametersOf(parameters)
  return {
    group: path.slice(0, Math.max(dot, 0)).toLowerCase(),
    name: path
      .slice(dot + 1)
      .trim()
      .toUpperCase(),
    types: read.types,
    rank: rankOf(read),
    value: decoded(line.slice(colon + 1), read),
    label: read.label,
  }
}

/** The text of a value: escapes resolved. */
export function textOf(value: string): string {
  if (!value.includes('\\')) return value
  return value.replace(/\\([nN\\,;:"])/g, (_, escaped: string) =>
    escaped === 'n' || escaped === 'N' ? '\n' : escaped,
  )
}

/** The parts of a structured value (`;`) or of a list (`,`), escapes resolved. */
export function partsOf(value: string, separator: ';' | ','): readonly string[] {
  if (!value.includes('\\')) return value.split(separator).slice(0, PARTS_CAP)
  const parts: string[] = []
  let from = 0
  for (let at = 0; at <= value.length && parts.length < PARTS_CAP; at++) {
    if (value[at] === '\\') at++
    else if (at === value.length || value[at] === separator) {
      parts.push(textOf(value.slice(from, at)))
      from = at + 1
    }
  }
  if (from < value.length && parts.length < PARTS_CAP) parts.push(textOf(value.slice(from)))
  return parts
}

const PARTS_CAP = 500 // parts: CATEGORIES may be long, but not endless
const LOWEST_PREFERENCE = 100 // RFC 6350 section 5.3
const PARAMETERS_CAP = 50

interface Parameters {
  types: string[]
  pref: number
  label: string
  quotedPrintable: boolean
  base64: boolean
  charset: string
}

function parametersOf(parameters: readonly string[]): Parameters {
  const read: Parameters = {
    types: [],
    pref: LOWEST_PREFERENCE + 1,
    label: '',
    quotedPrintable: false,
    base64: false,
    charset: '',
  }
  for (const parameter of parameters.slice(0, PARAMETERS_CAP)) {
    const equals = parameter.indexOf('=')
    const value = parameter.slice(equals + 1).replaceAll('"', '')
    const name = equals === -1 ? bareName(value) : parameter.slice(0, equals).trim().toLowerCase()
    readParameter(read, name, value.trim())
  }
  return read
}

/** vCard 2.1 lets `TYPE=` and `ENCODING=` be left out. */
function bareName(value: string): string {
  return /^(?:quoted-printable|base64|b|8bit|7bit)$/i.test(value.trim()) ? 'encoding' : 'type'
}

function readParameter(read: Parameters, name: string, value: string): void {
  if (name === 'type') {
    read.types.push(...value.toLowerCase().split(','))
  } else if (name === 'encoding') {
    read.quotedPrintable = /^quoted-printable$/i.test(value)
    read.base64 = /^b(?:ase64)?$/i.test(value)
  } else if (name === 'charset') {
    read.charset = value
  } else if (name === 'pref') {
    read.pref = /^\d{1,3}$/.test(value) ? Number(value) : 1
  } else if (name === 'label') {
    read.label = value
  }
}

function rankOf(read: Parameters): number {
  return read.types.includes('pref') ? Math.min(read.pref, 1) : read.pref
}

function decoded(value: string, read: Parameters): string {
  if (read.quotedPrintable) return inCharset(quotedPrintableBytes(value), read.charset)
  if (read.base64) return inCharset(Buffer.from(value, 'base64'), read.charset)
  return value
}

function quotedPrintableBytes(value: string): Uint8Array {
  const bytes = Buffer.from(value, 'utf8') // text that was not encoded stays what it is
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const code = byte === EQUALS ? hexAt(bytes, at + 1) : -1
    bytes[length++] = code === -1 ? byte : code
    if (code !== -1) at += 2
  }
  return bytes.subarray(0, length)
}

const EQUALS = 61

function hexAt(bytes: Uint8Array, at: number): number {
  const digits = String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0)
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : -1
}

/** The charset a card names is often wrong: what is valid UTF-8 was meant as UTF-8. */
function inCharset(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decoderOf(charset).decode(bytes).replaceAll('\ufffd', '')
  }
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder('windows-1252') // none named, or one nobody knows
  }
}

/** The first `wanted` outside of double quotes; of all text when the quotes do not match. */
function unquotedIndex(text: string, wanted: string): number {
  const plain = text.indexOf(wanted)
  const quote = text.indexOf('"')
  if (quote === -1 || plain === -1 || quote > plain) return plain
  let quoted = false
  for (let at = quote; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted
    else if (!quoted && text[at] === wanted) return at
  }
  return plain
}

function splitUnquoted(text: string): readonly string[] {
  if (!text.includes('"')) return text.split(';')
  const parts: string[] = []
  let quoted = false
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted
    if (quoted || text[at] !== ';') continue
    parts.push(text.slice(from, at))
    from = at + 1
  }
  parts.push(text.slice(from))
  return parts
}
