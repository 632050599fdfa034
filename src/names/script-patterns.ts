/**
 * The words in Hebrew, Korean and Chinese letters that a Latin word may be a spelling of: the other direction of
 * `latin-patterns.ts`, with the same tables. Names in Arabic letters have keys of their own (`arabic-names.ts`), and those in
 * other alphabets are also stored in Latin letters.
 */

import { isSpelling, rangeOf, type SpellingPattern, type WordRange } from './latin-patterns.ts'
import { hebrewLettersThatBegin, koreanSyllablesThatBegin, soundsOfWord } from './latin-sounds.ts'
import { charactersThatBegin } from './pinyin.ts'

const HEBREW: WordRange = rangeOf('א', 'ת')
const KOREAN: WordRange = rangeOf('가', '힣')
const CHINESE: WordRange = rangeOf('一', '鿿')

const LATIN_WORD = /^[a-z]{2,30}$/

/** For a normalized word; none if it is not in letters from a to z. */
export function scriptPatternsOf(latin: string): readonly SpellingPattern[] {
  if (!LATIN_WORD.test(latin)) return []
  const isSpelled = (word: string) => isSpelling(latin, soundsOfWord(word) ?? [])
  return [
    {
      within: HEBREW,
      ranges: () => hebrewLettersThatBegin(latin).map((letter) => rangeOf(letter)),
      matches: isSpelled,
    },
    {
      within: KOREAN,
      ranges: () => koreanSyllablesThatBegin(latin).map(([first, last]) => rangeOf(first, last)),
      matches: (word) => partsOfKorean(word).some(isSpelled),
    },
    {
      within: CHINESE,
      ranges: () => charactersThatBegin(latin).map((character) => rangeOf(character)),
      matches: isSpelled,
    },
  ]
}

/** A whole name, and its family name. Given names have terms of their own in the index. */
function partsOfKorean(word: string): readonly string[] {
  return word.length === 3 ? [word, word.slice(0, 1)] : [word]
}
