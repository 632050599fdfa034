/**
 * Adds a person's notes and follow-ups from Weft's own export, each with its date and time, and the decisions that they are
 * not someone else. Entries that the connection already has, or that the member deleted, are not added again.
 */

import {
  differentPairs,
  pairKeyOf,
  recordDifferentPairs,
} from '../../connections/matching/match-reviews.ts'
import { addFollowUps, type StoredFollowUp } from '../../connections/follow-ups/follow-ups.ts'
import { followUpsOf } from '../../connections/follow-ups/imported-follow-ups.ts'
import { addNotes, noteTextsOf } from '../../connections/model/note-store.ts'
import { findByKeys } from '../../connections/model/key-store.ts'
import { findPresent, updateConnection } from '../../connections/model/connection-store.ts'
import { fingerprintKey } from '../../contact-files/contact/contact-keys.ts'
import { recordSearchChanges } from '../../connections/model/search-changes.ts'
import {
  readImportedChanges,
  saveAddedDecisions,
  saveAddedToCreated,
  saveImportedChanges,
} from '../../connections/imported-changes/import-changes.ts'
import type { ImportedChange } from '../../connections/imported-changes/imported-change.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { ContactHistory, ImportRow } from '../../contact-files/contact/contact.ts'
import { loadNoteTexts } from './load-people.ts'
import { type MergedPerson, type Network } from './matched-people.ts'
import type { MergeResult } from './merge-contact.ts'

/** A connection and its missing entries from the file. */
interface Missing extends ContactHistory {
  readonly connection: Connection
}

/** The results, with `updated` for rows where only the history was new. `results` has one entry per contact. */
export async function restoreHistory(
  tx: MemberTransaction,
  rows: readonly ImportRow[],
  results: readonly MergeResult[],
  { jobId, now }: { readonly jobId: number; readonly now: number },
): Promise<readonly MergeResult[]> {
  const decided = await restoreDecisions(tx, historyIn(rows, results), { jobId, now })
  const missing = await missingHistory(tx, rows, results)
  if (missing.size === 0) return withUpdated(results, decided)
  const people = [...new Set(missing.values())]
  const changes = await readImportedChanges(
    tx,
    jobId,
    people.map(({ connection }) => connection.connectionId),
  )
  for (const one of people) await addHistory(tx, one, { jobId, now, earlier: changes })
  await recordSearchChanges(
    tx,
    people.map(({ connection }) => connection.connectionId),
  )
  return withUpdated(results, new Set([...missing.keys(), ...decided]))
}

/** Records again who the member decided are different people. Returns the indexes of contacts with new decisions. */
async function restoreDecisions(
  tx: MemberTransaction,
  rows: readonly WantedHistory[],
  { jobId, now }: { readonly jobId: number; readonly now: number },
): Promise<ReadonlySet<number>> {
  const wanted = decisionsIn(rows)
  if (wanted.length === 0) return new Set()
  const people = await peopleByKey(
    tx,
    wanted.flatMap(({ keys }) => keys),
  )
  const decided = wanted.flatMap(({ index, keys }) => {
    const [one, other] = keys.map((key) => people.get(key)?.connectionId)
    return one === undefined || other === undefined || one === other ? [] : [{ index, one, other }]
  })
  const recorded = await recordDifferentPairs(
    tx,
    decided.map(({ one, other }) => [Math.min(one, other), Math.max(one, other)]),
    now,
  )
  const isNew = new Set(recorded.map((pair) => pairKeyOf(...pair)))
  const added = decided.filter(({ one, other }) => isNew.has(pairKeyOf(one, other)))
  const byPerson = Map.groupBy(added, ({ one }) => one)
  const others = [...byPerson].map(([id, some]) => [id, some.map(({ other }) => other)] as const)
  await saveAddedDecisions(tx, jobId, new Map(others))
  return new Set(added.map(({ index }) => index))
}

/** The decisions of the rows: the index of the contact, and the fingerprints of both people. */
function decisionsIn(rows: readonly WantedHistory[]) {
  return rows.flatMap(({ index, key, history: { differentFrom = [] } }) =>
    differentFrom.map((other) => ({ index, keys: [key, other] as const })),
  )
}

/** Plans the same for successive batches of a preview. `network` is that of `planMerge`, which has merged each batch before. */
export function planHistory(
  network: Pick<Network, 'byKey'>,
  reader: MemberReader,
): (
  rows: readonly ImportRow[],
  results: readonly MergeResult[],
) => Promise<readonly MergeResult[]> {
  const presentOf = new Map<MergedPerson, PresentHistory>()
  return async (rows, results) => {
    const wanted = historyIn(rows, results).flatMap(({ key, ...one }) => {
      const [person] = network.byKey.get(key) ?? []
      return person ? [{ ...one, person }] : []
    })
    const unread = wanted.map(({ person }) => person).filter((person) => !presentOf.has(person))
    await loadNoteTexts(unread, reader)
    const followUps = await followUpKeysOf(
      reader,
      unread.map(({ now }) => now.connectionId),
    )
    for (const person of unread)
      presentOf.set(person, {
        noteTexts: (person.noteTexts ??= new Set()),
        followUps: followUps.get(person.now.connectionId) ?? new Set(),
      })
    const missing = wanted.filter(({ history, person }) =>
      takeMissing(history, presentOf.get(person)),
    )
    const decided = await plannedDecisions(network, reader, historyIn(rows, results))
    return withUpdated(results, new Set([...missing.map(({ index }) => index), ...decided]))
  }
}

/** The indexes of contacts with decisions that the network does not have. */
async function plannedDecisions(
  { byKey }: Pick<Network, 'byKey'>,
  reader: MemberReader,
  rows: readonly WantedHistory[],
): Promise<readonly number[]> {
  const wanted = decisionsIn(rows)
  if (wanted.length === 0) return []
  const known = new Set((await differentPairs(reader)).map((pair) => pairKeyOf(...pair)))
  return wanted.flatMap(({ index, keys }) => {
    const [one, other] = keys.map((key) => byKey.get(key)?.[0])
    if (!one || !other || one === other) return []
    const isKnown =
      one.before !== undefined &&
      other.before !== undefined &&
      known.has(pairKeyOf(one.now.connectionId, other.now.connectionId))
    return isKnown ? [] : [index]
  })
}

function withUpdated(
  results: readonly MergeResult[],
  missing: Pick<ReadonlySet<number>, 'has' | 'size'>,
): readonly MergeResult[] {
  if (missing.size === 0) return results
  return results.map((result, index) =>
    result === 'unchanged' && missing.has(index) ? 'updated' : result,
  )
}

/** By the index of the contact. Several rows about one person share one entry, under the first row. */
async function missingHistory(
  reader: MemberReader,
  rows: readonly ImportRow[],
  results: readonly MergeResult[],
): Promise<Map<number, Missing>> {
  const wanted = historyIn(rows, results)
  const found = new Map<number, Missing>()
  if (wanted.length === 0) return found
  const people = await peopleByKey(
    reader,
    wanted.map(({ key }) => key),
  )
  const ids = [...new Set([...people.values()].map(({ connectionId }) => connectionId))]
  const noteTexts = await noteTextsOf(reader, ids)
  const followUps = await followUpKeysOf(reader, ids)
  const presentOf = new Map(
    ids.map((id) => [
      id,
      { noteTexts: noteTexts.get(id) ?? new Set(), followUps: followUps.get(id) ?? new Set() },
    ]),
  )
  for (const { index, history, key } of wanted) {
    const connection = people.get(key)
    if (!connection) continue
    const missing = takeMissing(history, presentOf.get(connection.connectionId))
    if (missing) found.set(index, { connection, ...missing })
  }
  return found
}

interface WantedHistory {
  /** Of the contact. */
  readonly index: number
  readonly history: ContactHistory
  /** The fingerprint of the contact. */
  readonly key: string
}

/** The history in these rows, except that of deleted people. */
function historyIn(rows: readonly ImportRow[], results: readonly MergeResult[]): WantedHistory[] {
  return rows
    .flatMap((row) => ('contact' in row ? [row] : []))
    .flatMap(({ contact, keys, record, history }, index) =>
      history && results[index] !== 'skipped'
        ? [{ index, history, key: keys?.fingerprint ?? fingerprintKey(contact, record) }]
        : [],
    )
}

/** What a person has, or has had until the member deleted it. */
interface PresentHistory {
  readonly noteTexts: Set<string>
  /** Keys by `followUpKey`. */
  readonly followUps: Set<string>
}

/** The part of a history that is not present, which is then present. Undefined when there is none. */
function takeMissing(
  history: ContactHistory,
  present: PresentHistory = { noteTexts: new Set(), followUps: new Set() },
): ContactHistory | undefined {
  const notes = history.notes.filter(({ text }) => !present.noteTexts.has(text))
  const followUps = history.followUps.filter((one) => !present.followUps.has(followUpKey(one)))
  if (notes.length + followUps.length === 0) return undefined
  for (const { text } of notes) present.noteTexts.add(text)
  for (const one of followUps) present.followUps.add(followUpKey(one))
  return { notes, followUps }
}

async function followUpKeysOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, Set<string>>> {
  const keys = new Map<number, Set<string>>()
  for (const { connection_id: id, text, due_on: dueOn } of await followUpsOf(reader, ids)) {
    const known = keys.get(id) ?? new Set()
    keys.set(id, known.add(followUpKey({ text, dueOn })))
  }
  return keys
}

function followUpKey({ dueOn, text }: { readonly dueOn: string; readonly text: string }): string {
  return `${dueOn} ${text}`
}

/** The live connection that has taken in the contact with this fingerprint. */
async function peopleByKey(
  reader: MemberReader,
  keys: readonly string[],
): Promise<Map<string, Connection>> {
  const holders = await findByKeys(reader, [...new Set(keys)])
  const present = await findPresent(reader, [
    ...new Set(holders.map(({ connection_id }) => connection_id)),
  ])
  const people = new Map<string, Connection>()
  for (const { key, connection_id } of holders) {
    const person = present.get(connection_id)
    if (!person || person.deletedAt !== null) continue
    const other = people.get(key)
    if (!other || person.connectionId < other.connectionId) people.set(key, person)
  }
  return people
}

interface AddingHistory {
  readonly jobId: number
  readonly now: number
  /** What the import has changed so far; null for connections that it created. */
  readonly earlier: ReadonlyMap<number, ImportedChange | null>
}

async function addHistory(
  tx: MemberTransaction,
  { connection, notes, followUps }: Missing,
  { jobId, now, earlier }: AddingHistory,
): Promise<void> {
  const { connectionId } = connection
  const addedNotes = await addNotes(
    tx,
    notes.map((note) => ({
      ...note,
      connectionId,
      createdAt: Math.min(note.createdAt ?? now, now),
    })),
  )
  const added_follow_ups = await addFollowUps(
    tx,
    followUps.map((one): Omit<StoredFollowUp, 'followUpId'> => ({
      ...one,
      connectionId,
      createdAt: Math.min(one.createdAt ?? now, now),
      updatedAt: now,
    })),
  )
  const before = earlier.get(connectionId)
  if (before === null) {
    const typed = addedNotes.flatMap(({ noteId, origin }) => (origin === 'typed' ? noteId : []))
    const added = { notes: typed, followUps: added_follow_ups }
    await saveAddedToCreated(tx, { jobId, connectionId }, added)
    return
  }
  const change: ImportedChange = {
    connection,
    added_tags: [],
    added_notes: addedNotes.map(({ noteId }) => noteId),
    added_keys: [],
    added_follow_ups,
  }
  await saveImportedChanges(tx, jobId, new Map([[connectionId, change]]))
  if (before?.connection) return // this import has changed it already
  const version = connection.version + 1
  await updateConnection(tx, connection, {
    ...connection,
    importJobId: jobId,
    version,
    updatedAt: now,
  })
}
