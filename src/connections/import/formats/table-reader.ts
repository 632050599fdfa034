// Reads the rows of a table into contacts. The columns are turned into steps once per file, so that reading a row only
// runs the steps of its columns.

import type { ContactDraft, DraftValue, UnreadValue } from '../../model/contact.ts'
import type {
  Address,
  AccountHandle,
  ContactDetails,
  CustomText,
  LabeledDate,
  Organization,
  Relation,
} from '../../model/details.ts'
import { linkIn } from '../../model/urls.ts'
import type { ColumnTarget } from './column-fields.ts'
import { joinLocation } from './join-location.ts'
import { birthdayIn, dayIn, partialDateIn, type DateOrder } from './dates.ts'
import { unescapeFormula } from './formula-guard.ts'
import { labelText } from './labels.ts'
import type { ColumnRole, NumberedKind, NumberedRole, TableColumns } from './table-columns.ts'

type Cells = readonly string[]

/** Turns a row into a draft. `names` are the headers. */
export function tableReader(
  columns: TableColumns,
  names: readonly string[],
): (cells: Cells) => ContactDraft {
  const table = tableOf(columns, names)
  const steps = stepsOf(table)
  const isGoogle = columns.format === 'google'
  return (written) => {
    const cells = isGoogle ? written.map(unescapeFormula) : written
    const row = newRow()
    for (const step of steps) step(cells, row)
    for (let at = names.length; at < cells.length; at++)
      addCustom(row, `Column ${at + 1}`, cells[at] ?? '') // beyond the header
    return draftOf(row, table)
  }
}

interface Table {
  readonly names: readonly string[]
  readonly targets: TableColumns['targets']
  readonly format: TableColumns['format']
  readonly dateOrder: DateOrder
  /** The addresses that the columns can hold, in the order of preference for the location. */
  readonly addresses: readonly AddressSlot[]
  readonly day: (text: string) => string | null
}

/** The columns of one address have the same key. */
interface AddressSlot {
  readonly key: string
  readonly label: string
  /** Whether the address has columns for its parts; else a column `Address` is the whole of it. */
  readonly inParts: boolean
}

type MutableAddress = { -readonly [Part in keyof Address]: Address[Part] }
type AddressPart = Exclude<keyof Address, 'label'>

/** What the steps collect from one row. */
interface Row {
  name: string
  given: string
  middle: string
  family: string
  prefix: string
  suffix: string
  nickname: string
  phoneticGiven: string
  phoneticFamily: string
  pronouns: string
  company: string
  title: string
  department: string
  location: string
  birthday: string | null
  birthYear: string
  birthMonth: string
  birthDay: string
  connectedOn: string | null
  note: string
  readonly emails: DraftValue[]
  readonly phones: DraftValue[]
  readonly urls: DraftValue[]
  tags: string[] | null
  addresses: (MutableAddress | undefined)[] | null
  handles: AccountHandle[] | null
  organizations: Organization[] | null
  dates: LabeledDate[] | null
  relations: Relation[] | null
  custom: CustomText[] | null
  unread: UnreadValue[] | null
}

function newRow(): Row {
  return {
    name: '',
    given: '',
    middle: '',
    family: '',
    prefix: '',
    suffix: '',
    nickname: '',
    phoneticGiven: '',
    phoneticFamily: '',
    pronouns: '',
    company: '',
    title: '',
    department: '',
    location: '',
    birthday: null,
    birthYear: '',
    birthMonth: '',
    birthDay: '',
    connectedOn: null,
    note: '',
    emails: [],
    phones: [],
    urls: [],
    tags: null,
    addresses: null,
    handles: null,
    organizations: null,
    dates: null,
    relations: null,
    custom: null,
    unread: null,
  }
}

type Step = (cells: Cells, row: Row) => void

function tableOf({ targets, format, dateOrder }: TableColumns, names: readonly string[]): Table {
  const day = memoized((text) => dayIn(format === 'linkedin' ? recent(text) : text, dateOrder))
  return { names, targets, format, dateOrder, addresses: addressSlots(targets), day }
}

/** The steps, preferred values first: mobile and work numbers before fax and pager. */
function stepsOf(table: Table): readonly Step[] {
  const ranked: { readonly rank: number; readonly step: Step }[] = []
  for (const [at, target] of table.targets.entries()) {
    if (target?.field === 'numbered') continue
    const step = cellStep(at, target, table)
    if (step !== null) ranked.push({ rank: rankOf(target), step })
  }
  for (const step of numberedSteps(table)) ranked.push({ rank: 0, step })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ step }) => step)
}

function rankOf(target: ColumnRole | null): number {
  if (target === null || target.field === 'custom' || target.field === 'technical') return LAST_RANK
  if (target.field !== 'phone' && target.field !== 'email') return 0
  const label = 'label' in target ? (target.label ?? '') : ''
  if (/fax/.test(label)) return 7
  return VALUE_RANKS.get(label) ?? 4
}

const LAST_RANK = 9
const VALUE_RANKS: ReadonlyMap<string, number> = new Map([
  ['main', 0],
  ['', 0.5],
  ['mobile', 1],
  ['work', 2],
  ['home', 3],
  ['other', 5],
  ['assistant', 6],
  ['pager', 8],
])

/** Runs `read` for a cell that is not empty. */
function onText(at: number, read: (text: string, row: Row) => void): Step {
  return (cells, row) => {
    const text = cells[at]
    if (text !== undefined && text !== '') read(text, row)
  }
}

type CellRole = Exclude<ColumnRole, NumberedRole>

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

const ADDRESS_PARTS: Readonly<Partial<Record<CellRole['field'], AddressPart>>> = {
  street: 'street',
  po_box: 'poBox',
  city: 'city',
  region: 'region',
  postal_code: 'postalCode',
  country: 'country',
}

function cellStep(at: number, target: CellRole | null, table: Table): Step | null {
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

type CellReader = (row: Row, text: string, column: CellColumn) => void

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

/** What Outlook writes for every contact: types, flags, and the name or email once more. */
function isDefault(text: string): boolean {
  return (
    text.includes('@') ||
    /^\s*(?:smtp|ex|normal|false|true|off|0|1|no|unspecified|[\p{L}.]{1,5}|неопределен\p{L}*|нет данных|обычная|普通|未指定|nicht spezifiziert|standard|faux|falsch)\s*$/iu.test(
      text,
    )
  )
}

function labeled(value: string, label: string | undefined): DraftValue {
  return label === undefined || label === '' ? value : { value, label }
}

function addCustom(row: Row, field: string, value: string): void {
  if (value.trim() === '') return
  ;(row.custom ??= []).push({ field: field === '' ? 'Column without a name' : field, value })
}

/** An unreadable date is kept as a custom field and reported. */
function addUnread(row: Row, column: string, value: string): void {
  if (value.trim() === '' || NO_DATE.test(value)) return
  ;(row.unread ??= []).push({ column, value })
  addCustom(row, column, value)
}

const NO_DATE = /^\s*(?:0+[/.-]0+[/.-]0+|none|null|-)\s*$/i

interface WrittenDate {
  readonly label: string
  readonly text: string
  readonly header: string
}

function addDate(row: Row, { header, text, label }: WrittenDate, order: DateOrder): void {
  const date = partialDateIn(text, order)
  if (date === null) addUnread(row, header, text)
  else (row.dates ??= []).push({ label, date })
}

function addPhones(row: Row, header: string, text: string, label: string | undefined): void {
  for (const number of /[;|\n]/.test(text) ? text.split(/[;|\n]/) : [text]) {
    if (/\p{Nd}/u.test(number)) row.phones.push(labeled(number, label))
    else addCustom(row, header, number)
  }
}

function addUrls(row: Row, header: string, text: string, label: string | undefined): void {
  for (const one of /[\s;|]/.test(text.trim()) ? text.split(/[\s;|]+|,\s/) : [text]) {
    const url =
      label === 'linkedin' && /^[\w%-]+$/.test(one.trim()) ? `linkedin.com/in/${one.trim()}` : one
    const isLink = /^https?:\/\/[^\s/]+\.[^\s/]/i.test(url) || linkIn(url) !== null
    if (isLink) row.urls.push(label === 'linkedin' ? url : labeled(url, label))
    else addCustom(row, header, one)
  }
}

function addHandle(row: Row, text: string, service = 'im'): void {
  if (/^https?:\/\//i.test(text.trim())) row.urls.push(text)
  else (row.handles ??= []).push({ service, value: text })
}

// Addresses

function addressSlots(targets: readonly (ColumnRole | null)[]): readonly AddressSlot[] {
  const slots = new Map<string, AddressSlot>()
  for (const target of targets) {
    const key = addressKey(target)
    if (key === null) continue
    const inParts = target?.field !== 'address' && target?.field !== 'numbered'
    const label = target !== null && 'label' in target ? (target.label ?? '') : ''
    slots.set(key, { key, label, inParts: inParts || (slots.get(key)?.inParts ?? false) })
  }
  return [...slots.values()].toSorted((a, b) => addressRank(a.key) - addressRank(b.key))
}

/** Columns of one address: those with the same label, or with the same number in Google's files. */
function addressKey(target: ColumnRole | null): string | null {
  if (target === null) return null
  if (target.field === 'numbered') return target.kind === 'address' ? `#${target.number}` : null
  if (target.field !== 'address' && ADDRESS_PARTS[target.field] === undefined) return null
  return 'label' in target ? (target.label ?? '') : ''
}

function addressRank(key: string): number {
  if (key.startsWith('#')) return Number(key.slice(1))
  const rank = ['work', '', 'mailing', 'home', 'other'].indexOf(key)
  return rank === -1 ? 9 : rank
}

function addressIn(row: Row, slot: number, label: string): MutableAddress {
  row.addresses ??= []
  return (row.addresses[slot] ??= label === '' ? {} : { label })
}

function addressStep(at: number, target: ColumnTarget, { addresses }: Table): Step {
  const slot = addresses.findIndex(({ key }) => key === addressKey(target))
  const { label = '', inParts = false } = addresses[slot] ?? {}
  const part = ADDRESS_PARTS[target.field] ?? (inParts ? 'street' : 'formatted')
  return onText(at, (text, row) => {
    const address = addressIn(row, slot, label)
    const before = address[part]
    address[part] = before === undefined ? text : `${before}\n${text}`
  })
}

// Google's numbered columns

interface NumberedColumns {
  readonly kind: NumberedKind
  readonly number: number
  /** Column index by part. */
  readonly parts: ReadonlyMap<string, number>
}

function numberedSteps(table: Table): readonly Step[] {
  const groups = new Map<
    string,
    { kind: NumberedKind; number: number; parts: Map<string, number> }
  >()
  for (const [at, target] of table.targets.entries()) {
    if (target?.field !== 'numbered') continue
    const { kind, number, part } = target
    const key = `${kind} ${number}`
    const group = groups.get(key) ?? { kind, number, parts: new Map<string, number>() }
    if (!group.parts.has(part)) group.parts.set(part, at)
    groups.set(key, group)
  }
  return [...groups.values()].map((group) => numberedStep(group, table))
}

function numberedStep({ kind, number, parts }: NumberedColumns, table: Table): Step {
  const at = (part: string) => parts.get(part) ?? -1
  const [value, label] = [at('value'), at('label')]
  const name = (part: string) => table.names[at(part)] ?? ''
  if (kind === 'address') return numberedAddress(number, parts, table)
  if (kind === 'organization') return organizationStep(number, parts, table)
  return (cells, row) => {
    const text = cells[value] ?? ''
    if (text === '') return
    const written = cells[label] ?? ''
    const own = labelText(written)
    for (const one of several(text)) {
      switch (kind) {
        case 'email':
          if (one.includes('@')) put(row.emails, labeled(one, own), written)
          else addCustom(row, name('value'), one)
          break
        case 'phone':
          if (/\p{Nd}/u.test(one)) put(row.phones, labeled(one, own), written)
          else addCustom(row, name('value'), one)
          break
        case 'url':
          if (linkIn(one) === null) addCustom(row, name('value'), one)
          else put(row.urls, labeled(one, own), written)
          break
        case 'im':
          addIm(row, one, cells[at('service')] ?? '', own)
          break
        case 'event':
          addEvent(row, { label: own, text: one, header: name('value') }, table.dateOrder)
          break
        case 'relation':
          ;(row.relations ??= []).push({ name: one, ...(own !== '' && { relation: own }) })
          break
        case 'custom':
          addCustom(row, own === '' ? name('value') : written.trim(), one)
      }
    }
  }
}

/** A value labeled `* Work` is the preferred one. */
function put(values: DraftValue[], value: DraftValue, label: string): void {
  if (label.startsWith('*')) values.unshift(value)
  else values.push(value)
}

function addIm(row: Row, value: string, service: string, label: string): void {
  const name = (several(service)[0] ?? '').trim().toLowerCase()
  ;(row.handles ??= []).push({
    service: name === '' ? 'im' : name,
    value,
    ...(label !== '' && { label }),
  })
}

function addEvent(row: Row, { label, text, header }: WrittenDate, order: DateOrder): void {
  const birthday = /birthday/i.test(label) ? birthdayIn(text, order) : null
  if (birthday !== null && row.birthday === null) row.birthday = birthday
  else addDate(row, { header, text, label: label === '' ? 'other' : label }, order)
}

const GOOGLE_ADDRESS: readonly (readonly [part: string, of: AddressPart])[] = [
  ['street', 'street'],
  ['extended address', 'extended'],
  ['po box', 'poBox'],
  ['city', 'city'],
  ['region', 'region'],
  ['postal code', 'postalCode'],
  ['country', 'country'],
]

function numberedAddress(number: number, parts: NumberedColumns['parts'], table: Table): Step {
  const slot = table.addresses.findIndex(({ key }) => key === `#${number}`)
  const columns = GOOGLE_ADDRESS.map(([part, of]) => [parts.get(part) ?? -1, of] as const)
  const [formatted, label] = [parts.get('formatted') ?? -1, parts.get('label') ?? -1]
  return (cells, row) => {
    const own = labelText(cells[label] ?? '')
    const read: MutableAddress = {}
    for (const [at, part] of columns) {
      const text = first(cells[at] ?? '')
      if (text !== '') read[part] = text
    }
    const whole = first(cells[formatted] ?? '')
    if (whole !== '' && !saysTheSame(whole, read)) read.formatted = whole
    if (Object.keys(read).length === 0) return
    Object.assign(addressIn(row, slot, own), read)
    for (const [index, more] of several(cells[formatted] ?? '')
      .slice(1)
      .entries())
      if (more.trim() !== '')
        (row.addresses ??= [])[table.addresses.length + slot * MAX_JOINED + index] = {
          ...(own !== '' && { label: own }),
          formatted: more,
        }
  }
}

const MAX_JOINED = 50 // values in one cell

/** Whether the parts have every word of the address as written. */
function saysTheSame(whole: string, parts: MutableAddress): boolean {
  const known = new Set(
    Object.values(parts)
      .join(' ')
      .toLowerCase()
      .split(/[\s,]+/),
  )
  return whole
    .toLowerCase()
    .split(/[\s,]+/)
    .every((word) => word === '' || known.has(word))
}

function organizationStep(number: number, parts: NumberedColumns['parts'], table: Table): Step {
  const at = (part: string) => parts.get(part) ?? -1
  const [name, title, department] = [at('name'), at('title'), at('department')]
  const others = ['symbol', 'location', 'job description', 'yomi name']
    .map(at)
    .filter((index) => index !== -1)
  return (cells, row) => {
    const names = several(cells[name] ?? '')
    const titles = several(cells[title] ?? '')
    const departments = several(cells[department] ?? '')
    for (
      let index = 0;
      index < Math.max(names.length, titles.length, departments.length);
      index++
    ) {
      const [one, role, unit] = [names[index] ?? '', titles[index] ?? '', departments[index] ?? '']
      if (number === 1 && index === 0) {
        row.company = one
        row.title = role
        row.department = unit
      } else
        (row.organizations ??= []).push({ name: one, title: role, department: unit, current: true })
    }
    for (const index of others) {
      const text = cells[index] ?? ''
      if (text === '') continue
      if (index === at('location') && row.location === '') row.location = text
      else addCustom(row, table.names[index] ?? '', text)
    }
  }
}

function several(text: string): readonly string[] {
  return text.includes(':::')
    ? text.split(':::').map((one) => one.trim())
    : text === ''
      ? []
      : [text]
}

function first(text: string): string {
  return (
    several(text)
      .map((one) => one.trim())
      .find((one) => one !== '') ?? ''
  )
}

// The draft

function draftOf(row: Row, table: Table): ContactDraft {
  const details = detailsOf(row)
  return {
    fullName: fullNameOf(row, table.format),
    givenName: row.given,
    familyName: row.family,
    company: table.format === 'google' ? first(row.company) : row.company,
    title: table.format === 'google' ? first(row.title) : row.title,
    location: locationOf(row),
    emails: row.emails,
    phones: row.phones,
    urls: row.urls,
    birthday: row.birthday ?? birthdayOfParts(row),
    connectedOn: row.connectedOn,
    note: row.note,
    labels: row.tags ?? NONE,
    ...(details !== null && { details }),
    ...(row.unread !== null && { unread: row.unread }),
  }
}

const NONE: readonly string[] = []

function fullNameOf(row: Row, format: Table['format']): string {
  if (row.name.trim() !== '') return row.name
  if (EAST_ASIAN.test(row.family) && EAST_ASIAN.test(row.given)) return eastAsianName(row)
  if (format === 'linkedin') return row.given === '' && row.family === '' ? row.nickname : ''
  const parts = [row.given, row.middle, row.family]
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length === 0) return row.nickname
  const suffix = format === 'google' ? '' : row.suffix.trim()
  return suffix === '' ? parts.join(' ') : `${parts.join(' ')} ${suffix}`
}

const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー]+$/u
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** The family name comes first; Japanese has a space between the two. */
function eastAsianName({ family, given, phoneticFamily, phoneticGiven }: Row): string {
  const isJapanese = KANA.test(family + given + phoneticFamily + phoneticGiven)
  return isJapanese ? `${family} ${given}` : family + given
}

function locationOf({ addresses, location }: Row): string {
  for (const address of addresses ?? []) {
    if (address === undefined) continue
    const { city = '', region = '', country = '', formatted = '' } = address
    const line = joinLocation([city, region, country]) || joinLocation(formatted.split(/[\r\n]+/))
    if (line !== '') return line
  }
  return location
}

/** Thunderbird has a column each for year, month and day. */
function birthdayOfParts({ birthYear, birthMonth, birthDay }: Row): string | null {
  if (birthMonth === '' || birthDay === '') return null
  const monthAndDay = `${birthMonth.trim().padStart(2, '0')}-${birthDay.trim().padStart(2, '0')}`
  return birthdayIn(
    birthYear.trim() === '' ? `--${monthAndDay}` : `${birthYear.trim()}-${monthAndDay}`,
  )
}

type MutableDetails = { -readonly [Field in keyof ContactDetails]: ContactDetails[Field] }

function detailsOf(row: Row): ContactDetails | null {
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
  if (row.department !== '') {
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
  if (row.custom !== null) details.custom = row.custom
  has ||= (row.handles ?? row.organizations ?? row.dates ?? row.relations ?? row.custom) !== null
  return has ? details : null
}

/** LinkedIn launched in 2003, so a two-digit year is always 20xx. */
function recent(text: string): string {
  return text
    .trim()
    .replace(/^(\d{1,2}[-/. ]\p{L}+[-/. ]|\d{1,2}[-/.]\d{1,2}[-/.])(\d\d)$/u, '$120$2')
}

const MAX_CACHED_DATES = 5000 // about thirteen years

/** Parses each date once: a network of 30,000 people has only a few thousand distinct dates. */
function memoized(read: (text: string) => string | null): (text: string) => string | null {
  const known = new Map<string, string | null>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const day = read(text)
    if (known.size < MAX_CACHED_DATES && text.length < 40) known.set(text, day)
    return day
  }
}
