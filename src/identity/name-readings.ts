/**
 * How names in Chinese characters are read, as far as the record says: in kana (フリガナ) or in Latin letters (pinyin). A reading
 * is weak evidence, because several names share it.
 */

import { normalForm } from '../base/normal-form.ts'
import { fold, spellingKey } from './scripts/transliterate.ts'
import type { WrittenName } from './person-name.ts'

/** The family and the given name in Latin letters, of a name in Chinese characters with both readings. Null for others. */
export function readingOf({ name, details }: WrittenName): readonly [string, string] | null {
  const { phoneticFamilyName = '', phoneticGivenName = '' } = details ?? {}
  if (phoneticFamilyName === '' || phoneticGivenName === '' || !hasHan(name)) return null
  const [family, given] = [inLatin(phoneticFamilyName), inLatin(phoneticGivenName)]
  return family === '' || given === '' ? null : [family, given]
}

/** Whether a name without Chinese characters, in either order of its parts, is written as it is read. */
export function isReading([family, given]: readonly [string, string], name: string): boolean {
  if (hasHan(name)) return false
  const read = soundOf(inLatin(name))
  return read === soundOf(family + given) || read === soundOf(given + family)
}

function hasHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text)
}

/** Letters without spaces, accents and tone marks. Empty if some are neither kana nor Latin. */
function inLatin(text: string): string {
  const letters = fold(romanizedKana(text)).replace(/[\s'’・·=＝-]+/g, '')
  return /^[a-z]*$/.test(letters) ? letters : ''
}

/** Long vowels are written in several ways: Satō, Satou, Satoh. */
function soundOf(latin: string): string {
  return spellingKey(withShortVowels(latin))
}

function withShortVowels(latin: string): string {
  return latin.replace(/oh(?![aeiou])|ou|oo/g, 'o').replace(/uu/g, 'u')
}

/** Whether a word is only hiragana or katakana. */
export function isKana(word: string): boolean {
  return /^[ぁ-ゖァ-ヺー]+$/u.test(word)
}

/** The words of a text that are only hiragana or katakana. */
export function kanaWords(text: string): readonly string[] {
  return (normalForm(text, 'NFKC').match(/[\p{L}\p{M}ー]+/gu) ?? []).filter(isKana)
}

/** In Hepburn romanization (ISO 3602 loose form), without long vowels. */
export function romanizedKana(text: string): string {
  const plain = normalForm(text, 'NFKC')
  return /[ぁ-ヶ]/.test(plain) ? withShortVowels(kanaInLatin(plain)) : plain
}

function kanaInLatin(text: string): string {
  return text
    .replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - KATAKANA_OFFSET))
    .replace(/[ぁ-ゖ][ゃゅょぁぃぅぇぉ]?/g, (kana) => KANA.get(kana) ?? separately(kana))
    .replace(/っ(?=ch)/g, 't')
    .replace(/っ([a-z])/g, '$1$1')
    .replace(/ー/g, '')
    .replace(/n(?=[bmp])/g, 'm')
}

const KATAKANA_OFFSET = 0x60

function separately(kana: string): string {
  return Array.from(kana, (one) => KANA.get(one) ?? one).join('')
}

const KANA: ReadonlyMap<string, string> = new Map(
  `あ a い i う u え e お o か ka き ki く ku け ke こ ko さ sa し shi す su せ se そ so た ta ち chi つ tsu て te と to な na に ni ぬ nu
  ね ne の no は ha ひ hi ふ fu へ he ほ ho ま ma み mi む mu め me も mo や ya ゆ yu よ yo ら ra り ri る ru れ re ろ ro わ wa を o ん n
  が ga ぎ gi ぐ gu げ ge ご go ざ za じ ji ず zu ぜ ze ぞ zo だ da ぢ ji づ zu で de ど do ば ba び bi ぶ bu べ be ぼ bo ぱ pa ぴ pi ぷ pu
  ぺ pe ぽ po ゔ vu きゃ kya きゅ kyu きょ kyo しゃ sha しゅ shu しょ sho ちゃ cha ちゅ chu ちょ cho にゃ nya にゅ nyu にょ nyo ひゃ hya
  ひゅ hyu ひょ hyo みゃ mya みゅ myu みょ myo りゃ rya りゅ ryu りょ ryo ぎゃ gya ぎゅ gyu ぎょ gyo じゃ ja じゅ ju じょ jo びゃ bya びゅ byu
  びょ byo ぴゃ pya ぴゅ pyu ぴょ pyo ふぁ fa ふぃ fi ふぇ fe ふぉ fo てぃ ti でぃ di しぇ she じぇ je ちぇ che`
    .trim()
    .split(/\s+/)
    .flatMap((word, at, words) => (at % 2 === 0 ? [[word, words[at + 1] ?? ''] as const] : [])),
)
