// The order of day and month in the dates of a table.

import { monthLanguageIn } from '../../dates/contested-months.ts'
import { isNameOf } from '../fields/header-words.ts'
import type { DateNotation } from '../../dates/date-notations.ts'
import type { ColumnRole } from '../fields/column-fields.ts'

/**
 * The order of dates such as 3/4/2020: that of the column's other dates, or else that of the header's language. The same
 * decides about months whose name means another one in another language.
 */
export function notationOf(
  { plain, names }: { readonly plain: readonly string[]; readonly names: readonly string[] },
  targets: readonly (ColumnRole | null)[],
  sample: readonly (readonly string[])[],
): DateNotation {
  const dated = targets.flatMap((target, at) =>
    target !== null && DATED.has(target.field) ? sample.map((row) => row[at] ?? '') : [],
  )
  const isEnglish = plain.some((name) => isNameOf('english', name))
  const order = dateOrderIn(dated) ?? (isEnglish ? 'month-first' : 'day-first')
  return { order, months: monthLanguageIn(dated, names) }
}

const DATED: ReadonlySet<string> = new Set([
  'birthday',
  'date',
  'connected_on',
  'last_contact',
  'numbered',
])

/** The common order of the dates in a column; null if all of them are ambiguous. */
function dateOrderIn(texts: readonly string[]): DateNotation['order'] | null {
  for (const text of texts) {
    const found = /^\s*(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}/.exec(text)
    if (found === null) continue
    if (Number(found[1]) > 12) return 'day-first'
    if (Number(found[2]) > 12) return 'month-first'
  }
  return null
}
