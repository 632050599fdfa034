/** How well people match a word of a query, and in which fields. */

import { lazy } from '../../base/lazy.ts'
import { firstNotBelow } from '../../base/sorted-numbers.ts'
import { FIELD, FIELD_BITS, FIELD_MASK, FIELD_WEIGHTS } from './fields.ts'
import { fieldsOfPerson, type MergedPostings } from './merged-postings.ts'
import { countBits, includes, lowestBit, peopleFrom, type PeopleSet } from './people-set.ts'
import type { PostingRange } from './posting-ranges.ts'
import type { WordValues } from './people-set.ts'

/** The word is a whole word of the person's name. */
export const IN_NAME = 0x8000
export const VALUE_MASK = 0x7fff

export interface Candidates {
  readonly set: PeopleSet
  /** The same people, ascending. */
  readonly list: Uint32Array
}

/** With fewer postings per candidate, visiting all postings is as quick as looking up each candidate. */
const MIN_POSTINGS_PER_LOOKUP = 16

/** Each candidate's best posting counts. */
export function scorePeople(range: PostingRange, candidates: Candidates, values: WordValues): void {
  const { start, end, isSorted, merged } = range
  const areFew = (end - start) / MIN_POSTINGS_PER_LOOKUP > candidates.list.length
  if (areFew && (isSorted || merged)) return scoreEach(range, candidates, values)
  if (merged) return scoreMerged(range, merged, { candidates: candidates.set, values })
  scorePostings(range, candidates.set, values)
}

/** Scores people of a set one at a time, where most need no score. Set `values` back to 0 after use. */
export function personScorer(
  ranges: readonly PostingRange[],
  set: PeopleSet,
  values: WordValues,
): (at: number) => number {
  const weights = heaviestWeights()
  const merged: PostingRange[] = []
  for (const range of ranges)
    if (range.merged) merged.push(range)
    else scorePostings(range, set, values)
  return (at) => {
    let value = values[at] ?? 0
    for (const range of merged) {
      const fields = fieldsInRange(range, at)
      if (fields !== 0) value = better(value, valueOf(range, fields, weights))
    }
    return value
  }
}

/** What a posting of the range counts at most. */
export function maxValueOf({ factor, fields }: PostingRange): number {
  return factor * (heaviestWeights()[fields] ?? 0)
}

function scoreEach(range: PostingRange, { list }: Candidates, values: WordValues): void {
  const weights = heaviestWeights()
  for (const at of list) {
    const fields = fieldsInRange(range, at)
    if (fields !== 0) values[at] = better(values[at] ?? 0, valueOf(range, fields, weights))
  }
}

/** Of postings in these fields. */
function valueOf({ factor, isWhole }: PostingRange, fields: number, weights: Uint8Array): number {
  const value = factor * (weights[fields] ?? 0)
  return isWhole && (fields & (1 << FIELD.name)) !== 0 ? value | IN_NAME : value
}

function scorePostings(range: PostingRange, candidates: PeopleSet, values: WordValues): void {
  const { placed, start, end, factor, fields, isWhole } = range
  const { offset, segment } = placed
  const { postings } = segment
  const wholeName = isWhole ? IN_NAME : 0
  for (let index = start; index < end; index += 1) {
    const posting = postings[index] ?? 0
    const at = offset + (posting >>> FIELD_BITS)
    const field = posting & FIELD_MASK
    if (((fields >>> field) & 1) === 0 || !includes(candidates, at)) continue
    const value = factor * (FIELD_WEIGHTS[field] ?? 0)
    values[at] = better(values[at] ?? 0, field === FIELD.name ? value | wholeName : value)
  }
}

/** The higher value, and `IN_NAME` if either has it. */
function better(one: number, other: number): number {
  const value = Math.max(one & VALUE_MASK, other & VALUE_MASK)
  return value | ((one | other) & IN_NAME)
}

interface Scoring {
  readonly candidates: PeopleSet
  readonly values: WordValues
}

function scoreMerged(
  range: PostingRange,
  { people, fields, starts }: MergedPostings,
  { candidates, values }: Scoring,
): void {
  const weights = heaviestWeights()
  const { offset } = range.placed
  const { length } = people
  for (let word = 0; word < length; word += 1) {
    const all = people[word] ?? 0
    let both = all & peopleFrom(candidates, offset + 32 * word)
    for (; both !== 0; both &= both - 1) {
      const place = (starts[word] ?? 0) + countBits(all & ((both & -both) - 1))
      const at = offset + 32 * word + lowestBit(both)
      values[at] = better(values[at] ?? 0, valueOf(range, fields[place] ?? 0, weights))
    }
  }
}

/** By bit mask of fields: the weight of the heaviest. */
const heaviestWeights = lazy(() => {
  const weights = new Uint8Array(2 ** (FIELD_MASK + 1))
  for (let mask = 1; mask < weights.length; mask += 1) {
    const others = weights[mask & (mask - 1)] ?? 0
    weights[mask] = Math.max(others, FIELD_WEIGHTS[lowestBit(mask)] ?? 0)
  }
  return weights
})

/** The fields in which people match any of the ranges, as bit masks. */
export function matchedFields(
  ranges: readonly PostingRange[],
  people: readonly number[],
): number[] {
  const masks = people.map((at) => {
    let mask = 0
    for (const range of ranges) mask |= fieldsInRange(range, at)
    return mask
  })
  const unsorted = ranges.filter(({ isSorted, merged }) => !isSorted && !merged)
  if (unsorted.length === 0) return masks
  // Postings of several terms are not sorted by person, so they are visited once for all people.
  const places = new Map(people.map((at, nth) => [at, nth]))
  for (const { placed, start, end, fields } of unsorted) {
    const { postings } = placed.segment
    for (let index = start; index < end; index += 1) {
      const posting = postings[index] ?? 0
      const at = placed.offset + (posting >>> FIELD_BITS)
      const nth = places.get(at)
      if (nth === undefined) continue
      masks[nth] = (masks[nth] ?? 0) | (fields & (1 << (posting & FIELD_MASK)))
    }
  }
  return masks
}

/** The fields in which a person matches a range, as a bit mask; 0 for those in unsorted ranges. */
export function fieldsInRange(
  { placed, start, end, fields, isSorted, merged }: PostingRange,
  at: number,
): number {
  const { offset, segment } = placed
  const person = at - offset
  if (person < 0 || person >= segment.ids.length) return 0
  if (merged) return fieldsOfPerson(merged, person)
  if (!isSorted) return 0
  const { postings } = segment
  let index = firstNotBelow(postings, person << FIELD_BITS, start, end)
  let mask = 0
  for (; index < end && (postings[index] ?? 0) >>> FIELD_BITS === person; index += 1)
    mask |= 1 << ((postings[index] ?? 0) & FIELD_MASK)
  return mask & fields
}
