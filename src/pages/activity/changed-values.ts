/** The values before and after a change, as readable rows. */

import { cadenceText } from '../../connections/cadence/reconnect-reason.ts'
import { t } from '../../languages/message.ts'
import {
  summarizeChange,
  type ChangedField,
  type ValueText,
} from '../../tools/activity-log/change-summary.ts'
import { fieldLabel, recordedText, type FieldsById } from './recorded-text.ts'
import { recordedIn, type Recorded } from './change-subjects.ts'
import type { ListedChange } from '../../tools/activity-log/read-activity.ts'

export interface ChangedValue {
  /** As it is recorded. */
  readonly field: string
  /** The connection's name, for a change to several connections. */
  readonly whose: string | undefined
  readonly label: string
  /** Undefined if there was, or is, no value. */
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface ChangedValues {
  readonly values: readonly ChangedValue[]
  /** How many values were omitted. */
  readonly more: number
}

const MAX_VALUES = 40

/** What values refer to. */
interface ValueNames {
  /** The names of connections, by public ID. */
  readonly names: ReadonlyMap<string, string>
  readonly customFields: FieldsById
}

export function changedValues(change: ListedChange, known: ValueNames): ChangedValues {
  const [before, after] = [recordedIn(change.before), recordedIn(change.after)]
  const several = after.connections ?? before.connections
  const all = several
    ? several.flatMap((_, index) =>
        valuesOfOne(before.connections?.[index], after.connections?.[index], known),
      )
    : valuesOf(before, after, known)
  const { jobChange } = change
  if (jobChange) all.unshift(...valuesOf({ ...jobChange.before }, { ...jobChange.after }, known))
  return { values: all.slice(0, MAX_VALUES), more: Math.max(all.length - MAX_VALUES, 0) }
}

/** The fields of one of several connections. Names are only loaded for the first few; the others show their ID. */
function valuesOfOne(
  before: Recorded | undefined,
  after: Recorded | undefined,
  known: ValueNames,
): ChangedValue[] {
  const id = after?.connection_id ?? before?.connection_id ?? ''
  const name = after?.['name'] ?? before?.['name']
  const whose = known.names.get(id) ?? (typeof name === 'string' ? name : id)
  return valuesOf(before ?? {}, after ?? {}, known, whose)
}

function valuesOf(
  before: Recorded,
  after: Recorded,
  { names, customFields }: ValueNames,
  whose?: string,
): ChangedValue[] {
  const textOf: ValueText = (field, value) =>
    (typeof value === 'string' ? names.get(value) : undefined) ??
    recordedText(field, value, customFields)
  return summarizeChange(asShown(before), asShown(after), textOf)
    .filter((field) => !isBookkeeping(field))
    .map(({ field, before: was, after: is }) => ({
      field,
      whose,
      label: fieldLabel(field, customFields),
      before: field === 'photo' ? was && t('A photo') : was,
      after: field === 'photo' ? is && (was ? t('Another photo') : t('A photo')) : is,
    }))
}

/** Skips values that are meaningless to people: IDs, unless one replaced another, and `none`. */
function isBookkeeping({ field, before, after }: ChangedField): boolean {
  if (BOOKKEEPING.has(field)) return true
  if (before !== undefined && after !== undefined) return false
  return field.endsWith('_id') || (before ?? after) === 'none'
}

/**
 * The IDs that a merge moved, the origin of tags, the IDs of the custom fields that an import defined, and what the title
 * says of rows that were changed along.
 */
const BOOKKEEPING = new Set([
  'along',
  // The title says it, and the entry when.
  'completed_at',
  'notes',
  'moved_rows',
  'follow_ups',
  'tags_source',
  'custom_fields',
  'to_dos',
  'removed_to_dos',
])

/** Replaces the next occurrence of a recurring follow-up with its due date, and the parts of a cadence with its text. */
function asShown(recorded: Recorded): object {
  const { next, every: _every, unit: _unit, set_on: _setOn, ...others } = recorded
  const day = typeof next === 'object' && next !== null && 'due_on' in next && next.due_on
  const cadence = recordedCadenceText(recorded)
  return {
    ...others,
    ...(typeof day === 'string' && { next_due_on: day }),
    ...(cadence !== undefined && { cadence }),
  }
}

/** The text of a recorded cadence. */
export function recordedCadenceText({ every, unit }: Recorded): string | undefined {
  return typeof every === 'number' && (unit === 'day' || unit === 'week' || unit === 'month')
    ? cadenceText({ every, unit })
    : undefined
}
