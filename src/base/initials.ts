/** Initials of names. */

import { lazy } from './lazy.ts'

/** The first grapheme of the first and last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')
  const ends = words.length > 1 ? [words.at(0), words.at(-1)] : [words[0] ?? name]
  return ends.map((word = '') => firstCharacter(word).toUpperCase()).join('')
}

function firstCharacter(word: string): string {
  const [first] = CHARACTERS().segment(word)
  return first?.segment ?? ''
}

const CHARACTERS = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))
