/** Finds out who in the loaded people of a network an imported contact is. */

import { isDeepStrictEqual } from 'node:util'
import { addedDetails } from '../../connections/model/add-details.ts'
import {
  LIST_FIELDS,
  sourceOf,
  TEXT_FIELDS,
  type Connection,
} from '../../connections/model/connection.ts'
import { NO_DETAILS } from '../../contact-files/contact/details.ts'
import {
  isEmailKey,
  MAX_HOLDERS,
  maxHoldersOf,
  nameCompanyKey,
  nameKeysIn,
  readingKeysOf,
  searchedKeysOf,
} from '../../connections/model/match-keys.ts'
import { isFingerprintKey } from '../../contact-files/contact/contact-keys.ts'
import { findMatch, type FoundMatch } from '../../identity/find-match.ts'
import { isRuledOut } from '../../identity/rule-out.ts'
import {
  NO_PEOPLE,
  byPrecedence,
  type IncomingContact,
  type MergeContext,
  type MergedPerson,
  type Network,
} from './matched-people.ts'
import { originSource } from './contact-origin.ts'
import { ANY_VALUE } from './lost-values.ts'
import { isCrowded, namesakesOf } from './namesakes.ts'
import { lacksNote, missingTags } from './take-tags-and-notes.ts'
import type { ImportedContact, MatchKeys } from '../../contact-files/contact/contact.ts'

/** Compares a contact with everyone who shares a key with it. */
export function matchContact(
  network: Network,
  incoming: IncomingContact,
): FoundMatch<MergedPerson> {
  const { jobId, source } = network.context
  const { contact, keys, record } = incoming
  const all = candidatesFor(contact, keys, network)
  if (all === undefined) return NO_MATCH
  const candidates = record === undefined ? all : candidatesOfRecord(network, all, incoming)
  const nameKeys = nameKeysIn(keys)
  const [key] = nameKeys
  return findMatch(
    contact,
    [...candidates].sort(byPrecedence).map((person) => ({
      candidate: person,
      fields: person.now,
      merged: person.merged,
      isDeleted: person.now.deletedAt !== null,
      isSameFile: person.now.importJobId === jobId,
      isSameSource: isOfSource(person.now, incoming.origin, source) && !isRepeated(network, person),
      isFormer:
        nameKeys.some((name) => network.byKey.get(name)?.includes(person) === true) &&
        !(person.now.name === contact.name && person.now.company === contact.company) &&
        nameCompanyKey(person.now) !== key &&
        !readingKeysOf(person.now).includes(key ?? ''),
      hasMore: () => hasMore(incoming, person),
    })),
  )
}

/** Whether the name comes from the same kind of file, or from the same as in the export. */
function isOfSource(
  present: Connection,
  origin: IncomingContact['origin'],
  source: MergeContext['source'],
): boolean {
  const known = sourceOf(present, 'name')
  return known === source || (origin !== undefined && known === originSource(origin, 'name'))
}

/** Candidates that no other row of the export is about: the ones with exactly these values, if there are any. */
function candidatesOfRecord(
  network: Network,
  candidates: ReadonlySet<MergedPerson>,
  { contact }: IncomingContact,
): readonly MergedPerson[] {
  const free = [...candidates].filter((person) => !isTaken(network, person))
  const exact = free.filter(({ now }) =>
    [...TEXT_FIELDS, ...LIST_FIELDS].every((field) =>
      isDeepStrictEqual(now[field], contact[field]),
    ),
  )
  return exact.length > 0 ? exact : free
}

/** Whether another row of the file is what the person was before: then a row with another title is about a namesake. */
function isRepeated(network: Network, { now, keysBefore }: MergedPerson): boolean {
  return isConfirmed(network, now) || [...keysBefore].some(isFingerprintKey)
}

/** Whether a contact has links, details, tags or a note that a person lacks. Two namesakes can differ in nothing else. */
function hasMore({ contact, details, origin }: IncomingContact, person: MergedPerson): boolean {
  const { now } = person
  if (contact.links.some((link) => link !== now.profileUrl && !now.links.includes(link)))
    return true
  if (
    missingTags(person, contact.labels, origin !== undefined).length > 0 ||
    lacksNote(person, contact.note)
  )
    return true
  return details !== NO_DETAILS && addedDetails(now.details, details, now, ANY_VALUE).length > 0
}

const NO_MATCH: FoundMatch<MergedPerson> = {}

/**
 * Everyone who shares a key with a contact and may be the same person; undefined if there are none, as for most rows.
 * Comparing all who share a common name or the number of a switchboard would take long and find no one.
 */
function candidatesFor(
  contact: ImportedContact,
  keys: MatchKeys,
  network: Network,
): ReadonlySet<MergedPerson> | undefined {
  let candidates: Set<MergedPerson> | undefined
  for (const key of searchedKeysOf(keys, contact)) {
    const holders = network.byKey.get(key) ?? NO_PEOPLE
    if (holders.length > maxHoldersOf(key) || network.crowded.has(key)) continue
    const people = isCrowded(key, holders)
      ? namesakesOf(network, key, { contact, holders })
      : holders
    for (const person of people) {
      const isSameFile = person.now.importJobId === network.context.jobId
      // Rows with a name and company that so many others of the file have.
      if (isSameFile && holders.length > MAX_HOLDERS && !isEmailKey(key)) continue
      if (person.merged !== undefined || !isRuledOut(contact, person.now, isSameFile))
        (candidates ??= new Set()).add(person)
    }
  }
  return candidates
}

/** Whether a person is that of an earlier row of the file. */
export function isTaken(network: Network, { now }: MergedPerson): boolean {
  return now.importJobId === network.context.jobId || isConfirmed(network, now)
}

/** Whether another row of the file repeats the values of a connection. */
function isConfirmed({ confirmed, context }: Network, { connectionId }: Connection): boolean {
  return confirmed.has(connectionId) || context.confirmed?.has(connectionId) === true
}
