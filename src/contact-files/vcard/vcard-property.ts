// Parses one unfolded vCard line into a property: vCard 2.1, RFC 2426 (3.0) and RFC 6350 (4.0).
// A custom parser, because ical.js rejects a whole card for one unusual parameter. The tests compare the two on cards
// that both can read.

import { isUtf8 } from 'node:buffer'
import { encodingNamed } from '../bytes/encodings.ts'

export interface CardProperty {
  /** `item1` in `item1.EMAIL`, lower-case; empty when there is none. */
  readonly group: string
  /** Upper-case. */
  readonly name: string
  /** TYPE values and the bare parameters of vCard 2.1, lower-case. */
  readonly types: readonly string[]
  /** PREF: 1 is most preferred, 100 least; 101 when absent. */
  readonly rank: number
  /** Without transfer encoding, but still escaped. */
  readonly value: string
  readonly label: string
  /** SERVICE-TYPE (RFC 9554) and X-SERVICE-TYPE, lower-case. */
  readonly service: string
  /** ALTID: properties with the same one are the same value in several languages. Empty when absent. */
  readonly altId: string
}

export type Properties = ReadonlyMap<string, readonly CardProperty[]>

/** `fallback` decodes quoted-printable and base64 text that has no charset and is not UTF-8. */
export function propertyOf(line: string, fallback = WINDOWS_1252): CardProperty | null {
  const colon = unquotedIndex(line, ':')
  if (colon === -1) return null
  const [path = '', ...parameters] = splitUnquoted(line.slice(0, colon), ';')
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
    value: decoded(line.slice(colon + 1), read, fallback),
    label: read.label,
    service: read.service,
    altId: read.altId,
  }
}

export function textOf(value: string): string {
  if (!value.includes('\\')) return value
  return value.replace(/\\([nN\\,;:"])/g, (_, escaped: string) =>
    escaped === 'n' || escaped === 'N' ? '\n' : escaped,
  )
}

/** The parts of a structured value (`;`) or list (`,`), unescaped. */
export function partsOf(value: string, separator: ';' | ','): readonly string[] {
  if (!value.includes('\\')) return value.split(separator).slice(0, MAX_PARTS)
  const parts: string[] = []
  let from = 0
  for (let at = 0; at <= value.length && parts.length < MAX_PARTS; at++) {
    if (value[at] === '\\') at++
    else if (at === value.length || value[at] === separator) {
      parts.push(textOf(value.slice(from, at)))
      from = at + 1
    }
  }
  if (from < value.length && parts.length < MAX_PARTS) parts.push(textOf(value.slice(from)))
  return parts
}

const MAX_PARTS = 500 // bounds long CATEGORIES
const LOWEST_PREFERENCE = 100 // RFC 6350 section 5.3
const MAX_PARAMETERS = 50

interface Parameters {
  types: string[]
  pref: number
  label: string
  quotedPrintable: boolean
  base64: boolean
  charset: string
  service: string
  altId: string
}

function parametersOf(parameters: readonly string[]): Parameters {
  const read: Parameters = {
    types: [],
    pref: LOWEST_PREFERENCE + 1,
    label: '',
    quotedPrintable: false,
    base64: false,
    charset: '',
    service: '',
    altId: '',
  }
  for (const parameter of parameters.slice(0, MAX_PARAMETERS)) {
    const own = androidLabel(parameter)
    if (own !== null) {
      read.types.push(own)
      continue
    }
    const equals = parameter.indexOf('=')
    const value = parameter.slice(equals + 1).replaceAll('"', '')
    const name = equals === -1 ? bareName(value) : parameter.slice(0, equals).trim().toLowerCase()
    readParameter(read, name, value.trim())
  }
  return read
}

/** Android writes a label of its own as `X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=D0=94)`. */
function androidLabel(parameter: string): string | null {
  const [, text = ''] = /^X-CUSTOM\((?:[^,()]*,){2}(.*)\)$/i.exec(parameter) ?? []
  return text === '' ? null : UTF8.decode(quotedPrintableBytes(text))
}

/** vCard 2.1 allows omitting `TYPE=` and `ENCODING=`. */
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
    read.label = withoutCarets(value)
  } else if (name === 'service-type' || name === 'x-service-type') {
    read.service = withoutCarets(value).toLowerCase()
  } else if (name === 'altid') {
    read.altId = value
  }
}

/** RFC 6868: characters that a parameter cannot have. */
function withoutCarets(value: string): string {
  return value.replace(/\^([n^'])/g, (_, code: string) =>
    code === 'n' ? '\n' : code === "'" ? '"' : '^',
  )
}

function rankOf(read: Parameters): number {
  return read.types.includes('pref') ? Math.min(read.pref, 1) : read.pref
}

function decoded(value: string, read: Parameters, fallback: TextDecoder): string {
  const decoder = decoderOf(read.charset) ?? fallback
  if (read.quotedPrintable) return inCharset(quotedPrintableBytes(value), decoder)
  if (read.base64) return inCharset(Buffer.from(value, 'base64'), decoder)
  return value
}

export function quotedPrintableBytes(value: string): Uint8Array {
  const bytes = Buffer.from(value, 'utf8') // unencoded text is unchanged
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

/** Prefers UTF-8 when it is valid, because the declared charset is often wrong. */
function inCharset(bytes: Uint8Array, decoder: TextDecoder): string {
  return isUtf8(bytes) ? UTF8.decode(bytes) : decoder.decode(bytes).replaceAll('\ufffd', '')
}

const UTF8 = new TextDecoder('utf-8')
const WINDOWS_1252 = new TextDecoder('windows-1252')

/** Null without a charset, and for an unknown one. */
export function decoderOf(charset: string): TextDecoder | null {
  const known = charset === '' ? null : encodingNamed(charset)
  return known === null || known.startsWith('utf-32') ? null : new TextDecoder(known)
}

/** The first `wanted` outside of double quotes, or anywhere when the quotes are unbalanced. */
export function unquotedIndex(text: string, wanted: string): number {
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

/** The parts between separators outside of double quotes. */
export function splitUnquoted(text: string, separator: ';' | ','): readonly string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let quoted = false
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted
    if (quoted || text[at] !== separator) continue
    parts.push(text.slice(from, at))
    from = at + 1
  }
  parts.push(text.slice(from))
  return parts
}
