/** What a change made of what, in rows that a person reads. */

import { summarizeChange, type ChangedField } from '../../tools/change-summary.ts'
import { recordedIn, type Recorded } from './subjects.ts'
import type { ListedChange } from '../../tools/activity.ts'

export interface ChangedValue {
  /** Of a change to many: whose. */
  readonly whose: string | undefined
  readonly label: string
  /** Undefined where there was, or is, nothing. */
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface ChangedValues {
  readonly values: readonly ChangedValue[]
  /** How many there are beyond these. */
  readonly more: number
}

const MAX_VALUES = 40

export function changedValues(
  change: ListedChange,
  names: ReadonlyMap<string, string>,
): ChangedValues {
  const [before, after] = [recordedIn(change.before), recordedIn(change.after)]
  const several = after.connections ?? before.connections
  const all = several
    ? several.flatMap((_, index) =>
        valuesOfOne(before.connections?.[index], after.connections?.[index], names),
      )
    : valuesOf(before, after, names)
  return { values: all.slice(0, MAX_VALUES), more: Math.max(all.length - MAX_VALUES, 0) }
}

/** The fields of one among many; beyond the first few, whose names are not read, its id stands for it. */
function valuesOfOne(
  before: Recorded | undefined,
  after: Recorded | undefined,
  names: ReadonlyMap<string, string>,
): ChangedValue[] {
  const id = after?.connection_id ?? before?.connection_id ?? ''
  const name = after?.['name'] ?? before?.['name']
  const whose = names.get(id) ?? (typeof name === 'string' ? name : id)
  return valuesOf(before ?? {}, after ?? {}, names, whose)
}

function valuesOf(
  before: Recorded,
  after: Recorded,
  names: ReadonlyMap<string, string>,
  whose?: string,
): ChangedValue[] {
  const readable = (value: string | undefined) =>
    value === undefined ? undefined : (names.get(value) ?? momentOf(value))
  return summarizeChange(withoutNext(before), withoutNext(after))
    .filter((field) => !isBookkeeping(field))
    .map((changed) => ({
      whose,
      label: labelOf(changed.field),
      before: readable(changed.before),
      after: readable(changed.after),
    }))
}

/** Ids tell a person nothing, unless one took the place of another; nor does that something does not recur. */
function isBookkeeping({ field, before, after }: ChangedField): boolean {
  if (BOOKKEEPING.has(field)) return true
  if (before !== undefined && after !== undefined) return false
  return field.endsWith('_id') || (before ?? after) === 'none'
}

/** The ids of what a merge moved, and who had set tags. */
const BOOKKEEPING = new Set(['notes', 'follow_ups', 'tags_source'])

/** Of the follow-up that comes after one that recurs, its day. */
function withoutNext(recorded: Recorded): object {
  const { next, ...others } = recorded
  const day = typeof next === 'object' && next !== null && 'due_on' in next && next.due_on
  return typeof day === 'string' ? { ...others, next_due_on: day } : others
}

/** `due_on` becomes `Due on`. */
function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A time as it was recorded, to the minute. */
function momentOf(value: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z$/.exec(value) ?? []
  return day === undefined || time === undefined ? value : `${day} ${time} UTC`
}
