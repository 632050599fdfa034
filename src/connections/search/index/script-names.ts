/**
 * The names of a segment in Hebrew, Korean and Chinese letters by the Latin letters that they may begin with. Names in Arabic
 * letters have keys of their own (`names/arabic-names.ts`), and those in other alphabets are also stored in Latin letters.
 */

import { remembering } from '../../../base/remembering.ts'
import { latinPatternsOf } from '../../../names/latin-patterns.ts'
import { FIELD, FIELD_MASK } from './fields.ts'
import { bytesOfTerm, lowerBound, postingStart, termText, type Segment } from './segment.ts'

/** The numbers of terms, by the first letter of a spelling. */
type ScriptNames = ReadonlyMap<string, readonly number[]>

/** About 8 MB. */
const MAX_PATTERNS = 20_000
const patternsOf = remembering(latinPatternsOf, MAX_PATTERNS)

/** A segment never changes. */
const KNOWN = new WeakMap<Segment, ScriptNames>()

/** The numbers of the terms that may be written like a normalized Latin word. */
export function namesLike(segment: Segment, latin: string): readonly number[] {
  let names = KNOWN.get(segment)
  if (!names) KNOWN.set(segment, (names = namesIn(segment)))
  const terms = names.get(latin.charAt(0)) ?? []
  return terms.filter((term) =>
    patternsOf(termText(segment, term)).some(({ matches }) => matches(latin)),
  )
}

/** Hebrew, Chinese and Korean: the first character of each, and the one after its last. Terms are sorted like characters. */
const SCRIPTS = [
  ['\u05d0', '\u05eb'],
  ['\u4e00', '\ua000'],
  ['\uac00', '\ud7a4'],
] as const

function namesIn(segment: Segment): ScriptNames {
  const names = new Map<string, number[]>()
  for (const [first, last] of SCRIPTS) {
    const until = lowerBound(segment, bytesOfTerm(last))
    for (let term = lowerBound(segment, bytesOfTerm(first)); term < until; term += 1) {
      if (!isName(segment, term)) continue
      const starts = patternsOf(termText(segment, term)).flatMap((pattern) => [...pattern.starts])
      for (const start of new Set(starts)) {
        const terms = names.get(start)
        if (terms) terms.push(term)
        else names.set(start, [term])
      }
    }
  }
  return names
}

function isName(segment: Segment, term: number): boolean {
  const until = segment.postingEnds[term] ?? 0
  for (let at = postingStart(segment, term); at < until; at += 1)
    if (((segment.postings[at] ?? 0) & FIELD_MASK) === FIELD.name) return true
  return false
}
