/**
 * The terms of a name: the name as displayed, its parts, neighboring words written as one, and how each word sounds. Parts
 * of names repeat more often than names, so most names are two known parts.
 */

import { memoize } from '../../base/memoize.ts'
import { tokenize } from '../../base/tokenize.ts'
import { areSingleSyllables } from '../../identity/syllables.ts'
import { arabicNameKeys, isArabic } from '../../identity/scripts/arabic-names.ts'
import { TITLES } from '../../identity/family-spelling.ts'
import { familyFirstOrders } from '../../identity/person-name.ts'
import { wholePartsOf } from '../../identity/unspaced-names.ts'
import { kanaWords, romanizedKana } from '../../identity/name-readings.ts'
import { spellingKey } from '../../identity/scripts/transliterate.ts'
import { conceptTermsOf } from '../questions/concept-terms.ts'
import { initialsTerm } from '../questions/company-initials.ts'
import { arabicTerm, soundTerm, wholePartTerm } from '../index/special-terms.ts'
import { MAX_JOINED_LENGTH, unique, withJoined } from './text-terms.ts'
import {
  joinedTriples,
  MAX_PARTICLE_LENGTH,
  pairsOf,
  splitText,
  type Spellings,
  type SplitText,
} from '../index/split-words.ts'
import type { SharedTerms } from './analyzed-document.ts'
import type { SearchDocument } from './search-document.ts'

interface AnalyzedName {
  readonly terms: readonly (readonly string[] | SharedTerms)[]
  /** The first letter of each word. */
  readonly letters: string
  /** Words and runs. */
  readonly length: number
}

/** A given name or a family name. */
interface NamePart {
  readonly split: SplitText
  readonly terms: SharedTerms
  readonly letters: string
}

export function namePart(text: string): NamePart {
  const split = splitText(text)
  const services = conceptTermsOf(text, 'name')
  const terms = unique([...withJoined(split), ...soundsOf(split, text), ...services])
  return { split, terms: { terms }, letters: lettersOf(split) }
}

/** `partOf` is `namePart`, perhaps with a memory. */
export function analyzeName(
  document: Pick<SearchDocument, 'name' | 'givenName' | 'familyName'>,
  partOf: (text: string) => NamePart,
): AnalyzedName {
  const { name, givenName, familyName } = document
  const inSyllables = joinSyllables(name)
  const isInParts =
    name === `${givenName ?? ''} ${familyName ?? ''}` &&
    !IS_HANGUL.test(name) &&
    inSyllables === undefined
  if (givenName !== null && familyName !== null && isInParts) {
    const [given, family] = [partOf(givenName), partOf(familyName)]
    if (given.split.runs.length + family.split.runs.length === 0) return inTwoParts(given, family)
  }
  const parts = [givenName, familyName].flatMap((part) =>
    part === null || part === '' || inSyllables !== undefined ? [] : [partOf(part).split],
  )
  const typed = splitText(name)
  const split = inSyllables === undefined ? typed : splitText(inSyllables)
  const letters = lettersOf(typed)
  const terms = unique([
    ...withJoined(split, mayBeOneWord(split.words)),
    ...parts.flatMap((part) => withJoined(part)),
    ...orderedRuns(split),
    ...familyFirstTerms(name),
    ...Array.from(wholePartsOf(name, [givenName, familyName]), wholePartTerm),
    ...soundsOf(split, name),
    ...conceptTermsOf(name, 'name'),
    // The second syllable has an initial, too: M. J. Kim.
    ...(inSyllables === undefined ? [] : Array.from(letters)),
  ])
  return {
    terms: [terms],
    letters,
    length: typed.words.length + typed.runs.length,
  }
}

/**
 * Writes the given name of Kim Min-jung as one word, so that Min is only the beginning of the given name, as 민 is of 민정. Undefined for other
 * names: Anna-Lena is also called Anna.
 */
function joinSyllables(name: string): string | undefined {
  const [pair, ...more] = name.match(HYPHENATED) ?? []
  if (pair === undefined || more.length > 0) return undefined
  const [one = '', other = ''] = tokenize(pair)
  const [family = one, ...others] = tokenize(name.replace(pair, ' '))
  const areNames = others.length === 0 && areSingleSyllables(family, one)
  if (!areNames || !areSingleSyllables(one, other)) return undefined
  return name.replace(pair, pair.replace('-', ''))
}

const HYPHENATED = /(?<![\p{L}\p{M}-])\p{L}{2,6}-\p{L}{2,6}(?![\p{L}\p{M}-])/gu

/** The same terms as for the whole name, some of them perhaps in both parts. */
function inTwoParts(given: NamePart, family: NamePart): AnalyzedName {
  const words = [...given.split.words, ...family.split.words]
  const joined = mayBeOneWord(words) ? joinedAcross(given.split, family.split) : []
  return {
    terms: joined.length > 0 ? [given.terms, family.terms, joined] : [given.terms, family.terms],
    letters: given.letters + family.letters,
    length: words.length,
  }
}

/** Words around the boundary of both parts as one word: `Jo Ann`, and `van der` with `Berg`. */
function joinedAcross(given: SplitText, family: SplitText): string[] {
  const [last, first] = [given.words.at(-1)?.[0], family.words[0]?.[0]]
  if (last === undefined || first === undefined) return []
  const triples = joinedTriples([...given.words.slice(-2), ...family.words.slice(0, 2)])
  return [last + first, ...triples].filter((word) => word.length <= MAX_JOINED_LENGTH)
}

/** What people type for a name with these first letters. */
export function nameInitials(letters: string): readonly string[] {
  if (letters.length < 2) return []
  const initials = [letters.slice(0, 8), `${letters.charAt(0)}${letters.at(-1) ?? ''}`]
  return unique(initials.map(initialsTerm))
}

/** Without titles. */
function lettersOf({ words }: SplitText): string {
  return words.map(([main]) => (TITLES.has(main) ? '' : main.charAt(0))).join('')
}

function soundsOf({ words, runs }: SplitText, text: string): string[] {
  return [
    ...(runs.length === 0 ? [] : kanaWords(text).map(romanizedKana)),
    ...words.flatMap(([main]) => (main.length < MIN_SOUND_LENGTH ? [] : [soundOf(main)])),
    ...arabicTermsOf(words.map(([main]) => main)),
  ]
}

/** Also of neighboring words as one, as Latin spellings often write them. */
function arabicTermsOf(words: readonly string[]): string[] {
  if (!words.some(isArabic)) return []
  const pairs = words.slice(1).map((word, index) => `${words[index] ?? ''}${word}`)
  return [...words, ...pairs].filter(isArabic).flatMap(arabicNameKeys).map(arabicTerm)
}

/** About 4 MB. */
const MAX_SOUNDS = 20_000

const soundOf = memoize((word) => soundTerm(spellingKey(word)), MAX_SOUNDS)

/** Files may have the given name first and a space between: `明 张` is also found as `张明`. */
function orderedRuns({ runs }: SplitText): string[] {
  if (runs.length < 2) return []
  return [runs.join(''), runs.toReversed().join('')].flatMap(pairsOf)
}

/** `김서연` is also found as `서연김`, and `晓雯陈` as `陈晓雯`: the last and the first character become neighbors. */
function familyFirstTerms(name: string): string[] {
  const orders = familyFirstOrders(name)
  return IS_HANGUL.test(name)
    ? orders
    : orders.slice(-1).flatMap((order) => pairsOf(order).slice(0, 1))
}

const IS_HANGUL = /^\p{Script=Hangul}/u

/** Shorter words sound like too many others. */
const MIN_SOUND_LENGTH = 4

/** A given name and a family name are not written as one word, unless one of them is short: `Lee Ann`, `O Brien`. */
function mayBeOneWord(words: readonly Spellings[]): boolean {
  return words.length !== 2 || words.some(([main]) => main.length <= MAX_PARTICLE_LENGTH)
}
