// Collects the values of one row.

import type { ImportedCadence, UnreadValue } from '../contact/contact.ts'
import type { DraftValue } from '../contact/contact-draft.ts'
import type {
  Address,
  AccountHandle,
  CustomText,
  ContactInteraction,
  LabeledDate,
  Organization,
  Relation,
} from '../contact/details.ts'
import { textBesideEmails } from '../contact/emails-and-phones.ts'
import { partialDateIn, type DateNotation } from '../../dates/date-notations.ts'
import type { DatePart } from '../fields/column-fields.ts'
import type { TableColumns } from '../columns/table-columns.ts'
import type { Cells } from '../table/csv.ts'

export interface Table extends TableColumns {
  /** Whether the meaning of every column is exact, as in Weft's own CSV. */
  readonly isOwn: boolean
  /** The addresses that the columns can hold, in the order of preference for the location. */
  readonly addresses: readonly AddressSlot[]
  readonly day: (text: string) => string | null
}

/** The columns of one address have the same key. */
export interface AddressSlot {
  readonly key: string
  readonly label: string
  readonly parts: ReadonlyMap<AddressPart, number>
}

export type MutableAddress = { -readonly [Part in keyof Address]: Address[Part] }
export type AddressPart = Exclude<keyof Address, 'label'>

export const ROW_TEXT_FIELDS = [
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
  'company',
  'title',
  'department',
  'location',
] as const

export type RowTextField = (typeof ROW_TEXT_FIELDS)[number]

/** The values collected from one row. */
export interface TableRow extends Record<RowTextField, string> {
  locationHeader: string
  birthday: string | null
  connectedOn: string | null
  note: string
  readonly emails: DraftValue[]
  readonly phones: DraftValue[]
  readonly urls: DraftValue[]
  readonly tags: string[]
  /** By the index of the slot. */
  readonly addresses: (MutableAddress | undefined)[]
  readonly handles: AccountHandle[]
  readonly organizations: Organization[]
  readonly dates: LabeledDate[]
  readonly relations: Relation[]
  readonly interactions: ContactInteraction[]
  cadence: ImportedCadence | undefined
  readonly custom: CustomText[]
  readonly unread: UnreadValue[]
  /** Dates with a column for each part. */
  readonly dateParts: WrittenDatePart[]
  /** Cells with more than email addresses. */
  readonly emailCells: EmailCell[]
  /** The columns with a value that is left out. */
  readonly leftOut: number[]
}

interface WrittenDatePart extends DatePart {
  readonly header: string
  readonly text: string
}

interface EmailCell {
  readonly header: string
  readonly text: string
  /** The text without the addresses. */
  readonly rest: string
}

/** Returns a row without values. */
export function newRow(): TableRow {
  return {
    ...NO_TEXTS,
    locationHeader: '',
    birthday: null,
    connectedOn: null,
    note: '',
    emails: [],
    phones: [],
    urls: [],
    tags: [],
    addresses: [],
    handles: [],
    organizations: [],
    dates: [],
    relations: [],
    interactions: [],
    cadence: undefined,
    custom: [],
    unread: [],
    dateParts: [],
    emailCells: [],
    leftOut: [],
  }
}

const NO_TEXTS = Object.fromEntries(ROW_TEXT_FIELDS.map((field) => [field, ''])) as Record<
  RowTextField,
  ''
>

export type Step = (cells: Cells, row: TableRow) => void

/** Reads a cell that is not empty. */
export type CellReader = (row: TableRow, text: string, cells: Cells) => void

export function labeled(value: string, label: string | undefined): DraftValue {
  return label === undefined || label === '' ? value : { value, label }
}

export function addCustom(row: TableRow, field: string, value: string): void {
  if (value.trim() === '') return
  row.custom.push({ field: field === '' ? 'Column without a name' : field, value })
}

/** Remembers a cell that holds more than email addresses. */
export function noteEmailCell(row: TableRow, header: string, text: string): void {
  const rest = textBesideEmails(text)
  if (rest !== '') row.emailCells.push({ header, text, rest })
}

/** An unreadable date is kept as a custom field and reported. */
export function addUnread(row: TableRow, column: string, value: string): void {
  if (value.trim() === '' || NO_DATE.test(value)) return
  row.unread.push({ column, value })
  addCustom(row, column, value)
}

const NO_DATE = /^\s*(?:0+[/.-]0+[/.-]0+|none|null|-)\s*$/i

export interface WrittenDate {
  readonly label: string
  readonly text: string
  readonly header: string
}

/** Adds a date with its label. A text that is no date is kept as unread. */
export function addDate(
  row: TableRow,
  { header, text, label }: WrittenDate,
  notation: DateNotation,
): void {
  const date = partialDateIn(text, notation)
  if (date === null) addUnread(row, header, text)
  else row.dates.push({ label, date })
}
