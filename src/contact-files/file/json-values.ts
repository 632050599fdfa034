// Values of JSON exports, in which every key may be missing or have another type. What a function can read, it takes: the
// report lists the other values.

import { jsonOf } from '../../base/parse-text.ts'
import { wholeText } from '../bytes/blocks.ts'
import { phrase } from '../../languages/message.ts'
import { isDay } from '../../dates/calendar-day.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'
import { Leaf, withLeaves } from './unread-values.ts'

export type ExportedObject = Readonly<Record<string, unknown>>

/** @throws {UnreadableFile} when the export of this program is damaged. */
export async function readWholeJson(
  blocks: AsyncIterable<string>,
  program: string,
): Promise<ExportedObject> {
  const parsed = jsonOf((await wholeText(blocks)) ?? '')
  if (parsed === undefined)
    throw new UnreadableFile(
      'json_file',
      {
        source: phrase('This export of {program} is damaged: it is not complete JSON.'),
        values: { program },
      },
      {
        source: phrase('Export it again from the settings of {program} and import that file.'),
        values: { program },
      },
    )
  return objectIn(withLeaves(parsed))
}

/** Empty for anything else. PHP writes an object without properties as `[]`. */
export function objectIn(value: unknown): ExportedObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && !(value instanceof Leaf) ? (value as ExportedObject) : {}
}

/** Empty for anything else. */
export function jsonList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The items of a list, each as an object; empty for anything but a list. */
export function jsonObjects(value: unknown): readonly ExportedObject[] {
  return jsonList(value).map(objectIn)
}

/** Empty for anything but texts and numbers. */
export function jsonText(value: unknown): string {
  const text = peekText(value)
  return text === '' ? text : taken(value, text)
}

/** The same, for a value that is not taken by this. */
export function peekText(value: unknown): string {
  const said = value instanceof Leaf ? value.value : value
  if (typeof said === 'number') return String(said)
  return typeof said === 'string' ? said.trim() : ''
}

/** What `read` makes of the text; null if it makes nothing of it. */
export function jsonValue<Value>(
  value: unknown,
  read: (text: string) => Value | null,
): Value | null {
  const text = peekText(value)
  const made = text === '' ? null : read(text)
  return made === null ? null : taken(value, made)
}

/** The text, if `isOne` accepts it. */
export function jsonTextIf(value: unknown, isOne: (text: string) => boolean): string | null {
  return jsonValue(value, (text) => (isOne(text) ? text : null))
}

interface LabeledList {
  /** The keys of the value and of its label. */
  readonly value: string
  readonly label: string
  readonly isOne?: (text: string) => boolean
}

/** The values of a list of objects. The first label of a value is kept. */
export function jsonLabeled(
  list: unknown,
  { value, label, isOne = () => true }: LabeledList,
): { readonly value: string; readonly label: string }[] {
  const seen = new Set<string>()
  return jsonObjects(list).flatMap((one) => {
    const read = jsonTextIf(one[value], isOne)
    if (read === null) return []
    const isKnown = seen.has(read)
    seen.add(read)
    return [{ value: read, label: isKnown ? '' : jsonText(one[label]) }]
  })
}

/** The day of `2022-11-20T00:00:00.000000Z`; undefined if it is none. */
export function jsonDay(value: unknown): string | undefined {
  const day = peekText(value).slice(0, 10)
  return isDay(day) ? taken(value, day) : undefined
}

/** Milliseconds; null if it is no time. */
export function jsonTime(value: unknown): number | null {
  const time = Date.parse(peekText(value))
  return Number.isNaN(time) || time < 0 ? null : taken(value, time)
}

/** Undefined if it is no number. */
export function jsonNumber(value: unknown): number | undefined {
  const text = peekText(value)
  const number = Number(text)
  return text === '' || !Number.isFinite(number) ? undefined : taken(value, number)
}

/** Booleans of some programs are numbers. */
export function jsonFlag(value: unknown): boolean {
  const said = value instanceof Leaf ? value.value : value
  return typeof said === 'boolean' || said === 0 || said === 1
    ? taken(value, said === true || said === 1)
    : false
}

function taken<Value>(leaf: unknown, value: Value): Value {
  if (leaf instanceof Leaf) leaf.isTaken = true
  return value
}
