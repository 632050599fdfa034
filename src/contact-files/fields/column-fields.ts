// The fields that a column of a table can become.

export const ADDRESS_FIELDS = [
  'street',
  'po_box',
  'city',
  'region',
  'postal_code',
  'country',
] as const

/** The names that members and agents use, in the order of the form. */
export const COLUMN_FIELDS = [
  'name',
  'given_name',
  'middle_name',
  'family_name',
  'name_prefix',
  'name_suffix',
  'nickname',
  'phonetic_given_name',
  'phonetic_family_name',
  'pronouns',
  'email',
  'phone',
  'url',
  'handle',
  'company',
  'title',
  'department',
  'location',
  'address',
  ...ADDRESS_FIELDS,
  'birthday',
  'date',
  'connected_on',
  'last_contact',
  'cadence',
  'relation',
  'tags',
  'note',
  'custom',
  'ignore',
] as const

export type ColumnField = (typeof COLUMN_FIELDS)[number]

/** Where the parts of exports of other programs can also go. */
export type ReportedField = ColumnField | 'interaction' | 'follow_up' | 'photo'

export const NAME_FIELDS: ReadonlySet<string> = new Set<ColumnField>([
  'name',
  'given_name',
  'family_name',
])

export interface ColumnTarget {
  readonly field: ColumnField
  /**
   * The kind of value: `work`, `home` or `mobile` for an email or phone, `skype` for an account, `spouse` for a
   * relation, `anniversary` for a date. For a custom field its name, if it is not the header.
   */
  readonly label?: string
  /** The number in the header, such as 2 in `Business Street 2`. */
  readonly number?: number
  /** Whether the text continues the value of another column, as a family name does. */
  readonly continues?: true
}

export interface DatePart {
  readonly field: 'date_part'
  readonly of: 'birthday' | 'anniversary'
  readonly part: 'year' | 'month' | 'day'
}

/** Also used inside: columns that other columns need, or that hold a default value in every row. */
export type HeaderTarget =
  | ColumnTarget
  /** A default value, such as `Normal`, is dropped; any other is a custom field. */
  | { readonly field: 'technical' }
  | DatePart
  /** A word that is the full name, unless the file has another column for the other part. */
  | { readonly field: 'given_or_name' | 'family_or_name' }

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

/** `email`, `phone:work`, `custom:Shirt size`; null when the field is unknown. */
export function parseTarget(text: string): ColumnTarget | null {
  const colon = text.indexOf(':')
  const name = (colon === -1 ? text : text.slice(0, colon)).trim().toLowerCase()
  const label = colon === -1 ? '' : text.slice(colon + 1).trim()
  const field = COLUMN_FIELDS.find((one) => one === name.replaceAll(/[ -]/g, '_'))
  if (field === undefined) return null
  return label === '' ? { field } : { field, label }
}

/** Columns of custom fields in Weft's own CSV. Without the prefix, a field named `Role` would read as the job title. */
export const CUSTOM_COLUMN_PREFIX = 'Custom: '

/** The name of the field; null for any other column. */
export function customFieldInHeader(header: string): string | null {
  const name = header.startsWith(CUSTOM_COLUMN_PREFIX)
    ? header.slice(CUSTOM_COLUMN_PREFIX.length).trim()
    : ''
  return name === '' ? null : name
}
