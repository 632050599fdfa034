/**
 * The words of names and the values of fields as numbers, which are cheaper to keep and compare for everyone. A text has the
 * same number in every network. They are hashes of 36 bits beside the initial (words) or 52 bits, so that different texts
 * practically never share one.
 */

import { lazy } from '../../base/lazy.ts'
import { nameKey } from '../../base/tokenize.ts'
import { fullForm, shortForms } from '../../names/given-names.ts'

/** A word of one character has its UTF-16 code as number; other words have higher ones. */
const FIRST_WORD = 2 ** 16
/** Above the hash of a word is its initial. */
const INITIAL = 2 ** 36

export function isInitial(word: number): boolean {
  return word < FIRST_WORD
}

/** The number of the first character of a word. */
export function initialOf(word: number): number {
  return isInitial(word) ? word : Math.floor(word / INITIAL)
}

/** The words of a normalized name, in order. The name may be a part of the text. */
export function wordsOf(text: string, start = 0, end = text.length): readonly number[] {
  const words: number[] = []
  let first = start
  for (let at = start; at <= end; at += 1) {
    if (at < end && text.charCodeAt(at) !== SPACE) continue
    if (at > first) words.push(wordNumber(text, first, at))
    first = at + 1
  }
  return words
}

const SPACE = 0x20

function wordNumber(text: string, start: number, end: number): number {
  const initial = text.charCodeAt(start)
  if (end - start === 1) return initial
  const hash = hashOf(text, start, end)
  return initial * INITIAL + ((hash * 2 ** -32) & 0xf) * 2 ** 32 + (hash >>> 0)
}

/** The words with nicknames replaced by full names; the same list if there are none. */
export function fullWordsOf(words: readonly number[]): readonly number[] {
  const full = fullNumbers()
  for (const word of words) if (full.has(word)) return words.map((one) => full.get(one) ?? one)
  return words
}

const fullNumbers = lazy(
  (): ReadonlyMap<number, number> =>
    new Map(
      shortForms().map((form): [number, number] => {
        const full = fullForm(form)
        return [wordNumber(form, 0, form.length), wordNumber(full, 0, full.length)]
      }),
    ),
)

/** The same number for names with the same full words in any order; 0 for no words. */
export function nameNumberOf(fullWords: readonly number[]): number {
  if (fullWords.length === 2) return pairNumber(fullWords[0] ?? 0, fullWords[1] ?? 0)
  if (fullWords.length < 2) return fullWords[0] ?? 0
  return fullWords.toSorted((one, other) => one - other).reduce(hashOfTwo)
}

/** The same number for two words in either order. */
function pairNumber(one: number, other: number): number {
  return one < other ? hashOfTwo(one, other) : hashOfTwo(other, one)
}

/** `NO_VALUE` is for null, `EMPTY_VALUE` for text without letters and digits. */
export const NO_VALUE = 0
export const EMPTY_VALUE = 1

/** The same number for spellings of one company or location. */
export function valueNumber(text: string): number {
  const key = nameKey(text)
  return key === '' ? EMPTY_VALUE : textNumber(key)
}

/** The number of a text, or of a part of it, that is compared exactly, above `EMPTY_VALUE`. */
export function textNumber(text: string, start = 0, end = text.length): number {
  return hashOf(text, start, end) + EMPTY_VALUE + 1
}

/** 52 bits: two multiplicative hashes, mixed as in MurmurHash3. */
function hashOf(text: string, start: number, end: number): number {
  let [one, other] = [0xdeadbeef, 0x41c6ce57]
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x9e3779b1)
    other = Math.imul(other ^ code, 0x5f356495)
  }
  return mixed(one, other)
}

function hashOfTwo(one: number, other: number): number {
  let [low, high] = [0xdeadbeef, 0x41c6ce57]
  low = Math.imul(low ^ (one >>> 0), 0x9e3779b1)
  high = Math.imul(high ^ (one * 2 ** -32), 0x5f356495)
  low = Math.imul(low ^ (high >>> 15) ^ (other >>> 0), 0x9e3779b1)
  high = Math.imul(high ^ (low >>> 15) ^ (other * 2 ** -32), 0x5f356495)
  return mixed(low, high)
}

function mixed(one: number, other: number): number {
  let [low, high] = [one, other]
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  return (high & 0xfffff) * 2 ** 32 + (low >>> 0)
}
