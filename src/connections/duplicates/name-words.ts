/**
 * The words of names and the values of fields as numbers, which are cheaper to keep and compare for everyone. A text has the
 * same number in every network. They are hashes of 36 bits beside the initial (words) or 52 bits, so that different texts
 * practically never share one.
 */

import { lazy } from '../../base/lazy.ts'
import { MAX_WORD_LENGTH, nameKey } from '../../base/tokenize.ts'
import { fullForm, shortForms } from '../../names/given-names.ts'
import { NumberTable } from './number-table.ts'

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

/** What numbers are added to, such as an array. */
interface NumberSink {
  push(number: number): unknown
}

/** The words of a normalized name, in order. */
export function wordsOf(text: string): readonly number[] {
  const words: number[] = []
  addWords(text, 0, NO_CHARACTER, words)
  return words
}

/** Adds the words of a normalized name that begins at `start`. Returns where the separator after it is, or the text ends. */
export function addWords(
  text: string,
  start: number,
  separator: number,
  words: NumberSink,
): number {
  for (let at = start; ; at += 1) {
    const first = at
    let one = ONE_SEED
    let other = OTHER_SEED
    let code = separator
    for (; at < text.length; at += 1) {
      code = text.charCodeAt(at)
      if (code === SPACE || code === separator) break
      one = Math.imul(one ^ code, ONE_FACTOR)
      other = Math.imul(other ^ code, OTHER_FACTOR)
    }
    if (at > first) {
      const initial = text.charCodeAt(first)
      words.push(at - first === 1 ? initial : wordNumber(initial, mixed(one, other)))
    }
    if (at >= text.length || code === separator) return at
  }
}

const SPACE = 0x20
/** No character has this code. */
export const NO_CHARACTER = -1

function wordNumber(initial: number, hash: number): number {
  return initial * INITIAL + ((hash * 2 ** -32) & 0xf) * 2 ** 32 + (hash >>> 0)
}

/** The words with nicknames replaced by full names; the same list if there are none. */
export function fullWordsOf(words: readonly number[]): readonly number[] {
  return words.some(isShortForm) ? words.map(fullWordOf) : words
}

/** Whether a word is a nickname. */
export function isShortForm(word: number): boolean {
  return fullNumbers().has(word)
}

/** The full name for a nickname; other words are returned as they are. */
export function fullWordOf(word: number): number {
  return fullNumbers().get(word) ?? word
}

const fullNumbers = lazy(() => {
  const numbers = new NumberTable()
  for (const form of shortForms()) numbers.set(oneWord(form), oneWord(fullForm(form)))
  return numbers
})

function oneWord(text: string): number {
  const initial = text.charCodeAt(0)
  return text.length === 1 ? initial : wordNumber(initial, hashOf(text, 0, text.length))
}

/** The same number for names with the same full words in any order; 0 for no words. */
export function nameNumberOf(
  fullWords: Readonly<ArrayLike<number>>,
  start = 0,
  end = fullWords.length,
): number {
  const first = fullWords[start] ?? 0
  const second = fullWords[start + 1] ?? 0
  if (end - start === 2) return first < second ? hashOfTwo(first, second) : hashOfTwo(second, first)
  if (end - start < 2) return end === start ? 0 : first
  const sorted: number[] = []
  for (let at = start; at < end; at += 1) insertSorted(sorted, fullWords[at] ?? 0)
  return sorted.reduce(hashOfTwo)
}

/** Names have few words. */
function insertSorted(sorted: number[], number: number): void {
  let at = sorted.length
  sorted.push(number)
  for (; at > 0 && (sorted[at - 1] ?? 0) > number; at -= 1) sorted[at] = sorted[at - 1] ?? 0
  sorted[at] = number
}

/** `NO_VALUE` is for null, `EMPTY_VALUE` for text without letters and digits. */
export const NO_VALUE = 0
export const EMPTY_VALUE = 1

/** The same number for spellings of one company or location. */
export function valueNumber(text: string): number {
  const key = nameKey(text)
  return key === '' ? EMPTY_VALUE : textNumber(key)
}

/** The same number for a part of a text, without cutting it out; undefined if it is not plain ASCII. */
export function plainValueNumber(text: string, start: number, end: number): number | undefined {
  let one = ONE_SEED
  let other = OTHER_SEED
  let words = 0
  let length = 0
  for (let at = start; at < end; at += 1) {
    let code = text.charCodeAt(at)
    if (code < SPACE || code > TILDE) return undefined
    if (code >= UPPER_A && code <= UPPER_Z) code += LOWER_A - UPPER_A
    const isInWord = (code >= LOWER_A && code <= LOWER_Z) || (code >= ZERO && code <= NINE)
    if (!isInWord) {
      length = 0
      continue
    }
    if (length === 0 && words++ > 0) {
      one = Math.imul(one ^ SPACE, ONE_FACTOR)
      other = Math.imul(other ^ SPACE, OTHER_FACTOR)
    }
    if (length++ === MAX_WORD_LENGTH) {
      length = MAX_WORD_LENGTH
      continue
    }
    one = Math.imul(one ^ code, ONE_FACTOR)
    other = Math.imul(other ^ code, OTHER_FACTOR)
  }
  return words === 0 ? EMPTY_VALUE : mixed(one, other) + EMPTY_VALUE + 1
}

const TILDE = 0x7e
const [UPPER_A, UPPER_Z, LOWER_A, LOWER_Z] = [0x41, 0x5a, 0x61, 0x7a]
const [ZERO, NINE] = [0x30, 0x39]

/** The number of a text that is compared exactly, above `EMPTY_VALUE`. */
export function textNumber(text: string, start = 0, end = text.length): number {
  return hashOf(text, start, end) + EMPTY_VALUE + 1
}

function hashOf(text: string, start: number, end: number): number {
  let one = ONE_SEED
  let other = OTHER_SEED
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, ONE_FACTOR)
    other = Math.imul(other ^ code, OTHER_FACTOR)
  }
  return mixed(one, other)
}

/** 52 bits: two multiplicative hashes, mixed as in MurmurHash3. */
const ONE_SEED = 0xdeadbeef
const OTHER_SEED = 0x41c6ce57
const ONE_FACTOR = 0x9e3779b1
const OTHER_FACTOR = 0x5f356495

function hashOfTwo(one: number, other: number): number {
  let low = ONE_SEED
  let high = OTHER_SEED
  low = Math.imul(low ^ (one >>> 0), ONE_FACTOR)
  high = Math.imul(high ^ (one * 2 ** -32), OTHER_FACTOR)
  low = Math.imul(low ^ (high >>> 15) ^ (other >>> 0), ONE_FACTOR)
  high = Math.imul(high ^ (low >>> 15) ^ (other * 2 ** -32), OTHER_FACTOR)
  return mixed(low, high)
}

function mixed(one: number, other: number): number {
  const low =
    Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35)
  const high =
    Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  return (high & 0xfffff) * 2 ** 32 + (low >>> 0)
}
