/** Compares company names without their legal form: `ACME GmbH & Co. KG`, `Acme, Inc.` and `acme` are one company. */

import { normalForm } from '../base/normal-form.ts'
import { wordLinesOf } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'
import { memoize } from '../base/memoize.ts'
import { latinPatternOf } from './latin-patterns.ts'
import { pinyinOf } from './latin-sounds.ts'
import { scriptOf } from './other-scripts.ts'
import { fold, isForeign, spellingKey } from './scripts/transliterate.ts'

const linesOf = wordLinesOf(new URL('data/companies.txt', import.meta.url))

/** The words of `data/companies.txt`. */
const companies = lazy(() => ({
  legalForms: new Set(linesOf('legal form').flat()),
  prefixForms: new Set(linesOf('legal form before the name').flat()),
  connecting: new Set(linesOf('connecting').flat()),
  shortNames: new Map(linesOf('short name').map(byFullName)),
  presentNames: new Map(linesOf('renamed').map(byFullName)),
  latinNames: new Map(linesOf('in its own script').map(byFullName)),
}))

/** The words of a line after the first, with the first. */
function byFullName([short = '', ...words]: readonly string[]): readonly [string, string] {
  return [words.join(' '), short]
}

const JAPANESE_AND_CHINESE_FORMS =
  /株式会社|有限会社|合同会社|合資会社|一般社団法人|\(株\)|（株）|㈱|股份有限公司|有限责任公司|有限責任公司|有限公司|公司|주식회사|\(주\)|㈜/g

/**
 * A key that all spellings of a company share: normalized words without legal forms at either end. A name that consists
 * only of such words keeps them. Empty for an empty name.
 */
export const companyKey = memoize((name) => {
  const words = companyWords(name)
  const { legalForms, prefixForms, connecting } = companies()
  const isLast = (word = '') => legalForms.has(word) || connecting.has(word)
  let [start, end] = [0, words.length]
  while (end > start + 1 && isLast(words[end - 1])) end -= 1
  while (start < end - 1 && (prefixForms.has(words[start] ?? '') || words[start] === 'the'))
    start += 1
  return words
    .slice(start, end)
    .filter((word) => !connecting.has(word) || end - start === 1)
    .join(' ')
})

/** Normalized words; letters separated by dots are one word, so that `S.A.` and `SA` are equal. */
function companyWords(name: string): string[] {
  const plain = normalForm(name, 'NFKC').replace(JAPANESE_AND_CHINESE_FORMS, ' ')
  const text = fold(plain.trim() === '' ? name : plain)
    .replace(/\b((?:\p{L}\.){2,}\p{L}?)/gu, (letters) => `${letters.replaceAll('.', '')} `)
    .replace(/\bsp\.?\s*z\s*o\.?\s*o\b/g, 'spzoo')
    .replace(/\bs\.?\s*r\.?\s*o\b/g, 'sro')
    .replace(/\ba\/s\b/g, 'as')
    .replace(/['’.]/g, '')
  return text.match(/[\p{L}\p{N}]+/gu) ?? []
}

/**
 * A key that spellings of a company in several scripts share, and names for which it is known: Яндекс and Yandex, PwC and
 * PricewaterhouseCoopers. It is only for finding candidates, because unlike companies can share it.
 */
export const companySpelling = memoize((name) => spellingKey(inPinyin(knownAs(companyKey(name)))))

/** 华为 as huawei. */
function inPinyin(key: string): string {
  return key.replace(/\p{Script=Han}/gu, (character) => pinyinOf(character)[0] ?? character)
}

/** Without spaces, and with the short or the present name of a company that has one. MacDonald and Mac Donald are McDonald. */
function knownAs(key: string): string {
  const { shortNames, presentNames, latinNames } = companies()
  const known = shortNames.get(key) ?? presentNames.get(key) ?? latinNames.get(key) ?? key
  return known.replace(/(^| )ma?c ?(?=[a-z]{3})/g, '$1mc').replaceAll(' ', '')
}

type CompanyRelation = 'same' | 'similar' | 'different' | 'unknown'

/**
 * `similar` if one name starts with the other, such as `Acme` and `Acme Robotics`, is spelled like it in the same script, apart
 * from short words, or is its former name.
 * `unknown` if one is missing.
 */
export function compareCompanies(one: string | null, other: string | null): CompanyRelation {
  if (one === null || other === null) return 'unknown'
  const [a, b] = [companyKey(one), companyKey(other)]
  if (a === '' || b === '') return 'unknown'
  if (a === b) return 'same'
  if (knownAs(a) === knownAs(b))
    return areMacAndMc(a, b) || isRenamed(a) !== isRenamed(b) ? 'similar' : 'same'
  if (companySpelling(one) === companySpelling(other)) return spelledAlike(one, other)
  if (isWrittenAs(a, b) || isWrittenAs(b, a)) return 'same'
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return long.startsWith(`${short} `) ? 'similar' : 'different'
}

/** טבע and Teva, 카카오 and Kakao. */
function isWrittenAs(key: string, latin: string): boolean {
  if (scriptOf(key) === 'Latin' || scriptOf(latin) !== 'Latin') return false
  return latinPatternOf(key.replaceAll(' ', ''))?.matches(latin.replaceAll(' ', '')) === true
}

function isRenamed(key: string): boolean {
  return companies().presentNames.has(key)
}

/** `Mac Cosmetics` and `MC Cosmetics` are two companies, `Mac Donald` and `Mc Donald` perhaps one. */
function areMacAndMc(one: string, other: string): boolean {
  const others = other.split(' ')
  return one.split(' ').some((word, at) => /^mac mc$|^mc mac$/.test(`${word} ${others[at]}`))
}

/** Short words are often initials, of which each letter counts: CVS and KVS, or WH Smith and VH Smith. */
function spelledAlike(one: string, other: string): CompanyRelation {
  const isOneScript = isForeign(one) === isForeign(other)
  if (scriptOf(companyKey(one)) !== scriptOf(companyKey(other))) return 'same'
  if (differInShortWord(companyKey(one), companyKey(other)))
    return isOneScript ? 'different' : 'similar'
  return isOneScript ? 'similar' : 'same'
}

const MAX_SHORT_WORD = 3

/** True if two names with equally many words differ only in a short word. */
function differInShortWord(one: string, other: string): boolean {
  const [words, others] = [one.split(' '), other.split(' ')]
  return (
    words.length === others.length &&
    words.some((word, at) => {
      const there = others[at] ?? ''
      return word !== there && Math.min(word.length, there.length) <= MAX_SHORT_WORD
    })
  )
}
