/**
 * Rules out people who share only a name and a company with contacts of an import, before all of their fields are loaded.
 * Nearly all namesakes in a large network have another profile, so most batches load none of them.
 */

import { isRuledOut } from '../../identity/rule-out.ts'
import { findOutlines } from '../../connections/model/outline-store.ts'
import { isNameKey } from '../../connections/model/match-keys.ts'
import type { FoundKey } from '../../connections/model/connection-key.ts'
import type { ImportedContact, MatchKeys } from '../../contact-files/contact/contact.ts'
import type { MemberReader } from '../../db/database.ts'

/** A contact and the keys by which candidates for it are searched. */
export interface SearchedContact {
  readonly contact: ImportedContact
  readonly keys: MatchKeys
}

interface Candidates {
  readonly contacts: readonly SearchedContact[]
  /** The import of the contacts. */
  readonly jobId: number
  readonly isLoaded: (connectionId: number) => boolean
}

/**
 * The IDs of the holders of keys who are certainly none of the contacts with these keys. Deleted and merged connections are
 * not among them: an import looks for what became of them.
 */
export async function findRuledOut(
  reader: MemberReader,
  found: readonly FoundKey[],
  { contacts, jobId, isLoaded }: Candidates,
): Promise<ReadonlySet<number>> {
  const ruledOut = new Set<number>()
  const namesakes = namesakesIn(found, isLoaded)
  if (namesakes.size === 0) return ruledOut
  const byKey = contactsOf(contacts, new Set(namesakes.values().flatMap((keys) => keys)))
  const ids = namesakes.keys().filter((id) => namesakes.get(id)?.every((key) => byKey.has(key)))
  for (const outline of await findOutlines(reader, [...ids])) {
    const { connectionId, importJobId, deletedAt, mergedInto } = outline
    if (deletedAt !== null || mergedInto !== null) continue
    const others = namesakes.get(connectionId)?.flatMap((key) => byKey.get(key) ?? []) ?? []
    if (others.every((contact) => isRuledOut(contact, outline, importJobId === jobId)))
      ruledOut.add(connectionId)
  }
  return ruledOut
}

/** The keys of those who are not loaded and have no other keys than those of a name and a company. */
function namesakesIn(
  found: readonly FoundKey[],
  isLoaded: Candidates['isLoaded'],
): ReadonlyMap<number, readonly string[]> {
  const namesakes = new Map<number, string[]>()
  const others = new Set<number>()
  for (const { key, connection_id } of found) {
    const keys = namesakes.get(connection_id)
    if (!isNameKey(key)) others.add(connection_id)
    else if (keys) keys.push(key)
    else if (!isLoaded(connection_id)) namesakes.set(connection_id, [key])
  }
  for (const id of others) namesakes.delete(id)
  return namesakes
}

/** By key: the contacts that have it, if all of them have a profile. Without two profiles, hardly anyone is ruled out. */
function contactsOf(
  contacts: readonly SearchedContact[],
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, readonly ImportedContact[]> {
  const byKey = new Map<string, ImportedContact[]>()
  for (const { contact, keys } of contacts)
    for (const key of [...keys.stored, ...keys.lookupOnly]) {
      if (!isNameKey(key) || !wanted.has(key)) continue
      const some = byKey.get(key)
      if (some) some.push(contact)
      else byKey.set(key, [contact])
    }
  for (const [key, some] of byKey)
    if (some.some(({ profileUrl }) => profileUrl === null)) byKey.delete(key)
  return byKey
}
