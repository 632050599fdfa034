/** The JSON of a tool's result. Lists whose JSON is known from measuring are not serialized again. */

import { remembering } from '../base/remembering.ts'
import { joinBytes, utf8Bytes, type Utf8Bytes } from '../base/utf8.ts'

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
export function keepJson(list: readonly unknown[], text: KnownText): void {
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
