// Reads the columns that each hold one field.

import { linkIn } from '../../model/urls.ts'
import type { CellRole } from './column-roles.ts'
import { birthdayIn } from './dates.ts'
import { ADDRESS_PARTS, addressStep } from './table-addresses.ts'
import {
  addCustom,
  addDate,
  addUnread,
  labeled,
  onText,
  type TableRow,
  type Step,
  type Table,
} from './table-row.ts'

const TEXTS: Readonly<Partial<Record<CellRole['field'], TextKey>>> = {
  name: 'name',
  given_name: 'given',
  middle_name: 'middle',
  family_name: 'family',
  name_prefix: 'prefix',
  name_suffix: 'suffix',
  nickname: 'nickname',
  phonetic_given_name: 'phoneticGiven',
  phonetic_family_name: 'phoneticFamily',
  pronouns: 'pronouns',
  company: 'company',
  title: 'title',
  department: 'department',
  location: 'location',
}

type TextKey =
  | 'name'
  | 'given'
  | 'middle'
  | 'family'
  | 'prefix'
  | 'suffix'
  | 'nickname'
  | 'phoneticGiven'
  | 'phoneticFamily'
  | 'pronouns'
  | 'company'
  | 'title'
  | 'department'
  | 'location'

export function cellStep(at: number, target: CellRole | null, table: Table): Step | null {
  const header = table.names[at] ?? ''
  if (target === null) return onText(at, (text, row) => addCustom(row, header, text))
  const key = TEXTS[target.field]
  if (key !== undefined)
    return onText(at, (text, row) => {
      if (row[key] === '') row[key] = text
      else if (row[key].trim() !== text.trim()) addCustom(row, header, text)
    })
  if (target.field === 'birth_part') return birthPartStep(at, target.part)
  if (target.field === 'technical')
    return onText(at, (text, row) => {
      if (!isDefault(text)) addCustom(row, header, text)
    })
  if (target.field === 'address' || ADDRESS_PARTS[target.field] !== undefined)
    return addressStep(at, target, table)
  const read = READERS[target.field]
  if (read === undefined) return null
  const column = { header, label: target.label, table }
  return onText(at, (text, row) => read(row, text, column))
}

function birthPartStep(at: number, part: 'year' | 'month' | 'day'): Step {
  const key = ({ year: 'birthYear', month: 'birthMonth', day: 'birthDay' } as const)[part]
  return onText(at, (text, row) => void (row[key] = text))
}

interface CellColumn {
  readonly header: string
  readonly label: string | undefined
  readonly table: Table
}

type CellReader = (row: TableRow, text: string, column: CellColumn) => void

const READERS: Readonly<Partial<Record<CellRole['field'], CellReader>>> = {
  email(row, text, { header, label }) {
    if (text.includes('@')) row.emails.push(labeled(text, label))
    else addCustom(row, header, text)
  },
  phone: (row, text, { header, label }) => addPhones(row, header, text, label),
  url: (row, text, { header, label }) => addUrls(row, header, text, label),
  handle: (row, text, { label }) => addHandle(row, text, label),
  birthday(row, text, { header, table }) {
    const day = birthdayIn(text, table.dateOrder)
    if (day === null) addDate(row, { header, text, label: 'birthday' }, table.dateOrder)
    else row.birthday ??= day
  },
  date: (row, text, { header, label = 'other', table }) =>
    addDate(row, { header, text, label }, table.dateOrder),
  connected_on(row, text, { header, table }) {
    const day = table.day(text)
    if (day === null) addUnread(row, header, text)
    else row.connectedOn ??= day
  },
  relation(row, text, { label }) {
    for (const name of label === 'child' ? text.split(/[;,\n]/) : [text])
      (row.relations ??= []).push({ name, ...(label !== undefined && { relation: label }) })
  },
  tags(row, text, { table }) {
    const separator = table.format === 'google' ? ':::' : /[;,|\n]/
    ;(row.tags ??= []).push(...text.split(separator))
  },
  note(row, text) {
    row.note = row.note === '' ? text : `${row.note}\n\n${text}`
  },
  custom: (row, text, { header, label }) => addCustom(row, label ?? header, text),
}

/** Values that Outlook writes for every contact: types, flags, and a repeated name or email. */
function isDefault(text: string): boolean {
  return (
    text.includes('@') ||
    /^\s*(?:smtp|ex|normal|false|true|off|0|1|no|unspecified|[\p{L}.]{1,5}|неопределен\p{L}*|нет данных|обычная|普通|未指定|nicht spezifiziert|standard|faux|falsch)\s*$/iu.test(
      text,
    )
  )
}

function addPhones(row: TableRow, header: string, text: string, label: string | undefined): void {
  for (const number of /[;|\n]/.test(text) ? text.split(/[;|\n]/) : [text]) {
    if (/\p{Nd}/u.test(number)) row.phones.push(labeled(number, label))
    else addCustom(row, header, number)
  }
}

function addUrls(row: TableRow, header: string, text: string, label: string | undefined): void {
  for (const one of /[\s;|]/.test(text.trim()) ? text.split(/[\s;|]+|,\s/) : [text]) {
    const url =
      label === 'linkedin' && /^[\w%-]+$/.test(one.trim()) ? `linkedin.com/in/${one.trim()}` : one
    const isLink = /^https?:\/\/[^\s/]+\.[^\s/]/i.test(url) || linkIn(url) !== null
    if (isLink) row.urls.push(label === 'linkedin' ? url : labeled(url, label))
    else addCustom(row, header, one)
  }
}

function addHandle(row: TableRow, text: string, service = 'im'): void {
  if (/^https?:\/\//i.test(text.trim())) row.urls.push(text)
  else (row.handles ??= []).push({ service, value: text })
}
