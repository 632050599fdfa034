/** A name in plain Latin letters, as its bearer would most probably write it. */

import { normalForm } from '../base/normal-form.ts'
import { soundsOfWord } from './latin-sounds.ts'
import { pinyinReadingsOf } from './other-scripts.ts'
import { romanizedKana } from './name-readings.ts'
import { fold } from './scripts/transliterate.ts'

/** Characters of a name that are read. */
const MAX_READ = 200

/**
 * Words of the letters from a to z: `Владимир Щукин` as `vladimir shchukin`, `王小明` as `wang xiaoming`. Without the words
 * of other scripts, such as Thai.
 */
export function latinNameOf(name: string): string {
  const text = normalForm(name.slice(0, MAX_READ).toWellFormed(), 'NFKC')
  const [pinyin] = pinyinReadingsOf(text.trim())
  if (pinyin) return pinyin.join(' ')
  const words = text.match(/[\p{L}\p{N}\p{M}ー]+/gu) ?? []
  return words.flatMap((word) => latinWord(word) ?? []).join(' ')
}

/** Undefined in a script whose sounds are not known. */
function latinWord(word: string): string | undefined {
  const folded = fold(romanizedKana(word))
  if (/^[a-z0-9]+$/.test(folded)) return folded
  return soundsOfWord(word)
    ?.map(([usual = '']) => usual)
    .join('')
}
