/** Stores the people that an import added or changed, and what an undo of the import needs. */

import { setImmediate } from 'node:timers/promises'
import { hasSameKeys, keysOf } from '../../connections/model/match-keys.ts'
import { addKeys, addKeysOfNew } from '../../connections/model/key-store.ts'
import type { ConnectionKey } from '../../connections/model/connection-key.ts'
import { addNotes } from '../../connections/model/note-store.ts'
import { addTagsOf } from '../../connections/model/tag-store.ts'
import {
  insertConnectionRows,
  numberConnections,
  updateConnectionRows,
} from '../../connections/model/connection-store.ts'
import { saveFieldRegistry } from '../../connections/model/custom-field-registry.ts'
import { recordKeyChanges, recordSearchChanges } from '../../connections/model/search-changes.ts'
import { queueReviews, type QueuedReview } from '../../connections/matching/match-reviews.ts'
import {
  saveCreated,
  saveImportedChanges,
  saveRowsOfCreated,
} from '../../connections/imported-changes/import-changes.ts'
import type {
  ImportedChange,
  MergedRow,
} from '../../connections/imported-changes/imported-change.ts'
import { restoredFields } from './contact-origin.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { MergeContext, Network, MergedPerson } from './matched-people.ts'
import type { MemberTransaction } from '../../db/database.ts'

/** A person who was in the network before this batch. */
type KnownPerson = MergedPerson & { readonly before: Connection }

/**
 * Each table is written once per batch, not once per person. Returns the new version of the network; undefined if nothing
 * changed.
 */
export async function savePeople(
  tx: MemberTransaction,
  { people, fields }: Network,
  context: MergeContext,
): Promise<number | undefined> {
  const { added, known, changed } = groupsOf(people)
  if (fields) await saveFieldRegistry(tx, fields)
  await saveAdded(tx, added, context)
  await queueReviews(tx, reviewsOf(people, context))
  await setImmediate() // other calls run in between
  await updateConnectionRows(
    tx,
    changed.map(({ before, now }) => ({ before, after: now })),
  )
  await saveTags(tx, [...added, ...changed])
  const notes = await saveNotes(tx, [...added, ...changed], context)
  await saveRowsOfCreated(
    tx,
    context.jobId,
    added.map((person) => [person.now.connectionId, rowsOf(person, notes)]),
  )
  const changes = changesOf(known, notes, context)
  await saveImportedChanges(tx, context.jobId, changes)
  await saveKeys(tx, people)
  await setImmediate()
  return added.length + changed.length === 0
    ? recordKeyChanges(tx, [...changes.keys(), ...withNewKeys(people)])
    : recordPeople(tx, [added, changed])
}

interface Groups {
  readonly added: readonly MergedPerson[]
  readonly known: readonly KnownPerson[]
  readonly changed: readonly KnownPerson[]
}

function groupsOf(people: readonly MergedPerson[]): Groups {
  const known = people.filter(isKnown)
  return {
    added: people.filter(({ before }) => before === undefined),
    known,
    changed: known.filter(({ before, now }) => before.version !== now.version),
  }
}

function isKnown(person: MergedPerson): person is KnownPerson {
  return person.before !== undefined && person.now.deletedAt === null
}

function idsOf(people: readonly MergedPerson[]): number[] {
  return people.map(({ now }) => now.connectionId)
}

function numberPeople(added: readonly MergedPerson[], first: number): void {
  for (const [index, person] of added.entries())
    person.now = { ...person.now, connectionId: first + index }
}

async function saveAdded(
  tx: MemberTransaction,
  added: readonly MergedPerson[],
  { jobId }: MergeContext,
): Promise<void> {
  if (added.length === 0) return
  numberPeople(added, await numberConnections(tx, added.length))
  await insertConnectionRows(
    tx,
    added.map(({ now }) => now),
  )
  await saveCreated(tx, jobId, idsOf(added))
}

/** The pairs of people who may be the same. The new ones have their numbers. */
function reviewsOf(
  people: readonly MergedPerson[],
  { jobId, now: at }: MergeContext,
): readonly QueuedReview[] {
  return people.flatMap(({ now, perhaps }) =>
    perhaps.map(({ candidate, decision }) => ({
      ids: [now.connectionId, candidate.now.connectionId] as const,
      decision,
      jobId,
      now: at,
    })),
  )
}

/** Returns the new version of the network. */
async function recordPeople(
  tx: MemberTransaction,
  groups: readonly (readonly MergedPerson[])[],
): Promise<number | undefined> {
  let version: number | undefined
  for (const people of groups) version = (await recordSearchChanges(tx, idsOf(people))) ?? version
  return version
}

async function saveTags(tx: MemberTransaction, people: readonly MergedPerson[]): Promise<void> {
  const tags = people.flatMap(({ now: { connectionId }, newTags }) =>
    newTags.map((tag) => ({ ...tag, connectionId })),
  )
  if (tags.length > 0) await addTagsOf(tx, tags)
}

/** Returns the numbers of the new notes by connection. */
async function saveNotes(
  tx: MemberTransaction,
  people: readonly MergedPerson[],
  { now: createdAt }: MergeContext,
): Promise<ReadonlyMap<number, number[]>> {
  const notes = await addNotes(
    tx,
    people.flatMap(({ now: { connectionId }, newNotes }) =>
      newNotes.map((text) => ({
        connectionId,
        text,
        happenedOn: null,
        origin: 'import' as const,
        createdAt,
      })),
    ),
  )
  const numbers = new Map<number, number[]>()
  for (const { connectionId, noteId } of notes) {
    const there = numbers.get(connectionId)
    if (there) there.push(noteId)
    else numbers.set(connectionId, [noteId])
  }
  return numbers
}

/** Data for the undo, by connection. */
function changesOf(
  known: readonly KnownPerson[],
  notes: ReadonlyMap<number, number[]>,
  context: MergeContext,
): Map<number, ImportedChange> {
  return new Map(
    known.flatMap((person) => {
      const change = changeOf(person, notes, context)
      return change ? [[person.now.connectionId, change] as const] : []
    }),
  )
}

/** Undefined when nothing changed. A link to a card that has arrived is not a change of the import. */
function changeOf(
  person: KnownPerson,
  notes: ReadonlyMap<number, number[]>,
  { source, jobId }: MergeContext,
): ImportedChange | undefined {
  const { before, now, match, contact, renewed, mergedRows, job } = person
  const added_keys = addedKeys(person)
  const details = {
    ...(match && { match: { score: match.score, reasons: match.reasons } }),
    ...(contact && { contact, source }),
    ...(renewed.length > 0 && { renewed }),
    ...(job && { job_after: job }),
    ...(mergedRows.length > 0 && { merged_rows: rowsOf(person, notes) }),
  }
  if (before.version === now.version || now.importJobId !== jobId)
    return added_keys.length + renewed.length === 0
      ? undefined
      : { added_tags: [], added_notes: [], added_keys, ...details }
  const added_notes = notes.get(now.connectionId) ?? []
  const added_tags = person.newTags.map(({ tag }) => tag)
  const fields = restoredFields(before, now)
  const restored = fields.length > 0 && { restored: fields }
  return { connection: before, added_tags, added_notes, added_keys, ...details, ...restored }
}

/** The rows that were merged, with the numbers of their notes. */
function rowsOf(
  { now, mergedRows }: MergedPerson,
  numbers: ReadonlyMap<number, readonly number[]>,
): readonly MergedRow[] {
  const all = numbers.get(now.connectionId) ?? []
  return mergedRows.map(({ notes, ...row }) => ({
    ...row,
    added_notes: notes.flatMap((at) => all[at] ?? []),
  }))
}

function addedKeys({ keys, otherKeys, keysBefore, before, now }: KnownPerson): string[] {
  if (keys.length + otherKeys.length === 0) return []
  const isKept = keys.length > 0 && hasSameKeys(before, now)
  const had = new Set([...keysBefore, ...(isKept ? keys : keysOf(before))])
  return [...new Set([...keys, ...otherKeys])].filter((key) => !had.has(key))
}

async function saveKeys(tx: MemberTransaction, people: readonly MergedPerson[]): Promise<void> {
  await addKeysOfNew(tx, people.filter(({ before }) => !before).flatMap(newKeysOf))
  await addKeys(tx, people.filter(({ before }) => before).flatMap(newKeysOf))
}

/** Those who were in the network before and have new keys. */
function withNewKeys(people: readonly MergedPerson[]): readonly number[] {
  return idsOf(people.filter((person) => person.before && missingKeysOf(person).length > 0))
}

/** Those that are not stored for the person yet, each once. */
function missingKeysOf({ keys, otherKeys, ownKeys }: MergedPerson): string[] {
  const missing: string[] = []
  for (const some of [keys, otherKeys])
    for (const key of some) if (!ownKeys.has(key) && !missing.includes(key)) missing.push(key)
  return missing
}

function newKeysOf(person: MergedPerson): ConnectionKey[] {
  const { connectionId } = person.now
  return missingKeysOf(person).map((key) => ({ key, connectionId }))
}
