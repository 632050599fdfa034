/** Vietnamese names, in which marks tell apart names that are otherwise spelled alike: Hùng and Hưng, Anh and Ánh. */

import { normalForm } from '../base/normal-form.ts'
import { fold } from './scripts/transliterate.ts'

/** Letters that only Vietnamese has, composed. */
const VIETNAMESE = /[\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]/
const MARKED = /[\u0080-\uffff]/
/** Without marks. Nine of ten people have one of them. */
const FAMILY_NAMES = new Set(
  'nguyen tran le pham hoang huynh phan vu vo dang bui do ho ngo duong ly trinh dinh luong'.split(
    ' ',
  ),
)
/** Grave, acute, tilde, hook above, dot below. */
const TONES = /[\u0300\u0301\u0303\u0309\u0323]/g

const NONE: ReadonlyMap<string, string> = new Map()

/**
 * The marked form of each word of a Vietnamese name, by its normalized form: its letters with their marks, then its tone,
 * because Thúy and Thuý are one name. Empty if the name is not Vietnamese, or written without marks.
 */
export function vietnameseWords(name: string): ReadonlyMap<string, string> {
  if (!MARKED.test(name)) return NONE
  const composed = normalForm(name, 'NFC')
  const words = (composed.toLowerCase().match(/\p{L}+/gu) ?? []).map(
    (word) => [fold(word), withToneLast(word)] as const,
  )
  const isVietnamese = VIETNAMESE.test(composed) || words.some(([word]) => FAMILY_NAMES.has(word))
  return isVietnamese ? new Map(words) : NONE
}

function withToneLast(word: string): string {
  const letters = normalForm(word, 'NFD')
  return letters.replace(TONES, '') + (letters.match(TONES) ?? []).join('')
}
