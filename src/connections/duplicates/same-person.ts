/** Evidence that two connections are the same person. */

import { differ } from '../model/match-keys.ts'
import { EMPTY_VALUE, initialOf, isInitial, NO_VALUE } from './name-words.ts'
import type { Connection } from '../model/connection.ts'

/** The probability that each kind of evidence is right on its own. These are estimates, not measurements. */
const WEIGHTS = {
  same_profile_url: 0.99,
  same_email: 0.95,
  same_name_and_company: 0.9,
  same_words_and_company: 0.85,
  nickname_and_company: 0.8,
  initials_and_company: 0.7,
  same_phone: 0.7,
  same_name_company_unknown: 0.65,
  same_name: 0.45,
  same_location: 0.3,
} as const

export type Reason = keyof typeof WEIGHTS

interface MatchEvidence {
  readonly reason: Reason
  /** The shared value, as written in one of them. */
  readonly value: string
}

/** A number of `name-words.ts`, or the text itself. */
type Value = string | number

/** What is compared for everyone, prepared with `name-words.ts`. */
export interface Person {
  readonly connectionId: number
  readonly words: readonly number[]
  /** With nicknames replaced by full names. */
  readonly fullWords: readonly number[]
  /** The number of the full words; 0 for none. */
  readonly nameNumber: number
  /** Whether the words are only those of the beginning, which is stored. */
  readonly isNameTruncated: boolean
  readonly companyNumber: number
  readonly locationNumber: number
  readonly emails: readonly Value[]
  /** The keys of the phone numbers, each once. */
  readonly phones: readonly Value[]
  readonly profileUrl: Value | null
}

/** The key of a phone number with too few digits. */
export const NO_PHONE = 0

/** The probability that at least one piece of evidence is right. */
export function scoreOf(reasons: readonly Reason[]): number {
  let doubt = 1
  for (const reason of reasons) doubt *= 1 - WEIGHTS[reason]
  return 1 - doubt
}

/** Whether many people have the name with this number, which is then not evidence by itself. */
export type IsCommonName = (nameNumber: number) => boolean

/** Why two people may be the same; empty if nothing says so. */
export function matchReasons(one: Person, other: Person, isCommon: IsCommonName): Reason[] {
  const reasons: Reason[] = []
  if (sharedEmail(one, other) !== undefined) reasons.push('same_email')
  if (one.profileUrl !== null && one.profileUrl === other.profileUrl)
    reasons.push('same_profile_url')
  // Different profiles mean different people, unless they share an email.
  if (haveDifferentProfiles(one, other)) return reasons
  if (sharedPhone(one, other) !== undefined) reasons.push('same_phone')
  const reason = nameReason(one, other, isCommon)
  if (!reason) return reasons
  reasons.push(reason)
  if (isSameValue(one.locationNumber, other.locationNumber)) reasons.push('same_location')
  return reasons
}

export interface Phone {
  /** The significant digits; empty for too few. */
  readonly key: string
  /** As written. */
  readonly text: string
}

/** The values as written. */
export interface WrittenPerson extends Person, Pick<Connection, 'name' | 'location'> {
  /** One per key. */
  readonly writtenPhones: readonly Phone[]
}

/** The values that the reasons are about. */
export function evidenceOf(
  reasons: readonly Reason[],
  one: WrittenPerson,
  other: WrittenPerson,
): MatchEvidence[] {
  const names = one.name === other.name ? one.name : `${one.name} / ${other.name}`
  const valueOf = (reason: Reason) => {
    if (reason === 'same_email') return sharedEmail(one, other)
    if (reason === 'same_profile_url') return one.profileUrl
    if (reason === 'same_phone') {
      const phone = sharedPhone(one, other)
      return one.writtenPhones.find(({ key }) => key === phone)?.text
    }
    return reason === 'same_location' ? one.location : names
  }
  return reasons.map((reason) => ({ reason, value: String(valueOf(reason) ?? '') }))
}

function isSameValue(one: number, other: number): boolean {
  return one === other && one !== NO_VALUE && one !== EMPTY_VALUE
}

function sharedEmail({ emails: one }: Person, { emails: other }: Person): Value | undefined {
  if (one.length === 0 || other.length === 0) return undefined
  return one.find((email) => other.includes(email))
}

function haveDifferentProfiles({ profileUrl: one }: Person, { profileUrl: other }: Person) {
  return one !== null && other !== null && one !== other
}

/** A shared number. Ignored if the names share no word, because people can share a phone. */
function sharedPhone(one: Person, other: Person): Value | undefined {
  if (one.phones.length === 0 || other.phones.length === 0) return undefined
  if (!one.fullWords.some((word) => other.fullWords.includes(word))) return undefined
  return one.phones.find((phone) => phone !== NO_PHONE && other.phones.includes(phone))
}

function nameReason(one: Person, other: Person, isCommon: IsCommonName): Reason | undefined {
  const areSame = one.nameNumber === other.nameNumber && one.words.length > 0
  if (isSameValue(one.companyNumber, other.companyNumber)) {
    if (areSame) return sameNameReason(one.words, other.words)
    const isShort = isAbbreviated(one.fullWords, other.fullWords)
    return isShort ? 'initials_and_company' : undefined
  }
  // A single word, such as a given name, does not identify anyone.
  if (!areSame || one.words.length < 2 || isCommon(one.nameNumber)) return undefined
  if (one.companyNumber !== NO_VALUE && other.companyNumber !== NO_VALUE) return 'same_name'
  return differ(one.emails, other.emails) && differ(one.phones, other.phones)
    ? 'same_name'
    : 'same_name_company_unknown'
}

/** How two names with the same full words are the same. */
function sameNameReason(some: readonly number[], others: readonly number[]): Reason {
  if (some.every((word, index) => word === others[index])) return 'same_name_and_company'
  const [sorted, otherSorted] = [some.toSorted(ascending), others.toSorted(ascending)]
  return sorted.every((word, index) => word === otherSorted[index])
    ? 'same_words_and_company'
    : 'nickname_and_company'
}

function ascending(one: number, other: number): number {
  return one - other
}

/**
 * Whether one name is the other with initials or without a middle name: each word of the shorter name is a word of the
 * longer one or its initial, they share a whole word, and the remaining words are initials or middle names.
 */
function isAbbreviated(some: readonly number[], others: readonly number[]): boolean {
  const [short, long] = some.length <= others.length ? [some, others] : [others, some]
  const left = [...long]
  let whole = 0
  // Match whole words first, so that an initial is not paired with a word that matches another word.
  const unmatched: number[] = []
  for (const word of short) {
    const at = isInitial(word) ? -1 : left.indexOf(word)
    if (at < 0) unmatched.push(word)
    else {
      left.splice(at, 1)
      whole += 1
    }
  }
  if (whole === 0) return false
  for (const word of unmatched) {
    const at = left.findIndex(
      (other) => (isInitial(word) || isInitial(other)) && initialOf(word) === initialOf(other),
    )
    if (at < 0) return false
    left.splice(at, 1)
  }
  return left.length === 0 || whole > 1 || left.every(isInitial)
}
