/** Text as search sees it: case, accents and punctuation folded away, the same on every engine. */

/** Letters that Unicode does not decompose, but that people type without their strokes and ligatures. */
const FOLDED: Readonly<Record<string, string>> = {
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
  ς: 'σ', // at the end of a word: what was typed so far may be its beginning
}

/** Scripts written without spaces: each character is a word, so that a part of a name finds the whole. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu

/** A longer word is cut here: nobody searches for more, and it keeps the index small. */
const MAX_WORD_LENGTH = 40

const PLAIN = /^[\u0020-\u007e]*$/

/** Lower-case letters of Latin-1 and Latin Extended-A: nearly every accent in nearly every name. */
const ACCENTED = /[\u00df-\u017f]/g

/** Lower case without accents or ligatures: `Élodie Müßig` becomes `elodie mussig`. Keeps spaces and punctuation. */
export function normalize(text: string): string {
  const lower = text.toLowerCase()
  if (PLAIN.test(lower)) return lower
  // The common accents one by one first: the way through all of Unicode takes several times longer.
  const bare = lower.replace(ACCENTED, (letter) => BARE.get(letter) ?? letter)
  return PLAIN.test(bare) ? bare : foldAnything(text)
}

function foldAnything(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħıŀŧĸŋς]/g, (letter) => FOLDED[letter] ?? letter)
    .normalize('NFC')
}

const BARE: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 0x17f - 0xdf + 1 }, (_, index) => {
    const letter = String.fromCodePoint(0xdf + index)
    return [letter, foldAnything(letter)]
  }),
)

/** The words of a text, folded: letters and digits only, in order, repeated as they stand. */
export function tokenize(text: string): string[] {
  const folded = normalize(text)
  const found = PLAIN.test(folded)
    ? folded.match(/[a-z0-9]+/g)
    : folded.replace(UNSPACED, ' $& ').match(/[\p{L}\p{N}]+/gu)
  if (!found) return []
  return found.map((word) => (word.length > MAX_WORD_LENGTH ? beginning(word) : word))
}

function beginning(word: string): string {
  const cut = word.slice(0, MAX_WORD_LENGTH)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}

/** One line by which two texts are the same name: their words, joined by a space. */
export function nameKey(text: string): string {
  return tokenize(text).join(' ')
}
