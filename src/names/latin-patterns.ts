/**
 * How names in other scripts are written in Latin letters. Each has many spellings, so a word becomes a pattern: عمر is
 * written Omar, Umar or Amr, and 정 Jung, Jeong or Chung. Patterns are for words that nothing else matches, because some
 * of what they match is another name.
 */

import { soundsOfWord, type Sound } from './latin-sounds.ts'

/** The words that a word may be a spelling of. */
export interface SpellingPattern {
  /** All of them are in this range. */
  readonly within: WordRange
  /** The first letters that they may have, as ranges of words. */
  readonly ranges: () => readonly WordRange[]
  readonly matches: (word: string) => boolean
}

/** Words in the order of their code points, without the last. */
export type WordRange = readonly [from: string, until: string]

/** A word of a name, and its pattern. */
interface LatinSpellings {
  readonly word: string
  readonly latin: SpellingPattern
}

/** The words of a name; none if there are too many for one, or any of them is not only in these scripts. */
export function latinSpellingsOf(name: string): readonly LatinSpellings[] {
  const words = name.normalize('NFKC').match(/[\p{L}\p{N}\p{M}ー]+/gu) ?? []
  if (words.length > MAX_NAME_WORDS) return []
  const patterns = words.flatMap(partsOf).map((word) => {
    const latin = latinPatternOf(word)
    return latin && { word, latin }
  })
  const known = patterns.filter((pattern) => pattern !== undefined)
  return known.length === patterns.length ? known : []
}

/** Each is compared with many words of an index. */
const MAX_NAME_WORDS = 6

/** A Korean or Chinese name has no space: the family name is the first syllable. */
function partsOf(word: string): readonly string[] {
  return /^(?:\p{Script=Hangul}{3,4}|\p{Script=Han}{2,4})$/u.test(word)
    ? [word.slice(0, 1), word.slice(1)]
    : [word]
}

/** Undefined for a word in other scripts, or with too few letters. */
export function latinPatternOf(word: string): SpellingPattern | undefined {
  const sounds = soundsOfWord(word)
  return sounds && patternOf(sounds)
}

function patternOf(sounds: readonly Sound[]): SpellingPattern | undefined {
  if (sounds.length === 0 || sounds.length > MAX_SOUNDS) return undefined
  const written = sounds.findIndex((sound) => !sound.includes(''))
  const first = sounds.slice(0, written < 0 ? sounds.length : written + 1)
  const starts = new Set(first.flat().flatMap((spelling) => spelling.slice(0, 1) || []))
  return {
    within: LATIN_WORDS,
    ranges: () => [...starts].map((start) => rangeOf(start)),
    matches: (latin) => isSpelling(latin, sounds),
  }
}

const LATIN_WORDS: WordRange = ['a', '{']

/** The words that begin with this character, or with those up to the other one. */
export function rangeOf(first: string, last = first): WordRange {
  return [first, String.fromCodePoint((last.codePointAt(0) ?? 0) + 1)]
}

/** A word of 20 Arabic letters. */
const MAX_SOUNDS = 40
/** Positions in a word are bits of a number. */
const MAX_LATIN_LENGTH = 30

/**
 * Keeps all positions that the sounds so far can end at. A regular expression would try their combinations one by one,
 * which takes exponential time.
 */
export function isSpelling(latin: string, sounds: readonly Sound[]): boolean {
  if (latin.length > MAX_LATIN_LENGTH) return false
  let ends = 1
  for (const sound of sounds) {
    let next = 0
    for (let at = 0; at <= latin.length; at += 1)
      if ((ends & (1 << at)) !== 0)
        for (const spelling of sound) next |= endsAt(latin, spelling, at)
    if (next === 0) return false
    ends = next
  }
  return (ends & (1 << latin.length)) !== 0
}

/** A bit mask of where the spelling ends. A single consonant may be written twice. */
function endsAt(latin: string, spelling: string, at: number): number {
  if (!latin.startsWith(spelling, at)) return 0
  const end = at + spelling.length
  const isDoubled =
    spelling.length === 1 && latin.charAt(end) === spelling && !'aeiou'.includes(spelling)
  return (1 << end) | (isDoubled ? 1 << (end + 1) : 0)
}
