// Which values of an export a reader took, so that the report can list all others.

import { UnreadableFile } from '../bytes/unreadable-file.ts'
import { MAX_COLUMN_NAME_LENGTH, MAX_COLUMNS, type FileColumn } from '../columns/file-columns.ts'
import type { ReportedField } from '../fields/column-fields.ts'

/** A value of an export. The functions of json-values.ts take it when they can read it. */
export class Leaf {
  isTaken = false
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/**
 * Replaces the values of parsed JSON by leaves, in place.
 *
 * @throws {UnreadableFile} when the file nests deeper than any program writes.
 */
export function withLeaves(parsed: unknown): unknown {
  const root = { parsed }
  const open: [holder: Record<string, unknown>, depth: number][] = [[root, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [holder, depth] = next
    if (depth > MAX_DEPTH) throw tooDeep()
    for (const key of Object.keys(holder)) {
      const value = holder[key]
      if (isHolder(value)) open.push([value, depth + 1])
      else if (isSaid(value)) holder[key] = new Leaf(value)
    }
  }
  return root.parsed
}

const MAX_DEPTH = 50

function tooDeep(): UnreadableFile {
  return new UnreadableFile(
    'json_file',
    `This export is damaged: it has more than ${MAX_DEPTH} levels.`,
    'Export it again and import that file.',
  )
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Leaf)
}

/** False for what programs write if there is nothing to say. */
function isSaid(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && value !== false
}

/** Records of one kind, such as the people of an export or its notes. */
export interface Section {
  readonly name: string
  readonly records: readonly unknown[]
  /** Whether the fields of the records are named without the name of the section. */
  readonly isOfPeople?: boolean
}

/** The other parts of an export: a section for each list and each object, named as a part of the account, and one for the rest. */
export function sectionsBeside(
  account: Readonly<Record<string, unknown>>,
  known: readonly string[],
): readonly Section[] {
  const others = Object.entries(account).filter(([name]) => !known.includes(name))
  const parts = others.flatMap(([name, value]) =>
    isHolder(value)
      ? [{ name: `account.${name}`, records: Array.isArray(value) ? value : [value] }]
      : [],
  )
  const values = Object.fromEntries(others.filter(([, value]) => value instanceof Leaf))
  return [...parts, { name: 'account', records: [values] }]
}

export interface ReportedFields {
  /** Where the values of each field go. */
  readonly targets: ReadonlyMap<string, ReportedField>
  /** What records of any kind have and that says nothing about a person, such as their numbers: listed once if it was left. */
  readonly own: ReadonlySet<string>
}

/**
 * Returns the fields from which values were taken, with the number of their records, then all that was left: the whole
 * field if nothing of it was taken.
 */
export function columnsOfLeaves(
  sections: readonly Section[],
  { targets, own }: ReportedFields,
): readonly FileColumn[] {
  const shared = new Map<string, Level>()
  for (const name of own) shared.set(name, new Level(name, shared))
  const people = new Level('', shared)
  const parts = new Level('', shared)
  for (const { name, records, isOfPeople = false } of sections) {
    const level = isOfPeople ? people : parts.below(name)
    for (const record of records) level.add(record)
    if (isOfPeople && people.left > 0) parts.below(name).left += people.left
  }
  const fields = new Set([...people.levels.values(), ...parts.levels.values(), ...shared.values()])
  const columns: FileColumn[] = []
  for (const { name, taken } of fields)
    if (taken > 0 && !own.has(name))
      columns.push({ name, becomes: targets.get(name) ?? 'custom', filled: taken })
  for (const field of fields) columns.push(...field.leftOnes())
  if (columns.length <= MAX_COLUMNS) return columns
  const rest = columns.slice(MAX_COLUMNS - 1)
  const filled = rest.reduce((sum, one) => sum + one.filled, 0)
  return [...columns.slice(0, MAX_COLUMNS - 1), ignored(`${rest.length} other fields`, filled)]
}

function ignored(name: string, filled: number): FileColumn {
  return { name, becomes: 'ignore', filled }
}

type Found = 'taken' | 'left' | 'nothing'

/** A field, or a part of one, in all records. */
class Level {
  readonly name: string
  readonly levels = new Map<string, Level>()
  /** Values of which something was taken, and of which nothing was. */
  taken = 0
  left = 0

  /** The levels of fields that records of any kind have. */
  readonly #shared: ReadonlyMap<string, Level>

  constructor(name: string, shared: ReadonlyMap<string, Level> = new Map()) {
    this.name = name
    this.#shared = shared
  }

  /** Keys that are data, such as the numbers of records, share a level. */
  below(key: string): Level {
    const known = this.#shared.get(key) ?? this.levels.get(key)
    if (known) return known
    if (this.levels.size >= MAX_COLUMNS && key !== OTHERS) return this.below(OTHERS)
    const shown = key.replaceAll(/\p{C}/gu, '').slice(0, MAX_COLUMN_NAME_LENGTH)
    const level = new Level(this.name === '' ? shown : `${this.name}.${shown}`, this.#shared)
    this.levels.set(key, level)
    return level
  }

  /** Counts a value as one if nothing of it was taken, otherwise also its parts. */
  add(value: unknown): Found {
    const found = foundIn(value)
    if (found === 'left') this.left += 1
    if (found === 'taken') {
      this.taken += 1
      this.#addParts(value)
    }
    return found
  }

  #addParts(value: unknown): void {
    if (Array.isArray(value))
      for (const one of value as readonly unknown[])
        if (isHolder(one)) this.#addParts(one)
        else if (foundIn(one) === 'left') this.left += 1
    if (Array.isArray(value) || !isHolder(value)) return
    for (const [key, part] of Object.entries(value)) this.below(key).add(part)
  }

  /** The highest levels of which only values were left. */
  *leftOnes(): Generator<FileColumn> {
    if (this.left > 0) yield ignored(this.name, this.left)
    for (const level of this.levels.values()) yield* level.leftOnes()
  }
}

const OTHERS = '…'

/** Looks at each value once per level above it, of which there are at most `MAX_DEPTH`. */
function foundIn(value: unknown): Found {
  const open = [value]
  let found: Found = 'nothing'
  while (open.length > 0) {
    const next = open.pop()
    if (next instanceof Leaf) {
      if (next.isTaken) return 'taken'
      found = 'left'
    } else if (isHolder(next)) for (const one of Object.values(next)) open.push(one)
  }
  return found
}
