/** The values that a reason of a decision is about, as written. */

import { mailboxOf } from '../../identity/email-address.ts'
import { isSamePhone } from '../../identity/phone-number.ts'
import type { Matchable } from '../../identity/match-person.ts'
import type { MatchReason } from '../../identity/match-weights.ts'

/** One value if both have the same, or `one / other`. */
export function sharedValue(reason: MatchReason, one: Matchable, other: Matchable): string {
  const shared = SHARED[reason]?.(one, other)
  if (shared !== undefined) return shared
  const read = COMPARED[reason]
  const [value, otherValue] = [read?.(one) ?? '', read?.(other) ?? '']
  // A value can have been removed since an import queued the pair.
  return value && otherValue ? pairOf(value, otherValue) : pairOf(one.name, other.name)
}

/** One value if they are the same. */
function pairOf(one: string, other: string): string {
  return one === other ? one : `${one} / ${other}`
}

/** The reasons about a value that both have. */
const SHARED: Readonly<
  Partial<Record<MatchReason, (one: Matchable, other: Matchable) => string | undefined>>
> = {
  same_email: sharedEmail,
  email_fits_name: sharedEmail,
  shared_mailbox: sharedEmail,
  same_phone: sharedPhone,
  mobile: sharedPhone,
  landline: sharedPhone,
}

function sharedPhone({ phones }: Matchable, other: Matchable): string | undefined {
  return phones.find((phone) => other.phones.some((same) => isSamePhone(phone, same)))
}

function sharedEmail({ emails }: Matchable, other: Matchable): string | undefined {
  const mailboxes = new Set(other.emails.map(mailboxOf))
  return emails.find((email) => mailboxes.has(mailboxOf(email)))
}

/** What the other reasons compare, unless that is the name. */
const COMPARED: Readonly<
  Partial<Record<MatchReason, (fields: Matchable) => string | null | undefined>>
> = {
  same_company: ({ company }) => company,
  similar_company: ({ company }) => company,
  other_company: ({ company }) => company,
  same_title: ({ title }) => title,
  other_title: ({ title }) => title,
  same_location: ({ location }) => location,
  other_location: ({ location }) => location,
  same_birthday: ({ birthday }) => birthday,
  same_birthday_without_year: ({ birthday }) => birthday,
  other_birthday: ({ birthday }) => birthday,
  same_connected_on: ({ connectedOn }) => connectedOn,
  similar_email: ({ emails }) => emails[0],
  other_email: ({ emails }) => emails[0],
  other_email_at_company: ({ emails }) => emails[0],
  other_phone: ({ phones }) => phones[0],
  same_profile_url: ({ profileUrl }) => profileUrl,
  other_profile_url: ({ profileUrl }) => profileUrl,
  renamed_profile_url: ({ profileUrl }) => profileUrl,
}
