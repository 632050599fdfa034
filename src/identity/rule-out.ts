/** Rules out candidates without parsing names: most people who share a name and a company have two profiles. */

import { mailboxOf } from './email-address.ts'
import { isRenamed } from './address-findings.ts'
import { minUnsureScore, WEIGHTS } from './match-weights.ts'
import type { Matchable } from './match-person.ts'

type RuledOutFields = Pick<
  Matchable,
  'title' | 'location' | 'emails' | 'phones' | 'profileUrl' | 'birthday' | 'connectedOn'
>

/**
 * Whether `decideMatch` is certain to decide that a record and a candidate are different people, even if the name and company of
 * the candidate were those of the record.
 */
export function isRuledOut(
  record: Matchable,
  candidate: RuledOutFields,
  isSameFile: boolean,
): boolean {
  const [one, other] = [record.profileUrl, candidate.profileUrl]
  if (one === null || other === null || one === other) return false
  const room = minUnsureScore(isSameFile) - maxScore(record, candidate)
  if (room > WEIGHTS.renamed_profile_url) return true
  return room > WEIGHTS.other_profile_url && !isRenamed(one, other)
}

/** The score if everything agreed that may agree, without the profile URLs. */
function maxScore(one: Matchable, other: RuledOutFields): number {
  let score: number = WEIGHTS.same_name
  if (one.company !== null) score += WEIGHTS.same_company
  if (one.emails.length > 0 && shareMailbox(one, other))
    score += WEIGHTS.same_email + WEIGHTS.email_fits_name
  if (one.phones.length > 0 && other.phones.length > 0) score += WEIGHTS.same_phone + WEIGHTS.mobile
  if (one.birthday !== null && other.birthday !== null) score += WEIGHTS.same_birthday
  if (one.connectedOn !== null && one.connectedOn === other.connectedOn)
    score += WEIGHTS.same_connected_on
  if (one.location !== null && other.location !== null) score += WEIGHTS.same_location
  if (one.title !== null && one.title === other.title) score += WEIGHTS.same_title
  return score
}

function shareMailbox({ emails }: RuledOutFields, other: RuledOutFields): boolean {
  if (other.emails.length === 0) return false
  const others = new Set(other.emails.map(mailboxOf))
  return emails.some((email) => others.has(mailboxOf(email)))
}
