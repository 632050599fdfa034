// Values of Monica's JSON export. PHP writes an object without properties as `[]`.

import { isDay } from '../../base/calendar-day.ts'

type MonicaObject = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is MonicaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectIn(value: unknown): MonicaObject {
  return isObject(value) ? value : {}
}

export function monicaList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Empty for anything but texts and numbers. */
export function monicaText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.trim() : ''
}

/** Booleans of some versions are numbers. */
export function isMonicaTrue(value: unknown): boolean {
  return value === true || value === 1
}

/** The day of `2022-11-20T00:00:00.000000Z`; undefined if it is none. */
export function monicaDay(value: unknown): string | undefined {
  const day = monicaText(value).slice(0, 10)
  return isDay(day) ? day : undefined
}

/** Milliseconds; null if it is no time. */
export function monicaTime(value: unknown): number | null {
  const time = Date.parse(monicaText(value))
  return Number.isNaN(time) || time < 0 ? null : time
}

/** One record of the export. */
export interface MonicaEntry {
  readonly uuid: string
  readonly createdAt: number | null
  readonly properties: MonicaObject
  /** The groups of a contact, such as its calls. */
  readonly data: readonly unknown[]
}

export function entryOf(value: unknown): MonicaEntry {
  const { uuid, created_at, properties, data } = objectIn(value)
  return {
    uuid: monicaText(uuid),
    createdAt: monicaTime(created_at),
    properties: objectIn(properties),
    data: monicaList(data),
  }
}

/** The values of each group, by its type. Earlier versions write the type in the plural. */
export function groupsIn(data: readonly unknown[]): ReadonlyMap<string, readonly unknown[]> {
  const groups = new Map<string, unknown[]>()
  for (const group of data) {
    const { type, values } = objectIn(group)
    const name = singular(monicaText(type))
    groups.set(name, [...(groups.get(name) ?? []), ...monicaList(values)])
  }
  return groups
}

function singular(type: string): string {
  if (type.endsWith('ies')) return `${type.slice(0, -3)}y`
  if (type === 'addresses') return 'address'
  return type.endsWith('s') && !type.endsWith('ss') ? type.slice(0, -1) : type
}
