/** How two normalized words of names are related. */

import { editDistance } from '../base/spelling/edit-distance.ts'
import { isSameGivenName } from './given-names.ts'
import { isInFamilyFirstScript } from './person-name.ts'
import { areFormsOfTwoGenders, isKnownName } from './similar-given-names.ts'
import { areSingleSyllables, areSpellingsOfFamily, relationOfSyllables } from './syllables.ts'
import { nameSpelling } from './scripts/transliterate.ts'

export type WordRelation = 'identical' | 'spelling' | 'nickname' | 'typo' | 'initial'

/** Undefined for words that are not related. `isSyllabic`: whether both are words of names that look Chinese or Korean. */
export function relationOf(
  one: string,
  other: string,
  isSyllabic = false,
): WordRelation | undefined {
  if (one === other) return 'identical'
  if (one.length === 1 || other.length === 1) return isInitialOf(one, other) ? 'initial' : undefined
  if (areFormsOfTwoGenders(one, other)) return undefined
  if (isSyllabic || areSingleSyllables(one, other)) {
    const relation = relationOfSyllables(one, other)
    if (relation === 'spelling') return relation
    if (isSameGivenName(one, other)) return 'nickname'
    return isSyllabic && areSpellingsOfFamily(one, other) ? 'typo' : relation
  }
  if (one.length > 2 && other.length > 2 && nameSpelling(one) === nameSpelling(other))
    return 'spelling'
  if (withShortVowel(one) === withShortVowel(other)) return 'spelling'
  if (isSameGivenName(one, other)) return 'nickname'
  return isTypo(one, other) ? 'typo' : undefined
}

/** Itoh and Ito, Ohno and Ono. */
function withShortVowel(word: string): string {
  return word.replace(/oh(?![aeiou])/g, 'o')
}

/** A character of 健一 is not an initial, but a name: 健 is someone else. */
function isInitialOf(one: string, other: string): boolean {
  return one[0] === other[0] && !isInFamilyFirstScript(one)
}

/** Words that differ by one typo, or two if they are long. */
function isTypo(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length)
  if (length < MIN_TYPO_LENGTH) return false
  // Two existing names are different names: Maria and Mario, Daniel and Daniela, Jan and Jana.
  if (isKnownName(one) && isKnownName(other)) return false
  if (isGenderVariant(one, other)) return false
  const allowed = length < LONG_WORD ? 1 : 2
  return (
    editDistance(one, other, allowed) <= allowed ||
    // Hrustaleva and Khrustalyova.
    (length >= LONG_WORD &&
      editDistance(nameSpelling(one), nameSpelling(other), allowed) <= allowed)
  )
}

const MIN_TYPO_LENGTH = 4
const LONG_WORD = 8

/** Names that differ only by a masculine or feminine ending: Erik and Erika, Francesco and Francesca. */
function isGenderVariant(one: string, other: string): boolean {
  const stem = (word: string) => word.replace(/[aeiou]$/, '')
  return one !== other && stem(one) === stem(other) && one.endsWith('a') !== other.endsWith('a')
}
