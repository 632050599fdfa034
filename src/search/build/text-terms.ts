/** The terms of a text. */

import { tokenize } from '../../base/tokenize.ts'
import { conceptTermsOf } from '../questions/concept-terms.ts'
import { kinTermsOf } from '../questions/kinship.ts'
import { ORCID, orcidTerm } from '../index/special-terms.ts'
import {
  ampersandPairs,
  hangulPairs,
  isPlainText,
  joinedTriples,
  pairsOf,
  splitText,
  type Spellings,
  type SplitText,
} from '../index/split-words.ts'

/** The words of a text, the ORCID iDs in it, and pairs such as `R&D` as one word. */
export function textTerms(text: string): readonly string[] {
  if (isPlainText(text))
    return unique([...orcidTerms(text), ...ampersandPairs(text), ...tokenize(text)])
  const { words, runs } = splitText(text)
  return unique([
    ...orcidTerms(text),
    ...ampersandPairs(text),
    ...words.flat(),
    ...words.flatMap(([main]) => hangulPairs(main)),
    ...runTerms(runs),
  ])
}

/** The words of a text, of a company or a name in it as one word, and what it names. */
export function detailTerms(text: string): readonly string[] {
  const words = withJoined(splitText(text))
  const others = [...orcidTerms(text), ...kinTermsOf(text), ...conceptTermsOf(text, 'detail')]
  return others.length === 0 ? words : [...words, ...others]
}

function orcidTerms(text: string): readonly string[] {
  return text.includes('0000') ? (text.match(ORCID) ?? []).map(orcidTerm) : []
}

/** `O’Brien` is also found as `obrien`, `Deep Mind` as `deepmind`. */
export function withJoined({ words, runs }: SplitText, mayJoin = true): readonly string[] {
  const joined = mayJoin
    ? [...joinedPairs(words), ...joinedTriples(words)].filter(
        (word) => word.length <= MAX_JOINED_LENGTH,
      )
    : []
  return unique([
    ...words.flat(),
    ...words.flatMap(([main]) => hangulPairs(main)),
    ...joined,
    ...runTerms(runs),
  ])
}

function joinedPairs(words: readonly Spellings[]): string[] {
  return words.slice(1).map(([main], index) => `${words[index]?.[0] ?? ''}${main}`)
}

export const MAX_JOINED_LENGTH = 24

function runTerms(runs: readonly string[]): string[] {
  return runs.flatMap((run) => [...Array.from(run), ...pairsOf(run)])
}

/** A set costs more than comparing a few terms with each other. */
const MAX_COMPARED = 12

/** Each term once. */
export function unique(terms: readonly string[]): readonly string[] {
  if (terms.length <= 1) return terms
  if (terms.length > MAX_COMPARED) return [...new Set(terms)]
  const kept: string[] = []
  for (const term of terms) if (!kept.includes(term)) kept.push(term)
  return kept
}
