// Records of Monica's JSON export.

import { jsonList, jsonText, jsonTime, objectIn, type ExportedObject } from '../file/json-values.ts'

/** Booleans of some versions are numbers. */
export function isMonicaTrue(value: unknown): boolean {
  return value === true || value === 1
}

/** One record of the export. */
export interface MonicaEntry {
  readonly uuid: string
  readonly createdAt: number | null
  readonly properties: ExportedObject
  /** The groups of a contact, such as its calls. */
  readonly data: readonly unknown[]
}

export function entryOf(value: unknown): MonicaEntry {
  const { uuid, created_at, properties, data } = objectIn(value)
  return {
    uuid: jsonText(uuid),
    createdAt: jsonTime(created_at),
    properties: objectIn(properties),
    data: jsonList(data),
  }
}

/** The values of each group, by its type. Earlier versions write the type in the plural. */
export function groupsIn(data: readonly unknown[]): ReadonlyMap<string, readonly unknown[]> {
  const groups = new Map<string, unknown[]>()
  for (const group of data) {
    const { type, values } = objectIn(group)
    const name = singular(jsonText(type))
    groups.set(name, [...(groups.get(name) ?? []), ...jsonList(values)])
  }
  return groups
}

function singular(type: string): string {
  if (type.endsWith('ies')) return `${type.slice(0, -3)}y`
  if (type === 'addresses') return 'address'
  return type.endsWith('s') && !type.endsWith('ss') ? type.slice(0, -1) : type
}
