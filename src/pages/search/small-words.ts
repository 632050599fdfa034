/** Words of a sentence that name nothing, such as `to` and `next`, in any language. */

import { normalize } from '../../base/tokenize.ts'
import { phraseLength } from '../../search/questions/phrases.ts'

/** The words without small ones, unless nothing else is left. With a capital letter, a word may be a name. */
export function withoutSmallWords(words: readonly string[]): readonly string[] {
  const others = words.filter((word) => !isSmallWord(word))
  return others.length > 0 ? others : words
}

function isSmallWord(word: string): boolean {
  return word === word.toLowerCase() && phraseLength('weak', [normalize(word)], 0) > 0
}
