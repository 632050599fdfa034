/** The parts of names in scripts without spaces: only its length tells where the family name ends. */

import { tokenize } from '../base/tokenize.ts'
import { familyFirstOrders, KANA } from './person-name.ts'

/** A text without case, accents and spaces, in which these parts are compared. */
export function unspacedKey(text: string): string {
  return tokenize(text).join('')
}

/**
 * The keys of a name, of its family and given names, and of both in the other order: 王伟明, 王, 伟明 and 伟明王, but not 王伟,
 * which is another name. Empty for a name in other scripts.
 */
export function wholePartsOf(
  name: string,
  parts: readonly (string | null)[] = [],
): ReadonlySet<string> {
  if (!UNSPACED.test(name)) return new Set()
  const spaced = name.split(SEPARATORS).filter((part) => UNSPACED.test(part))
  const whole = unspacedKey(spaced.join(''))
  const splits = spaced.length === 1 ? splitsOf(whole) : []
  const stored = parts.flatMap((part) => (part !== null && UNSPACED.test(part) ? [part] : []))
  return new Set([
    whole,
    ...familyFirstOrders(whole).slice(-1),
    ...[...spaced, ...stored].map(unspacedKey),
    unspacedKey(spaced.toReversed().join('')),
    ...splits.flatMap(([family, given]) => [family, given, given + family]),
  ])
}

/** Whether a text is a name, or a part of one, in a script without spaces. */
export function isUnspaced(text: string): boolean {
  return UNSPACED_ONLY.test(text)
}

/** The family name first: of one character, or in a longer name of two or three, or what is in another script than the rest. */
function splitsOf(whole: string): readonly (readonly [string, string])[] {
  const characters = Array.from(whole)
  const { length } = characters
  if (length < 2 || length > MAX_CHARACTERS) return []
  return familyLengths(characters).map((family) => [
    characters.slice(0, family).join(''),
    characters.slice(family).join(''),
  ])
}

function familyLengths(characters: readonly string[]): readonly number[] {
  const [first = '', ...others] = characters
  const isKana = KANA.test(first)
  const otherScript = others.findIndex((one) => KANA.test(one) !== isKana)
  if (otherScript >= 0) return [otherScript + 1]
  if (isKana) return []
  if (characters.length < 4) return [1]
  if (characters.length > 4) return [2, 3]
  return HANGUL.test(first) ? [1, 2] : [2]
}

/** Characters of the longest names, such as 勅使河原健太郎. */
const MAX_CHARACTERS = 8

const HANGUL = /^\p{Script=Hangul}/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u
const UNSPACED_ONLY =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}々ー\s・]+$/u
const SEPARATORS = /[\s・,、()（）]+/u
