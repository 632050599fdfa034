// Turns what was collected from a row into a contact.

import type { ContactDraft } from '../contact/contact-draft.ts'
import type { ContactDetails } from '../contact/details.ts'
import { normalize, tokenize } from '../../base/tokenize.ts'
import { isTitle, nameAffixes } from '../../identity/name-affixes.ts'
import { eastAsianName, KANA } from '../../identity/person-name.ts'
import { birthdayIn } from '../../dates/date-notations.ts'
import { hasWordsOf, joinLocation, locationOf } from '../values/address-text.ts'
import { isHousehold } from '../columns/couples.ts'
import { familyFirstName, familyFirstWords, isClear, isSuffix } from '../columns/family-first.ts'
import { first } from '../values/joined-values.ts'
import type { DatePart } from '../fields/column-fields.ts'
import { addCustom, addUnread, type TableRow, type Table } from './row.ts'

export function rowDraft(row: TableRow, table: Table): ContactDraft {
  joinDateParts(row)
  keepEmailCells(row)
  if (!table.isOwn) settleNames(row, table)
  const location = table.isOwn ? row.location : locationIn(row)
  if (row.location !== '' && !hasWordsOf({ formatted: location }, row.location))
    addCustom(row, row.locationHeader, row.location)
  const details = detailsOf(row, table)
  const valueOf = table.format === 'google' && !table.isOwn ? first : String
  return {
    fullName: fullNameOf(row, table),
    givenName: row.given_name,
    familyName: row.family_name,
    company: valueOf(row.company),
    title: valueOf(row.title),
    location,
    emails: row.emails,
    phones: row.phones,
    urls: row.urls,
    birthday: row.birthday,
    connectedOn: row.connectedOn,
    note: row.note,
    labels: row.tags,
    details,
    cadence: row.cadence,
    ...(row.unread.length > 0 && { unread: row.unread }),
  }
}

function settleNames(row: TableRow, table: Table): void {
  const { name, given_name: given, title } = row
  const hasFamilyNames = table.targets.some((target) => target?.field === 'family_name')
  if (given !== '' && !hasFamilyNames && isFamilyName(name.trim(), given.trim())) {
    row.family_name = name
    row.name = ''
  }
  // German has one word for Dr. and for a job title.
  if (title !== '' && title.trim().split(/\s+/).every(isDottedTitle)) {
    row.name_prefix = [row.name_prefix, title].join(' ').trim()
    row.title = ''
  }
  splitName(row, table)
  // Without a given name, `Family` in the column of salutations is a part of the name.
  if (row.given_name === '' && isHousehold(row.name_prefix))
    row.name = `${row.name_prefix} ${row.name || row.family_name}`.trim()
  if (table.format === 'linkedin') takeEmoji(row)
  takeAffixes(row)
}

/** People decorate their names on LinkedIn: `Ann 🌸`. */
function takeEmoji(row: TableRow): void {
  for (const part of ['given_name', 'family_name'] as const) {
    const plain = row[part].replaceAll(EMOJI, '').trim()
    if (plain !== '') row[part] = plain
  }
}

const EMOJI = /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\u200d|\ufe0f)*/gu

/** Titles and degrees that are written with a name have fields of their own. */
function takeAffixes(row: TableRow): void {
  const { given_name: given, family_name: family } = row
  if (given === '' || family === '' || row.name !== '') return
  const words = given.trim().split(/\s+/)
  const start = words.findIndex((word) => !isTitle(word))
  const [last = '', ...suffixes] = family.split(',').map((part) => part.trim())
  if (start > 0) addPrefix(row, words.slice(0, start).join(' '))
  if (start !== -1) row.given_name = words.slice(start).join(' ')
  if (last === '' || !suffixes.every((suffix) => isTitle(suffix) || isSuffix(suffix))) return
  row.family_name = last
  for (const suffix of suffixes)
    if (isTitle(suffix)) addPrefix(row, suffix)
    else row.name_suffix = [row.name_suffix, suffix].filter((one) => one !== '').join(', ')
}

function addPrefix(row: TableRow, title: string): void {
  if (!row.name_prefix.includes(title)) row.name_prefix = `${row.name_prefix} ${title}`.trim()
}

/** Whether the name beside a given name is only the family name, as in many lists in German: `Meier`, `von Arx`. */
function isFamilyName(name: string, given: string): boolean {
  const words = name.split(/\s+/)
  const isOneName =
    words.length === 1 ||
    words.slice(0, -1).some((word) => nameAffixes().particles.has(normalize(word)))
  return name !== '' && isOneName && !name.startsWith(given) && !given.startsWith(name)
}

function isDottedTitle(word: string): boolean {
  return /\.$|^Dr$/.test(word) && isTitle(word)
}

/** `Lee, Ann` becomes a given and a family name if it is clear, or if most names of the column are written so. */
function splitName(row: TableRow, { isFamilyFirst, isFamilyFirstHeader = false }: Table): void {
  const { name, given_name: given, family_name: family, company } = row
  if (given + family !== '' || withoutCompany(name.trim(), company.trim()) !== name.trim()) return
  const parts = familyFirstName(name) ?? (isFamilyFirstHeader ? familyFirstWords(name) : undefined)
  if (parts === undefined || (!isFamilyFirst && !isClear(parts))) return
  row.name = ''
  row.given_name = parts.given
  row.family_name = parts.family
  if (row.name_prefix === '') row.name_prefix = parts.prefix
  if (row.name_suffix === '') row.name_suffix = parts.suffix
}

function fullNameOf(row: TableRow, { format, names }: Table): string {
  const name = row.name.trim()
  if (name !== '' && name !== `${row.family_name.trim()}, ${row.given_name.trim()}`)
    return withoutCompany(name, row.company.trim())
  const ordered = eastAsianNameOf(row, names)
  if (ordered !== undefined) return ordered
  if (format === 'linkedin')
    return row.given_name === '' && row.family_name === '' ? row.nickname : ''
  const parts = [row.given_name, row.middle_name, row.family_name]
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length === 0) return row.nickname
  const suffix = format === 'google' ? '' : row.name_suffix.trim()
  return suffix === '' ? parts.join(' ') : `${parts.join(' ')} ${suffix}`
}

/** Odoo writes `Northwind, Mira Holt`. */
function withoutCompany(name: string, company: string): string {
  const start = `${company}, `
  return company !== '' && name.startsWith(start) ? name.slice(start.length).trim() : name
}

/** The name in a script in which the family name comes first. */
function eastAsianNameOf(row: TableRow, headers: readonly string[]): string | undefined {
  const { family_name: family, given_name: given } = row
  const readings = row.phonetic_family_name + row.phonetic_given_name
  const isJapanese = [family, given, readings, ...headers].some((text) => KANA.test(text))
  return eastAsianName(family, given, isJapanese)
}

function locationIn({ addresses, location }: TableRow): string {
  for (const address of addresses) {
    if (address === undefined) continue
    const line = locationOf(address) || joinLocation((address.formatted ?? '').split(/[\r\n]+/))
    if (line !== '') return line
  }
  return location
}

/** Thunderbird has a column each for year, month and day. Parts without a date are kept and reported. */
function joinDateParts(row: TableRow): void {
  for (const [of, written] of Map.groupBy(row.dateParts, (part) => part.of)) {
    const text = (part: DatePart['part']) =>
      written.find((one) => one.part === part)?.text.trim() ?? ''
    const monthAndDay = `${text('month').padStart(2, '0')}-${text('day').padStart(2, '0')}`
    const date = birthdayIn(`${text('year') || '-'}-${monthAndDay}`)
    if (date === null) for (const { header, text: cell } of written) addUnread(row, header, cell)
    else if (of === 'birthday' && row.birthday === null) row.birthday = date
    else row.dates.push({ label: of, date })
  }
}

/** Keeps cells with an email and other text, unless the text is the name of the person. */
function keepEmailCells(row: TableRow): void {
  const names = normalize(
    [row.name, row.given_name, row.middle_name, row.family_name, row.nickname].join(' '),
  )
  for (const { header, text, rest } of row.emailCells)
    if (!tokenize(rest).every((word) => names.includes(word))) addCustom(row, header, text)
}

/** Also empty ones, which are dropped later. */
function detailsOf(row: TableRow, { isOwn }: Table): ContactDetails {
  const { company: name, title, department, handles, dates, relations, interactions, custom } = row
  const hasDepartment = department !== '' && !isOwn
  return {
    namePrefix: row.name_prefix,
    middleName: row.middle_name,
    nameSuffix: row.name_suffix,
    nickname: row.nickname,
    phoneticGivenName: row.phonetic_given_name,
    phoneticFamilyName: row.phonetic_family_name,
    pronouns: row.pronouns,
    addresses: row.addresses.filter((address) => address !== undefined),
    handles,
    organizations: [
      ...(hasDepartment ? [{ name, title, department, current: true }] : []),
      ...row.organizations,
    ],
    dates,
    relations,
    interactions,
    custom,
  }
}
