/** Pages of results within a size limit, and their JSON. Lists whose JSON is known from measuring are not serialized again. */

import { PLAIN_KEYWORD } from './arguments/schema-part.ts'
import { remembering } from '../base/remembering.ts'
import { joinBytes, utf8Bytes, type Utf8Bytes } from '../base/utf8.ts'
import * as Type from '../base/type.ts'

/** JSON, and the same characters as they stand within a JSON string. */
export interface JsonText {
  readonly json: Utf8Bytes
  readonly quoted: Utf8Bytes
  /** Characters of the JSON. */
  readonly length: number
}

/** `value` is anything but undefined. */
export function jsonText(value: unknown): JsonText {
  const text = JSON.stringify(value)
  const json = utf8Bytes(text)
  return { json, quoted: quote(json), length: text.length }
}

/** An object without its closing brace, so that members can be added. */
export function withoutBrace({ json, quoted, length }: JsonText): JsonText {
  return {
    json: joinBytes(json.slice(0, -1)),
    quoted: joinBytes(quoted.slice(0, -1)),
    length: length - 1,
  }
}

/** Bytes can be quoted like text, and part by part: only ASCII characters are escaped. */
function quote(json: Utf8Bytes): Utf8Bytes {
  return joinBytes(JSON.stringify(json).slice(1, -1))
}

const KNOWN_TEXT = Symbol('JSON')

interface KnownText {
  readonly json: Utf8Bytes
  readonly quoted?: Utf8Bytes | undefined
}

interface WithText {
  readonly [KNOWN_TEXT]?: KnownText
}

/** Remembers the JSON of a list, which must not change afterwards. */
function keepJson(list: readonly unknown[], text: KnownText): void {
  // Not enumerable, so that the list is equal to others with the same entries.
  Object.defineProperty(list, KNOWN_TEXT, { value: text })
}

/** The same text as `JSON.stringify`. */
export function resultText(result: object): Pick<JsonText, 'json' | 'quoted'> {
  const fields = Object.entries(result)
  if (!fields.some(([, value]) => knownText(value))) return jsonText(result)
  let [json, quoted] = ['', '']
  for (const [name, value] of fields) {
    if (value === undefined) continue
    const key = keyText(name)
    const known = knownText(value) ?? valueText(value)
    const comma = json === '' ? '' : ','
    json += `${comma}${key.json}:${known.json}`
    quoted += `${comma}${key.quoted}:${known.quoted ?? quote(known.json)}`
  }
  return { json: joinBytes(`{${json}}`), quoted: joinBytes(`{${quoted}}`) }
}

const keyText = remembering((name) => jsonText(name))

function valueText(value: unknown): KnownText {
  if (typeof value !== 'boolean' && !Number.isSafeInteger(value)) return jsonText(value)
  const json = joinBytes(String(value))
  return { json, quoted: json }
}

function knownText(value: unknown): KnownText | undefined {
  return Array.isArray(value) ? (value as WithText)[KNOWN_TEXT] : undefined
}

/** JSON characters. Clients truncate results beyond 25,000 characters; the rest is reserved for the envelope. */
export const MAX_CHARACTERS = 23_000

/** The argument for the next page. Long enough for the longest sort key of a name, in base64url. */
export const CURSOR = Type.String({
  maxLength: 1000,
  description: 'From next_cursor',
  examples: ['WzEyXQ'],
  [PLAIN_KEYWORD]: true,
})

const MAX_PAGE_SIZE = 50

/** The argument `limit` of a tool that lists entries. */
export function pageLimit(defaultSize = 20) {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      default: defaultSize,
      description: `1-${MAX_PAGE_SIZE}, default ${defaultSize}`,
    }),
  )
}

/** The fields of a result beside its entries; `truncated` if the page was shortened to fit. */
export const PAGE_END = {
  has_more: Type.Boolean(),
  next_cursor: Type.Optional(Type.String()),
  truncated: Type.Optional(Type.Boolean()),
}

interface PageEnd {
  has_more: boolean
  next_cursor?: string
  truncated?: boolean
}

/** Candidate entries of the page, in their output form. */
interface Listing<Entry> {
  readonly entries: readonly Entry[]
  readonly hasMore: boolean
  /** Cursor of the page after the entry at this index. */
  readonly cursorAfter: (index: number) => string
  /** The JSON of each entry, if it is already known. */
  readonly texts?: readonly JsonText[]
}

/** Returns the entries that fit, at least one if there are any, and the fields that end the page. */
export function pageOf<Entry>(
  { entries, hasMore, cursorAfter, texts }: Listing<Entry>,
  room = MAX_CHARACTERS,
): { items: Entry[]; end: PageEnd } {
  const all: readonly MeasuredText[] = texts ?? entries.map(measured)
  let [length, left] = [0, room]
  for (const text of all) {
    left -= text.length + 1
    if (left < 0 && length > 0) break
    length += 1
  }
  const items = entries.slice(0, length)
  keepJson(items, listText(all.slice(0, length)))
  const truncated = items.length < entries.length
  const more = truncated || hasMore
  return {
    items,
    end: {
      has_more: more,
      ...(more && { next_cursor: cursorAfter(items.length - 1) }),
      ...(truncated && { truncated }),
    },
  }
}

interface MeasuredText {
  readonly json: Utf8Bytes
  readonly quoted?: Utf8Bytes
  readonly length: number
}

function measured(entry: unknown): MeasuredText {
  const text = JSON.stringify(entry)
  return { json: utf8Bytes(text), length: text.length }
}

/** Texts are appended one by one, because `join` would copy them, and the whole response is copied anyway. */
function listText(texts: readonly MeasuredText[]): { json: Utf8Bytes; quoted?: Utf8Bytes } {
  let [json, quoted] = ['', '']
  for (const text of texts) {
    const comma = json === '' ? '' : ','
    json += comma + text.json
    if (text.quoted !== undefined) quoted += comma + text.quoted
  }
  const list = { json: joinBytes(`[${json}]`) }
  return texts.length > 0 && quoted === '' ? list : { ...list, quoted: joinBytes(`[${quoted}]`) }
}

/** Truncates a text to `room` JSON characters; a line break takes two. */
export function truncate(text: string, room: number): string {
  let kept = text.slice(0, Math.max(0, room))
  while (kept !== '' && written(kept) > room)
    kept = kept.slice(0, Math.floor((kept.length * room) / written(kept)))
  return kept.isWellFormed() ? kept : kept.slice(0, -1)
}

/** Length of a value as JSON. Characters. */
export function written(value: unknown): number {
  return JSON.stringify(value).length
}
