/** Whether a network has words together, for example as the name of a company. */

import { firstNotBelow } from '../../base/sorted-numbers.ts'
import { FIELD_BITS, FIELD_MASK } from './fields.ts'
import { bytesOfTerm, findTerm, postingStart } from './segment.ts'
import type { CurrentSegment, SearchIndex } from './layout.ts'

/** Whether a current connection has all of these terms in one field. */
export function hasTerms(
  { segments }: SearchIndex,
  terms: readonly string[],
  field: number,
): boolean {
  const bytes = terms.map(bytesOfTerm)
  return segments.some((segment) => hasTermsIn(segment, bytes, field))
}

function hasTermsIn(
  { segment, gone }: CurrentSegment,
  terms: readonly Uint8Array[],
  field: number,
): boolean {
  const lists: Uint32Array[] = []
  for (const bytes of terms) {
    const term = findTerm(segment, bytes)
    if (term < 0) return false
    lists.push(
      segment.postings.subarray(postingStart(segment, term), segment.postingEnds[term] ?? 0),
    )
  }
  const [shortest, ...others] = lists.sort((one, other) => one.length - other.length)
  const next = others.map(() => 0)
  // Without callbacks: this runs for every query and visits thousands of postings.
  for (let index = 0; index < (shortest?.length ?? 0); index += 1) {
    const posting = shortest?.[index] ?? 0
    if ((posting & FIELD_MASK) !== field || gone?.[posting >>> FIELD_BITS] === 1) continue
    if (haveAll(others, next, posting)) return true
  }
  return false
}

/** Whether all lists have a posting. `next` holds the place in each, which only advances. */
function haveAll(lists: readonly Uint32Array[], next: number[], posting: number): boolean {
  for (let list = 0; list < lists.length; list += 1) {
    const numbers = lists[list]
    if (!numbers) continue
    const at = advance(numbers, next[list] ?? 0, posting)
    next[list] = at
    if (numbers[at] !== posting) return false
  }
  return true
}

/** The first place from `from` on whose number is not smaller: in growing steps, then by binary search. */
function advance(numbers: Uint32Array, from: number, number: number): number {
  let [low, step] = [from, 1]
  while (low + step < numbers.length && (numbers[low + step] ?? 0) < number) {
    low += step
    step *= 2
  }
  return firstNotBelow(numbers, number, low, Math.min(low + step, numbers.length))
}
