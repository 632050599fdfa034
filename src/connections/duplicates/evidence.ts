/** The values that show that two people are the same, as written. */

import { phoneKey } from '../../names/phone-number.ts'
import { bitOf, reasonsIn, type Reason } from './same-person.ts'
import type { Matchable } from '../matching/match-person.ts'
import type { MatchReason } from '../matching/match-weights.ts'
import type { WholePerson } from './people.ts'

interface MatchEvidence {
  readonly reason: Reason
  /** The shared value, as written in one of them. */
  readonly value: string
}

/** What each reason in a set is about. */
export function evidenceOf(reasons: number, one: WholePerson, other: WholePerson): MatchEvidence[] {
  return reasonsIn(reasons).map((reason) => ({ reason, value: valueOf(reason, one, other) ?? '' }))
}

function valueOf(reason: Reason, one: WholePerson, other: WholePerson): string | null | undefined {
  if (reason === 'same_email') return sharedEmail(one, other)
  if (reason === 'same_profile_url') return one.fields.profileUrl
  if (reason === 'same_phone') return sharedPhone(one, other)
  return reason === 'same_location' ? one.fields.location : namesOf(one, other)
}

/** What a reason of an import for or against a match is about. */
export function queuedValueOf(
  reason: MatchReason,
  { fields: one }: WholePerson,
  { fields: other }: WholePerson,
): string {
  const read = COMPARED[reason] ?? ((fields: Matchable) => fields.name)
  const [value, otherValue] = [read(one), read(other)].map((found) => found ?? '')
  // A value can have been removed since the import.
  if (!value || !otherValue) return pairOf(one.name, other.name)
  return pairOf(value, otherValue)
}

/** The reasons that are not about names. */
const COMPARED: Readonly<
  Partial<Record<MatchReason, (fields: Matchable) => string | null | undefined>>
> = {
  same_company: ({ company }) => company,
  similar_company: ({ company }) => company,
  other_company: ({ company }) => company,
  same_title: ({ title }) => title,
  other_title: ({ title }) => title,
  other_location: ({ location }) => location,
  other_email: ({ emails }) => emails[0],
  other_email_at_company: ({ emails }) => emails[0],
  other_phone: ({ phones }) => phones[0],
  other_profile_url: ({ profileUrl }) => profileUrl,
  renamed_profile_url: ({ profileUrl }) => profileUrl,
}

function namesOf({ fields: one }: WholePerson, { fields: other }: WholePerson): string {
  return pairOf(one.name, other.name)
}

/** One value if they are the same. */
function pairOf(one: string, other: string): string {
  return one === other ? one : `${one} / ${other}`
}

/** The reasons without those of addresses that only have the same hash. */
export function confirmed(reasons: number, one: WholePerson, other: WholePerson): number {
  let set = reasons
  for (const [bit, isShared] of SHARED) if ((set & bit) !== 0 && !isShared(one, other)) set &= ~bit
  return set
}

const SHARED: readonly (readonly [
  bit: number,
  isShared: (one: WholePerson, other: WholePerson) => boolean,
])[] = [
  [bitOf('same_email'), (one, other) => sharedEmail(one, other) !== undefined],
  [bitOf('same_phone'), (one, other) => sharedPhone(one, other) !== undefined],
  [bitOf('same_profile_url'), (one, other) => one.fields.profileUrl === other.fields.profileUrl],
]

function sharedEmail({ fields: one }: WholePerson, { fields: other }: WholePerson) {
  return one.emails.find((email) => other.emails.includes(email))
}

/** The last spelling of the first number that both have. */
function sharedPhone({ fields: one }: WholePerson, { fields: other }: WholePerson) {
  const [keys, otherKeys] = [one.phones.map(phoneKey), other.phones.map(phoneKey)]
  const shared = keys.find((key) => key !== '' && otherKeys.includes(key))
  return shared === undefined ? undefined : one.phones[keys.lastIndexOf(shared)]
}
