/** The words of names and the values of fields as numbers, which are cheaper to keep and compare for everyone. */

import { nameKey } from '../../base/tokenize.ts'
import { fullForm } from '../../names/given-names.ts'

/** The words of one network's names, numbered. A word of one character has its UTF-16 code as number. */
export interface NameWords {
  /** The words of a normalized name, in order. */
  wordsOf(key: string): readonly number[]
  /** The words with nicknames replaced by full names; the same list if there are none. */
  fullWordsOf(words: readonly number[]): readonly number[]
  /** The same number for names with the same full words in any order; 0 for no words. */
  numberOf(fullWords: readonly number[]): number
  /** The number of the first character of a word. */
  readonly initialOf: (word: number) => number
}

/** Words have lower numbers. */
export const WORD_LIMIT = 2 ** 25
const FIRST_WORD = 2 ** 16

export function isInitial(word: number): boolean {
  return word < FIRST_WORD
}

export function nameWords(): NameWords {
  const numbers = new Map<string, number>()
  /** By number, from `FIRST_WORD`. */
  const texts: string[] = []
  const fullWords: number[] = []
  /** Numbers of several words, by the number without the last word, and the last word. */
  const sequences = new Map<number, number>()

  function numberOfWord(text: string): number {
    if (text.length === 1) return text.charCodeAt(0)
    let number = numbers.get(text)
    if (number === undefined) {
      const full = fullForm(text)
      // A full name is its own full form.
      const fullNumber = full === text ? undefined : numberOfWord(full)
      number = FIRST_WORD + texts.length
      numbers.set(text, number)
      texts.push(text)
      fullWords.push(fullNumber ?? number)
    }
    return number
  }

  function fullWord(word: number): number {
    return fullWords[word - FIRST_WORD] ?? word
  }

  function extended(sequence: number, word: number): number {
    const key = sequence * WORD_LIMIT + word
    let number = sequences.get(key)
    if (number === undefined) sequences.set(key, (number = WORD_LIMIT + sequences.size))
    return number
  }

  return {
    wordsOf(key) {
      const words: number[] = []
      for (let start = 0; start < key.length;) {
        const space = key.indexOf(' ', start)
        const end = space < 0 ? key.length : space
        if (end > start) words.push(numberOfWord(key.slice(start, end)))
        start = end + 1
      }
      return words
    },
    fullWordsOf: (words) =>
      words.some((word) => fullWord(word) !== word) ? words.map(fullWord) : words,
    numberOf(words) {
      if (words.length === 2) return pairNumber(words[0] ?? 0, words[1] ?? 0)
      if (words.length < 2) return words[0] ?? 0
      // The numbers of longer names are above those of pairs.
      return WORD_LIMIT ** 2 + words.toSorted((one, other) => one - other).reduce(extended)
    },
    initialOf: (word) => texts[word - FIRST_WORD]?.charCodeAt(0) ?? word,
  }
}

/** The same number for two words in either order, from `WORD_LIMIT` below its square. */
export function pairNumber(one: number, other: number): number {
  return Math.min(one, other) * WORD_LIMIT + Math.max(one, other)
}

/** The number of `NO_VALUE` is for null, that of `EMPTY_VALUE` for text without letters and digits. */
export const NO_VALUE = 0
export const EMPTY_VALUE = 1

/** Returns the same number for spellings of one company or location. */
export function valueNumbers(): (text: string | null) => number {
  const byText = new Map<string, number>()
  const byKey = new Map<string, number>([['', EMPTY_VALUE]])
  return (text) => {
    if (text === null) return NO_VALUE
    let number = byText.get(text)
    if (number === undefined) {
      const key = nameKey(text)
      number = byKey.get(key) ?? byKey.size + 1
      byKey.set(key, number)
      byText.set(text, number)
    }
    return number
  }
}
