/** Stores the people that an import added or changed, and what an undo of the import needs. */

import { reserveNumbers } from '../../tools/network-numbers.ts'
import { setImmediate } from 'node:timers/promises'
import { hasSameKeys, keysOf } from '../../connections/model/match-keys.ts'
import { addKeys } from '../../connections/model/key-store.ts'
import { relationKeysOf } from '../../connections/model/relation-keys.ts'
import type { ConnectionKey } from '../../connections/model/connection-key.ts'
import { addImportedFollowUps } from '../../connections/follow-ups/portable-follow-ups.ts'
import { type FollowUp } from '../../connections/follow-ups/follow-ups.ts'
import { addImportedInteractions } from '../../connections/interactions/imported-interactions.ts'
import { insertDrafts } from '../../records/recorded-table.ts'
import { NOTES, type Note } from '../../connections/notes/notes.ts'
import { addTagsOf } from '../../connections/model/tag-store.ts'
import {
  insertConnectionRows,
  updateConnectionRows,
} from '../../connections/model/connection-store.ts'
import { saveFieldRegistry } from '../../connections/custom-fields/imported-custom-fields.ts'
import { recordKeyChanges, recordSearchChanges } from '../../connections/model/search-changes.ts'
import {
  queueReviews,
  recordDifferentPairs,
  type QueuedReview,
} from '../../connections/matching/match-reviews.ts'
import {
  saveCreated,
  saveImportedChanges,
} from '../../connections/imported-changes/import-changes.ts'
import {
  NOTHING_ADDED,
  type ImportedChange,
  type MergedRow,
} from '../../connections/imported-changes/imported-change.ts'
import { addAwaitedMembers } from './awaited-members.ts'
import { pointRelations } from './card-links.ts'
import { saveCadences } from './take-cadences.ts'
import { restoredFields } from './contact-origin.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { MergeContext, Network, MergedPerson } from './matched-people.ts'
import type { MemberTransaction } from '../../db/database.ts'

type KnownPerson = MergedPerson & { readonly before: Connection }

/** Each table is written once per batch, not once per person. */
export async function savePeople(tx: MemberTransaction, network: Network): Promise<void> {
  const { people, fields, awaited, context } = network
  await setImmediate() // other calls run in between, here and below
  const { added, known, changed } = groupsOf(people)
  if (fields) await saveFieldRegistry(tx, fields)
  await addAwaitedMembers(tx, context.jobId, awaited)
  if (added.length > 0)
    numberPeople(added, await reserveNumbers(tx, 'last_connection', added.length))
  pointRelations(network)
  await insertConnectionRows(
    tx,
    added.map(({ now }) => now),
  )
  await queueReviews(tx, reviewsOf(people, context))
  await setImmediate()
  await updateConnectionRows(
    tx,
    changed.map(({ before, now }) => ({ before, after: now })),
  )
  await saveTags(tx, people)
  const additions = {
    notes: await saveNotes(tx, people),
    followUps: await saveFollowUps(tx, people),
    interactions: await saveInteractions(tx, people, context),
    decisions: await saveDecisions(tx, people, context),
  }
  await saveCadences(tx, people, context.now)
  await saveCreated(
    tx,
    context.jobId,
    added.map((person) => [person.now.connectionId, creationOf(person, additions)]),
  )
  const changes = changesOf(known, additions, context)
  await saveImportedChanges(tx, context.jobId, changes)
  await addKeys(tx, people.flatMap(newKeysOf))
  await addKeys(
    tx,
    [...added, ...changed].flatMap(({ now }) => relationKeysOf(now)),
  )
  await setImmediate()
  if (added.length + changed.length === 0)
    await recordKeyChanges(tx, [...changes.keys(), ...withNewKeys(people)])
  await recordSearchChanges(tx, idsOf(added))
  await recordSearchChanges(tx, idsOf(changed))
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

async function saveTags(tx: MemberTransaction, people: readonly MergedPerson[]): Promise<void> {
  const tags = people.flatMap(({ now: { connectionId }, newTags }) =>
    newTags.map((tag) => ({ ...tag, connectionId })),
  )
  if (tags.length > 0) await addTagsOf(tx, tags)
}

/** What a batch added to connections, by their numbers. */
interface Additions {
  readonly notes: ReadonlyMap<number, readonly Note[]>
  readonly followUps: ReadonlyMap<number, readonly FollowUp[]>
  readonly interactions: ReadonlyMap<number, readonly number[]>
  /** Numbers of people who are new to be known as different. */
  readonly decisions: ReadonlyMap<number, readonly number[]>
}

async function saveNotes(
  tx: MemberTransaction,
  people: readonly MergedPerson[],
): Promise<Additions['notes']> {
  const notes = people.flatMap(({ now: { connectionId }, newNotes }) =>
    newNotes.map((note) => ({ ...note, connectionId })),
  )
  return Map.groupBy(await insertDrafts(NOTES, tx, notes), ({ connectionId }) => connectionId)
}

async function saveFollowUps(
  tx: MemberTransaction,
  people: readonly MergedPerson[],
): Promise<Additions['followUps']> {
  const followUps = people.flatMap(({ now: { connectionId }, newFollowUps }) =>
    newFollowUps.map((followUp) => ({ ...followUp, connectionId })),
  )
  return Map.groupBy(
    await addImportedFollowUps(tx, followUps),
    ({ connectionId }) => connectionId ?? 0,
  )
}

async function saveInteractions(
  tx: MemberTransaction,
  people: readonly MergedPerson[],
  { now }: MergeContext,
): Promise<Additions['interactions']> {
  return addImportedInteractions(
    tx,
    people.map(({ before, now: { connectionId }, newInteractions }) => ({
      connectionId,
      isNew: before === undefined,
      interactions: newInteractions,
    })),
    now,
  )
}

async function saveDecisions(
  tx: MemberTransaction,
  people: readonly MergedPerson[],
  { now }: MergeContext,
): Promise<Additions['decisions']> {
  const decided = people.flatMap((person) =>
    person.different.map((other): [number, number] => [
      person.now.connectionId,
      other.now.connectionId,
    ]),
  )
  if (decided.length === 0) return new Map()
  const pairs = decided.map(([one, other]): [number, number] => [
    Math.min(one, other),
    Math.max(one, other),
  ])
  await recordDifferentPairs(tx, pairs, now)
  const byPerson = Map.groupBy(decided, ([one]) => one)
  return new Map([...byPerson].map(([one, its]) => [one, its.map(([, other]) => other)]))
}

/** Null if the import only created the person: what an undo must not take for the member's own is recorded. */
function creationOf(person: MergedPerson, additions: Additions): ImportedChange | null {
  const { notes, followUps, decisions } = additions
  const id = person.now.connectionId
  const typed = (notes.get(id) ?? []).filter(({ origin }) => origin === 'typed')
  const added_follow_ups = followUps.get(id) ?? []
  const added_decisions = decisions.get(id) ?? []
  const merged_rows = rowsOf(person, additions)
  if ([typed, added_follow_ups, added_decisions, merged_rows].every(({ length }) => length === 0))
    return null
  const added_notes = typed.map(({ noteId }) => noteId)
  return { ...NOTHING_ADDED, added_notes, added_follow_ups, added_decisions, merged_rows }
}

/** Data for the undo, by connection. */
function changesOf(
  known: readonly KnownPerson[],
  additions: Additions,
  context: MergeContext,
): Map<number, ImportedChange> {
  return new Map(
    known.flatMap((person) => {
      const change = changeOf(person, additions, context)
      return change ? [[person.now.connectionId, change] as const] : []
    }),
  )
}

/** Undefined when nothing changed. A link to a card that has arrived is not a change of the import. */
function changeOf(
  person: KnownPerson,
  additions: Additions,
  { source, jobId }: MergeContext,
): ImportedChange | undefined {
  const { notes, followUps, interactions, decisions } = additions
  const { before, now, match, contact, renewed, newTags, job } = person
  const id = now.connectionId
  const isChanged = before.version !== now.version && now.importJobId === jobId
  const added_keys = addedKeys(person)
  const added_decisions = decisions.get(id) ?? []
  if (!isChanged && added_keys.length + renewed.length + added_decisions.length === 0)
    return undefined
  const always = {
    match: match && { score: match.score, reasons: match.reasons },
    ...(contact && { contact, source }),
    renewed,
    job_after: job,
    merged_rows: rowsOf(person, additions),
    added_keys,
    added_decisions,
  }
  if (!isChanged) return { ...NOTHING_ADDED, ...always }
  return {
    ...always,
    connection: before,
    added_tags: newTags.map(({ tag }) => tag),
    added_notes: (notes.get(id) ?? []).map(({ noteId }) => noteId),
    added_follow_ups: followUps.get(id) ?? [],
    added_interactions: interactions.get(id) ?? [],
    added_cadence: person.cadence,
    restored: restoredFields(before, now),
  }
}

/** The rows that were merged, with the numbers of their notes and interactions. */
function rowsOf(
  { now, mergedRows }: MergedPerson,
  additions: Pick<Additions, 'notes' | 'interactions'>,
): readonly MergedRow[] {
  const added = additions.notes.get(now.connectionId) ?? []
  const numbers = additions.interactions.get(now.connectionId) ?? []
  return mergedRows.map(({ notes, interactions, ...row }) => ({
    ...row,
    added_notes: notes.flatMap((at) => added[at]?.noteId ?? []),
    ...(interactions.length > 0 && {
      added_interactions: interactions.flatMap((at) => numbers[at] ?? []),
    }),
  }))
}

function addedKeys({ keys, otherKeys, keysBefore, before, now }: KnownPerson): string[] {
  if (keys.length + otherKeys.length === 0) return []
  const isKept = keys.length > 0 && hasSameKeys(before, now)
  const had = new Set([...keysBefore, ...(isKept ? keys : keysOf(before))])
  return [...new Set([...keys, ...otherKeys])].filter((key) => !had.has(key))
}

function withNewKeys(people: readonly MergedPerson[]): readonly number[] {
  return idsOf(people.filter((person) => person.before && missingKeysOf(person).length > 0))
}

/** Returns the keys that are not stored for the person yet, each once. */
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
