// Where the fields of another program's export go.

import { readDataSections } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import type { ReportedField } from '../fields/column-fields.ts'
import type { ReportedFields } from '../file/unread-values.ts'

const fields = lazy(() => {
  const sections = readDataSections(new URL('data/fields.txt', import.meta.url))
  return new Map([...sections].map(([program, lines]) => [program, fieldsIn(lines)]))
})

function fieldsIn(lines: readonly string[]): ReportedFields {
  const own = new Set<string>()
  const targets = new Map<string, ReportedField>()
  for (const line of lines) {
    const [becomes = '', name = ''] = line.split(' = ')
    if (becomes === 'own') own.add(name)
    else targets.set(name, becomes as ReportedField)
  }
  return { targets, own }
}

/** Reads data/fields.txt once. */
export function fieldsOf(program: 'monica' | 'nametag' | 'meerkat' | 'contrack'): ReportedFields {
  return fields().get(program) ?? fieldsIn([])
}
