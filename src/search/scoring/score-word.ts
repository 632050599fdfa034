/** How well people match one word of a query, and in which fields. */

import { lazy } from '../../base/lazy.ts'
import { firstNotBelow } from '../index/sorted-numbers.ts'
import { FIELD, FIELD_BITS, FIELD_MASK } from '../index/search-fields.ts'
import { FIELD_WEIGHTS } from './field-weights.ts'
import { fieldsOfPerson } from '../index/merged-postings.ts'
import { includes, lowestBit, type PeopleSet, type WordValues } from '../index/people-set.ts'
import type { PostingRange } from '../index/posting-ranges.ts'

/** The word is a whole word of the person's name. */
export const IN_NAME = 0x8000
export const VALUE_MASK = 0x7fff

/** After this many lookups per posting, visiting all postings of a range is as quick. */
const MAX_LOOKUPS = 1 / 16

/**
 * Scores people one at a time: the best posting of a person counts. Ranges that can count most are read first, and the
 * others only for those who may have more of them. `values` are 0, and so again after `clear`.
 */
export class WordScorer {
  readonly #ranges: readonly ScoredRange[]
  readonly #candidates: PeopleSet
  readonly #values: WordValues

  constructor(ranges: readonly PostingRange[], candidates: PeopleSet, values: WordValues) {
    this.#ranges = ranges
      .map((range) => new ScoredRange(range))
      .toSorted((one, other) => other.most - one.most)
    this.#candidates = candidates
    this.#values = values
  }

  /** The highest score that a person can have. */
  get most(): number {
    return this.#ranges[0]?.most ?? 0
  }

  /** Whether anyone has it as a whole word of their name. */
  get isNaming(): boolean {
    return this.#ranges.some(({ isNaming }) => isNaming)
  }

  /** How well a person matches, with `IN_NAME`; 0 for those who do not. */
  valueOf(at: number): number {
    let value = 0
    for (const one of this.#ranges) {
      const mayBeNamed = one.isNaming && (value & IN_NAME) === 0
      if (one.most > (value & VALUE_MASK) || mayBeNamed)
        value = better(value, this.#valueIn(one, at))
    }
    return value
  }

  clear(): void {
    if (this.#ranges.some(({ isVisited }) => isVisited)) this.#values.fill(0)
  }

  #valueIn(one: ScoredRange, at: number): number {
    const { range } = one
    if (!one.isVisited) {
      if (range.merged) return one.lookUp(at)
      one.lookups += 1
      if (range.isSorted && one.lookups <= (range.end - range.start) * MAX_LOOKUPS)
        return one.lookUp(at)
      one.isVisited = true
      visitPostings(range, this.#candidates, this.#values)
    }
    return this.#values[at] ?? 0
  }
}

class ScoredRange {
  readonly range: PostingRange
  /** What a posting counts at most. */
  readonly most: number
  /** Whether it has the word as a whole word of a name. */
  readonly isNaming: boolean
  lookups = 0
  /** Whether its postings are among the values of the word. */
  isVisited = false

  constructor(range: PostingRange) {
    this.range = range
    this.most = range.factor * (heaviestWeights()[range.present] ?? 0)
    this.isNaming = range.isWhole && (range.present & NAME) !== 0
  }

  lookUp(at: number): number {
    const fields = fieldsInRange(this.range, at)
    if (fields === 0) return 0
    const value = this.range.factor * (heaviestWeights()[fields] ?? 0)
    return this.isNaming && (fields & NAME) !== 0 ? value | IN_NAME : value
  }
}

const NAME = 1 << FIELD.name

/** Each candidate's best posting counts. */
function visitPostings(range: PostingRange, candidates: PeopleSet, values: WordValues): void {
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
