/** Undoes and redoes the changes of an import to some connections, with a few statements for all of them. */

import { t } from '../languages/message.ts'
import { moveImportedInteractions } from '../connections/interactions/imported-interactions.ts'
import { changeCadences } from './merging/take-cadences.ts'
import { removeUnchanged, restoreFollowUps } from '../connections/follow-ups/portable-follow-ups.ts'
import { replaceImportedChanges } from '../connections/imported-changes/import-changes.ts'
import { deleteDecisions, recordDifferentPairs } from '../connections/matching/match-reviews.ts'
import {
  LIST_FIELDS,
  publicConnectionId,
  TEXT_FIELDS,
  UNDONE,
  type Connection,
  type ListField,
  type SourcedField,
  type TextField,
} from '../connections/model/connection.ts'
import { updateConnectionRows } from '../connections/model/connection-store.ts'
import { withSourceOf } from '../connections/model/field-sources.ts'
import { addKeys, dropKeys } from '../connections/model/key-store.ts'
import { keysOf } from '../connections/model/match-keys.ts'
import { withStoredPhoto } from '../connections/model/photo-store.ts'
import { recordKeyChanges, recordSearchChanges } from '../connections/model/search-changes.ts'
import { isSame } from '../connections/person/snapshot.ts'
import { addTagsOf, removeTagsOf, tagOf } from '../connections/model/tag-store.ts'
import { removeNotes, restoreNotesOf } from '../connections/undo/withdraw-notes.ts'
import { clearUndone, findSuccessors, markUndone } from '../connections/undo/undone.ts'
import {
  detailFieldsOf,
  detailOf,
  withDetails,
  type DetailField,
} from '../contact-files/contact/details.ts'
import { hasOwnTags, isTypedSince } from './merging/contact-origin.ts'
import type { ImportedChange } from '../connections/imported-changes/imported-change.ts'
import type { MemberTransaction } from '../db/database.ts'

/** Some of the changes of an import. */
interface Slice {
  readonly jobId: number
  readonly effects: readonly Effect[]
  /** IDs of connections that others were merged into since. */
  readonly merged: ReadonlySet<number>
  readonly now: number
  readonly startedAt: number
}

/** The change of an import to a connection that still exists or can be restored. */
export interface Effect {
  readonly connection: Connection
  readonly change: ImportedChange
  /** Whether it has a typed note or interaction, or a follow-up that the member planned or changed. */
  readonly hasTypedContent: boolean
}

/** A connection that the import changed. Both states are the same if the import only added keys or decisions. */
interface Reversal {
  readonly before: Connection
  readonly after: Connection
  readonly change: ImportedChange
}

/** Returns the skipped connections with reasons. */
export async function undoSlice(tx: MemberTransaction, slice: Slice): Promise<string[]> {
  const undone: Effect[] = []
  const skipped: string[] = []
  for (const effect of slice.effects) {
    const { connection, change } = effect
    // A connection that the member deleted stays deleted, so that later imports skip it.
    if ((change.is_created && connection.deletedAt !== null) || isUndone(effect)) continue
    const isUnchanged = !change.is_created && !change.connection
    const since = isUnchanged
      ? undefined
      : (changeSince(connection, slice.jobId) ?? useSince(slice, effect))
    if (since === undefined) undone.push(effect)
    else skipped.push(`${publicConnectionId(connection.connectionId)} ${since}`)
  }
  const pairs = decidedPairs(undone)
  if (pairs.length > 0) await deleteDecisions(tx, pairs)
  const created = undone.flatMap(({ connection, change }) =>
    change.is_created ? connection.connectionId : [],
  )
  await markUndone(tx, created, slice.now)
  const reversals = undone.flatMap(({ connection, change }) =>
    change.is_created ? [] : undoneFrom(connection, change, slice),
  )
  await saveReversals(tx, slice, { reversals, isUndo: true })
  return skipped
}

/** Returns the skipped connections with reasons. */
export async function redoSlice(tx: MemberTransaction, slice: Slice): Promise<string[]> {
  const skipped = await recreate(tx, slice)
  const redone: Effect[] = slice.effects.filter(({ change }) => change.is_created)
  const reversals: Reversal[] = []
  for (const effect of slice.effects) {
    const { connection, change } = effect
    if (change.is_created) continue
    const { connection: original, undone } = change
    if (original && !undone) continue // skipped by the undo, or redone
    const since = original && changeSince(connection, original.importJobId)
    if (since === undefined) {
      redone.push(effect)
      reversals.push(redoneFrom(connection, change, slice))
    } else skipped.push(`${publicConnectionId(connection.connectionId)} ${since}`)
  }
  const pairs = decidedPairs(redone)
  if (pairs.length > 0) await recordDifferentPairs(tx, pairs, slice.now)
  await saveReversals(tx, slice, { reversals, isUndo: false })
  return skipped
}

/** Why a connection is skipped if the last import that changed it is not the expected one. */
function changeSince(
  { deletedAt, importJobId }: Connection,
  expectedJobId: number | null,
): string | undefined {
  if (deletedAt !== null) return t('was deleted')
  return importJobId === expectedJobId ? undefined : t('was changed by a later import')
}

/** Whether an interrupted or concurrent undo has already processed this connection. */
function isUndone({ connection, change }: Effect): boolean {
  return (
    change.undone !== undefined &&
    connection.deletedAt === null &&
    connection.importJobId === change.connection?.importJobId
  )
}

/** The use of a connection since the import, if it prevents the undo. Edits only count for created connections. */
function useSince(slice: Slice, effect: Effect): string | undefined {
  const { connection, change, hasTypedContent } = effect
  if (slice.merged.has(connection.connectionId)) return t('has had other people merged into it')
  if (!change.is_created) return undefined
  if (wasEdited(connection, change, slice)) return t('was edited manually')
  return hasTypedContent ? t('has a new note, contact or follow-up') : undefined
}

function wasEdited(connection: Connection, change: ImportedChange, slice: Slice): boolean {
  const fields = Object.keys(connection.fieldSources) as SourcedField[]
  return fields.some((field) => isOwnValue(connection, field, change, slice))
}

/** The pairs of people that the import recorded to be different, the lower number first. */
function decidedPairs(effects: readonly Effect[]): [number, number][] {
  return effects.flatMap(
    ({ connection: { connectionId: one }, change: { added_decisions: decisions = [] } }) =>
      decisions.map((other): [number, number] => [Math.min(one, other), Math.max(one, other)]),
  )
}

/** Restores connections that the import created, unless the same people were added again in the meantime. */
async function recreate(tx: MemberTransaction, { effects, now }: Slice): Promise<string[]> {
  const undone = effects.flatMap(({ connection, change }) =>
    change.is_created && connection.mergedInto === UNDONE ? [connection] : [],
  )
  const successors = await findSuccessors(tx, undone)
  const wanted = undone.filter(({ connectionId }) => !successors.has(connectionId))
  await clearUndone(tx, wanted, now)
  return [...successors].map(([id, successor]) =>
    t('{id} was added again as {successor}', {
      id: publicConnectionId(id),
      successor: publicConnectionId(successor),
    }),
  )
}

/** Typed fields are kept. */
function undoneFrom(present: Connection, change: ImportedChange, slice: Slice): Reversal {
  const { connection: original } = change
  if (!original) return { before: present, after: present, change }
  const fields = fieldsOf(present, original).filter(
    (field) => !isOwnValue(present, field, change, slice),
  )
  return { before: present, after: withFieldsOf(present, original, fields, slice.now), change }
}

/** Fields that have another value since the undo are kept. */
function redoneFrom(present: Connection, change: ImportedChange, slice: Slice): Reversal {
  const { connection: original, undone } = change
  if (!original || !undone) return { before: present, after: present, change }
  const fields = fieldsOf(present, undone).filter(
    (field) =>
      !isOwnValue(present, field, change, slice) &&
      isSame(fieldValue(present, field), fieldValue(original, field)),
  )
  return { before: present, after: withFieldsOf(present, undone, fields, slice.now), change }
}

/** A field that an import may have changed. */
type UndoneField = TextField | ListField | DetailField

function fieldsOf(one: Connection, other: Connection): UndoneField[] {
  return [...TEXT_FIELDS, ...LIST_FIELDS, ...detailFieldsOf(one.details, other.details)]
}

/**
 * Whether the member typed the value of a field. Imports change none of these, except with newer ones of an export, so only
 * those are compared by their time: the clock may have been set back since.
 */
function isOwnValue(
  present: Connection,
  field: SourcedField,
  { restored = [] }: ImportedChange,
  { startedAt }: Slice,
): boolean {
  return isTypedSince(present, field, restored.includes(field) ? startedAt : 0)
}

function fieldValue(connection: Connection, field: UndoneField): unknown {
  return isMainField(field) ? connection[field] : detailOf(connection.details, field)
}

function isMainField(field: UndoneField): field is TextField | ListField {
  return MAIN_FIELDS.has(field)
}

const MAIN_FIELDS: ReadonlySet<string> = new Set([...TEXT_FIELDS, ...LIST_FIELDS])

/** The next version of `present`, with these fields and their sources from `other`. */
function withFieldsOf(
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

interface Saving {
  readonly reversals: readonly Reversal[]
  readonly isUndo: boolean
}

async function saveReversals(
  tx: MemberTransaction,
  { jobId, now }: Slice,
  { reversals, isUndo }: Saving,
): Promise<void> {
  const changed = await withStoredPhotos(
    tx,
    reversals.filter(({ before, after }) => before !== after),
  )
  await updateConnectionRows(tx, changed)
  await (isUndo
    ? dropKeys(tx, reversals.flatMap(lostKeys))
    : addKeys(tx, reversals.flatMap(addedKeys)))
  await addKeys(
    tx,
    changed.flatMap(({ after }) => keyed(after, keysOf(after))),
  )
  const tags = changed.flatMap(importedTagsOf)
  const notes = changed.flatMap(({ after: { connectionId }, change: { added_notes } }) =>
    added_notes.map((noteId) => ({ noteId, connectionId })),
  )
  const followUps = changed.flatMap(({ change: { added_follow_ups = [] } }) => added_follow_ups)
  const interactions = changed.map(({ after: { connectionId }, change }) => ({
    connectionId,
    interactions: change.added_interactions ?? [],
  }))
  await moveImportedInteractions(tx, interactions, { isUndo, now })
  const cadences = changed.flatMap(({ after: { connectionId }, change }) =>
    change.added_cadence ? [{ connectionId, cadence: change.added_cadence }] : [],
  )
  await changeCadences(tx, cadences, { isUndo, now })
  if (isUndo) {
    const noteIds = notes.map(({ noteId }) => noteId)
    await removeTagsOf(tx, tags)
    await removeNotes(tx, noteIds, now)
    await removeUnchanged(tx, followUps)
  } else {
    await addTagsOf(tx, tags)
    await restoreNotesOf(tx, notes)
    await restoreFollowUps(tx, followUps)
  }
  await replaceImportedChanges(
    tx,
    jobId,
    changed.map(({ before, change }) => [
      before.connectionId,
      { ...change, undone: isUndo ? before : undefined },
    ]),
  )
  const ids = changed.map(({ after }) => after.connectionId)
  if (ids.length > 0) await recordSearchChanges(tx, ids)
  else
    await recordKeyChanges(
      tx,
      reversals.flatMap(addedKeys).map(({ connectionId }) => connectionId),
    )
}

/** Without photos that were purged since. */
function withStoredPhotos(
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

function keyed({ connectionId }: Connection, keys: readonly string[]) {
  return keys.map((key) => ({ key, connectionId }))
}

function addedKeys({ after, change }: Reversal) {
  return keyed(after, change.added_keys)
}

/** The keys that the import added, without those that the connection has anyway. */
function lostKeys({ after, change }: Reversal) {
  const kept = new Set(keysOf(after))
  return keyed(
    after,
    change.added_keys.filter((key) => !kept.has(key)),
  )
}

/** The tags that the import added, unless the member has edited the tags. */
function importedTagsOf({ before: { connectionId, fieldSources }, change }: Reversal) {
  if (hasOwnTags(fieldSources)) return []
  return change.added_tags.map((tag) => ({ ...tagOf(tag), connectionId }))
}
