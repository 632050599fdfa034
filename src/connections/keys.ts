/**
 * By what two records are taken for the same person: an e-mail address, else a profile URL, else name and company.
 * Every import and every added connection is matched by these.
 */

import { hash } from 'node:crypto'
import { nameKey } from '../base/words.ts'
import type { Connection } from './connection.ts'
import type { ImportedContact } from './imports/contact.ts'

/** As much of a person as recognising takes. */
export type Recognisable = Pick<Connection, 'name' | 'company' | 'emails' | 'phones' | 'profileUrl'>

/** The keys of a person, the most telling first. `n:` is always there. */
export function keysOf(person: Recognisable): string[] {
  return [...addressKeysOf(person), nameCompanyKey(person)]
}

/**
 * The key of a contact exactly as a file had it. Whoever has it has taken in this very contact before: importing it
 * again says nothing new, whatever other files and people have changed since.
 */
export function fingerprintKey(contact: ImportedContact): string {
  return `h:${hash('sha256', JSON.stringify(contact), 'base64url').slice(0, 22)}`
}

/** Those of e-mail addresses and the profile URL: they name one person. */
export function addressKeysOf(person: Recognisable): string[] {
  const emails = person.emails.map((email) => `e:${email}`)
  return person.profileUrl === null ? emails : [...emails, `u:${person.profileUrl}`]
}

/**
 * Which of the candidates (by key: whoever has it) is the same person, if any: the most telling key decides, and among
 * those who share it the first.
 */
export function findSamePerson<Candidate>(
  person: Recognisable,
  candidates: (key: string) => readonly Candidate[],
  recognise: (candidate: Candidate) => Recognisable,
): Candidate | undefined {
  for (const key of addressKeysOf(person)) {
    const [first] = candidates(key)
    if (first) return first
  }
  const namesakes = candidates(nameCompanyKey(person))
  return namesakes.find((candidate) => couldBeSame(person, recognise(candidate)))
}

/** Same name and company: the same person, unless what else is known of both says otherwise. */
function couldBeSame(one: Recognisable, other: Recognisable): boolean {
  if (one.profileUrl !== null && other.profileUrl !== null)
    return one.profileUrl === other.profileUrl
  if (one.company !== null) return true
  // A bare name is weak: then e-mail addresses or phone numbers that differ mean two people.
  return !differ(one.emails, other.emails) && !differ(one.phones, other.phones)
}

function differ(some: readonly string[], others: readonly string[]): boolean {
  return some.length > 0 && others.length > 0 && !some.some((value) => others.includes(value))
}

function nameCompanyKey({ name, company }: Recognisable): string {
  return `n:${nameKey(name) || name}|${company === null ? '' : nameKey(company)}`
}
