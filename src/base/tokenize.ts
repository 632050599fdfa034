/** Normalizes text for search: removes case, accents and punctuation, identically on every engine. */

import { normalForm } from './normal-form.ts'

/** Letters that Unicode does not decompose but people type without strokes and ligatures. */
const TRANSLITERATED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŀ: 'l',
  ŧ: 't',
  ĸ: 'k',
  ŋ: 'n',
  ς: 'σ', // final sigma: an incomplete search term may end with it
}

/** Scripts written without spaces: each character is a token, so that part of a name matches. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu

/** Longer words are truncated. This keeps the index small; searches are never that long. */
const MAX_WORD_LENGTH = 40

const PLAIN = /^[\u0020-\u007e]*$/

/** Lowercase letters of Latin-1 and Latin Extended-A: nearly every accented letter in names. */
const ACCENTED = /[\u00df-\u017f]/g

/** Lowercase without accents or ligatures: `Élodie Müßig` becomes `elodie mussig`. Keeps spaces and punctuation. */
export function normalize(text: string): string {
  const lower = text.toLowerCase()
  if (PLAIN.test(lower)) return lower
  // Common accents first: full Unicode normalization is several times slower.
  const plain = lower.replace(ACCENTED, (letter) => WITHOUT_ACCENT.get(letter) ?? letter)
  return PLAIN.test(plain) ? plain : normalizeUnicode(text)
}

function normalizeUnicode(text: string): string {
  const letters = normalForm(text, 'NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħıŀŧĸŋς]/g, (letter) => TRANSLITERATED[letter] ?? letter)
  return normalForm(letters, 'NFC')
}

const WITHOUT_ACCENT: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 0x17f - 0xdf + 1 }, (_, index) => {
    const letter = String.fromCodePoint(0xdf + index)
    return [letter, normalizeUnicode(letter)]
  }),
)

/** The normalized tokens of a text: letters and digits only, in order, including repetitions. */
export function tokenize(text: string): string[] {
  const normalized = normalize(text)
  const tokens = PLAIN.test(normalized)
    ? normalized.match(/[a-z0-9]+/g)
    : normalized.replace(UNSPACED, ' $& ').match(/[\p{L}\p{N}]+/gu)
  if (!tokens) return []
  return tokens.map((word) => (word.length > MAX_WORD_LENGTH ? truncate(word) : word))
}

function truncate(word: string): string {
  const cut = word.slice(0, MAX_WORD_LENGTH)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}

/** A key that is equal for two spellings of the same name: the tokens, joined by spaces. */
export function nameKey(text: string): string {
  return tokenize(text).join(' ')
}
