// Lists of people in JSON, such as the contacts of Telegram. They are read as tables with a column for each key.

import { targetNamed } from './header-words.ts'

/** Whether the text starts like JSON that has objects. */
export function holdsJsonObjects(head: string): boolean {
  return /^\s*(?:\[\s*)*\{\s*"/.test(head)
}

const MAX_CHARACTERS = 20_000_000 // because the file is read at once

/** The longest list of people as CSV; null if the JSON has none, is damaged or is too long. */
export async function jsonTableText(blocks: AsyncIterable<string>): Promise<string | null> {
  let text = ''
  for await (const block of blocks) {
    text += block
    if (text.length > MAX_CHARACTERS) return null
  }
  const people = listOfPeople(parsed(text))
  return people === null ? null : csvOf(people.map((person) => flat(person)))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
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
  return Object.keys(flat(person)).filter((key) => IDENTIFYING.has(targetNamed(key)?.field ?? ''))
    .length
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

/** An object within another one has a column for each of its keys: `address city`. */
function flat(person: JsonObject, prefix = ''): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(person).flatMap(([key, value]): [string, string][] =>
      isObject(value)
        ? Object.entries(flat(value, `${prefix}${key} `))
        : [[prefix + key, textOf(value)]],
    ),
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return JSON.stringify(Array.isArray(value) ? value.map(valueOf) : value)
}

/** Lists of labeled values are written as `[{ "value": "ann@x.example", "type": "work" }]`. */
function valueOf(item: unknown): unknown {
  return isObject(item) && typeof item['value'] === 'string' ? item['value'] : item
}

function csvOf(rows: readonly Readonly<Record<string, string>>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]
  return lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('')
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}
