/**
 * Merges imported contacts into a member's network: adds new people, refreshes fields from the same source and fills
 * empty ones. Typed fields are kept. Importing a file twice changes nothing.
 */

import { setImmediate } from 'node:timers/promises'
import { matchKeysOf } from '../../connections/model/match-keys.ts'
import { fingerprintKey, skippedKey } from '../../contact-files/contact/contact-keys.ts'
import {
  loadFieldRegistry,
  placeCustomTexts,
  type FieldRegistry,
} from '../../connections/model/custom-field-registry.ts'
import { NO_DETAILS, type Details } from '../../contact-files/contact/details.ts'
import {
  areAwaited,
  contactGroupsOf,
  linkedDetails,
  linkKeysOf,
  memberKeysOf,
  tagArrived,
  tagGroup,
} from './card-links.ts'
import { addAwaitedMembers, findAwaitedMembers } from './awaited-members.ts'
import { readImportedChanges } from '../../connections/imported-changes/import-changes.ts'
import { namesCustomFields, restoredOrigin } from './contact-origin.ts'
import { loadCandidates, loadHolders, loadNoteTexts, loadTags } from './load-people.ts'
import {
  NO_PEOPLE,
  emptyNetwork,
  type IncomingContact,
  type MergeContext,
  type Network,
  type MergedPerson,
} from './matched-people.ts'
import { mergeContact, type MergeResult } from './merge-contact.ts'
import { isReplaced } from './refresh-person.ts'
import { savePeople } from './save-people.ts'
import { readNetworkState } from '../../tools/call-state.ts'
import type {
  CardLinks,
  ContactGroup,
  ContactKeys,
  ContactOrigin,
  ImportedContact,
  ImportRow,
  MatchKeys,
} from '../../contact-files/contact/contact.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** A contact, with its keys if the reader of the file has computed them. */
export interface KeyedContact {
  readonly contact: ImportedContact
  readonly keys?: ContactKeys
  readonly card?: CardLinks
  readonly record?: string
  readonly addedAt?: number
  readonly origin?: ContactOrigin
}

/** What a batch of rows has for the network. */
export interface Incoming {
  readonly contacts: readonly KeyedContact[]
  readonly groups: readonly ContactGroup[]
}

/** Of rows of a file. */
export function incomingOf(rows: readonly ImportRow[]): Incoming {
  return { contacts: rows.filter((row) => 'contact' in row), groups: contactGroupsOf(rows) }
}

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
  const incoming = { contacts: contacts.map((contact) => ({ contact })), groups: [] }
  const planned = await planContacts(tx, incoming, context)
  await saveMerge(tx, planned)
  for (const id of planned.network.confirmed) context.confirmed?.add(id)
  return planned.results
}

/** Plans the merge of a batch outside its transaction, so that other writes run meanwhile; see `isCurrent`. */
export async function planContacts(
  reader: MemberReader,
  incoming: Incoming,
  context: MergeContext,
): Promise<PlannedMerge> {
  // Read first: whatever is written while the rest is read raises it.
  const { search_version: version } = await readNetworkState(reader)
  const network = emptyNetwork()
  const results = await mergeInto(network, reader, incoming, context)
  return { results, context, network, version }
}

/** Saves a merge that was planned for the present version of the network. */
export async function saveMerge(
  tx: MemberTransaction,
  { network, context }: PlannedMerge,
): Promise<void> {
  await setImmediate() // other calls run in between
  await addAwaitedMembers(tx, context.jobId, network.awaited)
  await savePeople(tx, network, context)
}

/** Plans the same merge as `mergeContacts` for successive batches in `network`, without writing. */
export function planMerge(
  reader: MemberReader,
  context: MergeContext,
  network: Network = emptyNetwork(),
): (incoming: Incoming) => Promise<MergeResult[]> {
  return (incoming) => mergeInto(network, reader, incoming, context)
}

async function mergeInto(
  network: Network,
  reader: MemberReader,
  { contacts, groups }: Incoming,
  context: MergeContext,
): Promise<MergeResult[]> {
  const fingerprints = contacts.map(
    ({ contact, keys, record }) => keys?.fingerprint ?? fingerprintKey(contact, record),
  )
  if (contacts.some(needsFields)) network.fields = await loadFieldRegistry(reader, network.fields)
  const cards = contacts.map(({ card }) => card)
  await loadHolders(network, reader, [...fingerprints, ...linkKeysOf(cards, groups)])
  if (areAwaited(network, cards)) network.fields = await loadFieldRegistry(reader, network.fields)
  await setImmediate() // other calls run between the parts, here and below
  // Most rows of a file that was imported before need nothing else.
  const incoming = contacts.map(
    ({ contact, keys, card, record, addedAt, origin: written }, index): IncomingContact => {
      const fingerprint = fingerprints[index] ?? ''
      const [known] = network.byKey.get(fingerprint) ?? NO_PEOPLE
      const linked = linkedDetails(network, contact, { card, context })
      const details = detailsOf(linked, network.fields, context)
      const origin =
        written && restoredOrigin(written, network.fields, { addedAt, now: context.now })
      const isDone =
        known !== undefined && !isReplaced(network, known, { contact, details, origin }, context)
      const matchKeys = isDone ? NO_KEYS : (keys ?? matchKeysOf(contact))
      return { contact, details, fingerprint, keys: matchKeys, card, record, addedAt, origin }
    },
  )
  await setImmediate()
  const open = incoming.filter(({ keys }) => keys !== NO_KEYS)
  await loadCandidates(network, reader, open, context)
  if (network.hasDeleted)
    await loadHolders(
      network,
      reader,
      open.map(({ contact }) => skippedKey(contact)),
    )
  const arriving = context.source === 'vcard' ? await arrivingMembers(reader, incoming) : NO_ONE
  if (
    groups.length + arriving.size > 0 ||
    contacts.some(({ contact: { labels } }) => labels.length > 0)
  )
    await loadTags(network.people, reader)
  if (contacts.some(({ contact: { note } }) => note !== null))
    await loadNoteTexts(network.people, reader)
  await loadLatest(network, reader, incoming, context)
  await setImmediate()
  const results = incoming.map((one) => mergeContact(network, one, context))
  for (const [{ fingerprint }, tags] of arriving)
    tagArrived(network, fingerprint, { tags, context })
  for (const group of groups) tagGroup(network, group, context)
  return results
}

/** Whether a contact has values of custom fields, or had some that the member cleared. */
function needsFields({ contact: { details }, origin }: KeyedContact): boolean {
  return details?.custom !== undefined || (origin !== undefined && namesCustomFields(origin))
}

/** The tags of groups in earlier files whose members are among these contacts. */
async function arrivingMembers(
  reader: MemberReader,
  incoming: readonly IncomingContact[],
): Promise<ReadonlyMap<IncomingContact, readonly string[]>> {
  const keys = incoming.map((one) => [one, memberKeysOf(one)] as const)
  const awaited = await findAwaitedMembers(
    reader,
    keys.flatMap(([, its]) => its),
  )
  if (awaited.length === 0) return NO_ONE
  const tags = Map.groupBy(awaited, ({ key }) => key)
  const arriving = keys.map(([one, its]): [IncomingContact, string[]] => [
    one,
    its.flatMap((key) => (tags.get(key) ?? []).map(({ tag }) => tag)),
  ])
  return new Map(arriving.filter(([, { length }]) => length > 0))
}

const NO_KEYS: MatchKeys = { stored: [], lookupOnly: [] }

const NO_ONE: ReadonlyMap<IncomingContact, readonly string[]> = new Map()

/** The details of a contact, with its other columns as values of custom fields. */
function detailsOf(
  details: ImportedContact['details'],
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
