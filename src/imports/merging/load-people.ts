/** Loads the people of a network who may be in an imported file. */

import { searchedKeysOf } from '../../connections/model/match-keys.ts'
import { findByKeys } from '../../connections/model/key-store.ts'
import { findConnections, findPresent } from '../../connections/model/connection-store.ts'
import { noteTextsOf } from '../../connections/model/note-store.ts'
import { tagsOf, type Tag } from '../../connections/model/tag-store.ts'
import { findRuledOut, type SearchedContact } from './ruled-out-holders.ts'
import {
  addHolder,
  type LoadedPerson,
  type MergeContext,
  type MergedPerson,
  type Network,
} from './matched-people.ts'
import type { FoundKey } from '../../connections/model/connection-key.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

/** Loads the people who have one of these keys, if not loaded yet. */
export async function loadHolders(
  network: Network,
  reader: MemberReader,
  keys: readonly string[],
): Promise<void> {
  await loadPeople(network, reader, await findByKeys(reader, keys))
}

/** Loads the people who may be one of these contacts, if not loaded yet. */
export async function loadCandidates(
  network: Network,
  reader: MemberReader,
  contacts: readonly SearchedContact[],
  { jobId }: Pick<MergeContext, 'jobId'>,
): Promise<void> {
  const keys = contacts.flatMap((one) => searchedKeysOf(one.keys, one.contact))
  const found = await findByKeys(reader, keys)
  const isLoaded = (id: number) => network.byId.has(id)
  const ruledOut = await findRuledOut(reader, found, { contacts, jobId, isLoaded })
  await loadPeople(
    network,
    reader,
    ruledOut.size === 0 ? found : found.filter((key) => !ruledOut.has(key.connection_id)),
  )
}

/** Loads the people of these keys, if not loaded yet. */
async function loadPeople(
  network: Network,
  reader: MemberReader,
  found: readonly FoundKey[],
): Promise<void> {
  if (found.length === 0) return
  const ids = [...new Set(found.map((key) => key.connection_id))]
  const present = await findPresent(reader, ids)
  const connections = distinct(present).filter(
    ({ connectionId }) => !network.byId.has(connectionId),
  )
  for (const connection of connections) {
    const { connectionId } = connection
    const person: LoadedPerson = {
      before: connection,
      order: network.people.length,
      tagsBefore: undefined,
      now: connection,
      newTags: [],
      noteTexts: undefined,
      newNotes: [],
      keys: [],
      otherKeys: [],
      keysBefore: new Set(),
      ownKeys: new Set(),
      mergedRows: [],
      renewed: [],
      perhaps: [],
    }
    network.people.push(person)
    network.byId.set(connectionId, person)
  }
  await loadMerged(network, reader, present)
  network.hasDeleted ||= connections.some(({ deletedAt }) => deletedAt !== null)
  for (const { key, connection_id } of found) {
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

/** Loads the tags of those who were in the network before, if not loaded yet. */
export async function loadTags(
  people: readonly MergedPerson[],
  reader: MemberReader,
): Promise<void> {
  const missing = people.filter(({ before, tagsBefore }) => before && !tagsBefore)
  const tags = await tagsOf(reader, missing.map(idOf))
  for (const person of missing) person.tagsBefore = tags.get(idOf(person)) ?? NO_TAGS
}

/** Loads the texts of the notes of those who were in the network before, if not loaded yet. */
export async function loadNoteTexts(
  people: readonly MergedPerson[],
  reader: MemberReader,
): Promise<void> {
  const missing = people.filter(({ before, noteTexts }) => before && !noteTexts)
  const texts = await noteTextsOf(reader, missing.map(idOf))
  for (const person of missing) person.noteTexts = texts.get(idOf(person)) ?? new Set()
}

const NO_TAGS: readonly Tag[] = []

function idOf({ now }: MergedPerson): number {
  return now.connectionId
}

/** Distinct connections in the order they were added. */
function distinct(present: ReadonlyMap<number, Connection>): Connection[] {
  return [...new Set(present.values())].sort((one, other) => one.connectionId - other.connectionId)
}
