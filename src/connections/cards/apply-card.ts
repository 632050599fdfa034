/**
 * Changes a connection by what a client changed in its card, like an edit: only the fields that the client changed get new
 * values, from the source `contacts_app`.
 */

import { dayAt } from '../../dates/calendar-day.ts'
import { NAME_DETAILS, withDetails } from '../../contact-files/contact/details.ts'
import { MAX_VALUES } from '../../base/limits.ts'
import { profileUrlIn } from '../../contact-files/contact/urls.ts'
import { withoutStaleLabels } from '../model/add-details.ts'
import { NO_VALUES, newState, type Connection, type SourcedField } from '../model/connection.ts'
import { timeKey } from '../model/field-sources.ts'
import { closePosition, isJobChange } from '../model/organizations.ts'
import { tagOf, type Tag } from '../model/tag-store.ts'
import {
  cardValuesOf,
  NO_CARD_VALUES,
  valueKey,
  type CardLists,
  type CardValues,
  type LabeledValue,
} from './card-values.ts'
import type { DetailField, Details, DetailValue } from '../../contact-files/contact/details.ts'

interface CardEdit {
  readonly was: CardValues
  readonly now: CardValues
}

interface DatedEdit extends CardEdit {
  /** The day of the member, on which a position ends. */
  readonly today: string
}

interface AppliedCard {
  readonly connection: Connection
  readonly addedTags: readonly Tag[]
  readonly removedTags: readonly Tag[]
}

/** A person from a card that is new. The ID is 0. */
export function connectionOfCard(now: CardValues, at: number): AppliedCard {
  const empty: Connection = {
    ...NO_VALUES,
    ...newState(at),
    name: now.name,
    source: 'contacts_app',
  }
  const edit = { was: NO_CARD_VALUES, now, today: dayAt(at) }
  const { connection, ...tags } = applyCard(empty, [], edit, at)
  return { ...tags, connection: { ...connection, fieldSources: {}, version: 1 } }
}

/** The connection after the client's changes. Values that changed here stay, unless the client changed the same ones. */
export function applyCard(
  before: Connection,
  tags: readonly Tag[],
  { was, now, today }: DatedEdit,
  at: number,
): AppliedCard {
  const present = cardValuesOf(
    before,
    tags.map(({ tag }) => tag),
  )
  const touched = new Set<SourcedField>()
  const edited: Connection = {
    ...before,
    ...changedTexts(before, { was, now }, touched),
    ...changedLists(present, { was, now }, before, touched),
  }
  const details = changedDetails(before, present, { was, now }, touched)
  const closed = isJobChange(before, edited) ? closePosition(details, before, today) : details
  const labeled = withDetails(closed, [
    ['labels', changedLabels(closed, edited, { was, now }, touched)],
  ])
  const addedTags = missing(now.tags, was.tags)
  const removedTags = missing(was.tags, now.tags)
  if (addedTags.length + removedTags.length > 0) touched.add('tags')
  const connection: Connection = {
    ...edited,
    details: withDepartment(labeled, edited, { was, now }),
    fieldSources: sourcesAfter(before, touched, at),
    version: before.version + (touched.size > 0 ? 1 : 0),
    updatedAt: touched.size > 0 ? at : before.updatedAt,
  }
  return { connection, addedTags, removedTags }
}

function sourcesAfter(
  { fieldSources }: Connection,
  touched: ReadonlySet<SourcedField>,
  at: number,
): Connection['fieldSources'] {
  const { '@tags': time, ...others } = fieldSources
  const kept = touched.has('tags') || time === undefined ? others : fieldSources
  const fields = [...touched]
  return {
    ...kept,
    ...Object.fromEntries(fields.map((field) => [field, 'contacts_app'])),
    ...Object.fromEntries(
      fields.filter((field) => field !== 'tags').map((field) => [timeKey(field), at]),
    ),
  }
}

const TEXTS = [
  'name',
  'givenName',
  'familyName',
  'company',
  'title',
  'location',
  'birthday',
] as const

function changedTexts(
  before: Connection,
  { was, now }: CardEdit,
  touched: Set<SourcedField>,
): Partial<Connection> {
  const changes: Record<string, string | null> = {}
  for (const field of TEXTS) {
    if (was[field] === now[field] || (field === 'name' && now.name === '')) continue
    const value = now[field] === '' ? null : now[field]
    if (value === before[field]) continue
    changes[field] = value
    touched.add(field)
  }
  return changes
}

/** The values of a list after the client's changes, in the order that the client chose if it changed that. */
function changedList<Value>(
  present: readonly Value[],
  was: readonly Value[],
  now: readonly Value[],
  keyOf: (value: Value) => string = valueKey,
): readonly Value[] {
  const [before, after] = [was.map(keyOf), now.map(keyOf)]
  const [former, next] = [new Set(before), new Set(after)]
  const kept = present.filter((value) => !former.has(keyOf(value)) || next.has(keyOf(value)))
  const known = new Set(kept.map(keyOf))
  const added = now.filter((value) => !former.has(keyOf(value)) && !known.has(keyOf(value)))
  const isSameOrder =
    before.filter((key) => next.has(key)).join() === after.filter((key) => former.has(key)).join()
  const all = [...kept, ...added]
  if (isSameOrder && kept.length === present.length && added.length === 0) return present
  const position = (value: Value) => {
    const at = after.indexOf(keyOf(value))
    return at === -1 ? after.length : at
  }
  const sorted = isSameOrder ? all : all.toSorted((one, other) => position(one) - position(other))
  return sorted.slice(0, Math.max(MAX_VALUES, present.length))
}

function byValue({ value }: LabeledValue): string {
  return value
}

function changedLists(
  present: CardLists,
  { was, now }: CardEdit,
  before: Connection,
  touched: Set<SourcedField>,
): Partial<Connection> {
  const changed = (field: 'emails' | 'phones' | 'urls') =>
    changedList(present[field], was[field], now[field], byValue)
  const changes: Record<string, readonly string[] | string | null> = {}
  for (const field of ['emails', 'phones'] as const) {
    const list = changed(field)
    if (list === present[field]) continue
    changes[field] = list.map(byValue)
    touched.add(field)
  }
  const urls = changed('urls')
  if (urls !== present.urls) {
    const all = urls.map(byValue)
    const profileUrl =
      all.find((url) => url === before.profileUrl) ??
      all.find((url) => profileUrlIn(url) === url) ??
      null
    changes['profileUrl'] = profileUrl
    changes['links'] = all.filter((url) => url !== profileUrl)
    if (profileUrl !== before.profileUrl) touched.add('profileUrl')
    touched.add('links')
  }
  return changes
}

const LISTS = ['addresses', 'handles', 'dates', 'relations'] as const

function changedDetails(
  { details }: Connection,
  present: CardValues,
  { was, now }: CardEdit,
  touched: Set<SourcedField>,
): Details {
  const changes: [DetailField, DetailValue | null][] = []
  for (const field of [...NAME_DETAILS, 'photo'] as const) {
    if (was[field] === now[field] || now[field] === present[field]) continue
    changes.push([field, now[field]])
    touched.add(field)
  }
  for (const field of LISTS) {
    // The values of a field have its type.
    const lists = [present[field], was[field], now[field]] as (readonly object[])[]
    const [list = [], former = [], next = []] = lists
    const changed = changedList(list, former, next)
    if (changed === list) continue
    // Relations also name the connection, which a card does not.
    const own = new Map((details[field] ?? []).map((one, index) => [list[index], one]))
    changes.push([field, changed.map((one) => own.get(one) ?? one)])
    touched.add(field)
  }
  return withDetails(details, changes)
}

function changedLabels(
  details: Details,
  edited: Connection,
  { was, now }: CardEdit,
  touched: Set<SourcedField>,
): Details['labels'] {
  const labels: Record<string, string> = { ...details.labels }
  for (const field of ['emails', 'phones', 'urls'] as const) {
    const former = new Map(was[field].map(({ value, label }) => [value, label]))
    for (const { value, label } of now[field]) {
      if (former.get(value) === label) continue
      if (label === undefined) delete labels[value]
      else labels[value] = label
      touched.add('labels')
    }
  }
  return withoutStaleLabels({ ...details, labels }, edited)
}

/** The department is a part of the current position. */
function withDepartment(
  details: Details,
  { company }: Connection,
  { was, now }: CardEdit,
): Details {
  if (was.department === now.department) return details
  const all = details.organizations ?? []
  const isCurrent = (one: (typeof all)[number]) =>
    one.current && (one.name === undefined || one.name === company)
  const present = all.find(isCurrent)
  const { department: _former, ...position } = present ?? { current: true }
  const next = now.department === '' ? position : { ...position, department: now.department }
  const others = all.filter((one) => one !== present)
  const isEmpty = Object.keys(next).length === 1
  return withDetails(details, [['organizations', isEmpty ? others : [next, ...others]]])
}

/** The tags of the first list that the second one lacks. */
function missing(tags: readonly string[], others: readonly string[]): Tag[] {
  const keys = new Set(others.map((tag) => tagOf(tag).key))
  return tags.map(tagOf).filter(({ key }) => !keys.has(key))
}
