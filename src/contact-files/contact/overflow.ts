// Values of an imported contact that exceed the limits of a connection. They are kept in a note.

import { capitalized } from '../../languages/capitalized.ts'
import { customFieldIn, detailName } from './details.ts'

/** The whole values by field, as the file has them. */
export type Overflow = Map<string, Set<string>>

export function addOverflow(overflow: Overflow, field: string, value: string): void {
  const values = overflow.get(field)
  if (values === undefined) overflow.set(field, new Set([value]))
  else values.add(value)
}

/** A paragraph for each value that names its field: `Name prefix: …`. */
export function overflowText(overflow: Overflow): string {
  return [...overflow]
    .flatMap(([field, values]) => [...values].map((value) => `${titleOf(field)}: ${value}`))
    .join('\n\n')
}

/** The names of custom fields stay as they are. */
function titleOf(field: string): string {
  const custom = customFieldIn(field)
  if (custom !== undefined) return custom
  return capitalized(detailName(field).replaceAll('_', ' '))
}
