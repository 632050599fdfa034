/** What the names of two records say about whether they are of one person. */

import { lazy } from '../base/lazy.ts'
import { compareNames, type NameComparison, type NameReason } from './compare-names.ts'
import { compareScripts } from './other-scripts.ts'
import { givenNameLines } from './given-names.ts'
import { isKnownName } from './similar-given-names.ts'
import { isReading, readingOf } from './name-readings.ts'
import { personNameOf, type Matchable } from './match-person.ts'
import { pinyinOf } from './latin-sounds.ts'
import { nameSpelling } from './scripts/transliterate.ts'
import type { MatchReason } from './match-weights.ts'
import type { PersonName } from './person-name.ts'

interface FoundNames {
  readonly reasons: MatchReason[]
  readonly comparison: NameComparison
}

export function nameFindings(one: Matchable, other: Matchable): FoundNames {
  const [name, otherName] = [personNameOf(one), personNameOf(other)]
  const comparison = compareNames(name, otherName)
  const reasons =
    isReadAs(one, other.name) || isReadAs(other, one.name)
      ? (['same_reading'] as const)
      : (inOtherScript(one, other, comparison) ?? comparedNames(name, otherName, comparison))
  // Mr and Mrs Pat Byrne.
  const isOtherForm =
    name.gender !== null && otherName.gender !== null && name.gender !== otherName.gender
  return { comparison, reasons: isOtherForm ? [...reasons, 'other_form_of_address'] : [...reasons] }
}

/** Undefined for names in one script, and those that agree in Latin letters. */
function inOtherScript(
  one: Matchable,
  other: Matchable,
  { outcome, reasons }: NameComparison,
): readonly MatchReason[] | undefined {
  if (outcome === 'same' || outcome === 'compatible' || reasons.includes('not_a_name'))
    return undefined
  const [name, otherName] = [personNameOf(one), personNameOf(other)]
  const relation = compareScripts({ text: one.name, name }, { text: other.name, name: otherName })
  if (relation === undefined) return undefined
  if (relation === 'alike') return ['same_in_other_script']
  const isRelative =
    relation === 'relatives' ||
    (outcome === 'different' && isOtherPersonOfFamily(name, otherName, reasons))
  return isRelative ? ['other_given_name'] : ['other_script']
}

/** 田中太郎, read タナカ タロウ, and Taro Tanaka; 王小明 and Wang Xiaoming. */
function isReadAs({ name, details }: Matchable, other: string): boolean {
  if (details?.phoneticFamilyName === undefined) return false
  const reading = readingOf({ name, details })
  return reading !== null && isReading(reading, other)
}

function comparedNames(
  one: PersonName,
  other: PersonName,
  { outcome, reasons }: NameComparison,
): MatchReason[] {
  const has = (reason: NameReason) => reasons.includes(reason)
  if (outcome === 'same') {
    const reason = FORMS.find(has) ?? 'same_name'
    const isCommon = isCommonName(one) && isCommonName(other)
    return isCommon ? [reason, 'common_name'] : [reason]
  }
  if (outcome === 'different') {
    if (has('other_generation')) return ['other_generation']
    if (has('other_number')) return ['other_number']
    if (has('other_order') || has('other_marks')) return ['similar_given_name']
    if (isOtherPersonOfFamily(one, other, reasons)) return ['other_given_name']
    // Laura Bianchi and `Gelato Laura`.
    if (hasGivenOf(one, other) || hasGivenOf(other, one)) return ['other_family_name']
    if (!shareFamily(one, other)) return ['other_name']
    return [isSimilarGivenName(one, other) ? 'similar_given_name' : 'unknown_given_name']
  }
  if (has('not_a_name')) return ['name_missing']
  if (isSingleName(one, other) && !has('generation_missing')) return ['same_single_name']
  const found: MatchReason[] = COMPARED_NAMES.filter(has).slice(0, 1)
  if (!has('generation_missing')) return found
  return found.length === 0 ? ['same_name', 'generation_missing'] : [...found, 'generation_missing']
}

/** Whether the last word of a name is the given name of the other. */
function hasGivenOf({ family }: PersonName, { given: [given = ''] }: PersonName): boolean {
  return given.length > 1 && family.includes(given)
}

/** The weakest first. */
const FORMS = ['other_form_of_name', 'similar_short_name', 'nickname'] as const

/** `Mom`, `Plumber`: a single word that is the same in both. */
function isSingleName({ words: one }: PersonName, { words: other }: PersonName): boolean {
  return one.length === 1 && other.length === 1 && one[0] === other[0]
}

/** Partial agreement, by the weakest part. */
const COMPARED_NAMES = [
  'other_family_name',
  'only_given_name',
  'only_family_name',
  'other_form_of_name',
  'given_name_typo',
  'part_of_given_name',
  'typo',
  'initial',
  'alias',
  'middle_name',
] as const satisfies readonly (MatchReason & NameReason)[]

function shareFamily({ family: one }: PersonName, { family: other }: PersonName): boolean {
  const others = new Set(other.map(familyOf))
  return one.some((word) => others.has(familyOf(word)))
}

/** Elsayegh and Sayegh, Hudec and Hudecová are one family. */
function familyOf(word: string): string {
  return nameSpelling(word.replace(/^[ae]l(?=.{4})/, '').replace(/(?<=.{3})ova$/, ''))
}

/** Whether the names suggest relatives: one family name, and two known given names. */
function isOtherPersonOfFamily(
  one: PersonName,
  other: PersonName,
  reasons: readonly NameReason[],
): boolean {
  if (reasons.includes('other_middle_name')) return true
  return shareFamily(one, other) && one.given.some(isKnownName) && other.given.some(isKnownName)
}

/**
 * Given names that begin alike, or of which one ends with the other (Oluwaseun, Seun): perhaps a short form or a typo.
 */
function isSimilarGivenName(one: PersonName, other: PersonName): boolean {
  const [a = '', b = ''] = [one.given[0], other.given[0]]
  if (Math.min(a.length, b.length) >= SIMILAR_END && (a.endsWith(b) || b.endsWith(a))) return true
  return a.length >= SIMILAR_START && a.slice(0, SIMILAR_START) === b.slice(0, SIMILAR_START)
}

/** Letters. */
const [SIMILAR_START, SIMILAR_END] = [3, 4]

/** Whether both the given and the family name, in any spelling, are among the most common ones of a large country. */
function isCommonName({ given, family }: PersonName): boolean {
  const { givenNames, familyNames } = commonNames()
  const isIn = (names: ReadonlySet<string>) => (word: string) =>
    latinFormsOf(word).some((form) => names.has(nameSpelling(form)))
  return family.some(isIn(familyNames)) && given.some(isIn(givenNames))
}

/** The readings of one Chinese character; other words as they are. */
function latinFormsOf(word: string): readonly string[] {
  return /^\p{Script=Han}$/u.test(word) ? pinyinOf(word) : [word]
}

const commonNames = lazy(() => ({
  givenNames: new Set(givenNameLines('common').flat().map(nameSpelling)),
  familyNames: new Set(givenNameLines('common family').flat().map(nameSpelling)),
}))
