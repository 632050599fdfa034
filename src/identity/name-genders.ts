/** Given names of a man and a woman that look like two spellings of one name: spouses are often called so. */

import { lazy } from '../base/lazy.ts'
import { givenNameLines, givenNamePairs } from './given-names.ts'

/** Short forms of the names of men and of women. */
const unisex = lazy(() => new Set(givenNameLines('unisex').flat()))

const feminineForms = lazy(() => givenNamePairs('feminine forms'))

/** Whether two normalized given names are the masculine and the feminine form of one name: `rene` and `renee`. */
export function areFormsOfTwoGenders(one: string, other: string): boolean {
  const forms = feminineForms()
  return forms.get(one)?.has(other) === true || forms.get(other)?.has(one) === true
}

/** Whether a man and a woman can have these two normalized forms of one name: `chris` and `christine`. */
export function isUnisexShortForm(one: string, other: string): boolean {
  return one !== other && (unisex().has(one) || unisex().has(other))
}
