// Where the properties of a card go, for the reader and for reports.

import { readDataLines } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import type { ColumnField } from '../fields/column-fields.ts'
import { MAX_COLUMN_NAME_LENGTH, MAX_COLUMNS, type FileColumn } from '../columns/file-columns.ts'
import type { Properties } from './vcard-property.ts'

interface FieldProperty {
  /** Upper-case. */
  readonly name: string
  readonly field: ColumnField
  /** The label of its values; empty for most. */
  readonly label: string
}

const fieldProperties = lazy(() => {
  const lines = readDataLines(new URL('data/properties.txt', import.meta.url))
  const all = lines.flatMap((line): FieldProperty[] => {
    const [target = '', names = ''] = line.split(' = ')
    const [field, label = ''] = target.split(':')
    return names.split(' | ').map((name) => ({ name, field: field as ColumnField, label }))
  })
  return {
    byField: Map.groupBy(all, ({ field }) => field),
    // A link that is an account is a handle.
    byName: new Map(all.map((one) => [one.name, one])),
  }
})

export function propertiesFor(field: ColumnField): readonly FieldProperty[] {
  return fieldProperties().byField.get(field) ?? []
}

/** Properties about the card and the program that wrote it, not about the person. */
const BOOKKEEPING =
  /^(?:(?:VERSION|PRODID|REV|UID|KIND|SOURCE|PROFILE|MAILER|CLASS|SORT-STRING|CLIENTPIDMAP|XML|CREATED|BEGIN|END|AGENT|NAME|X-EVOLUTION-FILE-AS|X-PHOTOSTATE|X-CUSTOM-RINGTONE)$|X-AB(?!RELATED)|X-ADDRESSBOOKSERVER-|X-IMAGE|X-SHARED-PHOTO|X-APPLE-|X-EVOLUTION-WEBDAV|X-MS-OL-|X-MS-IMADDRESS-|X-KADDRESSBOOK-.*FORMATTED|X-PM-|X-WEFT-)/

/** Whether no field reads a property and it says something about the person: it becomes a custom field. */
export function isOther(name: string): boolean {
  return !fieldProperties().byName.has(name) && !BOOKKEEPING.test(name)
}

function targetOf(name: string, properties: Properties): Pick<FileColumn, 'becomes' | 'label'> {
  const known = fieldProperties().byName.get(name)
  if (known === undefined) return { becomes: isOther(name) ? 'custom' : 'ignore' }
  if (name === 'ROLE' && properties.has('TITLE')) return { becomes: 'custom' }
  const hasLabel = known.label !== '' && (known.field === 'date' || known.field === 'relation')
  return { becomes: known.field, ...(hasLabel && { label: known.label }) }
}

/** Counts the cards with each property. */
export class CardColumns {
  readonly #columns = new Map<string, FileColumn & { filled: number }>()

  /** Columns in the order in which the cards first have them. */
  get(): readonly FileColumn[] {
    return [...this.#columns.values()]
  }

  add(properties: Properties): void {
    for (const name of properties.keys()) {
      if (PARTS_OF_OTHERS.test(name)) continue
      const target = targetOf(name, properties)
      const key = `${name} ${target.becomes}`
      const column = this.#columns.get(key)
      if (column) column.filled += 1
      else if (this.#columns.size < MAX_COLUMNS)
        this.#columns.set(key, {
          name: name.slice(0, MAX_COLUMN_NAME_LENGTH),
          filled: 1,
          ...target,
        })
    }
  }
}

/** The syntax of the card, labels of other properties, and what Weft's own cards add to fields. */
const PARTS_OF_OTHERS = /^(?:BEGIN|END|VERSION|X-ABLABEL|X-WEFT-.*)$/
