// Turns what was collected from a row into a contact.

import type { ContactDraft } from '../contact/contact.ts'
import type { ContactDetails } from '../contact/details.ts'
import { normalize, tokenize } from '../../base/tokenize.ts'
import { birthdayIn } from '../values/dates.ts'
import { joinLocation } from '../values/join-location.ts'
import { hasWordsOf } from '../values/address-words.ts'
import { familyFirstName, isClear } from '../columns/family-first.ts'
import { first } from '../values/joined-values.ts'
import type { DatePart } from '../columns/column-fields.ts'
import {
  addCustom,
  addUnread,
  type TableRow,
  type Table,
  type WrittenDatePart,
} from '../columns/table-row.ts'

export function rowDraft(row: TableRow, table: Table): ContactDraft {
  if (row.dateParts !== null) joinDateParts(row, row.dateParts)
  if (row.emailCells !== null) keepEmailCells(row)
  if (!table.isOwn) splitName(row, table)
  const location = table.isOwn ? row.location : locationOf(row)
  if (row.location !== '' && !hasWordsOf({ formatted: location }, row.location))
    addCustom(row, row.locationHeader, row.location)
  const details = detailsOf(row, table)
  const valueOf = table.format === 'google' && !table.isOwn ? first : String
  return {
    fullName: fullNameOf(row, table.format),
    givenName: row.given,
    familyName: row.family,
    company: valueOf(row.company),
    title: valueOf(row.title),
    location,
    emails: row.emails,
    phones: row.phones,
    urls: row.urls,
    birthday: row.birthday,
    connectedOn: row.connectedOn,
    note: row.note,
    labels: row.tags ?? NONE,
    ...(details !== null && { details }),
    ...(row.unread !== null && { unread: row.unread }),
  }
}

const NONE: readonly string[] = []

/** `Lee, Ann` becomes a given and a family name if it is clear, or if most names of the column are written so. */
function splitName(row: TableRow, { isFamilyFirst }: Table): void {
  const { name, given, family, company } = row
  if (given + family !== '' || withoutCompany(name.trim(), company.trim()) !== name.trim()) return
  const parts = familyFirstName(name)
  if (parts === undefined || (!isFamilyFirst && !isClear(parts))) return
  row.name = ''
  row.given = parts.given
  row.family = parts.family
  if (row.prefix === '') row.prefix = parts.prefix
  if (row.suffix === '') row.suffix = parts.suffix
}

function fullNameOf(row: TableRow, format: Table['format']): string {
  const name = row.name.trim()
  if (name !== '' && name !== `${row.family.trim()}, ${row.given.trim()}`)
    return withoutCompany(name, row.company.trim())
  if (EAST_ASIAN.test(row.family) && EAST_ASIAN.test(row.given)) return eastAsianName(row)
  if (format === 'linkedin') return row.given === '' && row.family === '' ? row.nickname : ''
  const parts = [row.given, row.middle, row.family]
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length === 0) return row.nickname
  const suffix = format === 'google' ? '' : row.suffix.trim()
  return suffix === '' ? parts.join(' ') : `${parts.join(' ')} ${suffix}`
}

/** Odoo writes `Northwind, Mira Holt`. */
function withoutCompany(name: string, company: string): string {
  const start = `${company}, `
  return company !== '' && name.startsWith(start) ? name.slice(start.length).trim() : name
}

const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー]+$/u
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** The family name comes first; Japanese has a space between the two. */
function eastAsianName({ family, given, phoneticFamily, phoneticGiven }: TableRow): string {
  const isJapanese = KANA.test(family + given + phoneticFamily + phoneticGiven)
  return isJapanese ? `${family} ${given}` : family + given
}

function locationOf({ addresses, location }: TableRow): string {
  for (const address of addresses ?? []) {
    if (address === undefined) continue
    const { city = '', region = '', country = '', formatted = '' } = address
    const line = joinLocation([city, region, country]) || joinLocation(formatted.split(/[\r\n]+/))
    if (line !== '') return line
  }
  return location
}

/** Thunderbird has a column each for year, month and day. Parts without a date are kept and reported. */
function joinDateParts(row: TableRow, parts: readonly WrittenDatePart[]): void {
  for (const [of, written] of Map.groupBy(parts, (part) => part.of)) {
    const text = (part: DatePart['part']) =>
      written.find((one) => one.part === part)?.text.trim() ?? ''
    const monthAndDay = `${text('month').padStart(2, '0')}-${text('day').padStart(2, '0')}`
    const date = birthdayIn(`${text('year') || '-'}-${monthAndDay}`)
    if (date === null) for (const { header, text: cell } of written) addUnread(row, header, cell)
    else if (of === 'birthday' && row.birthday === null) row.birthday = date
    else (row.dates ??= []).push({ label: of, date })
  }
}

/** Keeps cells with an email and other text, unless the text is the name of the person. */
function keepEmailCells(row: TableRow): void {
  const names = normalize([row.name, row.given, row.middle, row.family, row.nickname].join(' '))
  for (const { header, text, rest } of row.emailCells ?? [])
    if (!tokenize(rest).every((word) => names.includes(word))) addCustom(row, header, text)
}

type MutableDetails = { -readonly [Field in keyof ContactDetails]: ContactDetails[Field] }

function detailsOf(row: TableRow, { isOwn }: Table): ContactDetails | null {
  const details: MutableDetails = {}
  let has = false
  const text = (
    field:
      | 'namePrefix'
      | 'middleName'
      | 'nameSuffix'
      | 'nickname'
      | 'phoneticGivenName'
      | 'phoneticFamilyName'
      | 'pronouns',
    value: string,
  ) => {
    if (value === '') return
    details[field] = value
    has = true
  }
  text('namePrefix', row.prefix)
  text('middleName', row.middle)
  text('nameSuffix', row.suffix)
  text('nickname', row.nickname)
  text('phoneticGivenName', row.phoneticGiven)
  text('phoneticFamilyName', row.phoneticFamily)
  text('pronouns', row.pronouns)
  if (row.department !== '' && !isOwn) {
    const { company: name, title, department } = row
    row.organizations = [{ name, title, department, current: true }, ...(row.organizations ?? [])]
  }
  if (row.addresses !== null) {
    details.addresses = row.addresses.filter((address) => address !== undefined)
    has = true
  }
  if (row.handles !== null) details.handles = row.handles
  if (row.organizations !== null) details.organizations = row.organizations
  if (row.dates !== null) details.dates = row.dates
  if (row.relations !== null) details.relations = row.relations
  if (row.interactions !== null) details.interactions = row.interactions
  if (row.custom !== null) details.custom = row.custom
  has ||= [row.handles, row.organizations, row.dates, row.relations].some((list) => list !== null)
  has ||= (row.interactions ?? row.custom) !== null
  return has ? details : null
}
