/** What undoing and redoing the changes of an import have in common. */

import {
  LIST_FIELDS,
  TEXT_FIELDS,
  type Connection,
  type ListField,
  type TextField,
} from '../connections/model/connection.ts'
import { hasOwnTags, isTypedSince } from './merging/contact-origin.ts'
import { withSourceOf } from '../connections/model/field-sources.ts'
import {
  detailFieldsOf,
  detailOf,
  withDetails,
  type DetailField,
} from '../contact-files/contact/details.ts'
import { keysOf } from '../connections/model/match-keys.ts'
import { withStoredPhoto } from '../connections/model/photo-store.ts'
import { tagOf } from '../connections/model/tag-store.ts'
import type { MemberTransaction } from '../db/database.ts'
import type { StoredFollowUp } from '../connections/follow-ups/follow-ups.ts'
import type { ConnectionKey } from '../connections/model/connection-key.ts'
import type { ImportedChange } from '../connections/imported-changes/imported-change.ts'

/** Some of the changes of an import. */
export interface Slice {
  readonly jobId: number
  readonly effects: readonly Effect[]
  /** IDs of connections that others were merged into since. */
  readonly merged: ReadonlySet<number>
  readonly now: number
  /** When the import was started. */
  readonly startedAt: number
}

/** The change of an import to a connection that still exists or can be restored. */
export interface Effect {
  readonly connection: Connection
  /** Undefined when the import created the connection. */
  readonly change: ImportedChange | undefined
  /** Numbers of connections that the import recorded to be other people. */
  readonly decisions: readonly number[]
  /** Whether it has a typed note, or a follow-up that the member planned or changed. */
  readonly hasTypedContent: boolean
}

/** A connection that an undo or redo changes. */
export interface Reversal {
  readonly before: Connection
  readonly after: Connection
  readonly change: ImportedChange
}

/** Why a connection is skipped if the last import that changed it is not the expected one. */
export function changeSince(
  { deletedAt, importJobId }: Connection,
  expectedJobId: number | null,
): string | undefined {
  if (deletedAt !== null) return 'was deleted'
  return importJobId === expectedJobId ? undefined : 'was changed by a later import'
}

/** The fields that an import may have changed. */
export function fieldsOf(one: Connection, other: Connection): UndoneField[] {
  return [...TEXT_FIELDS, ...LIST_FIELDS, ...detailFieldsOf(one.details, other.details)]
}

type UndoneField = TextField | ListField | DetailField

/** Whether the member typed the value of a field. Imports change none of these, except with newer ones of an export. */
export function isOwnValue(
  present: Connection,
  field: UndoneField,
  { restored = [] }: ImportedChange,
  { startedAt }: Slice,
): boolean {
  const since = restored.includes(field) ? startedAt : 0
  return isTypedSince(present, field, since)
}

/** Its value of a field that an import may have changed. */
export function fieldValue(connection: Connection, field: UndoneField): unknown {
  return isMainField(field) ? connection[field] : detailOf(connection.details, field)
}

function isMainField(field: UndoneField): field is TextField | ListField {
  return MAIN_FIELDS.has(field)
}

const MAIN_FIELDS: ReadonlySet<string> = new Set([...TEXT_FIELDS, ...LIST_FIELDS])

/** Without photos that were purged since. */
export function withStoredPhotos(
  tx: MemberTransaction,
  reversals: readonly Reversal[],
): Promise<Reversal[]> {
  return Promise.all(
    reversals.map(async (one) => ({
      ...one,
      after: await withStoredPhoto(tx, one.after, one.before),
    })),
  )
}

/** The follow-ups that the import added. */
export function followUpsIn({
  change: { added_follow_ups = [] },
}: Reversal): readonly StoredFollowUp[] {
  return added_follow_ups
}

/** The pairs of people that the import recorded to be different, the lower number first. */
export function decidedPairs(effects: readonly Effect[]): [number, number][] {
  return effects.flatMap(({ connection: { connectionId: one }, decisions }) =>
    decisions.map((other): [number, number] => [Math.min(one, other), Math.max(one, other)]),
  )
}

/** The number of the connection. */
export function revertedId({ after }: Reversal): number {
  return after.connectionId
}

/** The number of the connection that has this key. */
export function connectionOfKey({ connectionId }: ConnectionKey): number {
  return connectionId
}

/** The keys of the connection as it is afterwards. */
export function connectionKeysOf({ after }: Reversal): ConnectionKey[] {
  const { connectionId } = after
  return keysOf(after).map((key) => ({ key, connectionId }))
}

/** The tags that the import added, unless the member has edited the tags. */
export function importedTagsOf({ before: { connectionId, fieldSources }, change }: Reversal) {
  if (hasOwnTags(fieldSources)) return []
  return change.added_tags.map((tag) => ({ ...tagOf(tag), connectionId }))
}

/** The next version of `present`, with these fields and their sources from `other`. */
export function withFieldsOf(
  present: Connection,
  other: Connection,
  fields: readonly UndoneField[],
  now: number,
): Connection {
  const values: Record<string, unknown> = {}
  let { fieldSources } = present
  for (const field of fields) {
    if (isMainField(field)) values[field] = other[field]
    fieldSources = withSourceOf(fieldSources, field, other.fieldSources)
  }
  const { importJobId } = other
  const version = present.version + 1
  const details = withDetails(
    present.details,
    fields.flatMap((field) =>
      isMainField(field) ? [] : [[field, detailOf(other.details, field)] as const],
    ),
  )
  return { ...present, ...values, details, fieldSources, importJobId, version, updatedAt: now }
}
