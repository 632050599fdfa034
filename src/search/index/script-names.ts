/**
 * The names of people in Hebrew, Korean and Chinese letters, and of companies in the first two, by the Latin letters that they may begin with. Names in Arabic
 * letters have keys of their own (`identity/scripts/arabic-names.ts`), and those in other alphabets are also stored in Latin letters.
 */

import { latinPatternsOf, type LatinPattern } from '../../identity/latin-patterns.ts'
import { FIELD, FIELD_BITS, FIELD_MASK } from './search-fields.ts'
import { wholePartTerm } from './special-terms.ts'
import {
  bytesOfTerm,
  isTerm,
  lowerBound,
  postingStart,
  termText,
  type CurrentSegment,
  type Segment,
} from './segment.ts'

interface ScriptName {
  readonly term: number
  readonly pattern: LatinPattern
}

/** By the first letter of a spelling. About 600 bytes for each name, and 1,300 for a Korean one. */
type ScriptNames = ReadonlyMap<string, readonly ScriptName[]>

/** A segment never changes. */
const KNOWN = new WeakMap<Segment, ScriptNames>()

/** The numbers of the terms that may be written like a normalized Latin word. */
export function namesLike(segment: Segment, latin: string): readonly number[] {
  let names = KNOWN.get(segment)
  if (!names) KNOWN.set(segment, (names = namesIn(segment)))
  const found: number[] = []
  for (const { term, pattern } of names.get(latin.charAt(0)) ?? [])
    if (pattern.matches(latin)) found.push(term)
  return found
}

/**
 * Hebrew, Chinese and Korean: the first character of each, the one after its last, and whether words have spaces between
 * them. Terms are sorted like characters.
 */
const SCRIPTS = [
  ['\u05d0', '\u05eb', true],
  ['\u4e00', '\ua000', false],
  ['\uac00', '\ud7a4', true],
] as const

/** Whether a word begins with a Han letter. Many names in these are written alike in Latin letters. */
export function isHan(word: string): boolean {
  return /^\p{Script=Han}/u.test(word)
}

/** Whether any current person has a name in Han letters. */
export function hasHanNames(segments: readonly CurrentSegment[]): boolean {
  const [, [first, last]] = SCRIPTS
  return segments.some(({ segment, gone }) => {
    const until = lowerBound(segment, bytesOfTerm(last))
    for (let term = lowerBound(segment, bytesOfTerm(first)); term < until; term += 1)
      if (isIn(segment, term, FIELD.name, gone)) return true
    return false
  })
}

function namesIn(segment: Segment): ScriptNames {
  const names = new Map<string, ScriptName[]>()
  for (const [first, last, isSpaced] of SCRIPTS) {
    const until = lowerBound(segment, bytesOfTerm(last))
    for (let term = lowerBound(segment, bytesOfTerm(first)); term < until; term += 1) {
      const isCompany = isSpaced && isIn(segment, term, FIELD.company)
      const text = termText(segment, term)
      const name = isIn(segment, term, FIELD.name) ? nameTerm(segment, term, text) : undefined
      const found = [...(name === undefined ? [] : [name]), ...(isCompany ? [term] : [])]
      if (found.length === 0) continue
      for (const pattern of latinPatternsOf(text))
        for (const start of pattern.starts) {
          const others = names.get(start) ?? []
          names.set(start, others)
          for (const one of new Set(found)) others.push({ term: one, pattern })
        }
    }
  }
  return names
}

/** The term of those who have a word as a whole part of their name: 윤서 is also a term of 윤서아. Undefined if no one has. */
function nameTerm(segment: Segment, term: number, text: string): number | undefined {
  if (!IS_HANGUL.test(text)) return term
  const bytes = bytesOfTerm(wholePartTerm(text))
  const whole = lowerBound(segment, bytes)
  return isTerm(segment, whole, bytes) ? whole : undefined
}

const IS_HANGUL = /^\p{Script=Hangul}/u

function isIn(segment: Segment, term: number, field: number, gone?: Uint8Array): boolean {
  const until = segment.postingEnds[term] ?? 0
  for (let at = postingStart(segment, term); at < until; at += 1)
    if (isCurrentIn(segment.postings[at] ?? 0, field, gone)) return true
  return false
}

function isCurrentIn(posting: number, field: number, gone: Uint8Array | undefined): boolean {
  return (posting & FIELD_MASK) === field && gone?.[posting >>> FIELD_BITS] !== 1
}
