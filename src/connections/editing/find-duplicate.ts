/** Finds the connection that a typed person may already be. */

import { type Connection } from '../model/connection.ts'
import { isSamePhone } from '../../identity/phone-number.ts'
import { findMatch } from '../../identity/find-match.ts'
import { lookupKeysOf, nameCompanyKey } from '../model/match-keys.ts'
import type { Matchable } from '../../identity/match-person.ts'
import { wordsOf } from './find-by-name.ts'
import { findByKeys, withoutCrowded } from '../model/key-store.ts'
import { findPresent } from '../model/connection-store.ts'
import type { MatchDecision } from '../../identity/decide-match.ts'
import type { MemberReader } from '../../db/database.ts'

/**
 * An existing connection that is, or may be, the same person; found by email, profile URL, phone number or name,
 * its own or those of a connection merged into it. Ignores deleted connections.
 */
export async function findDuplicate(
  reader: MemberReader,
  person: Matchable,
): Promise<KnownPerson | undefined> {
  const holders = withoutCrowded(await findByKeys(reader, lookupKeysOf(person)))
  const present = await findPresent(reader, [
    ...new Set(holders.map(({ connection_id }) => connection_id)),
  ])
  const name = nameCompanyKey(person)
  const named = new Set(
    holders
      .filter(({ key }) => key.startsWith('n'))
      .map((holder) => present.get(holder.connection_id)),
  )
  const living = [...new Set(present.values())].filter(({ deletedAt }) => deletedAt === null)
  const { same, unsure } = findMatch(
    person,
    living.map((candidate) => ({
      candidate,
      fields: candidate,
      isDeleted: false,
      isSameFile: false,
      isSameSource: false,
      isFormer: named.has(candidate) && nameCompanyKey(candidate) !== name,
    })),
  )
  if (same) return { connection: same.candidate, isSame: true, decision: same.decision }
  // A shared address is worth a question even if the names differ, and so is a frequent name without anything else.
  const connection =
    unsure?.candidate ??
    living.find((candidate) => sharesAddress(person, candidate) || isOnlyItsName(person, candidate))
  if (!connection) return undefined
  return { connection, isSame: false, ...(unsure && { decision: unsure.decision }) }
}

export interface KnownPerson {
  readonly connection: Connection
  /** False if it may be another person. */
  readonly isSame: boolean
  /** Absent if only an address is shared. */
  readonly decision?: MatchDecision
}

/** Whether nothing tells a person from another one of the same name: a link does so only from another link. */
function isOnlyItsName(person: Matchable, known: Matchable): boolean {
  const { company, title, location, emails, phones, birthday } = person
  const profileUrl = known.profileUrl === null ? null : person.profileUrl
  const isBare = [company, title, location, profileUrl, birthday].every((value) => value === null)
  if (!isBare || emails.length + phones.length > 0) return false
  return wordsOf(person.name).join(' ') === wordsOf(known.name).join(' ')
}

/** Colleagues share the number of an office, but then most of them have an email or a company, too. */
function sharesAddress(one: Matchable, other: Matchable): boolean {
  const isOnlyPhone =
    one.emails.length === 0 &&
    [one.profileUrl, one.company, one.birthday].every((value) => value === null)
  return (
    (one.profileUrl !== null && one.profileUrl === other.profileUrl) ||
    one.emails.some((email) => other.emails.includes(email)) ||
    (isOnlyPhone &&
      one.phones.some((phone) => other.phones.some((held) => isSamePhone(phone, held))))
  )
}
