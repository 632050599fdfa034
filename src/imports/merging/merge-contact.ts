/** Merges one imported contact into the loaded people of a network. */

import {
  LIST_FIELDS,
  newState,
  TEXT_FIELDS,
  type Connection,
} from '../../connections/model/connection.ts'
import { NO_DETAILS } from '../../contact-files/contact/details.ts'
import { skippedKey } from '../../contact-files/contact/contact-keys.ts'
import {
  NO_PEOPLE,
  addHolder,
  newPerson,
  type IncomingContact,
  type MergedPerson,
  type Network,
} from './matched-people.ts'
import { bookCardOwner, takeBookCard, takeCard } from './card-links.ts'
import { isTaken, matchContact } from './match-contact.ts'
import { isReplaced, refreshPerson } from './refresh-person.ts'
import { cutterOf, takeLabels, takeNote } from './take-tags-and-notes.ts'
import { takeInteractions } from './take-interactions.ts'
import { reportLost } from './lost-values.ts'
import {
  MAX_MERGED_ROWS,
  type StateBeforeRow,
  type StoredContact,
} from '../../connections/imported-changes/imported-change.ts'
import type { FoundMatch, Match } from '../../identity/find-match.ts'
import type { ImportedContact } from '../../contact-files/contact/contact.ts'

/**
 * The result for one contact. `review`: created, although someone in the network may be the same person, and queued for
 * the member to decide. `job_changed`: updated with another company or title. `skipped`: the member deleted that
 * connection; it stays deleted.
 */
export type MergeResult = 'created' | 'review' | 'updated' | 'job_changed' | 'unchanged' | 'skipped'

/** Adds or changes a person in `network`, which holds everyone who has a key of the contact. */
export function mergeContact(network: Network, incoming: IncomingContact): MergeResult {
  const { contact, fingerprint, card } = incoming
  const owner = bookCardOwner(network, card)
  const known = knownPerson(network, incoming)
  if (known && (owner === undefined || owner === known)) {
    network.owners.set(contact, known)
    // Another card of the book may be exactly alike.
    if (!isTaken(network, known)) takeBookCard(network, known, card)
    const result = mergeKnown(network, known, incoming)
    takeCard(network, known, card)
    return result
  }
  if (!owner && wasSkipped(network, contact)) return 'skipped'
  const found = owner ? { same: { candidate: owner } } : matchContact(network, incoming)
  const { same, unsure, also }: Found = found
  if (!same) {
    const added = addPerson(network, incoming, unsure)
    network.owners.set(contact, added)
    takeFingerprint(network, added, fingerprint)
    takeBookCard(network, added, card)
    takeCard(network, added, card)
    return unsure ? 'review' : 'created'
  }
  const person = same.candidate
  network.owners.set(contact, person)
  if (incoming.record !== undefined) network.confirmed.add(person.now.connectionId)
  if (person.now.deletedAt !== null) {
    takeFingerprint(network, person, skippedKey(contact))
    return 'skipped'
  }
  takeFingerprint(network, person, fingerprint)
  if (!isTaken(network, person)) takeBookCard(network, person, card)
  if (same.decision) person.match ??= same.decision
  if (also) person.perhaps.push(also)
  const merge = person.now.importJobId === network.context.jobId ? mergeRow : mergeFirst
  const result = merge(network, person, incoming)
  takeCard(network, person, card)
  return result
}

/** A person who is found by a card of their own needs no decision. */
interface Found extends Pick<FoundMatch<MergedPerson>, 'unsure' | 'also'> {
  readonly same?: Pick<Match<MergedPerson>, 'candidate'> & Partial<Match<MergedPerson>>
}

function knownPerson(network: Network, { fingerprint }: IncomingContact): MergedPerson | undefined {
  return network.byKey.get(fingerprint)?.[0]
}

/** The first row of the file about this person. */
function mergeFirst(
  network: Network,
  person: MergedPerson,
  incoming: IncomingContact,
): MergeResult {
  person.contact ??= storedContactOf(incoming)
  const result = refreshPerson(network, person, incoming)
  reportLost(network, person, incoming)
  return result
}

/** An earlier row of the file was about the same person. */
function mergeRow(network: Network, person: MergedPerson, incoming: IncomingContact): MergeResult {
  const before = person.now
  const [tags, notes] = [person.newTags.length, person.newNotes.length]
  const interactions = person.newInteractions.length
  const result = refreshPerson(network, person, incoming)
  const isLost = reportLost(network, person, incoming)
  if ((result !== 'unchanged' || isLost) && person.mergedRows.length < MAX_MERGED_ROWS)
    person.mergedRows.push({
      connection: stateOf(before),
      contact: storedContactOf(incoming),
      source: network.context.source,
      added_tags: person.newTags.slice(tags).map(({ tag }) => tag),
      added_keys: [...incoming.keys.stored, incoming.fingerprint],
      notes: [...person.newNotes.keys()].slice(notes),
      interactions: [...person.newInteractions.keys()].slice(interactions),
    })
  return result
}

/**
 * A contact that the network has already taken in says nothing new, unless a later file of the same kind replaced its
 * values: then the file that is imported now is the newest again.
 */
function mergeKnown(
  network: Network,
  person: MergedPerson,
  incoming: IncomingContact,
): MergeResult {
  const { fingerprint } = incoming
  const { context } = network
  if (person.now.deletedAt !== null) return 'skipped'
  const { latest, now } = person
  if (now.importJobId === context.jobId && person.before !== undefined) {
    // Another row of this file about the same person came first.
    person.renewed.push(fingerprint)
    return 'unchanged'
  }
  if (!isReplaced(network, person, incoming)) {
    network.confirmed.add(now.connectionId)
    return 'unchanged'
  }
  if (latest === undefined || latest.has(fingerprint)) return 'unchanged'
  const { connectionId } = now
  if (network.confirmed.has(connectionId) || context.confirmed?.has(connectionId))
    return 'unchanged'
  person.renewed.push(fingerprint)
  return mergeFirst(network, person, incoming)
}

/** Whether this exact contact was skipped before and the person is still deleted. */
function wasSkipped({ byKey, hasDeleted }: Network, contact: ImportedContact): boolean {
  if (!hasDeleted) return false
  const holders = byKey.get(skippedKey(contact)) ?? NO_PEOPLE
  return holders.some(({ now }) => now.deletedAt !== null)
}

function takeFingerprint(network: Network, person: MergedPerson, fingerprint: string): void {
  person.otherKeys.push(fingerprint)
  addHolder(network, fingerprint, person)
}

function addPerson(
  network: Network,
  { contact, details, keys: { stored: keys }, addedAt = Infinity, origin }: IncomingContact,
  perhaps: Match<MergedPerson> | undefined,
): MergedPerson {
  const { context } = network
  const { source, jobId, now } = context
  const added: Connection = {
    ...newState(now, jobId),
    createdAt: Math.min(addedAt, now),
    ...valuesOf(contact),
    details,
    source: origin?.source ?? source,
    fieldSources: origin?.fieldSources ?? NO_SOURCES,
  }
  const person = newPerson(network, { before: undefined, now: added })
  person.keys = keys
  if (perhaps) person.perhaps.push(perhaps)
  takeLabels(person, contact.labels, { cut: cutterOf(contact, network), isOwn: true })
  takeNote(person, contact.note, context)
  takeInteractions(person, contact.details?.interactions)
  network.people.push(person)
  for (const key of keys) addHolder(network, key, person)
  return person
}

const NO_SOURCES = Object.freeze({})

function stateOf(person: Connection): StateBeforeRow {
  const { details, fieldSources } = person
  return { ...valuesOf(person), details, fieldSources }
}

/** By name: copying all but the others would take several times as long. */
function valuesOf(person: Connection | ImportedContact) {
  const { name, givenName, familyName, company, title, location } = person
  const { emails, phones, profileUrl, links, birthday, connectedOn } = person
  const texts = { name, givenName, familyName, company, title, location, birthday, connectedOn }
  return { ...texts, emails, phones, profileUrl, links }
}

/** Without empty fields, which takes half the room. */
function storedContactOf({ contact, details }: IncomingContact): StoredContact {
  const stored: Record<string, unknown> = {}
  for (const field of STORED_FIELDS) {
    const value = contact[field]
    if (value !== null && value.length > 0) stored[field] = value
  }
  if (details !== NO_DETAILS) stored['details'] = details
  return stored
}

const STORED_FIELDS = [
  ...TEXT_FIELDS,
  ...LIST_FIELDS,
  'labels',
] as const satisfies readonly (keyof StoredContact)[]
