/** Given names that look alike and are often those of two people who share an address: spouses, siblings, parents and children. */

import { lazy } from '../base/lazy.ts'
import {
  givenNameLines,
  givenNamePairs,
  givenNames,
  isGivenName,
  otherForms,
} from './given-names.ts'
import { areSyllables } from './syllables.ts'
import type { PersonName } from './person-name.ts'

/**
 * Whether two normalized forms of one name are often names of two people: neither is short for the other (Ted and Ned, Diego and
 * Santiago), or each is a name of its own (Hans and Hannes, Simone and Simona).
 */
export function areTwoForms(one: string, other: string): boolean {
  if (one === other) return false
  if (areTwoNames(one, other) || haveOtherEndings(one, other)) return true
  return (
    one.slice(0, SAME_START) !== other.slice(0, SAME_START) &&
    !isPair(shortForms(), one, other) &&
    !isFullForm(one, other) &&
    !isFullForm(other, one)
  )
}

/** Whether two short forms are names of their own that twins may have, too: Leo and Leon, Emma and Emmy. */
export function areSimilarShortNames(one: string, other: string): boolean {
  return (
    Math.max(one.length, other.length) <= SHORT_NAME &&
    Math.abs(one.length - other.length) <= 1 &&
    one.slice(0, 2) === other.slice(0, 2)
  )
}

/** Letters. */
const SHORT_NAME = 5

/** Whether two normalized names that are spelled alike or forms of one name are names of their own: Luke and Luce, Nino and Nina. */
export function areTwoNames(one: string, other: string): boolean {
  return isPair(twoNames(), one, other)
}

/** Anna and Anne, Maria and Marie. */
function haveOtherEndings(one: string, other: string): boolean {
  return (
    one.length === other.length &&
    one.slice(0, -1) === other.slice(0, -1) &&
    one.endsWith('a') !== other.endsWith('a') &&
    /[aeo]$/.test(one) &&
    /[aeo]$/.test(other)
  )
}

/** Letters at the start of two forms that only differ in their ending, such as Kat and Katie. */
const SAME_START = 3

/** The given names that a normalized familiar form is short for: `ben` for Benjamin and Benedict. None for a full form. */
export function longForms(short: string): readonly string[] {
  if (isFullForm(short, short)) return []
  return otherForms(short).filter((form) => form.length > short.length && !areTwoForms(short, form))
}

/** Whether the first word is the most common full form of the second. */
function isFullForm(full: string, short: string): boolean {
  const { groups, groupsOf } = givenNames()
  return groupsOf.get(short)?.some((group) => groups[group]?.[0] === full) === true
}

function isPair(pairs: ReadonlyMap<string, ReadonlySet<string>>, one: string, other: string) {
  return pairs.get(one)?.has(other) === true || pairs.get(other)?.has(one) === true
}

/** Full forms that are not the most common one of their name, and the short forms that begin otherwise. */
const shortForms = lazy(() => givenNamePairs('short forms'))

/** Forms or similar spellings of one name that are names of two people. */
const twoNames = lazy(() => givenNamePairs('two names'))

/**
 * Whether a name with all words of another one has more of a given name, so that the other one is a name of its own: Jean-Luc
 * and Luc, Anna Maria and Maria, Ji-hye and Ji. A second name that is only added (Christopher James and Christopher), or an initial
 * (W. Graham and Graham), makes no other name. `omitted` are the words of the long name that the short one lacks.
 */
export function isPartOfGivenName(long: PersonName, omitted: readonly string[]): boolean {
  const given = long.given.filter((word) => word.length > 1 && !MARKERS.has(word))
  const lacking = omitted.filter((word) => given.includes(word))
  const [first = ''] = given
  if (lacking.length === 0) return false
  if (lacking.includes(first) || long.isHyphenated || areSyllables(given)) return true
  return lacking.some(
    (word) => (COMPOUND_STARTS.has(first) && isGivenName(word)) || COMPOUND_ENDS.has(word),
  )
}

/** Thị and Văn, which say that a Vietnamese name is of a woman or a man. */
const MARKERS: ReadonlySet<string> = new Set(['thi', 'van'])

/** Names that often form one with the next: José Luis, Mary Ann, Mohammed Ali. */
const COMPOUND_STARTS: ReadonlySet<string> = new Set(
  `ana anna anne carlos eva gian hans jan jean joao jose juan karl lee luis marco maria marie mary miguel mohamed mohammad mohammed
  muhammad pedro pier rosa`.split(/\s+/),
)

/** The second parts of Indian names: Mohan Lal, Hari Das. */
const COMPOUND_ENDS: ReadonlySet<string> = new Set(
  'chand das dev jahan lal nath pal prasad ram'.split(' '),
)

/**
 * Whether two normalized words differ by a slip of the keyboard, which makes no other name: two letters swapped or one doubled,
 * one missing inside a long word, or another spelling in Latin letters. Other typos are names of siblings, too: Mara and Maria,
 * Rohit and Mohit, Yoshio and Yoshiko.
 */
export function isSlip(one: string, other: string): boolean {
  if (romanized(one) === romanized(other)) return true
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  if (short.length === long.length)
    return (
      short[at] === long[at + 1] &&
      short[at + 1] === long[at] &&
      short.slice(at + 2) === long.slice(at + 2)
    )
  if (short.slice(at) !== long.slice(at + 1)) return false
  return long[at] === long[at - 1] || (short.length >= LONG_NAME && at < long.length - ENDING)
}

/** Letters. The last ones often make another name. */
const [LONG_NAME, ENDING] = [7, 2]

/** Yudhi and Yudi, Joko and Djoko, Krishnamurthy and Krishnamoorthy, Noura and Nora, Khadija and Khadijah. */
function romanized(word: string): string {
  return word
    .replace(/dj/g, 'j')
    .replace(/tj/g, 'c')
    .replace(/oo|oe/g, 'u')
    .replace(/ou/g, 'o')
    .replace(/ee/g, 'i')
    .replace(/(?<=[bdgkpt])h|h$/g, '')
}

/** Short forms of the names of men and of women. */
const unisex = lazy(() => new Set(givenNameLines('unisex').flat()))

const feminineForms = lazy(() => givenNamePairs('feminine forms'))

/** Names that differ in one or two letters and have no other forms: neither is a typo of the other. */
const similarGivenNames = lazy(() => new Set(givenNameLines('similar').flat()))

/** Whether two normalized given names are the masculine and the feminine form of one name: `rene` and `renee`. */
export function areFormsOfTwoGenders(one: string, other: string): boolean {
  return isPair(feminineForms(), one, other)
}

/** Whether a man and a woman can have these two normalized forms of one name: `chris` and `christine`. */
export function isUnisexShortForm(one: string, other: string): boolean {
  return one !== other && (unisex().has(one) || unisex().has(other))
}

/** Whether a normalized word is a given name, perhaps one that looks like another. */
export function isKnownName(word: string): boolean {
  return isGivenName(word) || similarGivenNames().has(word)
}
