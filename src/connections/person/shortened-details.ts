/** Details of a connection cut to the room that is left in a result. */

import { truncate, written } from '../../tools/result-pages.ts'
import type { DetailsJson } from '../../contact-files/contact/details-json.ts'

/** Characters of a text in details that do not fit as a whole. */
const MAX_EXCERPT_LENGTH = 500

/** As much as fits into `room` characters of JSON: long texts are cut, then the last values are left out. */
export function shortenedDetails(json: DetailsJson, room: number): DetailsJson {
  const kept: Record<string, unknown> = {}
  let left = room
  for (const [field, value] of Object.entries(json)) {
    const short = shortened(value, left - field.length - 4)
    if (short === undefined) continue
    kept[field] = short
    left -= field.length + 4 + written(short)
  }
  return kept
}

function shortened(value: unknown, room: number): unknown {
  if (room <= 2) return undefined
  if (written(value) <= room) return value
  if (typeof value === 'string')
    return truncate(value, Math.min(room, MAX_EXCERPT_LENGTH)) || undefined
  const isList = Array.isArray(value)
  const kept: [string, unknown][] = []
  let left = room - 2
  for (const [key, part] of Object.entries(value as object)) {
    const most = Math.min(left - key.length - 4, MAX_EXCERPT_LENGTH)
    const short = isList && written(part) > left ? undefined : shortened(part, most)
    if (short === undefined) break
    kept.push([key, short])
    left -= key.length + 4 + written(short)
  }
  if (kept.length === 0) return undefined
  return isList ? kept.map(([, part]) => part) : Object.fromEntries(kept)
}
