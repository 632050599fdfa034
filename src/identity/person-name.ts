/** Splits a person's name, as people and address books write it, into its parts. */

import { normalForm } from '../base/normal-form.ts'
import { isTitle, nameAffixes, plainWord, wordSet, type Gender } from './name-affixes.ts'
import { fold } from './scripts/transliterate.ts'
import { vietnameseWords } from './vietnamese-names.ts'

export interface PersonName {
  /** Normalized identifying words in their original order, without titles, particles and suffixes. */
  readonly words: readonly string[]
  /** Normalized given names, including initials. Empty if only a family name is known. */
  readonly given: readonly string[]
  /** Normalized family names without particles. Empty if only a given name is known. */
  readonly family: readonly string[]
  /** Whether the name begins with two words and a hyphen: Jean-Luc. */
  readonly isHyphenated: boolean
  /** Words in quotes or parentheses and of the nickname: other names of the person. */
  readonly aliases: readonly string[]
  /** Numbers, as in `Contact 12`. */
  readonly numbers: readonly string[]
  /** 1 for Sr., 2 for Jr. or II, 3 for III. Null if the name has no suffix. */
  readonly generation: number | null
  /** Gender that a title such as Mr, Frau or Señora tells. Null without one. */
  readonly gender: Gender | null
  /** Words by their spelling with the particles before them, which `words` omits: `alrashid`, `terhorst`. */
  readonly withParticle: ReadonlyMap<string, string>
  /** The marked form of each word of a Vietnamese name; empty for other names, and for those written without marks. */
  readonly marked: ReadonlyMap<string, string>
}

/** The text of a name, and its parts if the source has them. */
export interface WrittenName {
  readonly name: string
  readonly givenName?: string | null
  readonly familyName?: string | null
  /** `Mrs.`, `A.`, `Jr.` and the nickname, if the source has them apart from the name, and how the name is read. */
  readonly details?:
    | {
        readonly namePrefix?: string
        readonly middleName?: string
        readonly nameSuffix?: string
        readonly nickname?: string
        readonly phoneticGivenName?: string
        readonly phoneticFamilyName?: string
      }
    | undefined
}

/** The parts that matching compares. All are empty for an email address or URL written as a name. */
export function parsePersonName(written: string | WrittenName): PersonName {
  const { name, givenName, familyName, details }: WrittenName =
    typeof written === 'string' ? { name: written } : written
  if (/@|https?:/.test(name)) return NO_NAME
  const { text, aliases } = withoutAliases(joinMac(name.replace(/\bMª/g, 'María')))
  const { main, isFamilyFirst } = splitAtComma(text)
  const { words, hasParticle, isHyphenated, ...title } = identifyingWords(main)
  const generation =
    title.generation ??
    knownWord(nameAffixes().generations, details?.nameSuffix) ??
    knownWord(nameAffixes().relatives, aliases.join(' '))
  const gender = title.gender ?? knownWord(nameAffixes().genders, details?.namePrefix)
  if (details?.nickname !== undefined) aliases.push(...wordsIn(details.nickname))
  if (words.length === 0) return { ...NO_NAME, aliases }
  const known =
    givenName && familyName ? partsIn(words, familyName.replace(FAMILY_NAME_MAC, '$1')) : undefined
  const parts = known ?? guessParts(words, isFamilyFirst)
  const numbers = generation === null ? (main.match(/\p{N}+/gu) ?? []) : []
  const withParticle = hasParticle ? particleForms(main) : NO_FORMS
  const marked = vietnameseWords(
    details?.middleName === undefined ? main : `${main} ${details.middleName}`,
  )
  const others = { isHyphenated, aliases, numbers, generation, gender, withParticle, marked }
  return { ...withMiddleName({ words, ...parts }, details?.middleName), ...others }
}

function withMiddleName(
  { words, given, family }: Pick<PersonName, 'words' | 'given' | 'family'>,
  middleName = '',
): Pick<PersonName, 'words' | 'given' | 'family'> {
  if (middleName === '') return { words, given, family }
  const isKnown = (middle: string) =>
    words.includes(middle) || given.slice(1).some((word) => isInitialOf(word, middle))
  const missing = wordsIn(middleName).filter((word) => !isKnown(word))
  const at = words.lastIndexOf(given.at(-1) ?? '') + 1
  if (missing.length === 0 || at === 0) return { words, given, family }
  return { words: words.toSpliced(at, 0, ...missing), given: [...given, ...missing], family }
}

/** In either order. */
function isInitialOf(one: string, other: string): boolean {
  return Math.min(one.length, other.length) === 1 && one[0] === other[0]
}

/** `John Mac Donald` has one family name. At the start, Mac is a given name, unless a comma follows the family name. */
export function joinMac(name: string): string {
  return IS_MAC.test(name) ? name.replace(FAMILY_MAC, '$1').replace(LEADING_MAC, '$1') : name
}

const IS_MAC = /ma?c\s/i
const FAMILY_MAC = /(\p{L}[.,]?\s+ma?c)\s+(?=\p{L}{3})/giu
const FAMILY_NAME_MAC = /^(ma?c)\s+(?=\p{L}{3})/iu
const LEADING_MAC = /^(ma?c)\s+(?=\p{L}{3,}\s*,)/iu

function knownWord<Meaning>(
  meanings: ReadonlyMap<string, Meaning>,
  text: string | undefined,
): Meaning | null {
  if (text === undefined) return null
  const words = text.split(/[\s,]+/).map((word) => meanings.get(plainWord(word)))
  return words.find((meaning) => meaning !== undefined) ?? null
}

/** `Jr.`, `III` */
export function isGeneration(token: string): boolean {
  return nameAffixes().generations.has(plainWord(token))
}

/** A placeholder for a contact without a name. */
export const NO_NAME: PersonName = {
  words: [],
  given: [],
  family: [],
  isHyphenated: false,
  aliases: [],
  numbers: [],
  generation: null,
  gender: null,
  withParticle: new Map(),
  marked: new Map(),
}

/** `Robert "Bob" Smith`, `Anna Weber (geb. Schmidt)`: a nickname or a former name next to the name. */
function withoutAliases(name: string): { text: string; aliases: string[] } {
  const aliases: string[] = []
  const text = name.replace(
    /[("“”„«‘]([^()"“”„«»‘’]{1,60})[)"“”»’]|(?<=\s)'([^']{1,40})'(?=\s)/g,
    (_, one?: string, other?: string) => {
      aliases.push(
        ...wordsIn(one ?? other ?? '').filter((word) => !FORMER.has(word) && word.length > 1),
      )
      return ' '
    },
  )
  const [before = '', after] = text.split(/\s(?:geb\.?|née|nee|born|z domu|urozená|f\.)\s/iu, 2)
  if (after !== undefined && before.trim() !== '') aliases.push(...wordsIn(after))
  const main = after === undefined ? text : before
  return main.trim() === '' ? { text: name, aliases: [] } : { text: main, aliases }
}

const FORMER = wordSet(
  'geb geborene nee ne born formerly z domu urozena she her he him they them hers his',
)

/** `Family, Given` or `Given Family, PhD, MBA`. */
function splitAtComma(text: string): { main: string; isFamilyFirst: boolean } {
  const [first = '', ...others] = text.split(/[,،、]/).map((part) => part.trim())
  const suffixes = others.filter((part) => nameAffixes().generations.has(plainWord(part)))
  const given = others.filter((part) => !suffixes.includes(part) && !isCredentials(part))
  if (first === '') return { main: given.join(' '), isFamilyFirst: false }
  if (given.length === 0) return { main: [first, ...suffixes].join(' '), isFamilyFirst: false }
  return { main: [...given, first, ...suffixes].join(' '), isFamilyFirst: true }
}

function isCredentials(part: string): boolean {
  const words = part.replace(OTHER_SIGNS, '').split(/[\s/&+]+/)
  return words.every(
    (word) =>
      nameAffixes().credentials.has(fold(word)) ||
      /^[A-Z][A-Za-z]?[A-Z]{1,5}(?:-[A-Z]+)?$|^$/.test(word),
  )
}

/** Dots, emoji, and others that do not separate credentials: `Ph.D. 🚀`. */
const OTHER_SIGNS = /[^\p{L}\p{M}\p{N}\s/&+-]/gu

function identifyingWords(text: string): Pick<
  PersonName,
  'generation' | 'gender' | 'isHyphenated'
> & {
  readonly words: string[]
  /** Whether the words omit a particle or an article. */
  readonly hasParticle: boolean
} {
  const tokens = text
    .replace(/\b(\p{Lu})\.(?=\p{Lu})/gu, '$1. ') // J.R. Smith
    .split(/[\s·・_/]+/)
    .filter((token) => /[\p{L}\p{N}]/u.test(token))
  let start = 0
  let gender: Gender | null = null
  for (; start < tokens.length - 1 && isTitle(tokens[start] ?? ''); start += 1)
    gender ??= nameAffixes().genders.get(plainWord(tokens[start] ?? '')) ?? null
  let end = tokens.length
  let generation: number | null = null
  while (end > start + 1) {
    const last = plainWord(tokens[end - 1] ?? '')
    const found = nameAffixes().generations.get(last)
    // `IV` can be initials, `Neto` a family name; a generation follows at least two names.
    if (found !== undefined && end > start + 2) generation ??= found
    else if (!nameAffixes().credentials.has(last) || end <= start + 2) break
    end -= 1
  }
  const names = tokens.slice(start, end)
  let hasParticle = ARTICLE.test(text)
  const words = names.flatMap((token, index) => {
    // Sj. Wiersma, Chr. Berg
    if (index === 0 && names.length > 1 && SHORTENED.test(token)) return wordsIn(token.charAt(0))
    const isInner = index > 0 && index < names.length - 1
    if (!isInner || !nameAffixes().particles.has(plainWord(token)) || isGivenInitial(token))
      return wordsIn(token)
    hasParticle = true
    return []
  })
  const isHyphenated = HYPHENATED.test(names[0] ?? '')
  return { words, generation, gender, isHyphenated, hasParticle }
}

const SHORTENED = /^\p{Lu}\p{Ll}{1,2}\.$/u
const HYPHENATED = /\p{L}-\p{L}/u

/** `E.` is an initial, `e` a particle. */
function isGivenInitial(token: string): boolean {
  return /^\p{Lu}\.?$/u.test(token)
}

function particleForms(text: string): ReadonlyMap<string, string> {
  const words = text.split(/[\s-]+/).map(plainWord)
  const forms = new Map<string, string>()
  for (const [at, word] of words.entries()) {
    let start = at
    while (start > 0 && nameAffixes().particles.has(words[start - 1] ?? '')) start -= 1
    if (start < at && !nameAffixes().particles.has(word))
      forms.set(words.slice(start, at + 1).join(''), word)
  }
  return forms
}

const ARTICLE = /\b[aeu]l-/i

const NO_FORMS: ReadonlyMap<string, string> = new Map()

/** Normalized words of letters. O'Brien, D'Angelo and Al-Masri are one word; a hyphenated name is several. */
function wordsIn(text: string): string[] {
  const plain = foldName(text)
    .replace(/['’ʼ`´]/g, '')
    .replace(/\b(al|el|ul|abd)-/g, (_, article: string) => (article === 'abd' ? 'abd' : ''))
  return plain.match(/\p{L}[\p{L}\p{M}]*/gu) ?? []
}

/** Like `fold`, but keeps the marks of scripts in which they are letters: रमा and रीमा, かな and がな are two names. */
function foldName(text: string): string {
  if (!BEYOND_ARABIC.test(text) || !MARKED_SCRIPT.test(text)) return fold(text)
  const parts = normalForm(text, 'NFKC').split(MARKED_WORDS)
  return parts.map((part, at) => (at % 2 === 0 ? fold(part) : part)).join('')
}

/** The scripts of India and East Asia, and others. Faster than the next expression. */
const BEYOND_ARABIC = /[\u0700-\uffff]/
/** All scripts but those whose marks are accents or optional vowels. */
const MARKED_SCRIPT =
  /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hangul}])\p{L}/u
const MARKED_WORDS =
  /((?:(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hangul}])\p{L}\p{M}*)+)/u

/** The given words are those that the family name does not have. */
function partsIn(
  words: readonly string[],
  familyName: string,
): { given: string[]; family: string[] } | undefined {
  const names = new Set(wordsIn(familyName))
  const family = words.filter((word) => names.has(word))
  const given = words.filter((word) => !names.has(word))
  return family.length > 0 && given.length > 0 ? { given, family } : undefined
}

/** The last word is the family name, unless the name is one word or in a script where the family name is first. */
function guessParts(
  words: readonly string[],
  isFamilyFirst: boolean,
): { given: readonly string[]; family: readonly string[] } {
  if (words.length === 1 && !isFamilyFirst) {
    const [word = ''] = words
    return FAMILY_FIRST.test(word) && word.length > 1
      ? { given: [word.slice(1)], family: [word.slice(0, 1)] }
      : { given: words, family: [] }
  }
  if (!isFamilyFirst && words.every((word) => FAMILY_FIRST.test(word)))
    return { given: words.slice(1), family: words.slice(0, 1) }
  return { given: words.slice(0, -1), family: words.slice(-1) }
}

export function isInFamilyFirstScript(word: string): boolean {
  return FAMILY_FIRST.test(word)
}

const FAMILY_FIRST =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}々ー]+$/u

/** The name of a person in such a script: family name first, in Japanese with a space. Undefined for other names. */
export function eastAsianName(
  family: string,
  given: string,
  isJapanese = KANA.test(family + given),
): string | undefined {
  if (!FAMILY_FIRST.test(family) || !FAMILY_FIRST.test(given)) return undefined
  return isJapanese ? `${family} ${given}` : family + given
}

/** Characters of Japanese. */
export const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/**
 * The characters of a name in such a script, as written and with any of them first: people write given names first, too,
 * and with or without a space. Empty for other names and for longer texts.
 */
export function familyFirstOrders(name: string): string[] {
  const text = name.replaceAll(' ', '')
  const characters = text.length > MAX_ORDERED ? [] : Array.from(text)
  if (characters.length < 2 || !FAMILY_FIRST.test(text)) return []
  return characters.map((_, at) => [...characters.slice(at), ...characters.slice(0, at)].join(''))
}

/** Characters of the longest names. */
const MAX_ORDERED = 6
