// Lists of people in JSON, such as the contacts of Telegram. They are tables with a column for each key.

import { jsonOf } from '../../base/parse-text.ts'
import { wholeText } from '../bytes/blocks.ts'
import { phrase, type Message } from '../../languages/message.ts'
import { isUtf8 } from 'node:buffer'
import { dayAt } from '../../dates/calendar-day.ts'
import { SECOND } from '../../base/clock.ts'
import type { Cells } from './csv.ts'
import { targetNamed } from '../fields/header-words.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'

/** Whether the text starts like JSON that has objects. */
export function holdsJsonObjects(head: string): boolean {
  return /^\s*(?:\[\s*)*\{\s*"/.test(head)
}

/** The file is read at once. */
const MAX_CHARACTERS = 4_000_000
/** Each of them is a column of every row. */
const MAX_KEYS = 500

/** The names of the columns, and the cells of each person. */
interface JsonTable {
  readonly names: Cells
  readonly rows: readonly Cells[]
}

/**
 * The longest list of people; null if the JSON has none or is damaged.
 *
 * @throws {UnreadableFile} when it is too long, or the people have too many different properties.
 */
export async function readJsonTable(blocks: AsyncIterable<string>): Promise<JsonTable | null> {
  const text = await wholeText(blocks, MAX_CHARACTERS)
  if (text === undefined)
    throw tooLarge({
      source: phrase('This JSON file is longer than {max} characters.'),
      values: { max: MAX_CHARACTERS.toLocaleString('en') },
    })
  const people = peopleIn(text)
  if (people === null) return null
  const keys = [...new Set(people.flatMap((person) => [...person.keys()]))]
  if (keys.length > MAX_KEYS)
    throw tooLarge({
      source: phrase('The people in this JSON file have more than {max} different properties.'),
      values: { max: MAX_KEYS },
    })
  return { names: keys, rows: people.map((person) => keys.map((key) => person.get(key) ?? '')) }
}

function tooLarge(text: Message): UnreadableFile {
  return new UnreadableFile('json_file', text, phrase('Save the list as CSV and import that file.'))
}

/** Null also for damaged JSON. */
function peopleIn(text: string): readonly Flat[] | null {
  const root = jsonOf(text)
  const people = listOfPeople(isFacebook(root) ? JSON.parse(text, reviveFacebook) : root)
  return people?.map((person) => flat(person, MAX_DEPTH)) ?? null
}

/** Facebook and Instagram name their lists `friends_v2`, and write each byte of UTF-8 as a character. */
function isFacebook(root: unknown): boolean {
  return isObject(root) && Object.keys(root).some((key) => /_v\d+$/.test(key))
}

function reviveFacebook(_key: string, value: unknown): unknown {
  if (isObject(value)) return withFriendDay(value)
  if (typeof value !== 'string' || !/^[\0-\xff]*$/.test(value)) return value // oxlint-disable-line no-control-regex -- bytes
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : value
}

/** The time of becoming friends is in seconds since 1970. */
function withFriendDay({ timestamp, ...friend }: JsonObject): JsonObject {
  const isTime = typeof timestamp === 'number' && timestamp > 0 && timestamp < 2 ** 36
  if (!isTime) return timestamp === undefined ? friend : { ...friend, timestamp }
  return { ...friend, 'Connected on': dayAt(timestamp * SECOND) }
}

type JsonObject = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The list whose objects have the most keys that identify people. */
function listOfPeople(root: unknown): readonly JsonObject[] | null {
  let best: readonly JsonObject[] | null = null
  let bestKeys = 0
  for (const list of listsIn(root, MAX_DEPTH)) {
    const keys = identifyingKeys(list[0] ?? {})
    if (keys < bestKeys || (keys === bestKeys && list.length <= (best?.length ?? 0))) continue
    best = list
    bestKeys = keys
  }
  return bestKeys === 0 ? null : best
}

const MAX_DEPTH = 5

function listsIn(value: unknown, depth: number): readonly (readonly JsonObject[])[] {
  if (depth === 0) return []
  if (Array.isArray(value)) {
    const objects = value.filter(isObject)
    return objects.length > 0 && objects.length === value.length ? [objects] : []
  }
  return isObject(value) ? Object.values(value).flatMap((part) => listsIn(part, depth - 1)) : []
}

function identifyingKeys(person: JsonObject): number {
  const keys = [...flat(person, MAX_DEPTH).keys()]
  return keys.filter((key) => IDENTIFYING.has(targetNamed(key)?.field ?? '')).length
}

const IDENTIFYING: ReadonlySet<string> = new Set([
  'name',
  'given_name',
  'family_name',
  'given_or_name',
  'family_or_name',
  'email',
  'phone',
])

type Flat = ReadonlyMap<string, string>

/** An object within another one has a column for each of its keys: `address city`. */
function flat(
  person: JsonObject,
  depth: number,
  prefix = '',
  texts = new Map<string, string>(),
): Flat {
  for (const [key, value] of Object.entries(person))
    if (isObject(value) && depth > 1) flat(value, depth - 1, `${prefix}${key} `, texts)
    else texts.set(prefix + key, textOf(value))
  return texts
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return listText(value.map(valueOf).filter((item) => item !== null))
  return JSON.stringify(value)
}

function listText(items: readonly unknown[]): string {
  return items.length === 0 ? '' : JSON.stringify(items)
}

/** Lists of labeled values are written as `[{ "value": "ann@x.example", "type": "work" }]`, or with the kind of value as its key. */
function valueOf(item: unknown): unknown {
  if (!isObject(item)) return item
  const values = VALUE_KEYS.map((key) => item[key]).filter((one) => one !== undefined)
  const value = values.find((one) => typeof one === 'string')
  return value ?? (values.length === 1 && values[0] === null ? null : item)
}

const VALUE_KEYS = ['value', 'email', 'phone', 'number', 'url', 'tag', 'address'] as const
