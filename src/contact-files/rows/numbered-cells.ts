// Reads Google's numbered columns, such as `Phone 1 - Value` beside `Phone 1 - Label`.

import type { DraftValue } from '../contact/contact-draft.ts'
import { emailsIn } from '../contact/emails-and-phones.ts'
import { linkIn } from '../contact/urls.ts'
import type { NumberedKind } from '../fields/column-fields.ts'
import { hasWordsOf } from '../values/address-text.ts'
import { isDay } from '../../dates/calendar-day.ts'
import { birthdayIn } from '../../dates/date-notations.ts'
import { first, joinedParts, joinedValues } from '../values/joined-values.ts'
import { normalizedLabel } from '../values/labels.ts'
import {
  addCustom,
  addDate,
  addUnread,
  labeled,
  noteEmailCell,
  type AddressPart,
  type MutableAddress,
  type TableRow,
  type Step,
  type Table,
  type WrittenDate,
} from './row.ts'

interface NumberedColumns {
  readonly kind: NumberedKind
  readonly number: number
  /** Column index by part. */
  readonly parts: ReadonlyMap<string, number>
}

/** Returns a step per group of numbered columns, such as `E-mail 2 - Label` and `E-mail 2 - Value`. */
export function numberedSteps(table: Table): readonly Step[] {
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
  const [valueAt, labelAt] = [at('value'), at('label')]
  const name = (part: string) => table.names[at(part)] ?? ''
  if (kind === 'address') return numberedAddress(number, parts, table)
  if (kind === 'organization') return organizationStep(number, parts, table)
  if (kind === 'position') return positionStep(parts)
  return (cells, row) => {
    const text = kind === 'url' ? withoutEscapes(cells[valueAt] ?? '') : (cells[valueAt] ?? '')
    if (text === '') return
    const written = cells[labelAt] ?? ''
    const values = joinedValues(text)
    const labels = joinedValues(written)
    const services = joinedValues(cells[at('service')] ?? '')
    for (const [index, one] of values.entries()) {
      const label = labels.length === values.length ? (labels[index] ?? '') : written
      const own = normalizedLabel(label)
      switch (kind) {
        case 'email':
          if (emailsIn(one).length === 0) addCustom(row, name('value'), one)
          else {
            put(row.emails, labeled(one, own), index === 0 ? label : '')
            noteEmailCell(row, name('value'), one)
          }
          break
        case 'phone':
          if (/\p{Nd}/u.test(one)) put(row.phones, labeled(one, own), index === 0 ? label : '')
          else addCustom(row, name('value'), one)
          break
        case 'url':
          if (linkIn(one) === null) addCustom(row, name('value'), one)
          else put(row.urls, labeled(one, own), index === 0 ? label : '')
          break
        case 'im':
          addIm(row, one, services[services.length === values.length ? index : 0] ?? '', own)
          break
        case 'event':
          addEvent(row, { label: own, text: one, header: name('value') }, table)
          break
        case 'relation':
          row.relations.push({ name: one, ...(own !== '' && { relation: own }) })
          break
        case 'interaction':
          addInteraction(row, { label: own, text: one, header: name('value') })
          break
        case 'custom':
          addCustom(row, own === '' ? name('value') : label.trim(), one)
      }
    }
  }
}

/** Google wrote links as `http\\://…`. */
function withoutEscapes(text: string): string {
  return text.includes('\\:') ? text.replaceAll('\\:', ':') : text
}

/** A value labeled `* Work` is the preferred one. */
function put(values: DraftValue[], value: DraftValue, label: string): void {
  if (label.startsWith('*')) values.unshift(value)
  else values.push(value)
}

function addIm(row: TableRow, value: string, service: string, label: string): void {
  const name = service.trim().toLowerCase()
  row.handles.push({
    service: name === '' ? 'im' : name,
    value,
    ...(label !== '' && { label }),
  })
}

function addEvent(
  row: TableRow,
  { label, text, header }: WrittenDate,
  { dates, isOwn }: Table,
): void {
  const birthday = !isOwn && /birthday/i.test(label) ? birthdayIn(text, dates) : null
  if (birthday !== null && row.birthday === null) row.birthday = birthday
  else addDate(row, { header, text, label: label === '' ? 'other' : label }, dates)
}

function addInteraction(row: TableRow, { label, text, header }: WrittenDate): void {
  if (isDay(text)) row.interactions.push({ kind: label, on: text })
  else addUnread(row, header, text)
}

const POSITION_PARTS = ['name', 'title', 'department', 'from', 'until', 'current']

/** Positions of Weft's own CSV. */
function positionStep(parts: NumberedColumns['parts']): Step {
  const columns = POSITION_PARTS.map((part) => parts.get(part) ?? -1)
  return (cells, row) => {
    const positions = joinedParts(columns.map((at) => cells[at] ?? '')) ?? []
    for (const [
      name = '',
      title = '',
      department = '',
      from = '',
      until = '',
      current,
    ] of positions)
      row.organizations.push({
        name,
        title,
        department,
        from,
        until,
        current: current !== 'no',
      })
  }
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
    const texts = columns.map(([at]) => cells[at] ?? '')
    const whole = cells[formatted] ?? ''
    // If values do not belong together, the first ones are one address.
    const joined = joinedParts([whole, ...texts]) ?? [
      [first(whole), ...texts.map(first)],
      ...joinedValues(whole)
        .slice(1)
        .map((more) => [more]),
    ]
    const labels = joinedValues(cells[label] ?? '')
    for (const [index, [all = '', ...values]] of joined.entries()) {
      const read: MutableAddress = {}
      for (const [at, [, part]] of columns.entries()) if (values[at]) read[part] = values[at]
      if (all.trim() !== '' && (table.isOwn || !hasWordsOf(read, all))) read.formatted = all
      if (Object.keys(read).length === 0) continue
      const own = normalizedLabel(labels[labels.length === joined.length ? index : 0] ?? '')
      const at = index === 0 ? slot : table.addresses.length + slot * MAX_JOINED + index
      row.addresses[at] = { ...(own !== '' && { label: own }), ...read }
    }
  }
}

const MAX_JOINED = 50 // values in one cell

function organizationStep(number: number, parts: NumberedColumns['parts'], table: Table): Step {
  const at = (part: string) => parts.get(part) ?? -1
  const [name, title, department] = [at('name'), at('title'), at('department')]
  const others = ['symbol', 'location', 'job description', 'yomi name']
    .map(at)
    .filter((index) => index !== -1)
  return (cells, row) => {
    const names = joinedValues(cells[name] ?? '')
    const titles = joinedValues(cells[title] ?? '')
    const departments = joinedValues(cells[department] ?? '')
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
      } else row.organizations.push({ name: one, title: role, department: unit, current: true })
    }
    for (const index of others) {
      const text = cells[index] ?? ''
      if (text === '') continue
      if (index === at('location') && row.location === '') row.location = text
      else addCustom(row, table.names[index] ?? '', text)
    }
  }
}
