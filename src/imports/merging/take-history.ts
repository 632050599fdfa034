/**
 * Gives people the notes, interactions and follow-ups of Weft's own export, each with its date and time, and the decisions that they are not
 * someone else. Entries that the connection already has, or that the member deleted, are not added again.
 */

import { differentPairs, pairKeyOf } from '../../connections/matching/match-reviews.ts'
import { followUpsOf, followUpKeys } from '../../connections/follow-ups/portable-follow-ups.ts'
import {
  markChanged,
  type IncomingContact,
  type MergeContext,
  type MergedPerson,
  type Network,
} from './matched-people.ts'
import { takeInteractions } from './take-interactions.ts'
import type { MergeResult } from './merge-contact.ts'
import type { ContactHistory } from '../../contact-files/contact/contact.ts'
import type { MemberReader } from '../../db/database.ts'

/** The contacts of a batch and what merging each has done. */
export interface MergedContacts {
  readonly incoming: readonly IncomingContact[]
  readonly results: readonly MergeResult[]
}

/** The results, with `updated` for contacts of which only the history was new. */
export async function takeHistories(
  network: Network,
  reader: MemberReader,
  { incoming, results }: MergedContacts,
): Promise<MergeResult[]> {
  const wanted = incoming.map(({ fingerprint, history }, index) =>
    history && results[index] !== 'skipped'
      ? { history, person: network.byKey.get(fingerprint)?.[0] }
      : undefined,
  )
  await loadFollowUps(
    wanted.flatMap((one) => one?.person ?? []),
    reader,
  )
  const hasDecisions = wanted.some((one) => (one?.history.differentFrom ?? []).length > 0)
  const known = new Set(
    hasDecisions ? (await differentPairs(reader)).map((pair) => pairKeyOf(...pair)) : [],
  )
  return results.map((result, index) => {
    const { history, person } = wanted[index] ?? {}
    if (!history || !person) return result
    const hasMore = takeEntries(person, history, network.context)
    const isDecided = takeDecisions(network, person, history, known)
    return result === 'unchanged' && (hasMore || isDecided) ? 'updated' : result
  })
}

async function loadFollowUps(people: readonly MergedPerson[], reader: MemberReader): Promise<void> {
  const missing = new Map(
    people.flatMap((person) =>
      person.followUps ? [] : [[person.now.connectionId, (person.followUps = new Set<string>())]],
    ),
  )
  for (const one of await followUpsOf(reader, [...missing.keys()]))
    for (const key of followUpKeys(one)) missing.get(one.connectionId ?? 0)?.add(key)
}

/** Returns false if the person has all of them. */
function takeEntries(
  person: MergedPerson,
  history: ContactHistory,
  context: MergeContext,
): boolean {
  const { noteTexts = new Set(), followUps: known = new Set() } = person
  const { now } = context
  const createdAt = (at: number | null) => Math.min(at ?? now, now)
  const notes = history.notes.filter(({ text }) => !noteTexts.has(text))
  const followUps = history.followUps.filter((one) => {
    const [key, series] = followUpKeys(one)
    return !known.has(key) && !(one.isWholeSeries === true && known.has(series))
  })
  const hasInteractions = takeInteractions(person, history.interactions)
  if (notes.length + followUps.length === 0 && !hasInteractions) return false
  for (const one of notes) {
    noteTexts.add(one.text)
    person.newNotes.push({ ...one, createdAt: createdAt(one.createdAt) })
  }
  for (const one of followUps) {
    known.add(followUpKeys(one)[0])
    person.newFollowUps.push({
      dueTime: '',
      ...one,
      createdAt: createdAt(one.createdAt),
      updatedAt: now,
    })
  }
  markChanged(person, context)
  return true
}

/** `known` has the pairs that the network already knows to be different people. */
function takeDecisions(
  { byKey }: Network,
  person: MergedPerson,
  { differentFrom = [] }: ContactHistory,
  known: ReadonlySet<string>,
): boolean {
  const isKnown = (other: MergedPerson) =>
    person.before !== undefined &&
    other.before !== undefined &&
    known.has(pairKeyOf(person.now.connectionId, other.now.connectionId))
  const others = differentFrom
    .flatMap((key) => byKey.get(key)?.[0] ?? [])
    .filter((other) => other !== person && other.now.deletedAt === null && !isKnown(other))
  person.different.push(...others)
  return others.length > 0
}
