// The target and use of each column of a file, or of each property of its cards, for previews and reports.

import type { ColumnField, ColumnRole, ReportedField } from '../fields/column-fields.ts'
import type { TableColumns } from './table-columns.ts'

export interface FileColumn {
  /** As in the file. */
  readonly name: string
  /** The target field; `custom` keeps the column under its own name. */
  readonly becomes: ReportedField
  /** The kind of value, such as `work`, or the name of the custom field. */
  readonly label?: string
  /** Number of read rows with a value in it, without rejected ones. */
  readonly filled: number
  /** Its first values, shortened. Absent for the properties of cards and for columns without values. */
  readonly examples?: readonly string[]
  /** How many of these rows have a value that is left out, because a program writes it for every contact. Absent if none have. */
  readonly leftOut?: number
}

export const MAX_COLUMNS = 200
export const MAX_COLUMN_NAME_LENGTH = 60 // characters: limits how much of a file appears in a result
const MAX_EXAMPLES = 3
const MAX_EXAMPLE_LENGTH = 40 // characters

/** The values of a column in the rows read so far. */
interface ColumnValues {
  filled: number
  /** Rows whose value may be an example: also rejected ones, because they show what the column has. */
  seen: number
  /** How many of these are left out. */
  leftOut: number
  readonly examples: string[]
}

/** The values of a column before the first row. */
export function noValues(): ColumnValues {
  return { filled: 0, seen: 0, leftOut: 0, examples: [] }
}

/** Counts a value that is not empty. */
export function countValue(values: ColumnValues, value: string, isRejected: boolean): void {
  if (!isRejected) values.filled += 1
  values.seen += 1
  const { examples } = values
  // The first rows only, so that counting stays fast.
  if (values.seen > MAX_EXAMPLE_ROWS || examples.length === MAX_EXAMPLES) return
  const example = shortened(value)
  if (!examples.includes(example)) examples.push(example)
}

const MAX_EXAMPLE_ROWS = 50

function shortened(value: string): string {
  const text = value.trim().replace(/\s+/g, ' ')
  if (text.length <= MAX_EXAMPLE_LENGTH) return text
  return `${text.slice(0, MAX_EXAMPLE_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** `values` are those of each column. */
export function fileColumns(
  { names, targets }: TableColumns,
  values: readonly ColumnValues[],
): FileColumn[] {
  return names
    .slice(0, MAX_COLUMNS)
    .map((name, at) => fileColumn(name, targets[at] ?? null, values[at]))
}

function fileColumn(
  name: string,
  role: ColumnRole | null,
  { filled, leftOut, examples }: ColumnValues = noValues(),
): FileColumn {
  return {
    name: name.slice(0, MAX_COLUMN_NAME_LENGTH),
    filled,
    ...countOf(leftOut),
    ...meaningOf(role),
    ...(examples.length > 0 && { examples: [...examples] }),
  }
}

/** The columns of several tables. A column with the same name and use as one of an earlier table is that column. */
export function joinedColumns(parts: readonly (readonly FileColumn[])[]): readonly FileColumn[] {
  const [first = [], ...others] = parts.filter((columns) => columns.length > 0)
  const joined = [...first]
  for (const column of others.flat()) {
    const at = joined.findIndex((one) => isSameColumn(one, column))
    const same = joined[at]
    if (same !== undefined)
      joined[at] = {
        ...same,
        filled: same.filled + column.filled,
        ...countOf((same.leftOut ?? 0) + (column.leftOut ?? 0)),
      }
    else if (joined.length < MAX_COLUMNS) joined.push(column)
  }
  return joined
}

function countOf(leftOut = 0): Pick<FileColumn, 'leftOut'> {
  return leftOut === 0 ? {} : { leftOut }
}

function isSameColumn(one: FileColumn, other: FileColumn): boolean {
  return one.name === other.name && one.becomes === other.becomes && one.label === other.label
}

function meaningOf(role: ColumnRole | null): Pick<FileColumn, 'becomes' | 'label'> {
  if (role === null || role.field === 'technical') return { becomes: 'custom' }
  if (role.field === 'numbered') {
    const known = NUMBERED_FIELDS.get(`${role.kind} ${role.part}`) ?? NUMBERED_FIELDS.get(role.kind)
    return { becomes: known ?? 'custom' }
  }
  if (role.field === 'value_label') return { becomes: role.of }
  if (role.field === 'date_part')
    return role.of === 'birthday' ? { becomes: 'birthday' } : { becomes: 'date', label: role.of }
  return { becomes: role.field, ...(role.label !== undefined && { label: role.label }) }
}

/** Fields of numbered columns, by kind and part, or by kind. A label column becomes part of the same field as its value. */
const NUMBERED_FIELDS: ReadonlyMap<string, ColumnField> = new Map([
  ['email', 'email'],
  ['phone', 'phone'],
  ['url', 'url'],
  ['relation', 'relation'],
  ['im', 'handle'],
  ['event', 'date'],
  ['address', 'address'],
  ['address city', 'city'],
  ['address region', 'region'],
  ['address country', 'country'],
  ['address street', 'street'],
  ['address extended address', 'street'],
  ['address po box', 'po_box'],
  ['address postal code', 'postal_code'],
  ['organization name', 'company'],
  ['organization title', 'title'],
  ['organization department', 'department'],
  ['organization location', 'location'],
])
