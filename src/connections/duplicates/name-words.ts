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
  /** Numbers of several words, by the number without the last word, and the last word. */
  const sequences = new Map<number, number>()

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

  function extended(sequence: number, word: number): number {
    const key = sequence * MAX_WORDS + word
    let number = sequences.get(key)
    if (number === undefined) sequences.set(key, (number = MAX_WORDS + sequences.size))
    return number
  }

  return {
    wordsOf(key) {
      const found: NameWord[] = []
      for (const text of key.split(' ')) if (text !== '') found.push(wordOf(text))
      return found
    },
    numberOf(list) {
      const numbers = list.map(({ fullNumber }) => fullNumber)
      if (numbers.length > 1) numbers.sort((one, other) => one - other)
      return numbers.length === 0 ? 0 : numbers.reduce(extended)
    },
  }
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
