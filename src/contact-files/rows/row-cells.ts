// Reads the columns that each hold one field.

import { jsonOf } from '../../base/parse-text.ts'
import { readCadence } from '../../dates/cadence.ts'
import { MAX_EMAIL_LENGTH, MAX_PHONE_LENGTH } from '../../base/limits.ts'
import { valueOf } from '../contact/contact-draft.ts'
import { emailsIn, isPlainEmail, textBesideEmails } from '../contact/emails-and-phones.ts'
import { isWebAddress } from '../contact/urls.ts'
import type { CellRole } from '../fields/column-fields.ts'
import { isAddress } from '../columns/column-contents.ts'
import { birthdayIn } from '../../dates/date-notations.ts'
import { normalizedLabel } from '../values/labels.ts'
import { phonesIn } from '../columns/phone-cells.ts'
import { ADDRESS_PARTS, addressCellReader } from './row-addresses.ts'
import { isDefaultWord } from './remarks.ts'
import {
  addCustom,
  addDate,
  addUnread,
  labeled,
  noteEmailCell,
  ROW_TEXT_FIELDS,
  type TableRow,
  type CellReader,
  type Table,
  type RowTextField,
} from './row.ts'

const TEXTS: ReadonlySet<string> = new Set(ROW_TEXT_FIELDS)

/** Returns what reads the cells of a column that are not empty; null for a column that others read. */
export function cellReader(at: number, target: CellRole | null, table: Table): CellReader | null {
  const header = table.names[at] ?? ''
  if (target?.field === 'value_label') return null // the column of the values reads it
  if (target === null) return (row, text) => addCustom(row, header, text)
  if (target.field === 'company' && table.format === 'table' && !table.isOwn)
    return (row, text) => addCompanies(row, header, text)
  if (TEXTS.has(target.field)) return textReader(target.field as RowTextField, header)
  if (target.field === 'date_part')
    return (row, text) => row.dateParts.push({ ...target, header, text })
  if (target.field === 'technical')
    return (row, text) => {
      if (isDefault(text, row)) row.leftOut.push(at)
      else addCustom(row, header, text)
    }
  if (target.field === 'address' || ADDRESS_PARTS[target.field] !== undefined)
    return addressCellReader(target, table)
  const read = READERS[target.field]
  if (read === undefined) return null
  const column = { header, label: target.label, continues: target.continues === true, table }
  if (table.isOwn || !LISTS.has(target.field)) return (row, text) => read(row, text, column)
  const labelAt = table.targets.findIndex((one) => one?.field === 'value_label' && one.at === at)
  return (row, text, cells) => {
    const own = labelAt === -1 ? '' : normalizedLabel(cells[labelAt] ?? '')
    const labeledColumn = own === '' ? column : { ...column, label: own }
    for (const one of itemsIn(text)) read(row, one, labeledColumn)
  }
}

function textReader(field: RowTextField, header: string): CellReader {
  return (row, text) => {
    if (field === 'location' && row.location === '') row.locationHeader = header
    if (row[field] === '') row[field] = text
    else if (field === 'name_prefix') row[field] = `${row[field]} ${text}`
    else if (row[field].trim() !== text.trim()) addCustom(row, header, text)
  }
}

/** Fields with several values. */
const LISTS: ReadonlySet<string> = new Set(['email', 'phone', 'url', 'handle', 'relation', 'tags'])

/** Clay and other tools write lists as JSON: `["a@x.example","b@x.example"]`. */
function itemsIn(text: string): readonly string[] {
  if (!/^\s*\[\s*"/.test(text)) return [text]
  const items = jsonOf(text)
  const isList = Array.isArray(items) && items.every((item) => typeof item === 'string')
  return isList ? items.filter((item) => item.trim() !== '') : [text]
}

/** Several companies of one person are separated by semicolons. */
function addCompanies(row: TableRow, header: string, text: string): void {
  const [company = '', ...others] = text.includes(';') ? namesIn(text) : [unquoted(text)]
  if (row.company === '') row.company = company
  else if (row.company.trim() !== company.trim()) addCustom(row, header, company)
  for (const name of others) row.organizations.push({ name, current: true })
}

function namesIn(text: string): readonly string[] {
  return text
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

interface CellColumn {
  readonly header: string
  readonly label: string | undefined
  readonly continues: boolean
  readonly table: Table
}

type ColumnReader = (row: TableRow, text: string, column: CellColumn) => void

const READERS: Readonly<Partial<Record<CellRole['field'], ColumnReader>>> = {
  email: addEmails,
  phone: addPhones,
  url: addUrls,
  handle: addHandle,
  birthday(row, text, { header, table }) {
    const day = birthdayIn(text, table.dates)
    if (day === null || (row.birthday !== null && row.birthday !== day))
      addDate(row, { header, text, label: 'birthday' }, table.dates)
    else row.birthday = day
  },
  date: (row, text, { header, label = 'other', table }) =>
    addDate(row, { header, text, label }, table.dates),
  connected_on(row, text, { header, table }) {
    const day = table.day(text)
    if (day === null) addUnread(row, header, text)
    else if (row.connectedOn === null || row.connectedOn === day) row.connectedOn = day
    else addCustom(row, header, text)
  },
  last_contact(row, text, { header, table }) {
    const day = table.day(text)
    if (day === null) addCustom(row, header, text)
    else row.interactions.push({ kind: 'other', on: day, isLastContact: true })
  },
  cadence(row, text, { header }) {
    const cadence = row.cadence === undefined ? readCadence(text) : null
    if (cadence === null) addCustom(row, header, text)
    else row.cadence = cadence
  },
  relation(row, text, { label, continues }) {
    const before = continues ? row.relations.at(-1) : undefined
    if (before?.relation === label && before !== undefined) {
      row.relations.splice(-1, 1, { ...before, name: `${before.name} ${text}` })
      return
    }
    for (const name of relatedNames(text, label))
      row.relations.push({ name, ...(label !== undefined && { relation: label }) })
  },
  tags(row, text, { table }) {
    row.tags.push(...(table.format === 'google' ? text.split(':::') : tagsIn(text)))
  },
  note(row, text) {
    row.note = row.note === '' ? text : `${row.note}\n\n${text}`
  },
  custom: (row, text, { header, label }) => addCustom(row, label ?? header, text),
}

/** Airtable writes several linked people as `"Lee, Ann",Ben Poe`. */
function relatedNames(text: string, relation: string | undefined): readonly string[] {
  if (relation === 'child') return text.split(/[;,\n]/)
  return QUOTED_LIST.test(text) ? tagsIn(text) : [text]
}

const QUOTED_LIST = /^(?=.*")(?:"[^"]+"|[^",]+)(?:,(?:"[^"]+"|[^",]+))+$/

/** Mailchimp writes tags as `"vip","2024"`, Airtable quotes those with commas: `Flying,"Friends, old"`. */
function tagsIn(text: string): readonly string[] {
  const tags = text.match(TAG) ?? []
  return tags.map(unquoted)
}

/** The quotation mark is matched before the space in front of it: otherwise each space would be read again and again. */
const TAG = /"(?<=(?:^|[;,|\n])\s*")[^"]+"(?=\s*(?:[;,|\n]|$))|[^;,|\n]+/g

function unquoted(text: string): string {
  return /^\s*"([^"]+)"\s*$/.exec(text)?.[1] ?? text
}

/** What Outlook writes for every contact: types, flags, initials, and a repeated name or email. */
function isDefault(text: string, row: TableRow): boolean {
  const written = text.trim()
  if (isDefaultWord(written)) return true
  const names = [row.given_name, row.middle_name, row.family_name].join(' ')
  const words = new Set(`${row.name} ${names}`.split(/\s+/))
  if (written.split(/\s+/).every((word) => words.has(word))) return true
  const initials = names.match(/(?<!\p{L})\p{L}/gu)?.join('')
  if (written.replaceAll(/[. ]/g, '') === initials) return true
  return row.emails
    .map((email) => valueOf(email).trim())
    .some((email) => email.length <= MAX_EMAIL_LENGTH && written.includes(email))
}

function addEmails(row: TableRow, text: string, column: CellColumn): void {
  const { header, label } = column
  if (isPlainEmail(text)) {
    row.emails.push(labeled(text, label))
    return
  }
  if (!text.includes('@') || emailsIn(text).length === 0) {
    if (isAddress(text)) addPhones(row, text, column)
    else addCustom(row, header, text)
    return
  }
  row.emails.push(labeled(text, label))
  const beside = textBesideEmails(text)
  if (isAddress(beside)) row.phones.push(beside)
  else noteEmailCell(row, header, text)
}

function addPhones(row: TableRow, text: string, { header, label }: CellColumn): void {
  for (const { number: written, label: own } of phonesIn(text)) {
    const number = written.replace(/^\s*'/, '').replace(/^(\s*\d{7,15})\.0\s*$/, '$1')
    const isNumber =
      /\p{Nd}/u.test(number) && number.length <= MAX_PHONE_LENGTH && !ROUNDED.test(number)
    if (isNumber) row.phones.push(labeled(number, own ?? label))
    else if (isPlainEmail(written.trim())) row.emails.push(written)
    else addCustom(row, header, written)
  }
}

/** Excel writes long numbers so, without their last digits. */
const ROUNDED = /^\s*\d(?:[.,]\d+)?E\+\d+\s*$/i

function addUrls(row: TableRow, text: string, { header, label }: CellColumn): void {
  const parts = SEVERAL_URLS.test(text.trim()) ? text.split(URL_SEPARATOR) : [text]
  for (const one of parts.some(isWebAddress) ? parts : [text]) {
    const account = label === undefined ? undefined : ACCOUNTS.get(label)
    const isAccount = account?.test(one.trim()) === true
    const url = isAccount && label === 'linkedin' ? `linkedin.com/in/${one.trim()}` : one
    if (isAccount && label !== undefined && label !== 'linkedin')
      row.handles.push({ service: label, value: one })
    else if (isWebAddress(url)) row.urls.push(label === 'linkedin' ? url : labeled(url, label))
    else addCustom(row, header, one)
  }
}

const SEVERAL_URLS = /[\s;|]|,https?:/i
const URL_SEPARATOR = /[\s;|]+|,\s|,(?=https?:)/i

/** The names of accounts on sites whose columns often contain only them. On Facebook they can have dots. */
const ACCOUNTS: ReadonlyMap<string, RegExp> = new Map([
  ['linkedin', /^[\w%-]+$/],
  ['facebook', /^@?(?!www\.|.*\.com$)[\w.-]+$/],
  ['github', /^@?[\w-]+$/],
])

function addHandle(row: TableRow, text: string, { label: service = 'im' }: CellColumn): void {
  if (/^https?:\/\//i.test(text.trim()) && isWebAddress(text.trim())) row.urls.push(text)
  else row.handles.push({ service, value: text })
}
