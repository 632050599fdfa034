/**
 * Keys that identify the same person in two records: email, else profile URL, else name and company. Imports and added
 * connections are matched by them.
 */

import { hash } from 'node:crypto'
import { nameKey } from '../../base/tokenize.ts'
import type { Connection } from './connection.ts'
import type { ImportedContact } from './contact.ts'

/** The fields needed to match a person. */
type MatchableContact = Pick<Connection, 'name' | 'company' | 'emails' | 'phones' | 'profileUrl'>

/** The keys of a person, strongest first. The key of name and company always exists. */
export function keysOf(person: MatchableContact): string[] {
  return [...addressKeysOf(person), nameCompanyKey(person)]
}

/**
 * The key of a contact exactly as the file had it. A connection with this key already includes this contact, so
 * importing it again changes nothing, even after other imports or edits.
 */
export function fingerprintKey(contact: ImportedContact): string {
  return keyOf('h', JSON.stringify(contact))
}

/** Like `fingerprintKey`, for a contact skipped because the person is deleted; ignored once the person is restored. */
export function skippedKey(contact: ImportedContact): string {
  return keyOf('s', JSON.stringify(contact))
}

/** The keys of emails and the profile URL, each of which identifies one person. */
export function addressKeysOf({ emails, profileUrl }: MatchableContact): string[] {
  const keys = emails.map(emailKey)
  if (profileUrl !== null) keys.push(profileUrlKey(profileUrl))
  return keys
}

export function emailKey(email: string): string {
  return keyOf('e', email)
}

export function profileUrlKey(profileUrl: string): string {
  return keyOf('u', profileUrl)
}

export function nameCompanyKey({ name, company }: MatchableContact): string {
  return keyOf('n', `${nameKey(name) || name}|${company === null ? '' : nameKey(company)}`)
}

/**
 * A letter for the kind and 66 bits of a hash. That is a third of the size of the text, which matters because an import
 * writes and looks up several keys per row. Collisions within one member's network are negligible.
 */
function keyOf(kind: 'e' | 'u' | 'n' | 'h' | 's', text: string): string {
  return kind + hash('sha256', text, 'base64url').slice(0, 11)
}

/**
 * Finds the candidate who is the same person, if any. The strongest key decides; among candidates who share it, the
 * first wins. `candidates` returns the holders of a key.
 */
export function findSamePerson<Candidate>(
  person: MatchableContact,
  candidates: (key: string) => readonly Candidate[],
  matchable: (candidate: Candidate) => MatchableContact,
): Candidate | undefined {
  for (const key of addressKeysOf(person)) {
    const [first] = candidates(key)
    if (first) return first
  }
  const namesakes = candidates(nameCompanyKey(person))
  return namesakes.find((candidate) => couldBeSame(person, matchable(candidate)))
}

/** Whether two records with the same name and company can be the same person, judging by their other fields. */
function couldBeSame(one: MatchableContact, other: MatchableContact): boolean {
  if (one.profileUrl !== null && other.profileUrl !== null)
    return one.profileUrl === other.profileUrl
  if (one.company !== null) return true
  // A bare name is weak evidence, so different emails or phone numbers mean two people.
  return !differ(one.emails, other.emails) && !differ(one.phones, other.phones)
}

/** Whether both have values and share none. */
export function differ(some: readonly string[], others: readonly string[]): boolean {
  return some.length > 0 && others.length > 0 && !some.some((value) => others.includes(value))
}
