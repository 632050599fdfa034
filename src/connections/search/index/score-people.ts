/** How well people match a word of a query, and in which fields. */

import { lazy } from '../../../base/lazy.ts'
import { FIELD, FIELD_BITS, FIELD_MASK, FIELD_WEIGHTS } from './fields.ts'
import { fieldsOfPerson, type MergedPostings } from './merged-postings.ts'
import { countBits, includes, lowestBit, peopleFrom, type PeopleSet } from './people-set.ts'
import type { PostingRange } from './posting-ranges.ts'

/** By person: the factor and weight of their best posting, with `IN_NAME`; 0 for those who do not match. */
export type WordValues = Uint16Array

/** The word is a whole word of the person's name. */
export const IN_NAME = 0x8000
export const VALUE_MASK = 0x7fff

/** Each candidate's best posting counts. */
export function scorePeople(range: PostingRange, candidates: PeopleSet, values: WordValues): void {
  if (range.merged) return scoreMerged(range, range.merged, { candidates, values })
  const { placed, start, end } = range
  const { offset, segment } = placed
  const { postings } = segment
  const byField = valuesByField(range)
  for (let index = start; index < end; index += 1) {
    const posting = postings[index] ?? 0
    const at = offset + (posting >>> FIELD_BITS)
    if (!includes(candidates, at)) continue
    const value = byField[posting & FIELD_MASK] ?? 0
    if (value !== 0) values[at] = better(values[at] ?? 0, value)
  }
}

/** The higher value, and `IN_NAME` if either has it. */
function better(one: number, other: number): number {
  const value = Math.max(one & VALUE_MASK, other & VALUE_MASK)
  return value | ((one | other) & IN_NAME)
}

/** The value of a posting in each field; 0 for fields that do not count. */
function valuesByField({ factor, fields, isWhole }: PostingRange): Uint16Array {
  const values = new Uint16Array(FIELD_MASK + 1)
  for (let field = 0; field <= FIELD_MASK; field += 1)
    if ((fields & (1 << field)) !== 0) values[field] = factor * (FIELD_WEIGHTS[field] ?? 0)
  if (isWhole && values[FIELD.name] !== 0) values[FIELD.name] = (values[FIELD.name] ?? 0) | IN_NAME
  return values
}

interface Scoring {
  readonly candidates: PeopleSet
  readonly values: WordValues
}

function scoreMerged(
  { placed: { offset }, factor }: PostingRange,
  { people, fields, starts }: MergedPostings,
  { candidates, values }: Scoring,
): void {
  const weights = heaviestWeights()
  const { length } = people
  for (let word = 0; word < length; word += 1) {
    const all = people[word] ?? 0
    let both = all & peopleFrom(candidates, offset + 32 * word)
    for (; both !== 0; both &= both - 1) {
      const place = (starts[word] ?? 0) + countBits(all & ((both & -both) - 1))
      const at = offset + 32 * word + lowestBit(both)
      values[at] = better(values[at] ?? 0, factor * (weights[fields[place] ?? 0] ?? 0))
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

/**
 * The fields in which people match any of the ranges, as bit masks. Ranges of several terms are not sorted by person, so
 * they are visited once for all people.
 */
export function matchedFields(
  ranges: readonly PostingRange[],
  people: readonly number[],
  scratch: PeopleSet,
): number[] {
  const masks = people.map((at) =>
    ranges.reduce((mask, range) => mask | fieldsInRange(range, at), 0),
  )
  const unsorted = ranges.filter(({ isSorted, merged }) => !isSorted && !merged)
  if (unsorted.length === 0) return masks
  for (const at of people) scratch[at >>> 5] = (scratch[at >>> 5] ?? 0) | (1 << (at & 31))
  for (const { placed, start, end, fields } of unsorted) {
    const { postings } = placed.segment
    for (let index = start; index < end; index += 1) {
      const posting = postings[index] ?? 0
      const at = placed.offset + (posting >>> FIELD_BITS)
      if (!includes(scratch, at)) continue
      const nth = people.indexOf(at)
      masks[nth] = (masks[nth] ?? 0) | (fields & (1 << (posting & FIELD_MASK)))
    }
  }
  return masks
}

function fieldsInRange(
  { placed, start, end, fields, isSorted, merged }: PostingRange,
  at: number,
): number {
  const { offset, segment } = placed
  const person = at - offset
  if (person < 0 || person >= segment.ids.length) return 0
  if (merged) return fieldsOfPerson(merged, person)
  if (!isSorted) return 0
  const { postings } = segment
  let [low, high] = [start, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((postings[middle] ?? 0) < person << FIELD_BITS) low = middle + 1
    else high = middle
  }
  let mask = 0
  for (; low < end && (postings[low] ?? 0) >>> FIELD_BITS === person; low += 1)
    mask |= 1 << ((postings[low] ?? 0) & FIELD_MASK)
  return mask & fields
}
