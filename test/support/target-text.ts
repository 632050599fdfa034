/** Writes what a column means as `parseTarget` reads it. */

import type { ColumnTarget } from '../../src/contact-files/fields/column-fields.ts'

export function targetText({ field, label }: ColumnTarget): string {
  return label === undefined ? field : `${field}:${label}`
}
