/**
 * Merges imported contacts into a member's network: adds new people, refreshes fields from the same source and fills
 * empty ones. Typed fields are kept. Importing a file twice changes nothing.
 */

import { setImmediate } from 'node:timers/promises'
import { sourceOf } from '../model/connection.ts'
import {
  fingerprintKey,
  lookupKeysOf,
  nameCompanyKey,
  skippedKey,
  storedKeysOf,
} from '../model/match-keys.ts'
import { loadFieldRegistry, placeCustomTexts, type FieldRegistry } from '../model/custom-fields.ts'
import { NO_DETAILS, type Details } from '../model/details.ts'
import { findMatch, type FoundMatch, type Match } from '../matching/find-match.ts'
import { isRuledOut } from '../matching/rule-out.ts'
import { readImportedChanges, type StoredContact } from './import-changes.ts'
import {
  NO_PEOPLE,
  addHolder,
  byPrecedence,
  emptyNetwork,
  loadHolders,
  loadNoteTexts,
  loadTags,
  type IncomingContact,
  type MergeContext,
  type Network,
  type MergedPerson,
} from './matched-people.ts'
import { cutterOf, isReplaced, refreshPerson, takeLabels, takeNote } from './refresh-person.ts'
import { savePeople } from './save-people.ts'
import { readNetworkState } from '../../tools/call-state.ts'
import type { ImportedContact } from '../model/contact.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/**
 * The result for one contact. `review`: created, although someone in the network may be the same person, and queued for
 * the member to decide. `skipped`: the member deleted that connection; it stays deleted.
 */
export type MergeResult = 'created' | 'review' | 'updated' | 'unchanged' | 'skipped'

/** What becomes of a batch of contacts, not saved yet. */
export interface PlannedMerge {
  /** One per contact, in the same order. */
  readonly results: readonly MergeResult[]
  readonly context: MergeContext
  readonly network: Network
  /** `search_version` of the network that it was planned for. */
  readonly version: number
}

/** Merges a batch in order; the results are in the same order. */
export async function mergeContacts(
  tx: MemberTransaction,
  contacts: readonly ImportedContact[],
  context: MergeContext & { readonly confirmed?: Set<number> },
): Promise<readonly MergeResult[]> {
  const planned = await planContacts(tx, contacts, context)
  await saveMerge(tx, planned)
  for (const id of planned.network.confirmed) context.confirmed?.add(id)
  return planned.results
}

/** Plans the merge of a batch outside its transaction, so that other writes run meanwhile; see `isCurrent`. */
export async function planContacts(
  reader: MemberReader,
  contacts: readonly ImportedContact[],
  context: MergeContext,
): Promise<PlannedMerge> {
  // Read first: whatever is written while the rest is read raises it.
  const { search_version: version } = await readNetworkState(reader)
  const network = emptyNetwork()
  const results = await mergeInto(network, reader, contacts, context)
  return { results, context, network, version }
}

/** Whether nothing was written to the network since a merge was planned. A merge that is not current is planned again. */
export async function isCurrent(
  tx: MemberTransaction,
  { version }: PlannedMerge,
): Promise<boolean> {
  return (await readNetworkState(tx)).search_version === version
}

/** Saves a merge that is current. */
export async function saveMerge(
  tx: MemberTransaction,
  { network, context }: PlannedMerge,
): Promise<void> {
  await setImmediate() // other calls run in between
  await savePeople(tx, network, context)
}

/** Plans the same merge as `mergeContacts` for successive batches in `network`, without writing. */
export function planMerge(
  reader: MemberReader,
  context: MergeContext,
  network: Network = emptyNetwork(),
): (contacts: readonly ImportedContact[]) => Promise<MergeResult[]> {
  return (contacts) => mergeInto(network, reader, contacts, context)
}

async function mergeInto(
  network: Network,
  reader: MemberReader,
  contacts: readonly ImportedContact[],
  context: MergeContext,
): Promise<MergeResult[]> {
  const fingerprints = contacts.map((contact) => fingerprintKey(contact))
  if (contacts.some(({ details }) => details?.custom !== undefined))
    network.fields = await loadFieldRegistry(reader, network.fields)
  await loadHolders(network, reader, fingerprints)
  await setImmediate() // other calls run between the parts, here and below
  // Most rows of a file that was imported before need nothing else.
  const incoming = contacts.map((contact, index): IncomingContact => {
    const fingerprint = fingerprints[index] ?? ''
    const [known] = network.byKey.get(fingerprint) ?? NO_PEOPLE
    const details = detailsOf(contact, network.fields, context)
    const isDone = known !== undefined && !isReplaced(network, known, { contact, details }, context)
    return { contact, details, fingerprint, keys: isDone ? NO_KEYS : lookupKeysOf(contact) }
  })
  await setImmediate()
  const open = incoming.filter(({ keys }) => keys.length > 0)
  await loadHolders(
    network,
    reader,
    open.flatMap(({ keys }) => keys),
  )
  if (network.hasDeleted)
    await loadHolders(
      network,
      reader,
      open.map(({ contact }) => skippedKey(contact)),
    )
  if (contacts.some(({ labels }) => labels.length > 0)) await loadTags(network.people, reader)
  if (contacts.some(({ note }) => note !== null)) await loadNoteTexts(network.people, reader)
  await loadLatest(network, reader, incoming, context)
  await setImmediate()
  return incoming.map((one) => mergeOne(network, one, context))
}

const NO_KEYS: readonly string[] = []

/** The details of a contact, with its other columns as values of custom fields. */
function detailsOf(
  { details }: ImportedContact,
  fields: FieldRegistry | undefined,
  { now }: MergeContext,
): Details {
  if (details === undefined) return NO_DETAILS
  const { custom, ...others } = details
  if (!custom || !fields) return others
  return { ...others, custom: placeCustomTexts(fields, custom, now) }
}

/**
 * Loads the fingerprints of the last import of each person that has taken in a contact of this batch before, and has other
 * values since. Other people need none, so most batches read nothing. A connection that its last import created is as
 * that import made it.
 */
async function loadLatest(
  network: Network,
  reader: MemberReader,
  incoming: readonly IncomingContact[],
  context: MergeContext,
): Promise<void> {
  const people = new Set<MergedPerson>()
  for (const one of incoming) {
    const [person] = network.byKey.get(one.fingerprint) ?? NO_PEOPLE
    if (person?.before && !person.latest && isReplaced(network, person, one, context))
      people.add(person)
  }
  for (const [job_id, changed] of Map.groupBy(people, ({ now }) => now.importJobId)) {
    if (job_id === null) continue
    const byId = new Map(changed.map((person) => [person.now.connectionId, person]))
    const changes = await readImportedChanges(reader, job_id, [...byId.keys()])
    for (const [connection_id, change] of changes) {
      const person = byId.get(connection_id)
      if (change === null || !person) continue
      const { added_keys, renewed = [] } = change
      person.latest = new Set([...added_keys, ...renewed])
    }
  }
}

function mergeOne(network: Network, incoming: IncomingContact, context: MergeContext): MergeResult {
  const { contact, fingerprint } = incoming
  const [known] = network.byKey.get(fingerprint) ?? NO_PEOPLE
  if (known) return mergeKnown(network, known, incoming, context)
  if (wasSkipped(network, contact)) return 'skipped'
  const { same, unsure } = matchOf(network, incoming, context)
  if (!same) {
    takeFingerprint(network, addPerson(network, incoming, context, unsure), fingerprint)
    return unsure ? 'review' : 'created'
  }
  const person = same.candidate
  if (person.now.deletedAt !== null) {
    takeFingerprint(network, person, skippedKey(contact))
    return 'skipped'
  }
  takeFingerprint(network, person, fingerprint)
  person.match ??= same.decision
  person.contact ??= storedContactOf(incoming)
  return refreshPerson(network, person, incoming, context) ? 'updated' : 'unchanged'
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
  person.contact ??= storedContactOf(incoming)
  return refreshPerson(network, person, incoming, context) ? 'updated' : 'unchanged'
}

/** Compares a contact with everyone who shares a key with it. */
function matchOf(
  { byKey }: Network,
  { contact, keys }: IncomingContact,
  { jobId, source }: MergeContext,
): FoundMatch<MergedPerson> {
  const candidates = candidatesFor(contact, keys, { byKey, jobId })
  if (candidates === undefined) return NO_MATCH
  const nameKeys = keys.slice(-NAME_KEYS)
  const [key] = nameKeys
  return findMatch(
    contact,
    [...candidates].sort(byPrecedence).map((person) => ({
      candidate: person,
      fields: person.now,
      isDeleted: person.now.deletedAt !== null,
      isSameFile: person.now.importJobId === jobId,
      isSameSource: sourceOf(person.now, 'name') === source,
      isFormer:
        nameKeys.some((name) => byKey.get(name)?.includes(person) === true) &&
        !(person.now.name === contact.name && person.now.company === contact.company) &&
        nameCompanyKey(person.now) !== key,
    })),
  )
}

const NO_MATCH: FoundMatch<MergedPerson> = {}

/** Everyone who shares a key with a contact and may be the same person; undefined if there are none, as for most rows. */
function candidatesFor(
  contact: ImportedContact,
  keys: readonly string[],
  { byKey, jobId }: Pick<Network, 'byKey'> & Pick<MergeContext, 'jobId'>,
): ReadonlySet<MergedPerson> | undefined {
  let candidates: Set<MergedPerson> | undefined
  for (const key of keys)
    for (const person of byKey.get(key) ?? NO_PEOPLE)
      if (!isRuledOut(contact, person.now, person.now.importJobId === jobId))
        (candidates ??= new Set()).add(person)
  return candidates
}

/** The last of the lookup keys are those of name and company. */
const NAME_KEYS = 2

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
  { contact, details, keys: lookupKeys }: IncomingContact,
  context: MergeContext,
  perhaps: Match<MergedPerson> | undefined,
): MergedPerson {
  const { source, jobId, now } = context
  const keys = storedKeysOf(contact, lookupKeys)
  const person: MergedPerson = {
    before: undefined,
    order: network.people.length,
    tagsBefore: undefined,
    // Every field by name: copying the others of the contact would take several times as long.
    now: {
      connectionId: 0, // assigned when the batch is saved
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
      fieldSources: {},
      importJobId: jobId,
      version: 1,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      mergedInto: null,
    },
    newTags: [],
    noteTexts: undefined,
    newNotes: [],
    keys,
    otherKeys: [],
    keysBefore: NOTHING_STORED,
    ownKeys: NOTHING_STORED,
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
  'name',
  'givenName',
  'familyName',
  'company',
  'title',
  'location',
  'emails',
  'phones',
  'profileUrl',
  'links',
  'birthday',
  'connectedOn',
] as const satisfies readonly (keyof StoredContact)[]
