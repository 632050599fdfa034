/**
 * By what two records are taken for the same person: an e-mail address, else a profile URL, else name and company.
 * Every import and every added connection is matched by these.
 */

import { hash } from 'node:crypto'
import { nameKey } from '../../base/tokenize.ts'
import type { Connection } from './connection.ts'
import type { ImportedContact } from './contact.ts'

/** As much of a person as recognizing takes. */
export type MatchableContact = Pick<
  Connection,
  'name' | 'company' | 'emails' | 'phones' | 'profileUrl'
>

/** The keys of a person, the most telling first. Everybody has one of name and company. */
export function keysOf(person: MatchableContact): string[] {
  return [...addressKeysOf(person), nameCompanyKey(person)]
}

/**
 * The key of a contact exactly as a file had it. Whoever has it has taken in this very contact before: importing it
 * again says nothing new, whatever other files and people have changed since.
 */
export function fingerprintKey(contact: ImportedContact): string {
  return keyOf('h', JSON.stringify(contact))
}

/** As `fingerprintKey`, for a contact that was left out because that person is deleted: it says nothing once they are back. */
export function skippedKey(contact: ImportedContact): string {
  return keyOf('s', JSON.stringify(contact))
}

/** Those of e-mail addresses and the profile URL: they name one person. */
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

/** The key of their name and company. */
export function nameCompanyKey({ name, company }: MatchableContact): string {
  return keyOf('n', `${nameKey(name) || name}|${company === null ? '' : nameKey(company)}`)
}

/**
 * A letter for what it is, and 66 bits of a hash: a third of the size of what it stands for, and an import writes and
 * looks up several a row. Two of one member's that meet by chance are not to be expected in any network.
 */
function keyOf(kind: 'e' | 'u' | 'n' | 'h' | 's', text: string): string {
  return kind + hash('sha256', text, 'base64url').slice(0, 11)
}

/**
 * Which of the candidates (by key: whoever has it) is the same person, if any: the most telling key decides, and among
 * those who share it the first.
 */
export function findSamePerson<Candidate>(
  person: MatchableContact,
  candidates: (key: string) => readonly Candidate[],
  recognize: (candidate: Candidate) => MatchableContact,
): Candidate | undefined {
  for (const key of addressKeysOf(person)) {
    const [first] = candidates(key)
    if (first) return first
  }
  const namesakes = candidates(nameCompanyKey(person))
  return namesakes.find((candidate) => couldBeSame(person, recognize(candidate)))
}

/** Same name and company: the same person, unless what else is known of both says otherwise. */
function couldBeSame(one: MatchableContact, other: MatchableContact): boolean {
  if (one.profileUrl !== null && other.profileUrl !== null)
    return one.profileUrl === other.profileUrl
  if (one.company !== null) return true
  // A bare name is weak: then e-mail addresses or phone numbers that differ mean two people.
  return !differ(one.emails, other.emails) && !differ(one.phones, other.phones)
}

function differ(some: readonly string[], others: readonly string[]): boolean {
  return some.length > 0 && others.length > 0 && !some.some((value) => others.includes(value))
}
