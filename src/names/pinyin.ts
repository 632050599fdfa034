/** The readings of Chinese characters in pinyin without tones. */

import { readFileSync } from 'node:fs'
import { lazy } from '../base/lazy.ts'

interface Readings {
  /** By syllable. */
  readonly characters: ReadonlyMap<string, readonly string[]>
  /** By character. */
  readonly syllables: ReadonlyMap<string, readonly string[]>
}

/** About 2 MB, for networks and queries that have such characters. */
const readings = lazy((): Readings => {
  const text = readFileSync(new URL('data/pinyin.txt', import.meta.url), 'utf8')
  const characters = new Map<string, readonly string[]>()
  const syllables = new Map<string, string[]>()
  for (const line of text.split(/\r?\n/)) {
    const [syllable = '', list] = line.split(' ')
    if (list === undefined || syllable === '#') continue
    characters.set(syllable, Array.from(list))
    for (const character of list) {
      const known = syllables.get(character)
      if (known) known.push(syllable)
      else syllables.set(character, [syllable])
    }
  }
  return { characters, syllables }
})

/** Empty for a rare character, or one of another script. */
export function pinyinOf(character: string): readonly string[] {
  return readings().syllables.get(character) ?? []
}

/** The longest syllable, such as `zhuang`. */
const MAX_SYLLABLE_LENGTH = 6

/** The characters with a reading that the word begins with. */
export function charactersThatBegin(word: string): readonly string[] {
  const { characters } = readings()
  const lengths = Array.from(
    { length: Math.min(MAX_SYLLABLE_LENGTH, word.length) },
    (_, at) => at + 1,
  )
  return lengths.flatMap((length) => characters.get(word.slice(0, length)) ?? [])
}
