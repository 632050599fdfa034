/**
 * How names in Arabic, Hebrew and Korean letters and in kana are written in Latin ones. Each has many spellings, so a word
 * becomes a pattern: عمر is written Omar, Umar or Amr, and 정 Jung, Jeong or Chung. Patterns are for words that nothing
 * else matches, because some of what they match is another name.
 */

import { isKana, romanizedKana } from './readings.ts'

export interface LatinPattern {
  /** The letters that a spelling may begin with. */
  readonly starts: ReadonlySet<string>
  /** Whether a word in letters from a to z is one of the spellings. */
  readonly matches: (latin: string) => boolean
}

/** A word of a name, and its pattern. */
interface LatinSpellings {
  readonly word: string
  readonly latin: LatinPattern
}

/** The words of a name; none if there are too many for one, or any of them is not only in these scripts. */
export function latinSpellingsOf(name: string): readonly LatinSpellings[] {
  const words = name.normalize('NFKC').match(/[\p{L}\p{N}\p{M}ー]+/gu) ?? []
  if (words.length > MAX_NAME_WORDS) return []
  const patterns = words.flatMap(partsOf).map((word) => {
    const latin = latinPatternOf(word)
    return latin && { word, latin }
  })
  const known = patterns.filter((pattern) => pattern !== undefined)
  return known.length === patterns.length ? known : []
}

/** Each is compared with many words of an index. */
const MAX_NAME_WORDS = 6

/** A Korean name has no space: the family name is the first syllable. */
function partsOf(word: string): readonly string[] {
  return /^\p{Script=Hangul}{3,4}$/u.test(word) ? [word.slice(0, 1), word.slice(1)] : [word]
}

/** Undefined for a word in other scripts, or with too few letters. */
export function latinPatternOf(word: string): LatinPattern | undefined {
  if (/^\p{Script=Hangul}+$/u.test(word))
    return patternOf(Array.from(word.normalize('NFC')).flatMap(soundsOfSyllable))
  if (isKana(word)) return patternOf(soundsOfKana(word))
  const letters = word.normalize('NFD').replace(/\p{M}/gu, '')
  if (/^\p{Script=Arabic}{2,}$/u.test(letters)) return arabicPattern(letters)
  if (/^\p{Script=Hebrew}{2,}$/u.test(letters)) return patternOf(soundsOf(letters, HEBREW))
  return undefined
}

/** A part of a word and the ways to write it, each a list of letters; an empty one if it may be left out. */
type Sound = readonly string[]

function patternOf(sounds: readonly Sound[]): LatinPattern | undefined {
  if (sounds.length === 0 || sounds.length > MAX_SOUNDS) return undefined
  const written = sounds.findIndex((sound) => !sound.includes(''))
  const first = sounds.slice(0, written < 0 ? sounds.length : written + 1)
  const starts = new Set(first.flat().flatMap((spelling) => spelling.slice(0, 1) || []))
  return { starts, matches: (latin) => isSpelling(latin, sounds) }
}

/** A word of 20 Arabic letters. */
const MAX_SOUNDS = 40
/** Positions in a word are bits of a number. */
const MAX_LATIN_LENGTH = 30

/**
 * Keeps all positions that the sounds so far can end at. A regular expression would try their combinations one by one,
 * which takes exponential time.
 */
function isSpelling(latin: string, sounds: readonly Sound[]): boolean {
  if (latin.length > MAX_LATIN_LENGTH) return false
  let ends = 1
  for (const sound of sounds) {
    let next = 0
    for (let at = 0; at <= latin.length; at += 1)
      if ((ends & (1 << at)) !== 0)
        for (const spelling of sound) next |= endsAt(latin, spelling, at)
    if (next === 0) return false
    ends = next
  }
  return (ends & (1 << latin.length)) !== 0
}

/** A bit mask of where the spelling ends. A single consonant may be written twice. */
function endsAt(latin: string, spelling: string, at: number): number {
  if (!latin.startsWith(spelling, at)) return 0
  const end = at + spelling.length
  const isDoubled =
    spelling.length === 1 && latin.charAt(end) === spelling && !'aeiou'.includes(spelling)
  return (1 << end) | (isDoubled ? 1 << (end + 1) : 0)
}

function tableOf(lines: string): ReadonlyMap<string, Sound> {
  const table = lines.trim().split(/\s*;\s*/)
  return new Map(
    table.flatMap((line) => {
      const [letters = '', ...spellings] = line.split(' ')
      const sound = spellings.map(spellingOf)
      return Array.from(letters, (letter) => [letter, sound] as const)
    }),
  )
}

/** In the tables, `-` stands for nothing. */
function spellingOf(text: string): string {
  return text === '-' ? '' : text
}

// Arabic and Hebrew, which leave out most vowels

interface Abjad {
  readonly letters: ReadonlyMap<string, Sound>
  readonly first: ReadonlyMap<string, Sound>
  readonly last: ReadonlyMap<string, Sound>
}

const VOWELS = 'a e i o u ae ai ao au aa ea ee ei eo eu ia ie io ii iu oa oo ou oi ua ui uu'
const SHORT_VOWEL: Sound = ['', ...VOWELS.split(' ')]

const ARABIC: Abjad = {
  letters:
    tableOf(`ب b;ت t th;ث th s t;ج dj j g;ح h;خ kh ch h k;د d;ذ dh th z d;ر r;ز z;س s c;ش sh ch s;ص s;
    ض dh d z;ط t;ظ dh th z;غ gh g;ف ph f v;ڤ v;ق q k g c;كک k c q;ل l;م m;ن n;هھہ h;ة t;پ p;چ tch ch;گ g;ژ zh j;
    اىعءٱ - ${VOWELS};و ou oo o u w v;يی i y e j iy ey ay ie`),
  first: tableOf(`اعٱ ${VOWELS};يی y i j`),
  last: tableOf('هةہ - a e h ah eh at et;اى a e i y ah;يی i y e ee ie'),
}

const HEBREW: Abjad = {
  letters:
    tableOf(`ב b v;ג g;ד d;ה h;ז z;ח kh ch h;טת t th;כך kh ch k c;ל l;מם m;נן n;ס s;פף p ph f;צץ tz ts z c;ק k c q;
    ר r;ש sch sh s;אע - ${VOWELS};ו ou oo o u w v;י - i y e j iy ey ay ie`),
  first: tableOf('י y j i'),
  last: tableOf('ה - a e h ah eh;י i y e ie'),
}

function soundsOf(word: string, { letters, first, last }: Abjad): readonly Sound[] {
  const single = Array.from(word.replace(/(.)\1+/gu, '$1'))
  const sounds = single.map((letter, at) => {
    const special = at === 0 ? first : at === single.length - 1 ? last : letters
    return special.get(letter) ?? letters.get(letter)
  })
  if (sounds.includes(undefined)) return []
  return sounds.flatMap((sound = [], at) => (at === 0 ? [sound] : [SHORT_VOWEL, sound]))
}

/** With or without the article, whose `l` may sound like the next letter: ar-Rashid. */
function arabicPattern(word: string): LatinPattern | undefined {
  const name = word.replace(/^ال(?=..)/u, '')
  const sounds = soundsOf(name, ARABIC)
  if (sounds.length === 0) return undefined
  return patternOf(name === word ? sounds : [ARTICLE, ...sounds])
}

const ARTICLE: Sound = ['', ...'al el ad an ar as ash at az ed en er es esh et ez'.split(' ')]

// Kana

/** Long vowels are written in several ways. */
function soundsOfKana(word: string): readonly Sound[] {
  const latin = romanizedKana(word)
  if (!/^[a-z]+$/.test(latin)) return []
  return Array.from(latin, (letter, at) =>
    letter === 'm' && /[bmp]/.test(latin.charAt(at + 1))
      ? ['m', 'n']
      : (LONG.get(letter) ?? [letter]),
  )
}

const LONG: ReadonlyMap<string, Sound> = new Map([
  ['o', ['o', 'oo', 'ou', 'oh']],
  ['u', ['u', 'uu']],
])

// Korean

/** A syllable is one character, numbered by its initial, vowel and final: Unicode, section 3.12. */
function soundsOfSyllable(syllable: string, at: number): readonly Sound[] {
  const number = (syllable.codePointAt(0) ?? 0) - 0xac00
  const initial = INITIALS[Math.floor(number / (21 * 28))] ?? []
  const sounds = [initial, MEDIALS[Math.floor(number / 28) % 21] ?? [], FINALS[number % 28] ?? []]
  // 이 is Lee, Yi or I, and 임 Lim or Im.
  return at === 0 && initial.includes('') ? [['', 'l', 'y', 'rh', 'r'], ...sounds.slice(1)] : sounds
}

const INITIALS = soundsIn(
  'g|k kk|gg|k n d|t tt|dd|t r|l m b|p pp|bb|p s|sh ss|s - j|ch jj|j ch k t p h',
)
const MEDIALS =
  soundsIn(`a|ah|ar ae|ai|ay|e ya yae|yea eo|u|o|eu|uh|ur e yeo|you|yu|yo|u ye|e o|oh wa wae oe|oi yo|you
  u|oo|ou|woo|wu wo|weo we|wae wi yu|yoo|you eu|u ui|ee|eui|i i|ee|ie|y`)
const FINALS = soundsIn('- k|g|ck k k n n n t|d l|r k m l l l p l m p|b p t|s t|s ng t t k t p -|h')

function soundsIn(list: string): readonly Sound[] {
  return list
    .trim()
    .split(/\s+/)
    .map((sound) => sound.split('|').map(spellingOf))
}
