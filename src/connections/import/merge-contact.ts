/** Merges one imported contact into the loaded people of a network. */

import { isDeepStrictEqual } from 'node:util'
import {
  LIST_FIELDS,
  newState,
  sourceOf,
  TEXT_FIELDS,
  type Connection,
} from '../model/connection.ts'
import {
  NAME_LOOKUP_KEYS,
  isFamilyKey,
  isFingerprintKey,
  isOnlyStored,
  isPhoneKey,
  fingerprintKey,
  nameCompanyKey,
  readingKeysOf,
  skippedKey,
  storedKeysOf,
} from '../model/match-keys.ts'
import { addedDetails } from '../model/add-details.ts'
import { NO_DETAILS } from '../model/details.ts'
import { findMatch, type FoundMatch, type Match } from '../matching/find-match.ts'
import { isRuledOut } from '../matching/rule-out.ts'
import {
  NO_PEOPLE,
  addHolder,
  byPrecedence,
  type IncomingContact,
  type MergeContext,
  type MergedPerson,
  type Network,
} from './matched-people.ts'
import { takeCard } from './card-links.ts'
import { isReplaced, refreshPerson } from './refresh-person.ts'
import { cutterOf, lacksNote, missingTags, takeLabels, takeNote } from './take-tags-and-notes.ts'
import { ANY_VALUE, reportLost } from './lost-values.ts'
import { isCrowded, MAX_HOLDERS, namesakesOf } from './namesakes.ts'
import { MAX_MERGED_ROWS, type StateBeforeRow, type StoredContact } from './import-changes.ts'
import type { ImportedContact } from '../model/contact.ts'

/**
 * The result for one contact. `review`: created, although someone in the network may be the same person, and queued for
 * the member to decide. `job_changed`: updated with another company or title. `skipped`: the member deleted that
 * connection; it stays deleted.
 */
export type MergeResult = 'created' | 'review' | 'updated' | 'job_changed' | 'unchanged' | 'skipped'

/** Adds or changes a person in `network`, which holds everyone who has a key of the contact. */
export function mergeContact(
  network: Network,
  incoming: IncomingContact,
  context: MergeContext,
): MergeResult {
  const { contact, fingerprint, card } = incoming
  const known = knownPerson(network, incoming, context)
  if (known) {
    const result = mergeKnown(network, known, incoming, context)
    takeCard(network, known, card, context)
    return result
  }
  if (wasSkipped(network, contact)) return 'skipped'
  const { same, unsure } = matchOf(network, incoming, context)
  if (!same) {
    const added = addPerson(network, incoming, context, unsure)
    takeFingerprint(network, added, fingerprint)
    takeCard(network, added, card, context)
    return unsure ? 'review' : 'created'
  }
  const person = same.candidate
  if (incoming.record !== undefined) network.confirmed.add(person.now.connectionId)
  if (person.now.deletedAt !== null) {
    takeFingerprint(network, person, skippedKey(contact))
    return 'skipped'
  }
  takeFingerprint(network, person, fingerprint)
  person.match ??= same.decision
  const merge = person.now.importJobId === context.jobId ? mergeRow : mergeFirst
  const result = merge(network, person, incoming, context)
  takeCard(network, person, card, context)
  return result
}

/** Who has taken in this contact before. */
function knownPerson(
  network: Network,
  { contact, fingerprint, record }: IncomingContact,
  context: MergeContext,
): MergedPerson | undefined {
  const [known] = network.byKey.get(fingerprint) ?? NO_PEOPLE
  if (known || record === undefined) return known
  // Earlier versions did not store which record it was.
  const holders = network.byKey.get(fingerprintKey(contact)) ?? NO_PEOPLE
  const person = holders.find((one) => !isTaken(network, one, context))
  if (person) takeFingerprint(network, person, fingerprint)
  return person
}

/** Whether a person is that of an earlier row of the file. */
function isTaken(network: Network, { now }: MergedPerson, context: MergeContext): boolean {
  const { connectionId, importJobId } = now
  return (
    importJobId === context.jobId ||
    network.confirmed.has(connectionId) ||
    context.confirmed?.has(connectionId) === true
  )
}

/** The first row of the file about this person. */
function mergeFirst(
  network: Network,
  person: MergedPerson,
  incoming: IncomingContact,
  context: MergeContext,
): MergeResult {
  person.contact ??= storedContactOf(incoming)
  const result = refreshPerson(network, person, incoming, context)
  reportLost(network, person, incoming, context)
  return result
}

/** An earlier row of the file was about the same person. */
function mergeRow(
  network: Network,
  person: MergedPerson,
  incoming: IncomingContact,
  context: MergeContext,
): MergeResult {
  const before = person.now
  const [tags, notes] = [person.newTags.length, person.newNotes.length]
  const result = refreshPerson(network, person, incoming, context)
  const isLost = reportLost(network, person, incoming, context)
  if ((result !== 'unchanged' || isLost) && person.mergedRows.length < MAX_MERGED_ROWS)
    person.mergedRows.push({
      connection: stateOf(before),
      contact: storedContactOf(incoming),
      source: context.source,
      added_tags: person.newTags.slice(tags).map(({ tag }) => tag),
      added_keys: [...storedKeysOf(incoming.keys), incoming.fingerprint],
      notes: [...person.newNotes.keys()].slice(notes),
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
  context: MergeContext,
): MergeResult {
  const { fingerprint } = incoming
  if (person.now.deletedAt !== null) return 'skipped'
  const { latest, now } = person
  if (now.importJobId === context.jobId && person.before !== undefined) {
    // Another row of this file about the same person came first.
    person.renewed.push(fingerprint)
    return 'unchanged'
  }
  if (!isReplaced(network, person, incoming, context)) {
    network.confirmed.add(now.connectionId)
    return 'unchanged'
  }
  if (latest === undefined || latest.has(fingerprint)) return 'unchanged'
  const { connectionId } = now
  if (network.confirmed.has(connectionId) || context.confirmed?.has(connectionId))
    return 'unchanged'
  person.renewed.push(fingerprint)
  return mergeFirst(network, person, incoming, context)
}

/** Compares a contact with everyone who shares a key with it. */
function matchOf(
  network: Network,
  incoming: IncomingContact,
  context: MergeContext,
): FoundMatch<MergedPerson> {
  const { byKey, namesakes } = network
  const { jobId, source } = context
  const { contact, keys, record } = incoming
  const all = candidatesFor(contact, keys, { byKey, namesakes, jobId })
  if (all === undefined) return NO_MATCH
  const candidates =
    record === undefined ? all : candidatesOfRecord(network, all, incoming, context)
  const nameKeys = keys.slice(-NAME_LOOKUP_KEYS)
  const [key] = nameKeys
  return findMatch(
    contact,
    [...candidates].sort(byPrecedence).map((person) => ({
      candidate: person,
      fields: person.now,
      isDeleted: person.now.deletedAt !== null,
      isSameFile: person.now.importJobId === jobId,
      isSameSource:
        sourceOf(person.now, 'name') === source && !isRepeated(network, person, context),
      isFormer:
        nameKeys.some((name) => byKey.get(name)?.includes(person) === true) &&
        !(person.now.name === contact.name && person.now.company === contact.company) &&
        nameCompanyKey(person.now) !== key &&
        !readingKeysOf(person.now).includes(key ?? ''),
      hasMore: () => hasMore(incoming, person),
    })),
  )
}

/** Those that no other row of the export is about: the ones with exactly these values, if there are any. */
function candidatesOfRecord(
  network: Network,
  candidates: ReadonlySet<MergedPerson>,
  { contact }: IncomingContact,
  context: MergeContext,
): readonly MergedPerson[] {
  const free = [...candidates].filter((person) => !isTaken(network, person, context))
  const exact = free.filter(({ now }) =>
    [...TEXT_FIELDS, ...LIST_FIELDS].every((field) =>
      isDeepStrictEqual(now[field], contact[field]),
    ),
  )
  return exact.length > 0 ? exact : free
}

/** Whether another row of the file is what the person was before: then a row with another title is about a namesake. */
function isRepeated(
  { confirmed }: Network,
  { now: { connectionId }, keysBefore }: MergedPerson,
  context: MergeContext,
): boolean {
  if (confirmed.has(connectionId) || context.confirmed?.has(connectionId) === true) return true
  return [...keysBefore].some(isFingerprintKey)
}

/** Whether a contact has links, details, tags or a note that a person lacks. Two namesakes can differ in nothing else. */
function hasMore({ contact, details }: IncomingContact, person: MergedPerson): boolean {
  const { now } = person
  if (contact.links.some((link) => link !== now.profileUrl && !now.links.includes(link)))
    return true
  if (missingTags(person, contact.labels).length > 0 || lacksNote(person, contact.note)) return true
  return details !== NO_DETAILS && addedDetails(now.details, details, now, ANY_VALUE).length > 0
}

const NO_MATCH: FoundMatch<MergedPerson> = {}

/**
 * Everyone who shares a key with a contact and may be the same person; undefined if there are none, as for most rows. A
 * number that many people share is that of a switchboard, a family name at a company a common one: comparing all of them
 * would take long and find no one.
 */
function candidatesFor(
  contact: ImportedContact,
  keys: readonly string[],
  { byKey, namesakes, jobId }: Pick<Network, 'byKey' | 'namesakes'> & Pick<MergeContext, 'jobId'>,
): ReadonlySet<MergedPerson> | undefined {
  let candidates: Set<MergedPerson> | undefined
  for (const key of keys) {
    if (isOnlyStored(key, contact)) continue
    const holders = byKey.get(key) ?? NO_PEOPLE
    if (holders.length > MAX_HOLDERS && (isPhoneKey(key) || isFamilyKey(key))) continue
    const people = isCrowded(key, holders)
      ? namesakesOf({ namesakes }, key, { contact, holders })
      : holders
    for (const person of people)
      if (!isRuledOut(contact, person.now, person.now.importJobId === jobId))
        (candidates ??= new Set()).add(person)
  }
  return candidates
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
  { contact, details, keys: lookupKeys, addedAt = Infinity }: IncomingContact,
  context: MergeContext,
  perhaps: Match<MergedPerson> | undefined,
): MergedPerson {
  const { source, jobId, now } = context
  const keys = storedKeysOf(lookupKeys)
  const person: MergedPerson = {
    before: undefined,
    order: network.people.length,
    tagsBefore: undefined,
    // Every value by name: copying the others of the contact would take several times as long.
    now: {
      ...newState(now, jobId),
      createdAt: Math.min(addedAt, now),
      name: contact.name,
      givenName: contact.givenName,
      familyName: contact.familyName,
      company: contact.company,
      title: contact.title,
      location: contact.location,
      emails: contact.emails,
      phones: contact.phones,
      profileUrl: contact.profileUrl,
      links: contact.links,
      birthday: contact.birthday,
      connectedOn: contact.connectedOn,
      details,
      source,
    },
    newTags: [],
    noteTexts: undefined,
    newNotes: [],
    keys,
    otherKeys: [],
    keysBefore: NOTHING_STORED,
    ownKeys: NOTHING_STORED,
    mergedRows: [],
    renewed: [],
    ...(perhaps && { perhaps }),
  }
  takeLabels(person, contact.labels, cutterOf(contact, context))
  takeNote(person, contact.note)
  network.people.push(person)
  for (const key of keys) addHolder(network, key, person)
  return person
}

const NOTHING_STORED: ReadonlySet<string> = new Set()

function stateOf(person: Connection): StateBeforeRow {
  const { name, givenName, familyName, company, title, location } = person
  const { emails, phones, profileUrl, links, birthday, connectedOn } = person
  const main = { name, givenName, familyName, company, title, location, birthday, connectedOn }
  const { details, fieldSources } = person
  return { ...main, emails, phones, profileUrl, links, details, fieldSources }
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
