// Cleans the details of a contact from a file: trims texts, drops empty and repeated values, limits lengths.

import { oneLine, manyLines } from './clean-text.ts'
import { isDay } from '../../dates/calendar-day.ts'
import { canonicalTimeZone } from '../../dates/time-zone.ts'
import { addOverflow, type Overflow } from './overflow.ts'
import {
  MAX_CONTACT_INTERACTIONS,
  MAX_CUSTOM_VALUES,
  MAX_CUSTOM_LENGTH,
  MAX_NOTE_LENGTH,
  MAX_TEXT_LENGTH,
  MAX_VALUES,
} from '../../base/limits.ts'
import {
  NAME_DETAILS,
  customFieldKey,
  type Address,
  type ContactDetails,
  type CustomText,
  type AccountHandle,
  type ContactInteraction,
  type LabeledDate,
  type Organization,
  type Relation,
} from './details.ts'

/** Undefined when nothing is left. Adds the values over a limit to `overflow`. */
export function cleanDetails(
  details: ContactDetails | undefined,
  overflow: Overflow,
): ContactDetails | undefined {
  if (details === undefined) return undefined
  const clean: Record<string, unknown> = {}
  for (const field of NAME_DETAILS) {
    const text = line(details[field], field, overflow)
    if (text !== undefined) clean[field] = text
  }
  if (details.labels && Object.keys(details.labels).length > 0) clean['labels'] = details.labels
  put('addresses', details.addresses, cleanAddress)
  put('handles', details.handles, cleanHandle)
  put('organizations', details.organizations, cleanOrganization)
  put('dates', details.dates, cleanDate)
  put('relations', details.relations, cleanRelation)
  put(
    'interactions',
    details.interactions && newestFirst(details.interactions),
    cleanInteraction,
    MAX_CONTACT_INTERACTIONS,
  )
  put('custom', details.custom, cleanCustom, MAX_CUSTOM_VALUES)
  if (details.photo !== undefined) clean['photo'] = details.photo
  return Object.keys(clean).length === 0 ? undefined : clean

  function put<Value extends object>(
    field: keyof ContactDetails,
    values: readonly Value[] | undefined,
    read: (value: Value, overflow: Overflow) => Value | undefined,
    most = MAX_VALUES,
  ): void {
    if (values === undefined || values.length === 0) return
    const kept = new Map<string, Value>()
    for (const value of values) {
      const one = read(value, overflow)
      if (one === undefined) continue
      const key = JSON.stringify(one)
      if (kept.has(key)) continue
      if (kept.size === most) addOverflow(overflow, field, textOf(one))
      else kept.set(key, one)
    }
    if (kept.size > 0) clean[field] = [...kept.values()]
  }
}

/** The parts of a value: `work, 1 Main St, Bonn`. */
function textOf(value: object): string {
  return Object.values(value)
    .filter((part) => typeof part === 'string')
    .join(', ')
}

/** Sorts interactions, so that the newest are kept if there are too many. */
export function newestFirst(interactions: readonly ContactInteraction[]): ContactInteraction[] {
  return interactions.toSorted((a, b) => Number(a.on < b.on) - Number(a.on > b.on))
}

/** Whether a text is a `PartialDate` with existing months and days. */
export function isPartialDate(text: string): boolean {
  const [, year, rest = ''] = /^(\d{4}|-)(-.+)?$/.exec(text) ?? []
  if (year === undefined) return false
  if (rest === '') return year !== '-'
  if (year === '-') return isDay(`${LEAP_YEAR}${rest}`)
  return isDay(rest.length === 3 ? `${year}${rest}-01` : `${year}${rest}`)
}

/** A leap year, so that --02-29 is valid. */
const LEAP_YEAR = 2000

function cleanAddress(address: Address, overflow: Overflow): Address | undefined {
  const { label, street, formatted, ...parts } = address
  const clean = present({
    label: line(label, 'addresses', overflow),
    street: lines(street, MAX_TEXT_LENGTH, 'addresses', overflow),
    extended: line(parts.extended, 'addresses', overflow),
    poBox: line(parts.poBox, 'addresses', overflow),
    city: line(parts.city, 'addresses', overflow),
    region: line(parts.region, 'addresses', overflow),
    postalCode: line(parts.postalCode, 'addresses', overflow),
    country: line(parts.country, 'addresses', overflow),
    formatted: lines(formatted, MAX_FORMATTED_LENGTH, 'addresses', overflow),
  })
  return Object.keys(clean).some((part) => part !== 'label') ? clean : undefined
}

const MAX_FORMATTED_LENGTH = 2 * MAX_TEXT_LENGTH

function cleanHandle(
  { service, value, label }: AccountHandle,
  overflow: Overflow,
): AccountHandle | undefined {
  const clean = line(value, 'handles', overflow)
  if (clean === undefined) return undefined
  return {
    service: (line(service, 'handles', overflow) ?? 'other').toLowerCase(),
    value: clean,
    ...present({ label: line(label, 'handles', overflow) }),
  }
}

function cleanOrganization(position: Organization, overflow: Overflow): Organization | undefined {
  const { name, title, department, from, until, current } = position
  const clean = present({
    name: line(name, 'organizations', overflow),
    title: line(title, 'organizations', overflow),
    department: line(department, 'organizations', overflow),
    from: dateWithYear(from),
    until: dateWithYear(until),
  })
  const isEmpty = [clean.name, clean.title, clean.department].every((text) => text === undefined)
  return isEmpty ? undefined : { ...clean, current }
}

function dateWithYear(text: string | undefined): string | undefined {
  return text !== undefined && !text.startsWith('-') && isPartialDate(text) ? text : undefined
}

function cleanDate({ label, date }: LabeledDate, overflow: Overflow): LabeledDate | undefined {
  return isPartialDate(date)
    ? { label: line(label, 'dates', overflow) ?? 'other', date }
    : undefined
}

function cleanRelation(one: Relation, overflow: Overflow): Relation | undefined {
  const { connectionId } = one
  const name = line(one.name, 'relations', overflow)
  if (name === undefined) return undefined
  return { name, ...present({ relation: line(one.relation, 'relations', overflow), connectionId }) }
}

function cleanInteraction(
  one: ContactInteraction,
  overflow: Overflow,
): ContactInteraction | undefined {
  const { kind, on, at, zone, direction, key, isLastContact } = one
  if (!isDay(on)) return undefined
  const clean = present({
    subject: line(one.subject, 'interactions', overflow),
    text: lines(one.text, MAX_NOTE_LENGTH, 'interactions', overflow),
    direction,
    key: line(key, 'interactions', overflow),
  })
  const isTimed = at !== undefined && !Number.isNaN(Date.parse(at))
  const time = isTimed && zone !== undefined ? { at, zone: canonicalTimeZone(zone) } : {}
  return {
    kind: line(kind, 'interactions', overflow) ?? 'other',
    on,
    ...(time.zone !== undefined && { at: time.at, zone: time.zone }),
    ...clean,
    ...(isLastContact && { isLastContact }),
  }
}

function cleanCustom({ field, value }: CustomText, overflow: Overflow): CustomText | undefined {
  const name = line(field, 'custom', overflow)
  const text = lines(value, MAX_CUSTOM_LENGTH, customFieldKey(field.trim()), overflow)
  return name === undefined || text === undefined ? undefined : { field: name, value: text }
}

function line(text: string | undefined, field: string, overflow: Overflow): string | undefined {
  if (text === undefined || text === '') return undefined
  const whole = oneLine(text, Infinity)
  if (whole.length > MAX_TEXT_LENGTH) addOverflow(overflow, field, whole)
  return oneLine(whole, MAX_TEXT_LENGTH) || undefined
}

function lines(
  text: string | undefined,
  maxLength: number,
  field: string,
  overflow: Overflow,
): string | undefined {
  if (text === undefined || text === '') return undefined
  const whole = manyLines(text, Infinity)
  if (whole.length > maxLength) addOverflow(overflow, field, whole)
  return manyLines(whole, maxLength) || undefined
}

type Present<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> }

/** Without undefined values. */
function present<Values extends object>(values: Values): Present<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Present<Values>
}
