/** The columns of recorded tables, by the names of the properties of their rows: `happenedOn` is the column `happened_on`. */

import { columnOf, type SqlParameter } from '../db/statement.ts'

/** A column, with the type of its values. */
interface Column<Value> {
  /** Its name, if it is not that of the property. */
  readonly name?: string
  /** Stored as JSON. */
  readonly isJson?: true
  /** Not a column: the table reads and writes it with its own functions, for example people from a second table. */
  readonly isLinked?: true
  readonly [type]?: () => Value
}

declare const type: unique symbol

export type Columns = Readonly<Record<string, Column<unknown>>>

/** A row with these columns. */
export type RowOf<C> = {
  readonly [P in keyof C]: C[P] extends Column<infer Value> ? Value : never
}

/** A column with values of this type. */
export function column<Value extends SqlParameter>(name?: string): Column<Value> {
  return name === undefined ? {} : { name }
}

/** A column whose values are stored as JSON. */
export function jsonColumn<Value>(): Column<Value> {
  return { isJson: true }
}

/** A property that other tables have. */
export function linked<Value>(): Column<Value> {
  return { isLinked: true }
}

/** The column of a property: `connection_id` for `connectionId`, unless the declaration names another. */
export function columnName(columns: Columns, property: string): string {
  return columns[property]?.name ?? columnOf(property)
}

/** For a select: all columns of the table with this alias, under the names of the properties. */
export function selected(columns: Columns, alias: string): string {
  return propertiesIn(columns)
    .map((property) => [columnName(columns, property), property])
    .map(([name, property]) =>
      name === property ? `${alias}.${name}` : `${alias}.${name} as "${property}"`,
    )
    .join(', ')
}

/** The names of the columns, and their values in rows. */
export function valuesOf(columns: Columns, rows: readonly unknown[]) {
  const properties = propertiesIn(columns)
  const isJson = properties.map((property) => columns[property]?.isJson === true)
  return {
    columns: properties.map((property) => columnName(columns, property)),
    rows: (rows as readonly Readonly<Record<string, SqlParameter>>[]).map((row) =>
      properties.map((property, at) => {
        const value = row[property] ?? null
        return isJson[at] === true ? JSON.stringify(value) : value
      }),
    ),
  }
}

/** The parsed values of the columns with JSON. */
export function jsonIn(columns: Columns, row: Readonly<Record<string, unknown>>) {
  const json = propertiesIn(columns).filter((property) => columns[property]?.isJson === true)
  return Object.fromEntries(json.map((one) => [one, JSON.parse(String(row[one])) as unknown]))
}

/** The properties that are columns, in the order of the declaration. */
function propertiesIn(columns: Columns): string[] {
  return Object.keys(columns).filter((property) => columns[property]?.isLinked !== true)
}
