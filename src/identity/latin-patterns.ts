/**
 * How names in other scripts are written in Latin letters. Each has many spellings, so a word becomes a pattern: عمر is
 * written Omar, Umar or Amr, and 정 Jung, Jeong or Chung. Patterns are for words that nothing else matches, because some
 * of what they match is another name.
 */

import { normalForm } from '../base/normal-form.ts'
import { soundsOfWord, type Sound } from './latin-sounds.ts'

export interface LatinPattern {
  /** The letters that a spelling may begin with. */
  readonly starts: ReadonlySet<string>
  readonly lengths: readonly [shortest: number, longest: number]
  /** Whether a word in letters from a to z is one of the spellings. */
  readonly matches: (latin: string) => boolean
}

interface LatinSpellings {
  readonly word: string
  readonly latin: LatinPattern
}

/** The words of a name; none if there are too many for one, or any of them is not only in these scripts. */
export function latinSpellingsOf(name: string): readonly LatinSpellings[] {
  const words = normalForm(name, 'NFKC').match(/[\p{L}\p{N}\p{M}ー]+/gu) ?? []
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
export function latinPatternOf(word: string): LatinPattern | undefined {
  const sounds = soundsOfWord(word)
  return sounds && patternOf(sounds)
}

function patternOf(sounds: readonly Sound[]): LatinPattern | undefined {
  if (sounds.length === 0 || sounds.length > MAX_SOUNDS) return undefined
  const written = sounds.findIndex((sound) => !sound.includes(''))
  const first = sounds.slice(0, written < 0 ? sounds.length : written + 1)
  const starts = new Set(first.flat().flatMap((spelling) => spelling.slice(0, 1) || []))
  return { starts, lengths: lengthsOf(sounds), matches: (latin) => isSpelling(latin, sounds) }
}

/** The patterns of a word of the index: of a whole Korean name, and of its family name. Given names are words of their own. */
export function latinPatternsOf(word: string): readonly LatinPattern[] {
  const parts = /^\p{Script=Hangul}{3}$/u.test(word) ? [word, word.slice(0, 1)] : [word]
  return parts.map(latinPatternOf).filter((pattern) => pattern !== undefined)
}

function lengthsOf(sounds: readonly Sound[]): readonly [number, number] {
  let [shortest, longest] = [0, 0]
  for (const sound of sounds) {
    const lengths = sound.map(({ length }) => length)
    shortest += Math.min(...lengths)
    // A consonant may be written twice.
    longest += Math.max(2, ...lengths)
  }
  return [shortest, longest]
}

/** A word of 20 Arabic letters. */
const MAX_SOUNDS = 40
/** Positions in a word are bits of a number. */
const MAX_LATIN_LENGTH = 30

/**
 * Keeps all positions that the sounds so far can end at. A regular expression would try their combinations one by one,
 * which takes exponential time.
 */
function isSpelling(latin: string, sounds: readonly Sound[]): boolean {
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
