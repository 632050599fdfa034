/**
 * Syllables of Chinese and Korean names in Latin letters. European spellings of one name often differ as they do (Julia, Yulia;
 * Carl, Karl), but Jing and Ying, or Zhou and Zhu, are two names.
 */

import { wordLinesOf } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'
import { remembering } from '../base/remembering.ts'

const linesOf = wordLinesOf(new URL('data/syllables.txt', import.meta.url))

const syllables = lazy(
  () =>
    new Set([
      ...linesOf('pinyin')
        .flat()
        .flatMap((group) => {
          const [initial = '', finals = ''] = group.split(':')
          return finals.split(',').map((final) => initial + final)
        }),
      ...linesOf('korean').flat(),
      ...linesOf('cantonese').flat(),
      ...koreanFamilies().keys(),
    ]),
)

/** The number of the family by the spellings of its name. */
const koreanFamilies = lazy(
  () =>
    new Map(
      linesOf('korean families').flatMap((spellings, at) =>
        spellings.map((spelling) => [spelling, at] as const),
      ),
    ),
)

/** Whether two different normalized words can be spellings of one Korean family name: Lee and Yi. */
export function areSpellingsOfFamily(one: string, other: string): boolean {
  const family = koreanFamilies().get(one)
  return family !== undefined && family === koreanFamilies().get(other)
}

const MAX_SPLITS = 20_000

/** The two syllables of a normalized word, or the one that it is; empty if it is neither. */
const syllablesIn = remembering((word) => {
  const known = syllables()
  if (known.has(word)) return word
  for (let end = word.length - 1; end > 1; end -= 1)
    if (known.has(word.slice(0, end)) && known.has(word.slice(end)))
      return `${word.slice(0, end)} ${word.slice(end)}`
  return ''
}, MAX_SPLITS)

/** Whether all words consist of such syllables. */
export function areSyllables(words: readonly string[]): boolean {
  return words.every((word) => syllablesIn(word) !== '')
}

/** Whether two different normalized words are both one such syllable. */
export function areSingleSyllables(one: string, other: string): boolean {
  return isSingle(one) && isSingle(other)
}

function isSingle(word: string): boolean {
  return syllablesIn(word) === word
}

/** Whether two different normalized words of such syllables are spellings of one name: Joon and Jun, Luca and Luka. */
export function areSameSyllables(one: string, other: string): boolean {
  // Yeon and Yoon, of which both can be written Yun.
  if ((one.includes('oo') && other.includes('eo')) || (one.includes('eo') && other.includes('oo')))
    return false
  const key = isSingle(one) || isSingle(other) ? withPlainVowels : keyOfTwo
  return key(one) === key(other)
}

/** Hyeon and Hyun, or Hee and Hi, are one Korean syllable. */
function withPlainVowels(word: string): string {
  return word.replace(/young/g, 'yung').replace(/oo|eo/g, 'u').replace(/ee/g, 'i')
}

/** Names of other languages can have two of these syllables, too: Luca and Luka, or Hana and Hanna, are one name. */
function keyOfTwo(word: string): string {
  return withPlainVowels(word)
    .replace(/c(?!h)/g, 'k')
    .replace(/(.)\1+/g, '$1')
}
