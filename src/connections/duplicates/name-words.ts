/** The words of names and the values of fields as numbers, which are cheaper to compare for everyone in a network. */

import { nameKey } from '../../base/tokenize.ts'
import { fullForm } from '../../names/given-names.ts'

/** A normalized word of a name. Each word of a network exists once, so equal words are the same object. */
export interface NameWord {
  readonly text: string
  /** From 1, below `MAX_WORDS`. */
  readonly number: number
  /** The full name that a nickname stands for; otherwise the word itself. */
  readonly fullText: string
  readonly fullNumber: number
}

export const MAX_WORDS = 2 ** 25

export interface NameWords {
  /** The words of a normalized name, in order. */
  wordsOf(key: string): readonly NameWord[]
  /** The same number for names with the same full words in any order; 0 for no words. */
  numberOf(words: readonly NameWord[]): number
}

/** The words and names of one network. */
export function nameWords(): NameWords {
  const words = new Map<string, NameWord>()
  /** Names of more than two words, by the numbers of their words. */
  const longNames = new Map<string, number>()

  function wordOf(text: string): NameWord {
    let word = words.get(text)
    if (!word) {
      const fullText = fullForm(text)
      // A full name is its own full form.
      const fullNumber = fullText === text ? words.size + 1 : wordOf(fullText).number
      words.set(text, (word = { text, number: words.size + 1, fullText, fullNumber }))
    }
    return word
  }

  function longName(list: readonly NameWord[]): number {
    const numbers = list.map(({ fullNumber }) => fullNumber).sort((one, other) => one - other)
    const key = numbers.join(' ')
    const number = longNames.get(key) ?? MAX_WORDS ** 2 + longNames.size
    longNames.set(key, number)
    return number
  }

  return {
    wordsOf(key) {
      const found: NameWord[] = []
      for (let start = 0; start < key.length;) {
        const space = key.indexOf(' ', start)
        const end = space < 0 ? key.length : space
        if (end > start) found.push(wordOf(key.slice(start, end)))
        start = end + 1
      }
      return found
    },
    numberOf(list) {
      const [first, second] = [list[0], list[1]] // destructuring a list iterates over it
      if (!first) return 0
      if (!second) return first.fullNumber
      return list.length === 2 ? pairNumber(first.fullNumber, second.fullNumber) : longName(list)
    },
  }
}

/** The same number for two words in either order: from `MAX_WORDS`, below its square. */
export function pairNumber(one: number, other: number): number {
  return Math.min(one, other) * MAX_WORDS + Math.max(one, other)
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
