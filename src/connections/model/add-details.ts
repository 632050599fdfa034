/** Adds the details of another record of the same person: an imported contact, or a merged connection. */

import { normalize } from '../../base/tokenize.ts'
import { phoneKey } from '../../identity/phone-number.ts'
import { MAX_VALUES } from '../../base/limits.ts'
import {
  detailFieldsOf,
  detailOf,
  type AccountHandle,
  type Address,
  type DetailField,
  type Details,
  type DetailValue,
  type LabeledDate,
  type ListDetail,
  type Relation,
} from '../../contact-files/contact/details.ts'
import { positionKey } from './organizations.ts'
import type { Connection } from './connection.ts'

export interface AddingRules {
  replaces(field: DetailField): boolean
  /** Whether a field is closed to new values because a member edited it. */
  isClosed(field: DetailField): boolean
  /** Reports a field with more values than a connection can have. */
  onCut?(field: DetailField): void
}

/** The values of the emails, phones and URLs that labels belong to. */
type Labelled = Pick<Connection, 'emails' | 'phones' | 'profileUrl' | 'links'>

/** The fields that change, with their new values. */
export function addedDetails(
  present: Details,
  added: Details,
  values: Labelled,
  rules: AddingRules,
): [DetailField, DetailValue][] {
  const changes: [DetailField, DetailValue][] = []
  for (const field of detailFieldsOf(added)) {
    const [before, more] = [detailOf(present, field), detailOf(added, field)]
    if (more === undefined) continue
    const after = combined(field, { before, more, values, rules })
    if (after !== undefined && JSON.stringify(after) !== JSON.stringify(before))
      changes.push([field, after])
  }
  return changes
}

interface Combination {
  readonly before: DetailValue | undefined
  readonly more: DetailValue
  readonly values: Labelled
  readonly rules: AddingRules
}

function combined(
  field: DetailField,
  { before, more, values, rules }: Combination,
): DetailValue | undefined {
  if (typeof more === 'string') {
    const isTaken = before === undefined || (!rules.isClosed(field) && rules.replaces(field))
    return isTaken ? more : before
  }
  if (field === 'labels') return combinedLabels(recordIn(before), recordIn(more), values, rules)
  if (rules.isClosed(field)) return before
  const list = listIn(before)
  const all = mergedList(field as ListDetail, list, listIn(more), rules.replaces(field))
  const room = Math.max(MAX_VALUES, list.length)
  if (all.length > room) rules.onCut?.(field)
  return all.slice(0, room)
}

function recordIn(value: DetailValue | undefined): Readonly<Record<string, string>> {
  return typeof value === 'object' && !Array.isArray(value)
    ? (value as Readonly<Record<string, string>>)
    : {}
}

function listIn(value: DetailValue | undefined): readonly object[] {
  return Array.isArray(value) ? (value as readonly object[]) : []
}

/** Labels of values that the connection has, in any spelling of a phone number. */
function combinedLabels(
  before: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>>,
  values: Labelled,
  rules: AddingRules,
): Readonly<Record<string, string>> | undefined {
  const after = { ...before }
  const replaces = !rules.isClosed('labels') && rules.replaces('labels')
  for (const [value, label] of Object.entries(more)) {
    const own = ownSpelling(value, values)
    if (own !== undefined && (after[own] === undefined || replaces)) after[own] = label
  }
  return Object.keys(after).length === 0 ? undefined : after
}

/** The labels after other spellings of phone numbers were chosen. */
export function respelledLabels({ labels = {} }: Details, values: Labelled): Details['labels'] {
  const respelled = Object.entries(labels).map(
    ([value, label]) => [ownSpelling(value, values) ?? value, label] as const,
  )
  return respelled.length === 0 ? undefined : Object.fromEntries(respelled)
}

function ownSpelling(value: string, values: Labelled): string | undefined {
  const { emails, phones, profileUrl, links } = values
  if (value === profileUrl || [emails, phones, links].some((list) => list.includes(value)))
    return value
  const key = phoneKey(value)
  return key === '' ? undefined : phones.find((phone) => phoneKey(phone) === key)
}

/**
 * Values with the same key are one: the parts of the newer one fill the other, or replace them. The order of parts is kept,
 * because values are compared as JSON.
 */
export function mergedList(
  field: ListDetail,
  before: readonly object[],
  more: readonly object[],
  replaces: boolean,
): object[] {
  // The values of a field have its type.
  const keyOf = KEYS[field] as (value: object) => string
  const values = [...before]
  const present = new Set(before.map((value) => JSON.stringify(value)))
  for (const value of more) {
    if (present.has(JSON.stringify(value))) continue
    const key = keyOf(value)
    const at = values.findIndex((one) => keyOf(one) === key)
    const had = values[at]
    if (had === undefined) values.push(value)
    else values[at] = { ...had, ...value, ...(!replaces && had) }
  }
  return values
}

const ADDRESS_PARTS = [
  'street',
  'extended',
  'poBox',
  'city',
  'region',
  'postalCode',
  'country',
  'formatted',
] as const

type Item<Field extends ListDetail> = NonNullable<Details[Field]>[number]

/** A relative can also have introduced someone. */
const INTRODUCTION = /^(?:introduced|referred) by$/i

/** The key by which two values of a list are equal. */
const KEYS: { readonly [Field in ListDetail]: (value: Item<Field>) => string } = {
  addresses: (one: Address) => normalize(ADDRESS_PARTS.map((part) => one[part] ?? '').join('|')),
  handles: ({ service, value }: AccountHandle) => `${service} ${value.toLowerCase()}`,
  organizations: positionKey,
  dates: ({ label, date }: LabeledDate) => `${normalize(label)} ${date}`,
  relations: ({ name, relation }: Relation) =>
    `${normalize(name) || name}${INTRODUCTION.test(relation ?? '') ? ' introduced' : ''}`,
}

/** Removes labels of values that the connection no longer has. */
export function withoutStaleLabels(details: Details, values: Labelled): Details['labels'] {
  const { labels } = details
  if (labels === undefined) return undefined
  const { emails, phones, profileUrl, links } = values
  const own = new Set([...emails, ...phones, ...links, profileUrl])
  const kept = Object.entries(labels).filter(([value]) => own.has(value))
  return Object.fromEntries(kept)
}
