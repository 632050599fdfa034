/**
 * Syllables of Chinese and Korean names in Latin letters. European spellings of one name often differ as they do (Julia, Yulia;
 * Carl, Karl), but Jing and Ying, or Zhou and Zhu, are two names.
 */

import { wordLinesOf } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'
import { memoize } from '../base/memoize.ts'

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
const syllablesIn = memoize((word) => {
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

/**
 * How two different normalized words of such syllables are related: `spelling` for one name (Joon and Jun, Luca and Luka),
 * `typo` for two that are perhaps spellings of one (Seo-yeon and Seo-yun, Ki and Gi). Undefined for two names.
 */
export function relationOfSyllables(one: string, other: string): 'spelling' | 'typo' | undefined {
  // Yeon and Yoon, of which both can be written Yun.
  if ((one.includes('oo') && other.includes('eo')) || (one.includes('eo') && other.includes('oo')))
    return undefined
  const [parts, others] = [syllablesIn(one).split(' '), syllablesIn(other).split(' ')]
  const isSingleWord = parts.length === 1 || others.length === 1
  const key = isSingleWord ? withoutEo : keyOfTwo
  if (key(one) !== key(other))
    return withoutEo(one).replaceAll('g', 'k') === withoutEo(other).replaceAll('g', 'k')
      ? 'typo'
      : undefined
  const areTwo = parts.some((part, at) => areTwoSyllables(part, others[at] ?? part))
  return areTwo ? 'typo' : 'spelling'
}

/** Whether Koreans use both as syllables of names: Yeon and Yun, but not Seong and Sung. */
function areTwoSyllables(one: string, other: string): boolean {
  const [a, b] = [withPlainVowels(one), withPlainVowels(other)]
  const written = a.includes('eo') ? a : b
  return a !== b && TWO_SYLLABLES.has(written) && !areSpellingsOfFamily(one, other)
}

/** Syllables that are another one with u instead of eo. */
const TWO_SYLLABLES = new Set('eon geon heon jeon jeong seo seok seon yeo yeol yeon'.split(' '))

/** Hee and Hi, or Soo and Su, are one Korean syllable. */
function withPlainVowels(word: string): string {
  return word.replace(/young/g, 'yeong').replace(/oo/g, 'u').replace(/ee/g, 'i')
}

/** Hyeon and Hyun are one, too. */
function withoutEo(word: string): string {
  return withPlainVowels(word).replace(/eo/g, 'u')
}

/** Names of other languages can have two of these syllables, too: Luca and Luka, or Hana and Hanna, are one name. */
function keyOfTwo(word: string): string {
  return withoutEo(word)
    .replace(/c(?!h)/g, 'k')
    .replace(/(.)\1+/g, '$1')
}
