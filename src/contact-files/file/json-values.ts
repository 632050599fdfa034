// Values of JSON exports, in which every key may be missing or have another type.

import { phrase } from '../../languages/message.ts'
import { isDay } from '../../base/calendar-day.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'

export type ExportedObject = Readonly<Record<string, unknown>>

/** @throws {UnreadableFile} when the export of this program is damaged. */
export async function readWholeJson(
  blocks: AsyncIterable<string>,
  program: string,
): Promise<unknown> {
  const parts: string[] = []
  for await (const block of blocks) parts.push(block)
  try {
    return JSON.parse(parts.join('')) as unknown
  } catch {
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
  }
}

/** Empty for anything else. PHP writes an object without properties as `[]`. */
export function objectIn(value: unknown): ExportedObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as ExportedObject) : {}
}

/** Empty for anything else. */
export function jsonList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Empty for anything but texts and numbers. */
export function jsonText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.trim() : ''
}

/** The day of `2022-11-20T00:00:00.000000Z`; undefined if it is none. */
export function jsonDay(value: unknown): string | undefined {
  const day = jsonText(value).slice(0, 10)
  return isDay(day) ? day : undefined
}

/** Milliseconds; null if it is no time. */
export function jsonTime(value: unknown): number | null {
  const time = Date.parse(jsonText(value))
  return Number.isNaN(time) || time < 0 ? null : time
}
