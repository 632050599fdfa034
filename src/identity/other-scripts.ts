/** Compares a name in another script with one in Latin letters. Each has many spellings, so agreement is only a question. */

import { normalForm } from '../base/normal-form.ts'
import { pinyinOf } from './latin-sounds.ts'
import { latinPatternOf, type LatinPattern } from './latin-patterns.ts'
import { areSyllables } from './syllables.ts'
import type { PersonName } from './person-name.ts'

/**
 * - `alike`: both parts of the name can be spelled so.
 * - `relatives`: only the family name can.
 * - `unknown`: neither is known, such as for the reading of a Japanese name.
 */
type ScriptRelation = 'alike' | 'relatives' | 'unknown'

/** Undefined for texts in one script, unless they can be one Chinese name in simplified and in traditional characters. */
export function compareScripts(
  one: { readonly text: string; readonly name: PersonName },
  other: { readonly text: string; readonly name: PersonName },
): ScriptRelation | undefined {
  const [script, otherScript] = [scriptOf(one.text), scriptOf(other.text)]
  if (script === otherScript)
    return script === 'Han' && areReadAlike(one.text, other.text) ? 'alike' : undefined
  if (one.name.words.length === 0 || other.name.words.length === 0) return 'unknown'
  const relations = [
    script === LATIN ? 'unknown' : relationOf(one.text, other.name),
    otherScript === LATIN ? 'unknown' : relationOf(other.text, one.name),
  ] as const
  return relations.find((relation) => relation !== 'unknown') ?? 'unknown'
}

/** 刘娜 and 劉娜, but also 张伟 and 章伟. */
function areReadAlike(one: string, other: string): boolean {
  const [characters, others] = [one, other].map((text) => text.match(/\p{Script=Han}/gu) ?? [])
  if (characters === undefined || characters.length !== others?.length) return false
  return characters.every((character, at) => {
    const readings = pinyinOf(others[at] ?? '')
    return (
      character === others[at] || pinyinOf(character).some((reading) => readings.includes(reading))
    )
  })
}

/** The family and given name in pinyin of a name of two to four Chinese characters, in a few of its readings. */
export function pinyinReadingsOf(name: string): readonly (readonly [string, string])[] {
  if (!IS_HAN_NAME.test(name)) return []
  const [first = '', second] = name.split(/\s/)
  const familyLength = second !== undefined ? first.length : name.length < MAX_HAN_NAME ? 1 : 2
  const readings = Array.from(first + (second ?? ''), pinyinOf)
  const given = joinedReadings(readings.slice(familyLength))
  return joinedReadings(readings.slice(0, familyLength)).flatMap((family) =>
    given.map((word) => [family, word] as const),
  )
}

/** At most two; none if a character is unknown. */
function joinedReadings(syllables: readonly (readonly string[])[]): readonly string[] {
  return syllables.reduce<readonly string[]>(
    (texts, one) =>
      texts.flatMap((text) => one.map((syllable) => text + syllable)).slice(0, MAX_READINGS),
    [''],
  )
}

const IS_HAN_NAME = /^\p{Script=Han}{1,2}\s?\p{Script=Han}{1,2}$/u
const MAX_HAN_NAME = 4
const MAX_READINGS = 2

const LATIN = 'Latin'

/** The script of the first letter that is not Latin. Kana and Chinese characters are two scripts. */
export function scriptOf(text: string): string {
  if (ONLY_LATIN.test(text)) return LATIN
  const [letter] = /(?!\p{Script=Latin})\p{L}/u.exec(text) ?? []
  return letter === undefined
    ? LATIN
    : (SCRIPTS.find(([, one]) => one.test(letter))?.[0] ?? 'other')
}

const ONLY_LATIN = /^[\u0020-\u024f]*$/

const SCRIPTS = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Han', /\p{Script=Han}/u],
  ['Hangul', /\p{Script=Hangul}/u],
  ['Kana', /[\p{Script=Hiragana}\p{Script=Katakana}ー]/u],
  ['Devanagari', /\p{Script=Devanagari}/u],
  ['Bengali', /\p{Script=Bengali}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Thai', /\p{Script=Thai}/u],
] as const

/** `latin`: a name whose words are in Latin letters, as those of names in Cyrillic and Greek are, too. */
function relationOf(text: string, latin: PersonName): ScriptRelation {
  const words = latin.words.slice(0, MAX_WORDS)
  if (words.length < 2 || !words.every((word) => /^[a-z]+$/.test(word))) return 'unknown'
  const splits = splitsOf(text).map((parts) => parts.map(latinPatternOf))
  const patterns = splits.filter((split) => split.every((pattern) => pattern !== undefined))
  if (patterns.some((split) => split.length > 1 && areWrittenAs(split, words))) return 'alike'
  const isSpelled = (pattern: LatinPattern) =>
    piecesOf(words).some(({ text: piece }) => pattern.matches(piece))
  const isFamily = patterns.some((split) => familyIn(text, split).some(isSpelled))
  if (!isFamily || patterns.some((split) => givenIn(text, split).some(isSpelled))) return 'unknown'
  // David Wang can be 王小明.
  return IS_FAMILY_FIRST.test(text) && !areSyllables(words) ? 'unknown' : 'relatives'
}

/** Names have few, and texts may have many. */
const MAX_WORDS = 6

const IS_FAMILY_FIRST = /\p{Script=Han}|\p{Script=Hangul}/u

function familyIn<Part>(text: string, parts: readonly Part[]): readonly Part[] {
  return IS_FAMILY_FIRST.test(text) ? parts.slice(0, 1) : parts.slice(-1)
}

function givenIn<Part>(text: string, parts: readonly Part[]): readonly Part[] {
  return IS_FAMILY_FIRST.test(text) ? parts.slice(1) : parts.slice(0, -1)
}

/**
 * The ways to read a text as parts of a name: a Chinese or Korean name without spaces begins with a family name of one or two
 * characters, `Abd al-Rahman` is one name, and Latin spellings may leave out the middle ones.
 */
function splitsOf(text: string): readonly (readonly string[])[] {
  const words =
    normalForm(text, 'NFKC')
      .replace(/عبد /g, 'عبد')
      .match(/[\p{L}\p{M}ー]+/gu) ?? []
  const [word = ''] = words
  if (words.length > MAX_WORDS) return []
  if (words.length > 2) return [words, [word, words.at(-1) ?? '']]
  if (words.length > 1 || !/^(?:\p{Script=Hangul}{2,5}|\p{Script=Han}{2,5})$/u.test(word))
    return [words]
  const characters = Array.from(word)
  return [1, 2]
    .filter((length) => length < characters.length)
    .map((length) => [characters.slice(0, length).join(''), characters.slice(length).join('')])
}

interface Piece {
  readonly text: string
  /** A bit for each word. */
  readonly words: number
}

function piecesOf(words: readonly string[]): readonly Piece[] {
  return words.flatMap((_, start) =>
    words.slice(start).map((_word, length) => ({
      text: words.slice(start, start + length + 1).join(''),
      words: (2 ** (length + 1) - 1) << start,
    })),
  )
}

/** Whether each pattern is that of other words, in any order. */
function areWrittenAs(patterns: readonly LatinPattern[], words: readonly string[]): boolean {
  const pieces = piecesOf(words)
  const fits = ([pattern, ...others]: readonly LatinPattern[], taken: number): boolean =>
    pattern === undefined ||
    pieces.some(
      (piece) =>
        (piece.words & taken) === 0 &&
        pattern.matches(piece.text) &&
        fits(others, piece.words | taken),
    )
  return fits(patterns, 0)
}
