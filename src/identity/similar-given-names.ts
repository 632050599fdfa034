/** Given names that differ in one or two letters and have no other forms: neither is a typo of the other. */

import { lazy } from '../base/lazy.ts'
import { givenNameLines } from './given-names.ts'

const similarGivenNames = lazy(() => new Set(givenNameLines('similar').flat()))

/** Whether a normalized word is one of these names. */
export function isSimilarGivenName(word: string): boolean {
  return similarGivenNames().has(word)
}
