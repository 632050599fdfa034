/** Loads the people of a network who may be in an imported file. */

import { searchedKeysOf } from '../../connections/model/match-keys.ts'
import { findByKeys, withoutCrowded } from '../../connections/model/key-store.ts'
import { findConnections, findPresent } from '../../connections/model/connection-store.ts'
import { noteTextsOf } from '../../connections/notes/notes.ts'
import { tagsOf } from '../../connections/model/tag-store.ts'
import {
  addHolder,
  newPerson,
  type IncomingContact,
  type MergedPerson,
  type Network,
} from './matched-people.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

/** Loads the people who may be one of these contacts, if not loaded yet. */
export function loadCandidates(
  network: Network,
  reader: MemberReader,
  contacts: readonly IncomingContact[],
): Promise<void> {
  const keys = contacts.flatMap(({ contact, keys: own }) => searchedKeysOf(own, contact))
  return loadHolders(network, reader, keys)
}

/** Loads the people who have one of these keys, if not loaded yet, with their tags. */
export async function loadHolders(
  network: Network,
  reader: MemberReader,
  keys: readonly string[],
): Promise<void> {
  const found = await findByKeys(reader, keys)
  if (found.length === 0) return
  const telling = withoutCrowded(found)
  const present = await findPresent(reader, [...new Set(telling.map((key) => key.connection_id))])
  const connections = distinct(present).filter(
    ({ connectionId }) => !network.byId.has(connectionId),
  )
  const ids = connections.map(({ connectionId }) => connectionId)
  const tags = await tagsOf(reader, ids)
  for (const connection of connections) {
    const { connectionId } = connection
    const person = newPerson(network, { before: connection, now: connection })
    person.tagsBefore = tags.get(connectionId) ?? person.tagsBefore
    network.people.push(person)
    network.byId.set(connectionId, person)
  }
  await loadMerged(network, reader, present)
  network.hasDeleted ||= connections.some(({ deletedAt }) => deletedAt !== null)
  const known = new Set(telling.map(({ key }) => key))
  for (const { key, connection_id } of found) {
    if (!known.has(key)) network.crowded.add(key)
    const person = network.byId.get(present.get(connection_id)?.connectionId ?? 0)
    if (!person) continue
    addHolder(network, key, person)
    person.keysBefore.add(key)
    if (person.now.connectionId === connection_id) person.ownKeys.add(key)
  }
}

/**
 * Loads the connections that were merged into others, if not loaded yet: `present` has what became of each. A newer contact may
 * have only the name of a merged one.
 */
async function loadMerged(
  { byId }: Network,
  reader: MemberReader,
  present: ReadonlyMap<number, Connection>,
): Promise<void> {
  const missing = [...present].flatMap(([id, { connectionId }]) => {
    const isKnown = byId.get(connectionId)?.merged?.some((one) => one.connectionId === id) === true
    return id === connectionId || isKnown ? [] : [id]
  })
  for (const merged of await findConnections(reader, missing)) {
    const person = byId.get(present.get(merged.connectionId)?.connectionId ?? 0)
    if (person) (person.merged ??= []).push(merged)
  }
}

/** Loads the texts of the notes of those who were in the network before, if not loaded yet. */
export async function loadNoteTexts(
  people: readonly MergedPerson[],
  reader: MemberReader,
): Promise<void> {
  const missing = people.filter(({ noteTexts }) => !noteTexts)
  const texts = await noteTextsOf(
    reader,
    missing.map(({ now }) => now.connectionId),
  )
  for (const person of missing) person.noteTexts = texts.get(person.now.connectionId) ?? new Set()
}

/** Distinct connections in the order they were added. */
function distinct(present: ReadonlyMap<number, Connection>): Connection[] {
  return [...new Set(present.values())].sort((one, other) => one.connectionId - other.connectionId)
}
