/** The words of texts in scripts without spaces, in which a part of a name may be another name. */

import { wholePartTerm } from '../index/special-terms.ts'
import { FIELD } from '../index/search-fields.ts'
import { FACTOR } from '../index/match-factors.ts'
import { SEARCHED_FIELDS } from '../index/posting-ranges.ts'
import { pairsOf } from '../index/split-words.ts'
import type { QueryTerm, QueryWord } from '../index/query-word.ts'

export interface UnspacedText {
  /** All runs of the query. */
  readonly runs: readonly string[]
  /** Whether the query has no other words. */
  readonly isAlone: boolean
}

/** The words of a text in a script without spaces, which is a run of the query or a part of one. */
export function unspacedWords(
  text: string,
  { runs, isAlone }: UnspacedText,
  run = text,
): QueryWord[] {
  const names = [...new Set([text, run, runs.join(''), runs.toReversed().join('')])]
  return pairsOf(text).map((pair) =>
    asUnspaced(pairWord(pair), names, isAlone && runs.length === 1 && pair === run),
  )
}

/**
 * A word of one of these texts: 王伟 is not 王伟明, and 김서 is not 김서연. Alone, a single character finds every name that has
 * it, because no space tells where a name begins.
 */
export function asUnspaced(word: QueryWord, texts: readonly string[], isAlone: boolean): QueryWord {
  const [part = word.text] = texts
  const whole = texts.map((text) => ({
    term: wholePartTerm(text),
    factor: FACTOR.exact,
    fields: NAME,
  }))
  const unspaced = { ...word, part, terms: [...whole, ...word.terms] }
  return isAlone && part.length === 1 ? unspaced : asWholePart(unspaced)
}

/**
 * In names, only the whole parts of one count (`wholePartTerm`), and others are guesses. With `isWhole`, a single character is
 * only a name: of everything else it is a part.
 */
export function asWholePart(word: QueryWord, isWhole = false): QueryWord {
  const isCharacter = isWhole && word.part?.length === 1
  const terms = word.terms.flatMap((term): QueryTerm[] => {
    const { fields = SEARCHED_FIELDS, guess = isCharacter ? 'part' : undefined } = term
    const isInName = term.guess === undefined && term.fields === undefined
    const elsewhere = { ...term, fields: fields & ~NAME, guess }
    if (isInName) return [elsewhere, { ...term, fields: NAME, guess: 'beginning' }]
    return [fields === NAME ? term : elsewhere]
  })
  return { ...word, terms }
}

const NAME = 1 << FIELD.name

/** Neighboring characters, which documents have as a term of its own. */
export function pairWord(pair: string): QueryWord {
  return {
    text: pair,
    isOptional: false,
    terms: [{ term: pair, factor: FACTOR.exact, isPrefix: true }],
  }
}
