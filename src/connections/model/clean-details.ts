// Cleans the details of a contact from a file: trims texts, drops empty and repeated values, limits lengths.

import { oneLine, manyLines } from './clean-text.ts'
import { isDay } from '../../base/calendar-day.ts'
import { MAX_CUSTOM_VALUES, MAX_CUSTOM_LENGTH, MAX_TEXT_LENGTH, MAX_VALUES } from './limits.ts'
import {
  NAME_DETAILS,
  type Address,
  type ContactDetails,
  type CustomText,
  type AccountHandle,
  type Interaction,
  type LabeledDate,
  type Organization,
  type Relation,
} from './details.ts'

/** Names of fields with a value that was cut because it is over a limit. */
export type Cuts = Set<string>

/** Undefined when nothing is left. */
export function cleanDetails(
  details: ContactDetails | undefined,
  cuts: Cuts,
): ContactDetails | undefined {
  if (details === undefined) return undefined
  const clean: Record<string, unknown> = {}
  for (const field of NAME_DETAILS) {
    const text = line(details[field], field, cuts)
    if (text !== undefined) clean[field] = text
  }
  if (details.labels && Object.keys(details.labels).length > 0) clean['labels'] = details.labels
  put('addresses', details.addresses, cleanAddress)
  put('handles', details.handles, cleanHandle)
  put('organizations', details.organizations, cleanOrganization)
  put('dates', details.dates, cleanDate)
  put('relations', details.relations, cleanRelation)
  put('interactions', details.interactions && newestFirst(details.interactions), cleanInteraction)
  put('custom', details.custom, cleanCustom, MAX_CUSTOM_VALUES)
  if (details.photo !== undefined) clean['photo'] = details.photo
  return Object.keys(clean).length === 0 ? undefined : clean

  function put<Value>(
    field: keyof ContactDetails,
    values: readonly Value[] | undefined,
    read: (value: Value, cuts: Cuts) => Value | undefined,
    most = MAX_VALUES,
  ): void {
    if (values === undefined || values.length === 0) return
    const kept = new Map<string, Value>()
    for (const value of values) {
      const one = read(value, cuts)
      if (one === undefined) continue
      if (kept.size === most) cuts.add(field)
      else kept.set(JSON.stringify(one), one)
    }
    if (kept.size > 0) clean[field] = [...kept.values()]
  }
}

/** In the order of a connection, so that the newest are kept if there are too many. */
export function newestFirst(interactions: readonly Interaction[]): Interaction[] {
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

function cleanAddress(address: Address, cuts: Cuts): Address | undefined {
  const { label, street, formatted, ...parts } = address
  const clean = present({
    label: line(label, 'addresses', cuts),
    street: lines(street, MAX_TEXT_LENGTH, 'addresses', cuts),
    extended: line(parts.extended, 'addresses', cuts),
    poBox: line(parts.poBox, 'addresses', cuts),
    city: line(parts.city, 'addresses', cuts),
    region: line(parts.region, 'addresses', cuts),
    postalCode: line(parts.postalCode, 'addresses', cuts),
    country: line(parts.country, 'addresses', cuts),
    formatted: lines(formatted, MAX_FORMATTED_LENGTH, 'addresses', cuts),
  })
  return Object.keys(clean).some((part) => part !== 'label') ? clean : undefined
}

const MAX_FORMATTED_LENGTH = 2 * MAX_TEXT_LENGTH

function cleanHandle(
  { service, value, label }: AccountHandle,
  cuts: Cuts,
): AccountHandle | undefined {
  const clean = line(value, 'handles', cuts)
  if (clean === undefined) return undefined
  return {
    service: (line(service, 'handles', cuts) ?? 'other').toLowerCase(),
    value: clean,
    ...present({ label: line(label, 'handles', cuts) }),
  }
}

function cleanOrganization(position: Organization, cuts: Cuts): Organization | undefined {
  const { name, title, department, from, until, current } = position
  const clean = present({
    name: line(name, 'organizations', cuts),
    title: line(title, 'organizations', cuts),
    department: line(department, 'organizations', cuts),
    from: dateWithYear(from),
    until: dateWithYear(until),
  })
  const isEmpty = [clean.name, clean.title, clean.department].every((text) => text === undefined)
  return isEmpty ? undefined : { ...clean, current }
}

function dateWithYear(text: string | undefined): string | undefined {
  return text !== undefined && !text.startsWith('-') && isPartialDate(text) ? text : undefined
}

function cleanDate({ label, date }: LabeledDate, cuts: Cuts): LabeledDate | undefined {
  return isPartialDate(date) ? { label: line(label, 'dates', cuts) ?? 'other', date } : undefined
}

function cleanRelation({ name, relation }: Relation, cuts: Cuts): Relation | undefined {
  const clean = line(name, 'relations', cuts)
  if (clean === undefined) return undefined
  return { name: clean, ...present({ relation: line(relation, 'relations', cuts) }) }
}

function cleanInteraction({ kind, on }: Interaction, cuts: Cuts): Interaction | undefined {
  return isDay(on) ? { kind: line(kind, 'interactions', cuts) ?? 'other', on } : undefined
}

function cleanCustom({ field, value }: CustomText, cuts: Cuts): CustomText | undefined {
  const name = line(field, 'custom', cuts)
  const text = lines(value, MAX_CUSTOM_LENGTH, 'custom', cuts)
  return name === undefined || text === undefined ? undefined : { field: name, value: text }
}

function line(text: string | undefined, field: string, cuts: Cuts): string | undefined {
  if (text === undefined || text === '') return undefined
  const whole = oneLine(text, Infinity)
  if (whole.length > MAX_TEXT_LENGTH) cuts.add(field)
  return oneLine(whole, MAX_TEXT_LENGTH) || undefined
}

function lines(
  text: string | undefined,
  maxLength: number,
  field: string,
  cuts: Cuts,
): string | undefined {
  if (text === undefined || text === '') return undefined
  const whole = manyLines(text, Infinity)
  if (whole.length > maxLength) cuts.add(field)
  return manyLines(whole, maxLength) || undefined
}

type Present<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> }

/** Without undefined values. */
function present<Values extends object>(values: Values): Present<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Present<Values>
}
