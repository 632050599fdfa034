/** Stores the people that an import added or changed, and what an undo of the import needs. */

import { keysOf } from '../model/match-keys.ts'
import {
  addKeys,
  addNotes,
  addTags,
  insertConnectionRows,
  numberConnections,
  updateConnection,
} from '../model/connection-store.ts'
import { saveFieldRegistry } from '../model/custom-fields.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import { queueReviews } from '../matching/match-reviews.ts'
import { saveCreated, saveImportedChanges, type ImportedChange } from './import-changes.ts'
import type { Connection } from '../model/connection.ts'
import type { MergeContext, Network, MergedPerson } from './matched-people.ts'
import type { MemberTransaction } from '../../db/database.ts'

export async function savePeople(
  tx: MemberTransaction,
  { people, fields }: Network,
  context: MergeContext,
): Promise<void> {
  if (fields) await saveFieldRegistry(tx, fields)
  const added = people.filter(({ before }) => before === undefined)
  const changed = people.filter(
    ({ before, now }) => before !== undefined && before.version !== now.version,
  )
  await saveAdded(tx, added, context)
  await queueReviews(
    tx,
    added.flatMap(({ now, perhaps }) =>
      perhaps
        ? {
            ids: [now.connectionId, perhaps.candidate.now.connectionId],
            decision: perhaps.decision,
            jobId: context.jobId,
            now: context.now,
          }
        : [],
    ),
  )
  const changes = new Map<number, ImportedChange>()
  for (const person of people) {
    const change = await saveChanged(tx, person, context)
    if (change) changes.set(person.now.connectionId, change)
  }
  await saveImportedChanges(tx, context.jobId, changes)
  await addKeys(
    tx,
    people.flatMap(({ now, keys, otherKeys }) =>
      [...keys, ...otherKeys].map((key) => ({ key, connectionId: now.connectionId })),
    ),
  )
  await recordSearchChanges(
    tx,
    changed.map(({ now }) => now.connectionId),
  )
}

async function saveAdded(
  tx: MemberTransaction,
  added: readonly MergedPerson[],
  context: MergeContext,
): Promise<void> {
  if (added.length === 0) return
  const first = await numberConnections(tx, added.length)
  for (const [index, person] of added.entries())
    person.now = { ...person.now, connectionId: first + index }
  await insertConnectionRows(
    tx,
    added.map(({ now }) => now),
  )
  for (const person of added) await saveTagsAndNotes(tx, person, context)
  await recordSearchChanges(
    tx,
    added.map(({ now }) => now.connectionId),
  )
  await saveCreated(
    tx,
    context.jobId,
    added.map(({ now }) => now.connectionId),
  )
}

/** Saves changes to an existing person; returns what an undo needs, or undefined when nothing changed. */
async function saveChanged(
  tx: MemberTransaction,
  person: MergedPerson,
  context: MergeContext,
): Promise<ImportedChange | undefined> {
  const { before, now } = person
  if (!before || now.deletedAt !== null) return undefined
  const added_keys = addedKeys(person, before)
  const match = person.match && { score: person.match.score, reasons: person.match.reasons }
  const details = {
    ...(match && { match }),
    ...(person.contact && { contact: person.contact, source: context.source }),
    ...(person.renewed.length > 0 && { renewed: person.renewed }),
  }
  if (before.version === now.version)
    return added_keys.length + person.renewed.length === 0
      ? undefined
      : { added_tags: [], added_notes: [], added_keys, ...details }
  await updateConnection(tx, before, now)
  const added_notes = await saveTagsAndNotes(tx, person, context)
  const added_tags = person.newTags.map(({ tag }) => tag)
  return { connection: before, added_tags, added_notes, added_keys, ...details }
}

function addedKeys({ keys, otherKeys, keysBefore }: MergedPerson, before: Connection): string[] {
  const had = new Set([...keysBefore, ...keysOf(before)])
  return [...new Set([...keys, ...otherKeys])].filter((key) => !had.has(key))
}

async function saveTagsAndNotes(
  tx: MemberTransaction,
  person: MergedPerson,
  { now }: MergeContext,
): Promise<number[]> {
  const { connectionId } = person.now
  if (person.newTags.length > 0) await addTags(tx, connectionId, person.newTags)
  const notes = await addNotes(
    tx,
    person.newNotes.map((text) => ({
      connectionId,
      text,
      happenedOn: null,
      origin: 'import',
      createdAt: now,
    })),
  )
  return notes.map(({ noteId }) => noteId)
}
