/** What colleagues share whose given names are initials, short forms or misspelled: an initial and the family name. */

import { memoize } from '../base/memoize.ts'
import { nameKey } from '../base/tokenize.ts'
import { companySpelling } from './company-name.ts'
import { fullForms } from './given-names.ts'
import { nameAffixes } from './name-affixes.ts'
import { parsePersonName } from './person-name.ts'
import { fold, isForeign, nameSpelling, spellingKey } from './scripts/transliterate.ts'

/**
 * An initial, the family name without its vowels, and the company, in one spelling, for each initial of the given name. None
 * without a company or a part of the name. `key` is the name key of the name.
 */
export function familySpellings(
  person: { readonly name: string; readonly company: string | null },
  key: string,
): readonly string[] {
  const company = person.company === null ? '' : companySpelling(person.company)
  if (company === '') return NONE
  const { given, family, withParticles } = givenAndFamily(person.name, key)
  if (given === undefined || family === undefined) return NONE
  const families = withParticles === undefined ? [family] : [family, withParticles]
  return families.flatMap((one) => {
    const consonants = consonantsOf(one)
    return initialsOf(given).map((initial) => `${initial} ${consonants}|${company}`)
  })
}

const NONE: readonly string[] = []

/** The initial of the name as it is written, and those of its full forms: T and E for Ted, which is short for Edward. */
const initialsOf = memoize((given): readonly string[] => {
  const forms = fullForms(given)
  const all = forms.includes(given) ? [given] : [given, ...forms]
  return [...new Set(all.map((form) => spellingKey(form.charAt(0))))]
})

interface NameParts {
  readonly given?: string | undefined
  readonly family?: string | undefined
  /** The family name as people write it who join its particles: `vandenberg`. */
  readonly withParticles?: string
}

function givenAndFamily(name: string, key: string): NameParts {
  if (NEEDS_PARSING.test(name)) {
    const { given, family } = parsePersonName(name)
    return { given: given[0], family: family.at(-1) }
  }
  const words = (isForeign(name) ? nameKey(fold(name)) : key).split(' ')
  let [start, end] = [0, words.length - 1]
  while (start < end && TITLES.has(words[start] ?? '')) start += 1
  while (end > start + 1 && SUFFIXES.has(words[end] ?? '')) end -= 1
  if (start >= end) return {}
  let first = end
  while (first > start + 1 && nameAffixes().particles.has(words[first - 1] ?? '')) first -= 1
  const parts = { given: words[start], family: words[end] }
  return first === end ? parts : { ...parts, withParticles: words.slice(first, end + 1).join('') }
}

/** The family name is first, or there are credentials or another name. Other names are not parsed, which takes long. */
const NEEDS_PARSING = /[,،、("“”„«'‘’]/

const SUFFIXES = new Set('jr sr jun sen ii iii iv junior senior phd mba md'.split(' '))

/** The first ones, so that a typo at the end of a long name does not count. Short words have too few of them. */
const consonantsOf = memoize((word) => {
  const spelling = nameSpelling(word)
  if (spelling.length < MIN_LETTERS) return spelling
  const consonants = spelling.slice(1).replace(/[aeiouh]/g, '')
  return spelling.charAt(0) + consonants.slice(0, MAX_CONSONANTS)
})

const MIN_LETTERS = 4
const MAX_CONSONANTS = 3

/** Titles, normalized, also those that follow a name. */
export const TITLES = new Set(['dr', 'prof', 'mr', 'mrs', 'ms', 'herr', 'frau', 'phd', 'mba'])
