// Where the columns of another program's export go, and how many people have a value in each.

import { readDataSections } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import type { ReportedField } from '../columns/column-fields.ts'
import type { FileColumn } from '../columns/file-columns.ts'

const targets = lazy(() => {
  const sections = readDataSections(new URL('data/fields.txt', import.meta.url))
  return new Map(
    [...sections].map(([program, lines]) => [
      program,
      new Map(
        lines.map((line) => {
          const [becomes = '', name = ''] = line.split(' = ')
          return [name, becomes as ReportedField] as const
        }),
      ),
    ]),
  )
})

/** `others`: what becomes of columns that are not known. */
export function columnsOfRecords(
  program: 'nametag' | 'meerkat' | 'contrack',
  records: readonly Readonly<Record<string, unknown>>[],
  others: ReportedField,
): readonly FileColumn[] {
  const filled = new Map<string, number>()
  for (const record of records)
    for (const [name, value] of Object.entries(record))
      if (isFilled(value)) filled.set(name, (filled.get(name) ?? 0) + 1)
  const known = targets().get(program)
  return [...filled].map(([name, count]) => ({
    name,
    becomes: known?.get(name) ?? others,
    filled: count,
  }))
}

function isFilled(value: unknown): boolean {
  const isEmpty = value === null || value === undefined || value === '' || value === false
  return !isEmpty && !(Array.isArray(value) && value.length === 0)
}
