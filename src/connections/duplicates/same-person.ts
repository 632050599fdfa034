/** Evidence that two connections are the same person. */

import { differ } from '../model/match-keys.ts'
import { nameKey } from '../../base/tokenize.ts'
import { fullForm } from '../../names/given-names.ts'
import { phoneKey } from '../../names/phone-number.ts'
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

export interface MatchEvidence {
  readonly reason: Reason
  /** The shared value, as written in one of them. */
  readonly value: string
}

/** The compared fields of a connection. */
export type Comparable = Pick<
  Connection,
  'connectionId' | 'name' | 'company' | 'location' | 'emails' | 'phones' | 'profileUrl'
>

/** A connection with the normalized fields to compare. */
export interface Person {
  readonly connection: Comparable
  /** Normalized words of the name. */
  readonly words: readonly string[]
  /** The words, sorted, with nicknames replaced by full names. */
  readonly fullWords: readonly string[]
  readonly company: string | null
  readonly location: string | null
  /** Significant digits of each number, to the number as written. */
  readonly phones: ReadonlyMap<string, string>
}

export function personOf(connection: Comparable): Person {
  const { name, company, location, phones } = connection
  const words = wordsOf(nameKey(name))
  return {
    connection,
    words,
    fullWords: unabbreviatedWords(words),
    company: company === null ? null : nameKey(company),
    location: location === null ? null : nameKey(location),
    phones: new Map(phones.map((phone) => [phoneKey(phone), phone])),
  }
}

export function wordsOf(key: string): string[] {
  const words = key.split(' ')
  return words.includes('') ? words.filter((word) => word !== '') : words
}

/** The words of a name, sorted, with nicknames replaced by full names. */
export function unabbreviatedWords(words: readonly string[]): string[] {
  return words.map(fullForm).sort()
}

/** The probability that at least one piece of evidence is right. */
export function scoreOf(evidence: readonly MatchEvidence[]): number {
  return 1 - evidence.reduce((doubt, { reason }) => doubt * (1 - WEIGHTS[reason]), 1)
}

/** `isCommon` returns whether many people share a name, which is then not evidence by itself. */
export function matchEvidence(
  one: Person,
  other: Person,
  isCommon: (words: readonly string[]) => boolean,
): MatchEvidence[] {
  const evidence = addressEvidence(one, other)
  // Different profiles mean different people, unless they share an email.
  if (haveDifferentProfiles(one, other)) return evidence
  const phone = sharedPhone(one, other)
  if (phone !== undefined) evidence.push({ reason: 'same_phone', value: phone })
  const reason = nameReason(one, other, isCommon)
  if (!reason) return evidence
  const { name } = other.connection
  evidence.push({
    reason,
    value: one.connection.name === name ? name : `${one.connection.name} / ${name}`,
  })
  const { location } = one.connection
  if (location !== null && one.location !== '' && one.location === other.location)
    evidence.push({ reason: 'same_location', value: location })
  return evidence
}

function addressEvidence(
  { connection: one }: Person,
  { connection: other }: Person,
): MatchEvidence[] {
  const evidence: MatchEvidence[] = []
  const email = one.emails.find((address) => other.emails.includes(address))
  if (email !== undefined) evidence.push({ reason: 'same_email', value: email })
  if (one.profileUrl !== null && one.profileUrl === other.profileUrl)
    evidence.push({ reason: 'same_profile_url', value: one.profileUrl })
  return evidence
}

function haveDifferentProfiles(
  { connection: one }: Person,
  { connection: other }: Person,
): boolean {
  return one.profileUrl !== null && other.profileUrl !== null && one.profileUrl !== other.profileUrl
}

/** A shared number. Ignored if the names share no word, because people can share a phone. */
function sharedPhone(one: Person, other: Person): string | undefined {
  if (one.phones.size === 0 || other.phones.size === 0) return undefined
  if (!one.fullWords.some((word) => other.fullWords.includes(word))) return undefined
  for (const [digits, phone] of one.phones)
    if (digits !== '' && other.phones.has(digits)) return phone
  return undefined
}

function nameReason(
  one: Person,
  other: Person,
  isCommon: (words: readonly string[]) => boolean,
): Reason | undefined {
  const areSame = sameWords(one.fullWords, other.fullWords)
  if (one.company !== null && one.company !== '' && one.company === other.company) {
    if (sameWords(one.words, other.words)) return 'same_name_and_company'
    if (sameWords(one.words.toSorted(), other.words.toSorted())) return 'same_words_and_company'
    if (areSame) return 'nickname_and_company'
    return isAbbreviated(one.words, other.words) ? 'initials_and_company' : undefined
  }
  // A single word, such as a given name, does not identify anyone.
  if (!areSame || one.fullWords.length < 2 || isCommon(one.fullWords)) return undefined
  if (one.company !== null && other.company !== null) return 'same_name'
  return differ(one.connection.emails, other.connection.emails) && differ(keys(one), keys(other))
    ? 'same_name'
    : 'same_name_company_unknown'
}

function sameWords(some: readonly string[], others: readonly string[]): boolean {
  return (
    some.length > 0 &&
    some.length === others.length &&
    some.every((word, index) => word === others[index])
  )
}

function keys({ phones }: Person): string[] {
  return [...phones.keys()]
}

/**
 * Whether one name is the other with initials or without a middle name: each word of the shorter name is a word of the
 * longer one or its initial, they share a whole word, and the remaining words are initials or middle names.
 */
function isAbbreviated(some: readonly string[], others: readonly string[]): boolean {
  const [short, long] = some.length <= others.length ? [some, others] : [others, some]
  const left = long.map(fullForm)
  let whole = 0
  // Match whole words first, so that an initial is not paired with a word that matches another word.
  const initials = short.map(fullForm).filter((word) => {
    const at = word.length > 1 ? left.indexOf(word) : -1
    if (at < 0) return true
    left.splice(at, 1)
    whole += 1
    return false
  })
  for (const word of initials) {
    const at = left.findIndex((candidate) => isInitial(word, candidate))
    if (at < 0) return false
    left.splice(at, 1)
  }
  return whole > 0 && (left.length === 0 || whole > 1 || left.every(({ length }) => length === 1))
}

function isInitial(one: string, other: string): boolean {
  return one[0] === other[0] && (one.length === 1 || other.length === 1)
}
