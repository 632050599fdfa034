// Records of Monica's JSON export.

import {
  jsonList,
  jsonText,
  jsonTime,
  objectIn,
  peekText,
  type ExportedObject,
} from '../file/json-values.ts'

/** One record of the export. */
export interface MonicaEntry {
  readonly uuid: string
  readonly createdAt: number | null
  readonly properties: ExportedObject
  /** The groups of a contact, such as its calls. */
  readonly data: readonly unknown[]
  /** The record as it is written, for `takeEntry`. */
  readonly record: ExportedObject
}

export function monicaEntryOf(value: unknown): MonicaEntry {
  const record = objectIn(value)
  return {
    uuid: peekText(record['uuid']),
    createdAt: jsonTime(peekText(record['created_at'])),
    properties: objectIn(record['properties']),
    data: jsonList(record['data']),
    record,
  }
}

/** Takes the number and the time of a record that is read. */
export function takeEntry({ record: { uuid, created_at } }: MonicaEntry): void {
  jsonText(uuid)
  jsonTime(created_at)
}

/** The values of each group, by its type. Earlier versions write the type in the plural. */
export function groupsIn(data: readonly unknown[]): ReadonlyMap<string, readonly unknown[]> {
  const groups = new Map<string, unknown[]>()
  for (const group of data) {
    const { type, values } = objectIn(group)
    const name = singular(peekText(type))
    const known = groups.get(name) ?? []
    groups.set(name, known)
    for (const value of jsonList(values)) known.push(value)
  }
  return groups
}

/** A record with its properties and groups beside each other, as the report names them. */
function reportedRecord({ record, properties, data }: MonicaEntry): ExportedObject {
  const { properties: written, data: _data, ...own } = record
  const odd = Array.isArray(written) ? { properties: written } : {}
  return { ...own, ...properties, ...odd, ...Object.fromEntries(reportedGroups(data)) }
}

/** The records of each group, and what the group has besides them. */
export function reportedGroups(data: readonly unknown[]): ReadonlyMap<string, readonly unknown[]> {
  const groups = new Map<string, unknown[]>()
  for (const [name, values] of groupsIn(data)) groups.set(name, values.map(reportedValue))
  const others: unknown[] = []
  for (const group of data) {
    const { type, values: _values, count: _count, ...more } = objectIn(group)
    groups.get(singular(peekText(type)))?.push(more)
    if (Object.keys(objectIn(group)).length === 0) others.push(group)
  }
  return others.length === 0 ? groups : groups.set('data', others)
}

/** Some groups only have numbers of records. */
export function reportedValue(value: unknown): unknown {
  const entry = monicaEntryOf(value)
  return Object.keys(entry.record).length === 0 ? value : reportedRecord(entry)
}

function singular(type: string): string {
  if (type.endsWith('ies')) return `${type.slice(0, -3)}y`
  if (type === 'addresses') return 'address'
  return type.endsWith('s') && !type.endsWith('ss') ? type.slice(0, -1) : type
}
