/** Evidence that two connections are the same person. */

import { EMPTY_VALUE, initialOf, isInitial, NO_VALUE } from './name-words.ts'
import {
  COLUMN,
  columnOf,
  fullList,
  LIST,
  listAt,
  listEnd,
  listLength,
  listStart,
  type Column,
  type List,
  type PeopleTable,
} from './people-table.ts'

/**
 * The probability that each kind of evidence is right on its own. These are estimates, not measurements. In the order in
 * which evidence is listed.
 */
const WEIGHTS = {
  same_email: 0.95,
  same_profile_url: 0.99,
  same_phone: 0.7,
  same_name_and_company: 0.9,
  same_words_and_company: 0.85,
  nickname_and_company: 0.8,
  initials_and_company: 0.7,
  same_name_company_unknown: 0.65,
  same_name: 0.45,
  same_location: 0.3,
} as const

export type Reason = keyof typeof WEIGHTS

const REASONS = Object.keys(WEIGHTS) as Reason[]

/** A set of reasons has a bit for each, so that nothing is allocated for a pair. */
export function bitOf(reason: Reason): number {
  return 1 << REASONS.indexOf(reason)
}

const EMAIL = bitOf('same_email')
const PROFILE_URL = bitOf('same_profile_url')
const PHONE = bitOf('same_phone')
const LOCATION = bitOf('same_location')
const NAME_AND_COMPANY = bitOf('same_name_and_company')
const WORDS_AND_COMPANY = bitOf('same_words_and_company')
const NICKNAME_AND_COMPANY = bitOf('nickname_and_company')
const INITIALS_AND_COMPANY = bitOf('initials_and_company')
const NAME = bitOf('same_name')
const NAME_COMPANY_UNKNOWN = bitOf('same_name_company_unknown')

/** The reasons that compare addresses, of which the table has only hashes. */
export const ADDRESSES = EMAIL | PROFILE_URL | PHONE

/** The reasons in a set, in order. */
export function reasonsIn(set: number): Reason[] {
  return REASONS.filter((_, at) => (set & (1 << at)) !== 0)
}

/** By set of reasons. */
const SCORES = Float64Array.from({ length: 2 ** REASONS.length }, (_, set) => {
  let doubt = 1
  for (const reason of reasonsIn(set)) doubt *= 1 - WEIGHTS[reason]
  return 1 - doubt
})

/** The probability that at least one piece of evidence is right. */
export function scoreOf(set: number): number {
  return SCORES[set] ?? 0
}

/** The key of a phone number with too few digits. */
export const NO_PHONE = 0

/** Whether many people have the name with this number, which is then not evidence by itself. */
export type IsCommonName = (nameNumber: number) => boolean

/** Why the people at two positions may be the same, as a set of reasons; 0 if nothing says so. */
export function matchReasons(
  table: PeopleTable,
  one: number,
  other: number,
  isCommon: IsCommonName,
): number {
  const [profileUrl, otherUrl] = [
    columnOf(table, one, COLUMN.profileUrl),
    columnOf(table, other, COLUMN.profileUrl),
  ]
  const isSameProfile = profileUrl !== NO_VALUE && profileUrl === otherUrl
  const emails = shareNumber(table, one, other, LIST.emails) ? EMAIL : 0
  // Different profiles mean different people, unless they share an email.
  if (!isSameProfile && profileUrl !== NO_VALUE && otherUrl !== NO_VALUE) return emails
  const addresses =
    emails | (isSameProfile ? PROFILE_URL : 0) | (sharePhone(table, one, other) ? PHONE : 0)
  const name = nameReason(table, one, other, isCommon)
  if (name === 0) return addresses
  return addresses | name | (haveSameValue(table, one, other, COLUMN.location) ? LOCATION : 0)
}

function haveSameValue(table: PeopleTable, one: number, other: number, column: Column): boolean {
  const value = columnOf(table, one, column)
  return value > EMPTY_VALUE && value === columnOf(table, other, column)
}

/** Whether both have lists of this kind, and one number in common. */
function shareNumber(table: PeopleTable, one: number, other: number, list: List): boolean {
  return haveBoth(table, one, other, list) && shareAny(table, one, list, other, list)
}

function haveBoth(table: PeopleTable, one: number, other: number, list: List): boolean {
  return listLength(table, one, list) > 0 && listLength(table, other, list) > 0
}

function shareAny(
  table: PeopleTable,
  one: number,
  list: List,
  other: number,
  otherList: List,
  except?: number,
): boolean {
  const { numbers } = table
  const [start, end] = [listStart(table, other, otherList), listEnd(table, other, otherList)]
  const until = listEnd(table, one, list)
  for (let at = listStart(table, one, list); at < until; at += 1) {
    const number = numbers[at]
    if (number === except) continue
    for (let otherAt = start; otherAt < end; otherAt += 1)
      if (numbers[otherAt] === number) return true
  }
  return false
}

/** Ignored if the names share no word, because people can share a phone. */
function sharePhone(table: PeopleTable, one: number, other: number): boolean {
  return (
    haveBoth(table, one, other, LIST.phones) &&
    shareAny(table, one, LIST.phones, other, LIST.phones, NO_PHONE) &&
    shareAny(table, one, fullList(table, one), other, fullList(table, other))
  )
}

/** 0 for none. */
function nameReason(
  table: PeopleTable,
  one: number,
  other: number,
  isCommon: IsCommonName,
): number {
  const name = columnOf(table, one, COLUMN.name)
  const words = listLength(table, one, LIST.words)
  const areSame = words > 0 && name === columnOf(table, other, COLUMN.name)
  if (haveSameValue(table, one, other, COLUMN.company)) {
    if (areSame) return sameNameReason(table, one, other)
    return isAbbreviated(table, one, other) ? INITIALS_AND_COMPANY : 0
  }
  // A single word, such as a given name, does not identify anyone.
  if (!areSame || words < 2 || isCommon(name)) return 0
  if (
    columnOf(table, one, COLUMN.company) !== NO_VALUE &&
    columnOf(table, other, COLUMN.company) !== NO_VALUE
  )
    return NAME
  return differ(table, one, other, LIST.emails) && differ(table, one, other, LIST.phones)
    ? NAME
    : NAME_COMPANY_UNKNOWN
}

/** Whether both have lists of this kind without a number in common. */
function differ(table: PeopleTable, one: number, other: number, list: List): boolean {
  return haveBoth(table, one, other, list) && !shareAny(table, one, list, other, list)
}

/** How two names with the same full words are the same. */
function sameNameReason(table: PeopleTable, one: number, other: number): number {
  if (hasWordsOf(table, one, other)) return NAME_AND_COMPANY
  const words = listAt(table, one, LIST.words).toSorted(ascending)
  const others = listAt(table, other, LIST.words).toSorted(ascending)
  return words.every((word, at) => word === others[at]) ? WORDS_AND_COMPANY : NICKNAME_AND_COMPANY
}

/** Whether all words of one are at the same place in the other. */
function hasWordsOf(table: PeopleTable, one: number, other: number): boolean {
  const { numbers } = table
  const [start, otherStart] = [
    listStart(table, one, LIST.words),
    listStart(table, other, LIST.words),
  ]
  const count = listLength(table, one, LIST.words)
  if (listLength(table, other, LIST.words) < count) return false
  for (let at = 0; at < count; at += 1)
    if (numbers[start + at] !== numbers[otherStart + at]) return false
  return true
}

function ascending(one: number, other: number): number {
  return one - other
}

/**
 * Whether one name is the other with initials or without a middle name: each word of the shorter name is a word of the
 * longer one or its initial, they share a whole word, and the remaining words are initials or middle names.
 */
function isAbbreviated(table: PeopleTable, one: number, other: number): boolean {
  const [some, others] = [
    listAt(table, one, fullList(table, one)),
    listAt(table, other, fullList(table, other)),
  ]
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
      (longer) => (isInitial(word) || isInitial(longer)) && initialOf(word) === initialOf(longer),
    )
    if (at < 0) return false
    left.splice(at, 1)
  }
  return left.length === 0 || whole > 1 || left.every(isInitial)
}
