/** The readings of Chinese characters in pinyin without tones. */

import { readDataLines } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'

/** By character. About 1.3 MB, for networks and queries that have such characters. */
const readings = lazy((): ReadonlyMap<string, readonly string[]> => {
  const syllables = new Map<string, string[]>()
  for (const line of readDataLines(new URL('data/pinyin.txt', import.meta.url))) {
    const [syllable = '', list] = line.split(' ')
    if (list === undefined) continue
    for (const character of list) {
      const known = syllables.get(character)
      if (known) known.push(syllable)
      else syllables.set(character, [syllable])
    }
  }
  return syllables
})

/** Empty for a rare character, or one of another script. */
export function pinyinOf(character: string): readonly string[] {
  return readings().get(character) ?? []
}
