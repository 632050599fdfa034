/** Words of a sentence that name nothing, such as `to` and `next`. */

import { phrase, t } from '../../languages/message.ts'

const SMALL = phrase(
  'a about an and at by for from i in me my next of on our please that the their this to up us with your',
)

/** The words without small ones, unless nothing else is left. With a capital letter, a word may be a name. */
export function withoutSmallWords(words: readonly string[]): readonly string[] {
  const small = new Set(`${t(SMALL)} ${SMALL}`.split(' '))
  const others = words.filter((word) => !small.has(word))
  return others.length > 0 ? others : words
}
