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
} from '../../connections/custom-fields/imported-custom-fields.ts'
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
import { findAwaitedMembers } from './awaited-members.ts'
import { readImportedChanges } from '../../connections/imported-changes/import-changes.ts'
import { namesCustomFields, restoredOrigin } from './contact-origin.ts'
import { loadCandidates, loadHolders, loadNoteTexts } from './load-people.ts'
import {
  NO_PEOPLE,
  type IncomingContact,
  type Network,
  type MergedPerson,
} from './matched-people.ts'
import { mergeContact, type MergeResult } from './merge-contact.ts'
import { isReplaced } from './refresh-person.ts'
import { takeCadences } from './take-cadences.ts'
import { takeHistories } from './take-history.ts'
import { loadInteractions } from './take-interactions.ts'
import type { ImportedContact, ImportRow, MatchKeys } from '../../contact-files/contact/contact.ts'
import type { MemberReader } from '../../db/database.ts'

type ContactRow = Extract<ImportRow, { readonly contact: unknown }>

/**
 * Merges the next rows of a file into `network`, in order, without writing. Returns one result per row with a contact. Other
 * calls run between the parts.
 */
export async function mergeRows(
  network: Network,
  reader: MemberReader,
  rows: readonly ImportRow[],
): Promise<MergeResult[]> {
  const contacts = rows.filter((row) => 'contact' in row)
  const groups = contactGroupsOf(rows)
  const fingerprints = contacts.map(({ contact, record }) => fingerprintKey(contact, record))
  const others = contacts.flatMap(({ history }) => history?.differentFrom ?? [])
  const linked = linkKeysOf(contacts, groups)
  await loadHolders(network, reader, [...fingerprints, ...others, ...linked])
  if (contacts.some(needsFields) || areAwaited(network, contacts))
    network.fields = await loadFieldRegistry(reader, network.fields)
  await setImmediate()
  const incoming = contacts.map((row, index) => incomingOf(network, row, fingerprints[index] ?? ''))
  await setImmediate()
  const open = incoming.filter(({ keys }) => keys !== NO_KEYS)
  await loadCandidates(network, reader, open)
  if (network.hasDeleted)
    await loadHolders(
      network,
      reader,
      open.map(({ contact }) => skippedKey(contact)),
    )
  const isCards = network.context.source === 'vcard'
  const arriving = isCards ? await arrivingMembers(reader, incoming) : NO_ONE
  if (contacts.some(({ contact, history }) => contact.note !== null || history !== undefined))
    await loadNoteTexts(network.people, reader)
  if (contacts.some(hasInteractions)) await loadInteractions(network.people, reader)
  await loadLatest(network, reader, incoming)
  await setImmediate()
  const results = incoming.map((one) => mergeContact(network, one))
  for (const [{ fingerprint }, tags] of arriving) tagArrived(network, fingerprint, tags)
  for (const group of groups) tagGroup(network, group)
  const withHistories = await takeHistories(network, reader, { incoming, results })
  return takeCadences(network, reader, { incoming, results: withHistories })
}

/** A contact that the network already has, and that changes nothing, needs no keys. */
function incomingOf(
  network: Network,
  { contact, card, record, addedAt, history, origin: written, cadence }: ContactRow,
  fingerprint: string,
): IncomingContact {
  const { now } = network.context
  const [known] = network.byKey.get(fingerprint) ?? NO_PEOPLE
  const details = detailsOf(linkedDetails(network, contact, card), network.fields, now)
  const origin = written && restoredOrigin(written, network.fields, { addedAt, now })
  const isDone = known !== undefined && !isReplaced(network, known, { contact, details, origin })
  const keys = isDone ? NO_KEYS : matchKeysOf(contact)
  const more = { card, record, addedAt, history, origin, cadence }
  return { contact, details, fingerprint, keys, ...more }
}

function hasInteractions({ contact, history }: ContactRow): boolean {
  return (contact.details?.interactions ?? history?.interactions ?? []).length > 0
}

/** Whether a contact has values of custom fields, or had some that the member cleared. */
function needsFields({ contact: { details }, origin }: ContactRow): boolean {
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
  now: number,
): Details {
  if (details === undefined) return NO_DETAILS
  const { custom, interactions: _interactions, ...others } = details
  if (Object.keys(others).length === 0 && !custom) return NO_DETAILS
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
): Promise<void> {
  const people = new Set<MergedPerson>()
  for (const one of incoming) {
    const [person] = network.byKey.get(one.fingerprint) ?? NO_PEOPLE
    if (person?.before && !person.latest && isReplaced(network, person, one)) people.add(person)
  }
  for (const [job_id, changed] of Map.groupBy(people, ({ now }) => now.importJobId)) {
    if (job_id === null) continue
    const byId = new Map(changed.map((person) => [person.now.connectionId, person]))
    const changes = await readImportedChanges(reader, job_id, [...byId.keys()])
    for (const [connection_id, change] of changes) {
      const person = byId.get(connection_id)
      if (change.is_created || !person) continue
      const { added_keys, renewed = [] } = change
      person.latest = new Set([...added_keys, ...renewed])
    }
  }
}
