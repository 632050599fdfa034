/**
 * Given names with their short forms, familiar forms and alternative spellings, in the languages of most address books.
 */

import { wordLinesOf } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'
import { nameSpelling } from './scripts/transliterate.ts'

/** The lists of `data/given-names.txt`, which explains them. */
export const givenNameLines = wordLinesOf(new URL('data/given-names.txt', import.meta.url))

/** The first word of each line of a list with the others. */
export function givenNamePairs(section: string): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(givenNameLines(section).map(([first = '', ...others]) => [first, new Set(others)]))
}

interface GivenNames {
  readonly groups: readonly (readonly string[])[]
  readonly groupsOf: ReadonlyMap<string, readonly number[]>
}

/** Some 5 ms, once. */
export const givenNames = lazy((): GivenNames => {
  const groups = givenNameLines('forms')
  const groupsOf = new Map<string, number[]>()
  for (const [index, forms] of groups.entries()) {
    for (const form of forms) {
      const present = groupsOf.get(form)
      if (present?.at(-1) === index) continue // written twice
      if (present) present.push(index)
      else groupsOf.set(form, [index])
    }
  }
  return { groups, groupsOf }
})

/** Whether a normalized word is a known given name or a short form of one. */
export function isGivenName(word: string): boolean {
  return givenNames().groupsOf.has(word)
}

/** Whether a normalized word is a given name, also one that is mostly a place: `madison`. */
export function mayBeGivenName(word: string): boolean {
  return isGivenName(word) || placeNames().has(word)
}

const placeNames = lazy(() => new Set(givenNameLines('places').flat()))

/** Whether two normalized words are forms of one given name: `bob` and `rob`, `sasha` and `alexander`. */
export function isSameGivenName(one: string, other: string): boolean {
  if (one === other) return true
  const { groupsOf } = givenNames()
  const others = groupsOf.get(other)
  return (
    others !== undefined && (groupsOf.get(one)?.some((group) => others.includes(group)) ?? false)
  )
}

/** The full forms of a normalized word, most common first; the word itself if it is not a known short form. */
export function fullForms(word: string): readonly string[] {
  const { groups, groupsOf } = givenNames()
  const indexes = groupsOf.get(word)
  return indexes === undefined ? [word] : indexes.map((index) => groups[index]?.[0] ?? word)
}

/** One full form of a normalized word: `bob` becomes `robert`. */
export function fullForm(word: string): string {
  return oneFullForm().get(word) ?? word
}

/**
 * One key for the forms of a given name in most spellings, for comparison: `jorg`, `joerg` and `george`; `yuri` and
 * `yuriy`. The key of any other word is its spelling.
 */
export function givenNameKey(word: string): string {
  const form = fullForm(word)
  return keysOfSpellings().get(nameSpelling(form)) ?? nameSpelling(form)
}

/** The keys of words that are spelled like a short form: `yuri` has that of `yuriy`, which is one of `george`. */
const keysOfSpellings = lazy((): ReadonlyMap<string, string> => {
  const keys = new Map<string, string>()
  for (const [short, full] of oneFullForm()) {
    const spelling = nameSpelling(short)
    if (!keys.has(spelling)) keys.set(spelling, nameSpelling(full))
  }
  return keys
})

const oneFullForm = lazy((): ReadonlyMap<string, string> => {
  const forms = [...givenNames().groupsOf.keys()].filter((form) => !fullForms(form).includes(form))
  return new Map(forms.map((form) => [form, fullForms(form)[0] ?? form]))
})

/** How much shorter than its name a short form is. */
const MIN_SHORTENING = 2

/**
 * Whether one normalized word is the full name of which the other is a short form: `william` and `bill`. Other forms of one
 * name, such as `jan` and `hannes` or `julia` and `giulia`, are names of their own.
 */
export function isShortFormOf(one: string, other: string): boolean {
  const [short, full] = one.length < other.length ? [one, other] : [other, one]
  if (full.length - short.length < MIN_SHORTENING) return false
  const { groups, groupsOf } = givenNames()
  return groupsOf.get(short)?.some((index) => groups[index]?.[0] === full) ?? false
}

/** All other forms of the names that a normalized word can be short for, for search: `bob` has `robert`, `rob`, … */
export function otherForms(word: string): readonly string[] {
  const { groups, groupsOf } = givenNames()
  const forms = new Set((groupsOf.get(word) ?? []).flatMap((index) => groups[index] ?? []))
  forms.delete(word)
  return [...forms]
}
