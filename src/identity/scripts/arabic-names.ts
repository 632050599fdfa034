/**
 * Compares names in Arabic letters, which leave out short vowels, with their Latin spellings, which guess them. Both are
 * reduced to a key of their consonants and a first vowel: عمر and Omar are `amr`, محمد and Mohammed `mhmd`. Persian and
 * Arabic spellings of one name have the same key, too.
 */

const ARABIC_LETTER = /\p{Script=Arabic}/u
const LATIN_WORD = /^[a-z]{3,}$/

/** Letters that most romanizations write as one consonant. All others are vowels or not written. */
const CONSONANTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    b: 'ب',
    d: 'دضذ',
    f: 'فڤ',
    g: 'غ',
    h: 'حهھہ',
    j: 'جگ',
    k: 'خقكک',
    l: 'ل',
    m: 'م',
    n: 'ن',
    p: 'پ',
    r: 'ر',
    s: 'سصشچ',
    t: 'تطثة',
    z: 'زظژ',
  }).flatMap(([latin, letters]) => Array.from(letters, (letter) => [letter, latin] as const)),
)

/** At the start of a name only. */
const FIRST: ReadonlyMap<string, string> = new Map([
  ...Array.from('اعٱ', (letter) => [letter, 'a'] as const),
  ['و', 'w'],
  ...Array.from('يی', (letter) => [letter, 'y'] as const),
])

/** Keys of one letter are shared by too many names. */
const MIN_KEY_LENGTH = 2

/** Whether any letter of the text is Arabic, also one that only Persian or Urdu has. */
export function isArabic(word: string): boolean {
  return ARABIC_LETTER.test(word)
}

/** The keys of a normalized word in Arabic letters, with and without the article: Latin spellings often leave it out. */
export function arabicNameKeys(word: string): readonly string[] {
  const forms = word.startsWith('ال') ? [word, word.slice(2)] : [word]
  return forms.map(keyOfArabic).filter((key) => key.length >= MIN_KEY_LENGTH)
}

function keyOfArabic(word: string): string {
  const single = word.replace(/[هةہ]$/u, '').replace(/(.)\1+/gu, '$1')
  const [first = '', ...others] = Array.from(single)
  const start = FIRST.get(first) ?? CONSONANTS.get(first) ?? ''
  return start + others.map((letter) => CONSONANTS.get(letter) ?? '').join('')
}

/** The key of a normalized Latin word as a name that is written in Arabic letters; empty if it can be none. */
export function latinNameKey(word: string): string {
  if (!LATIN_WORD.test(word)) return ''
  let spelled = word
  for (const [pattern, replacement] of ROMANIZED) spelled = spelled.replace(pattern, replacement)
  const first = spelled.charAt(0).replace(/[eiou]/, 'a')
  const key = first + spelled.slice(1).replace(/[aeiouwy]/g, '')
  return key.length < MIN_KEY_LENGTH ? '' : key
}

/** In this order. The `g` of Gamal is the `j` of Jamal, and `gh` a letter of its own. */
const ROMANIZED: readonly (readonly [RegExp, string])[] = [
  [/(?<=[aeo])h$/, ''],
  [/(.)\1+/g, '$1'],
  [/g(?!h)/g, 'j'],
  [/tch|ch/g, 's'],
  [/([kgstdz])h/g, '$1'],
  [/ph/g, 'f'],
  [/[qc]/g, 'k'],
  [/x/g, 'ks'],
  [/v/g, 'f'],
]
