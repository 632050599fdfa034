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
 * The query with unknown words replaced by the nearest known ones, with one more typo than a search allows.
 * Undefined if an unknown word is near no known one or is spelled correctly, or all are known.
 */
export function suggestQuery(index: SearchIndex, words: readonly QueryWord[]): string | undefined {
  const suggested = words.map((word) => {
    if (word.isOptional || isKnownWord(index, word)) return word.text
    // A title or a place that no one has is no typo.
    return thesaurus().find(word.text).length > 0 ? undefined : nearestWord(index, word.text)
  })
  if (suggested.includes(undefined)) return undefined
  const query = suggested.join(' ')
  return query === words.map(({ text }) => text).join(' ') ? undefined : query
}

interface Candidate {
  readonly text: string
  readonly edits: number
  readonly people: number
}

/** The fewest mistakes, then the most people, then the first in the alphabet. */
function nearestWord({ segments }: SearchIndex, word: string): string | undefined {
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
  return best?.text
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
