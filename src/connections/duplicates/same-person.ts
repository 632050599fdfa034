/** What speaks for two connections being the same person. */

import { nameKey } from '../../base/tokenize.ts'
import { fullName } from '../model/nicknames.ts'
import type { Connection } from '../model/connection.ts'

/** How much each kind of evidence says on its own: a chance between 0 and 1, judged and not measured. */
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
  /** What they share, as one of them has it. */
  readonly value: string
}

/** A connection with what is compared of it. */
export interface Person {
  readonly connection: Connection
  /** Of the name, folded. */
  readonly words: readonly string[]
  readonly company: string | null
  readonly location: string | null
  /** The telling digits of each number. */
  readonly phones: ReadonlyMap<string, string>
}

export function personOf(connection: Connection): Person {
  const { name, company, location, phones } = connection
  return {
    connection,
    words: wordsOf(nameKey(name)),
    company: company === null ? null : nameKey(company),
    location: location === null ? null : nameKey(location),
    phones: new Map(phones.map((phone) => [significantDigits(phone), phone])),
  }
}

export function wordsOf(key: string): string[] {
  return key.split(' ').filter((word) => word !== '')
}

/** The words of a name in one order, each as its full form. */
export function unabbreviatedWords(words: readonly string[]): string[] {
  return words.map(fullName).sort()
}

/** With or without its country's code, a number ends alike. */
const TELLING_DIGITS = 9
const MIN_DIGITS = 7

/** Empty for a number too short to tell anything. */
export function significantDigits(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  return digits.length < MIN_DIGITS ? '' : digits.slice(-TELLING_DIGITS)
}

/** The chance that none of the clues misleads. */
export function scoreOf(clues: readonly MatchEvidence[]): number {
  return 1 - clues.reduce((doubt, { reason }) => doubt * (1 - WEIGHTS[reason]), 1)
}

/** `isCommon` tells of a name whether many have it, which then says nothing by itself. */
export function matchEvidence(
  one: Person,
  other: Person,
  isCommon: (words: readonly string[]) => boolean,
): MatchEvidence[] {
  const clues = addressClues(one, other)
  // Two profiles are two people, unless an address of one of them is the other's.
  if (haveDifferentProfiles(one, other)) return clues
  const phone = sharedPhone(one, other)
  if (phone !== undefined) clues.push({ reason: 'same_phone', value: phone })
  const reason = nameReason(one, other, isCommon)
  if (!reason) return clues
  const { name } = other.connection
  clues.push({
    reason,
    value: one.connection.name === name ? name : `${one.connection.name} / ${name}`,
  })
  const { location } = one.connection
  if (location !== null && one.location !== '' && one.location === other.location)
    clues.push({ reason: 'same_location', value: location })
  return clues
}

function addressClues({ connection: one }: Person, { connection: other }: Person): MatchEvidence[] {
  const clues: MatchEvidence[] = []
  const email = one.emails.find((address) => other.emails.includes(address))
  if (email !== undefined) clues.push({ reason: 'same_email', value: email })
  if (one.profileUrl !== null && one.profileUrl === other.profileUrl)
    clues.push({ reason: 'same_profile_url', value: one.profileUrl })
  return clues
}

function haveDifferentProfiles(
  { connection: one }: Person,
  { connection: other }: Person,
): boolean {
  return one.profileUrl !== null && other.profileUrl !== null && one.profileUrl !== other.profileUrl
}

/** Of people whose names have nothing in common it tells no more than that they share a telephone. */
function sharedPhone(one: Person, other: Person): string | undefined {
  const names = new Set(unabbreviatedWords(other.words))
  if (!unabbreviatedWords(one.words).some((word) => names.has(word))) return undefined
  for (const [digits, phone] of one.phones)
    if (digits !== '' && other.phones.has(digits)) return phone
  return undefined
}

function nameReason(
  one: Person,
  other: Person,
  isCommon: (words: readonly string[]) => boolean,
): Reason | undefined {
  const words = unabbreviatedWords(one.words)
  const areSame = sameWords(words, unabbreviatedWords(other.words))
  if (one.company !== null && one.company !== '' && one.company === other.company) {
    if (sameWords(one.words, other.words)) return 'same_name_and_company'
    if (sameWords(one.words.toSorted(), other.words.toSorted())) return 'same_words_and_company'
    if (areSame) return 'nickname_and_company'
    return isAbbreviated(one.words, other.words) ? 'initials_and_company' : undefined
  }
  // A single word, such as a given name, is nobody's in particular.
  if (!areSame || words.length < 2 || isCommon(words)) return undefined
  if (one.company !== null && other.company !== null) return 'same_name'
  return differ(one.connection.emails, other.connection.emails) && differ(keys(one), keys(other))
    ? 'same_name'
    : 'same_name_company_unknown'
}

function sameWords(some: readonly string[], others: readonly string[]): boolean {
  return some.length > 0 && some.join(' ') === others.join(' ')
}

function keys({ phones }: Person): string[] {
  return [...phones.keys()]
}

function differ(some: readonly string[], others: readonly string[]): boolean {
  return some.length > 0 && others.length > 0 && !some.some((value) => others.includes(value))
}

/**
 * Whether one name is the other with initials, or without a middle name: each word of the shorter is a word of the
 * longer or its initial, they share a whole word, and what is left over is an initial or a middle name.
 */
function isAbbreviated(some: readonly string[], others: readonly string[]): boolean {
  const [short, long] = some.length <= others.length ? [some, others] : [others, some]
  const left = long.map(fullName)
  let whole = 0
  // Whole words first, so that an initial does not take one that another word needs.
  const initials = short.map(fullName).filter((word) => {
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
