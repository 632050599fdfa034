/** “Did you mean”: the nearest known spelling of the words that nothing matches. */

import { FIELD, FIELD_BITS, FIELD_MASK } from './fields.ts'
import { isKnownWord } from './search-index.ts'
import { postingStart, termText, type Segment } from './segment.ts'
import { thesaurus } from '../questions/thesaurus.ts'
import { allowedEdits, findTypos } from './typos.ts'
import type { QueryWord } from './query-word.ts'
import type { SearchIndex } from './layout.ts'

/** Suggestions come from what people are called, do and where they are, not from the words of notes. */
const SUGGESTED_FIELDS =
  (1 << FIELD.name) |
  (1 << FIELD.company) |
  (1 << FIELD.title) |
  (1 << FIELD.location) |
  (1 << FIELD.tag)

/**
 * The query with unknown words replaced by the nearest known ones, with one more typo than a search allows. A word that is
 * near no known one is left out if another is replaced that has at most the typos that a search allows.
 * Undefined if no word is replaced, or an unknown one is spelled correctly.
 */
export function suggestQuery(index: SearchIndex, words: readonly QueryWord[]): string | undefined {
  const suggested: string[] = []
  let [replaced, certain, missing] = [0, 0, 0]
  for (const word of words) {
    if (word.isOptional || isKnownWord(index, word)) {
      suggested.push(word.text)
      continue
    }
    // A title or a place that no one has is no typo.
    if (thesaurus().find(word.text).length > 0) return undefined
    const nearest = nearestWord(index, word.text)
    if (!nearest) missing += 1
    else {
      suggested.push(nearest.text)
      replaced += 1
      if (nearest.edits <= allowedEdits(word.text.length)) certain += 1
    }
  }
  return replaced > 0 && (missing === 0 || certain > 0) ? suggested.join(' ') : undefined
}

interface Candidate {
  readonly text: string
  readonly edits: number
  readonly people: number
}

/** The fewest mistakes, then the most people, then the first in the alphabet. */
function nearestWord({ segments }: SearchIndex, word: string): Candidate | undefined {
  const candidates = new Map<string, Candidate>()
  for (const { segment, gone } of segments)
    for (const { term, edits } of findTypos(segment, word, allowedEdits(word.length) + 1)) {
      const people = countPeople(segment, gone, term)
      if (people === 0) continue
      const text = termText(segment, term)
      candidates.set(text, { text, edits, people: people + (candidates.get(text)?.people ?? 0) })
    }
  const [best] = [...candidates.values()].toSorted(
    (one, other) =>
      one.edits - other.edits ||
      other.people - one.people ||
      (one.text < other.text ? -1 : Number(one.text > other.text)),
  )
  return best
}

function countPeople(segment: Segment, gone: Uint8Array | undefined, term: number): number {
  let people = 0
  const until = segment.postingEnds[term] ?? 0
  for (let index = postingStart(segment, term); index < until; index += 1) {
    const posting = segment.postings[index] ?? 0
    const isCurrent = gone?.[posting >>> FIELD_BITS] !== 1
    if (isCurrent && (SUGGESTED_FIELDS & (1 << (posting & FIELD_MASK))) !== 0) people += 1
  }
  return people
}
