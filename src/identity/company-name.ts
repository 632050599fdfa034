/** Compares company names without their legal form: `ACME GmbH & Co. KG`, `Acme, Inc.` and `acme` are one company. */

import { normalForm } from '../base/normal-form.ts'
import { lazy } from '../base/lazy.ts'
import { remembering } from '../base/remembering.ts'
import { fold, isForeign, spellingKey } from './transliterate.ts'

/** Legal forms, normalized, with dots removed. Some consist of several consecutive words. */
const legalForms = lazy(
  () =>
    new Set(
      `inc incorporated corp corporation co company ltd limited llc llp lp plc pllc pc pbc gmbh ggmbh mbh ag kg kgaa ohg ug ev
      eg gbr sarl sas sasu sa snc eurl sci sprl bvba srl srls spa sapa snc sl slu sau sc scrl cv nv bv vof ab hb as asa
      aps ivs oy oyj ou sia uab kft zrt nyrt bt spzoo zoo sp spk sro ad doo dd ood eood ead jsc pjsc ojsc cjsc ooo oao
      zao pao ao tov pty pvt private sdn bhd pte pt tbk kk gk yk goshi kabushiki kaisha godo ltda limitada eireli mei
      sab cv rl sca eireli dba lda unipessoal anonim sirketi limited sti as holding holdings group gruppe groupe gruppo
      grupo intl international societe anonyme gesellschaft haftungsbeschrankt`
        .trim()
        .split(/\s+/),
    ),
)

const JAPANESE_AND_CHINESE_FORMS =
  /株式会社|有限会社|合同会社|合資会社|一般社団法人|\(株\)|（株）|㈱|股份有限公司|有限责任公司|有限責任公司|有限公司|公司|주식회사|\(주\)|㈜/g

const CONNECTING_WORDS = new Set([
  'and',
  'und',
  'et',
  'y',
  'e',
  'i',
  'og',
  'och',
  'en',
  'the',
  'of',
])

/**
 * A key that all spellings of a company share: normalized words without legal forms at either end. A name that consists
 * only of such words keeps them. Empty for an empty name.
 */
export const companyKey = remembering((name) => {
  const words = companyWords(name)
  const forms = legalForms()
  let [start, end] = [0, words.length]
  while (end > start + 1 && (isLegal(words[end - 1], forms) || isConnecting(words[end - 1])))
    end -= 1
  while (start < end - 1 && (isPrefixForm(words[start]) || words[start] === 'the')) start += 1
  return words
    .slice(start, end)
    .filter((word) => !isConnecting(word) || end - start === 1)
    .join(' ')
})

/** Forms that some languages write before the name. */
function isPrefixForm(word = ''): boolean {
  return PREFIX_FORMS.has(word)
}

const PREFIX_FORMS = new Set(
  'ooo oao zao pao ao pt tov ip kk ab oy societe firma grupo groupe gruppo'.split(' '),
)

function isLegal(word: string | undefined, forms: ReadonlySet<string>): boolean {
  return word !== undefined && forms.has(word)
}

function isConnecting(word: string | undefined): boolean {
  return word !== undefined && CONNECTING_WORDS.has(word)
}

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
export const companySpelling = remembering((name) => spellingKey(knownAs(companyKey(name))))

/** Short names of companies that mean no other one, as LSE does, each with a full name, normalized without legal forms and words that connect. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map(
  `bcg boston consulting, pwc pricewaterhousecoopers, pwc pricewaterhouse coopers, pwc price waterhouse coopers, ey ernst young,
  jpmorgan j p morgan, jpmorgan jp morgan, jpmorgan jpmorgan chase, jpmorgan jp morgan chase, ibm international business machines,
  hp hewlett packard, hpe hewlett packard enterprise, ge general electric, gm general motors, pg p g, pg procter gamble, jj j j,
  jj johnson johnson, aws amazon web services, bofa bank america, bbc british broadcasting, vw volkswagen, att at t,
  bmw bayerische motoren werke, tcs tata consultancy services, mit massachusetts institute technology,
  ucl university college london, who world health organization`
    .split(',')
    .map((line) => {
      const [short = '', ...words] = line.trim().split(/\s+/)
      return [words.join(' '), short] as const
    }),
)

/** Without spaces, and with the short name of a company that has one. MacDonald and Mac Donald are McDonald. */
function knownAs(key: string): string {
  const known = SHORT_NAMES.get(key) ?? key
  return known.replace(/(^| )ma?c ?(?=[a-z]{3})/g, '$1mc').replaceAll(' ', '')
}

type CompanyRelation = 'same' | 'similar' | 'different' | 'unknown'

/**
 * `similar` if one name starts with the other, such as `Acme` and `Acme Robotics`, or is spelled like it in the same script,
 * apart from short words.
 * `unknown` if one is missing.
 */
export function compareCompanies(one: string | null, other: string | null): CompanyRelation {
  if (one === null || other === null) return 'unknown'
  const [a, b] = [companyKey(one), companyKey(other)]
  if (a === '' || b === '') return 'unknown'
  if (a === b) return 'same'
  if (knownAs(a) === knownAs(b)) return areMacAndMc(a, b) ? 'similar' : 'same'
  if (companySpelling(one) === companySpelling(other)) return spelledAlike(one, other)
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return long.startsWith(`${short} `) ? 'similar' : 'different'
}

/** `Mac Cosmetics` and `MC Cosmetics` are two companies, `Mac Donald` and `Mc Donald` perhaps one. */
function areMacAndMc(one: string, other: string): boolean {
  const others = other.split(' ')
  return one.split(' ').some((word, at) => /^mac mc$|^mc mac$/.test(`${word} ${others[at]}`))
}

/** Short words are often initials, of which each letter counts: CVS and KVS, or WH Smith and VH Smith. */
function spelledAlike(one: string, other: string): CompanyRelation {
  const isOneScript = isForeign(one) === isForeign(other)
  if (differInShortWord(companyKey(one), companyKey(other)))
    return isOneScript ? 'different' : 'similar'
  return isOneScript ? 'similar' : 'same'
}

/** Letters of a short word. */
const MAX_SHORT_WORD = 3

/** Of two names with equally many words. */
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
