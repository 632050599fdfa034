// The roles of a table's columns, for the reader of its rows.

import type { ColumnField, ColumnTarget, DatePart } from './column-fields.ts'

/** The role of a column. */
export type ColumnRole = ColumnTarget | TechnicalRole | DatePart | NumberedRole | LabelRole

/** Whether these are the columns of Weft's own CSV, which has Google's and more. */
export function isOwnTable(targets: readonly ({ readonly field: string } | null)[]): boolean {
  return targets.some((role) => role !== null && 'kind' in role && role.kind === 'position')
}

/** A column whose meaning does not depend on others. */
export type CellRole = Exclude<ColumnRole, NumberedRole>

type TechnicalRole = { readonly field: 'technical' }

/** A column with the labels of the values in another one, such as `Email 2 Type` beside `Email 2`. */
interface LabelRole {
  readonly field: 'value_label'
  /** The index of the other column, and its field. */
  readonly at: number
  readonly of: ColumnField
}

/** A column of Google Contacts, such as `E-mail 1 - Label`, whose meaning depends on others with its number. */ // prose-ok
export interface NumberedRole {
  readonly field: 'numbered'
  readonly kind: NumberedKind
  readonly number: number
  /** `value`, `label`, `service`, `city`, … */
  readonly part: string
}

export type NumberedKind =
  | 'email'
  | 'phone'
  | 'url'
  | 'im'
  | 'address'
  | 'organization'
  | 'event'
  | 'relation'
  | 'position'
  | 'interaction'
  | 'custom'
