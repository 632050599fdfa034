/** The JSON of a tool's result. Lists whose JSON is known from measuring are not serialized again. */

import { remembering } from '../base/remembering.ts'

/** JSON, and the same characters as they stand within a JSON string. */
export interface JsonText {
  readonly json: string
  readonly quoted: string
}

/** `value` is anything but undefined. */
export function jsonText(value: unknown): JsonText {
  const json = JSON.stringify(value)
  return { json, quoted: quote(json) }
}

/** Texts of JSON can be quoted part by part: they contain no half of a surrogate pair. */
function quote(json: string): string {
  return JSON.stringify(json).slice(1, -1)
}

const KNOWN_TEXT = Symbol('JSON')

interface KnownText {
  readonly json: string
  readonly quoted?: string | undefined
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
export function resultText(result: object): JsonText {
  const fields = Object.entries(result)
  if (!fields.some(([, value]) => knownText(value))) return jsonText(result)
  let [json, quoted] = ['', '']
  for (const [name, value] of fields) {
    if (value === undefined) continue
    const key = keyText(name)
    const known = knownText(value) ?? jsonText(value)
    const comma = json === '' ? '' : ','
    json += `${comma}${key.json}:${known.json}`
    quoted += `${comma}${key.quoted}:${known.quoted ?? quote(known.json)}`
  }
  return { json: `{${json}}`, quoted: `{${quoted}}` }
}

const keyText = remembering((name) => jsonText(name))

function knownText(value: unknown): KnownText | undefined {
  return Array.isArray(value) ? (value as WithText)[KNOWN_TEXT] : undefined
}
