/** Words that turn a query around: `not engineers`, `everybody but Anna`, `-Anna`. Those that no condition has taken are required. */

import { FACTOR } from '../index/match-factors.ts'
import { phraseLength, type WordList } from '../questions/phrases.ts'
import { thesaurus } from '../questions/thesaurus.ts'
import { isCapitalized, type TypedWord } from './proper-nouns.ts'
import type { QueryWord } from '../index/query-word.ts'

const NEGATIONS: readonly WordList[] = ['negation', 'never', 'without', 'except']

/** Longer phrases of these lists are no negations: `no longer at`. */
const PHRASES: readonly WordList[] = ['former', 'employer', 'interaction', 'question', 'weak']

/** The places of these words. A negation stands before another word. */
export function negationsIn(words: readonly TypedWord[]): ReadonlySet<number> {
  const found = new Set<number>()
  const tokens = words.map(({ token }) => token)
  for (let at = 0; at < words.length; at += 1) {
    const phrase = Math.max(...PHRASES.map((list) => phraseLength(list, tokens, at)))
    if (phrase > 1) at += phrase - 1
    else if (isMinus(words, at) || (at + 1 < words.length && isNegation(words, tokens, at)))
      found.add(at)
  }
  return found
}

/** `-Anna` and `!Anna`, but neither `Anna-Lena` nor the dash of `Anna - Lena`. */
function isMinus(words: readonly TypedWord[], at: number): boolean {
  const { before = '', typed = '' } = words[at] ?? {}
  const isSeparate = at === 0 || words[at - 1]?.after === ' '
  return isSeparate && (before === '-' || before === '!') && /^\p{L}/u.test(typed)
}

function isNegation(words: readonly TypedWord[], tokens: readonly string[], at: number): boolean {
  const { typed = '', after = '' } = words[at] ?? {}
  if (after === '-' || (at > 0 && isCapitalized(typed))) return false
  if (NEGATIONS.every((list) => phraseLength(list, tokens, at) === 0)) return false
  const next = words[at + 1]
  // `no Porto` is in Porto.
  const isPlace =
    isCapitalized(next?.typed ?? '') ||
    thesaurus()
      .find(next?.token ?? '')
      .some(({ kind }) => kind === 'location')
  return !isPlace || phraseLength('location', tokens, at) === 0
}

/** Only people who have the word as it is are complete: a note that says `eats no gluten`. No one has a word with a minus. */
export function asNegation({ word, typed, before }: TypedWord): QueryWord {
  const isMarked = before === '-' || before === '!'
  const exact = { term: word.text, factor: FACTOR.exact }
  const joined = word.terms.filter(({ factor, guess }) => factor === FACTOR.joined && !guess)
  const terms = isMarked ? [] : [exact, ...joined]
  const shown = isMarked ? `${before}${typed}` : typed
  return { text: word.text, typed: shown, isOptional: false, isExact: true, terms }
}
