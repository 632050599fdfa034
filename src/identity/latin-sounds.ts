/**
 * The sounds of words in Arabic, Hebrew, Korean, Cyrillic, Greek, Georgian, Armenian, Indian and Chinese letters and in kana,
 * each with the ways to write it in Latin letters.
 */

import { readDataLines, readDataSections } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'
import { normalForm } from '../base/normal-form.ts'
import { isKana, romanizedKana } from './name-readings.ts'

/** A part of a word and the ways to write it, each a list of letters; an empty one if it may be left out. */
export type Sound = readonly string[]

/** In the order of the word; undefined for a word in another script, or with too few letters. */
export function soundsOfWord(word: string): readonly Sound[] | undefined {
  if (/^\p{Script=Hangul}+$/u.test(word))
    return Array.from(normalForm(word, 'NFC')).flatMap(soundsOfSyllable)
  if (/^\p{Script=Han}+$/u.test(word)) return Array.from(word, pinyinOf)
  if (isKana(word)) return soundsOfKana(word)
  const letters = normalForm(word, 'NFD').replace(/\p{M}/gu, '')
  if (/^\p{Script=Arabic}{2,}$/u.test(letters)) return soundsOfArabic(letters)
  if (/^\p{Script=Hebrew}{2,}$/u.test(letters)) return soundsOfAbjad(letters, abjads().hebrew)
  const composed = normalForm(word, 'NFC').toLowerCase()
  if (/^\p{Script=Cyrillic}{2,}$/u.test(composed))
    return soundsOfAlphabet(composed, alphabets().cyrillic)
  if (/^\p{Script=Greek}{2,}$/u.test(letters))
    return soundsOfAlphabet(letters.toLowerCase(), alphabets().greek)
  if (/^\p{Script=Georgian}{2,}$/u.test(letters))
    return soundsOfAlphabet(letters, alphabets().georgian)
  if (/^\p{Script=Armenian}{2,}$/u.test(composed))
    return soundsOfAlphabet(composed, alphabets().armenian)
  return /^[\u0900-\u0d7f]{2,}$/.test(word) ? soundsOfIndian(word) : undefined
}

const sections = lazy(() => readDataSections(new URL('data/sounds.txt', import.meta.url)))

/** The letters of a section of `data/sounds.txt` with their sounds. */
function tableOf(section: string): ReadonlyMap<string, Sound> {
  return new Map(
    (sections().get(section) ?? []).flatMap((line) => {
      const [letters = '', ...spellings] = line.split(' ')
      const sound = spellings.map(spellingOf)
      const keys = letters.startsWith('+') ? [letters.slice(1)] : Array.from(letters)
      return keys.map((key) => [key, sound] as const)
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

const SHORT_VOWEL: Sound = [
  '',
  ...'a e i o u ae ai ao au aa ea ee ei eo eu ia ie io ii iu oa oo ou oi ua ui uu'.split(' '),
]

const abjads = lazy(() => ({ arabic: abjadOf('arabic'), hebrew: abjadOf('hebrew') }))

function abjadOf(script: string): Abjad {
  return {
    letters: tableOf(script),
    first: tableOf(`${script} first`),
    last: tableOf(`${script} last`),
  }
}

function soundsOfAbjad(word: string, { letters, first, last }: Abjad): readonly Sound[] {
  const single = Array.from(word.replace(/(.)\1+/gu, '$1'))
  const sounds = single.map((letter, at) => {
    const special = at === 0 ? first : at === single.length - 1 ? last : letters
    return special.get(letter) ?? letters.get(letter)
  })
  if (sounds.includes(undefined)) return []
  return sounds.flatMap((sound = [], at) => (at === 0 ? [sound] : [SHORT_VOWEL, sound]))
}

/** With or without the article, whose `l` may sound like the next letter: ar-Rashid. */
function soundsOfArabic(word: string): readonly Sound[] {
  const name = word.replace(/^ال(?=..)/u, '')
  const sounds = soundsOfAbjad(name, abjads().arabic)
  return name === word || sounds.length === 0 ? sounds : [ARTICLE, ...sounds]
}

const ARTICLE: Sound = ['', ...'al el ad an ar as ash at az ed en er es esh et ez'.split(' ')]

// Cyrillic and Greek, also for names from other languages: Мэри is Mary, and Τζον John

interface Alphabet {
  /** Sounds by their letters, which can be several. */
  readonly letters: ReadonlyMap<string, Sound>
  readonly pattern: RegExp
}

function alphabetOf(script: string): Alphabet {
  const letters = tableOf(script)
  const longestFirst = [...letters.keys()].toSorted((one, other) => other.length - one.length)
  // regex-ok: a list of letters without repetition
  return { letters, pattern: new RegExp(longestFirst.join('|'), 'gu') }
}

const alphabets = lazy(() => ({
  cyrillic: alphabetOf('cyrillic'),
  greek: alphabetOf('greek'),
  georgian: alphabetOf('georgian'),
  armenian: alphabetOf('armenian'),
}))

function soundsOfAlphabet(word: string, { letters, pattern }: Alphabet): readonly Sound[] {
  const parts = word.match(pattern) ?? []
  return parts.join('') === word ? parts.map((part) => letters.get(part) ?? []) : []
}

// India

/** The scripts of India have the same letters in the same order, each in a block of 128 characters: Unicode, chapter 12. */
function soundsOfIndian(word: string): readonly Sound[] {
  const devanagari = Array.from(word, (letter) =>
    String.fromCharCode(DEVANAGARI + (letter.charCodeAt(0) % BLOCK)),
  )
  // A double consonant is written once or twice, and ज्ञ is spoken as gy.
  const letters = Array.from(devanagari.join('').replace(/(.)्\1/gu, '$1').replaceAll('ज्ञ', 'ग्य'))
  const sounds: Sound[] = []
  for (const [at, letter] of letters.entries()) {
    const sound = indian().get(letter)
    if (sound === undefined) return []
    sounds.push(sound)
    if (isIndianConsonant(letter) && !INDIAN_VOWEL.test(letters[at + 1] ?? ''))
      sounds.push(INHERENT_VOWEL)
  }
  return sounds
}

const [DEVANAGARI, BLOCK] = [0x900, 0x80]

function isIndianConsonant(letter: string): boolean {
  return letter >= 'क' && letter <= 'ह'
}

/** Vowel signs, the sign for no vowel, and the dot that makes another consonant. */
const INDIAN_VOWEL = /[ा-़्]/
/** Spoken after each consonant without a vowel sign, but often not at the end. */
const INHERENT_VOWEL: Sound = ['', 'a', 'o', 'u', 'e']

const indian = lazy(() => tableOf('indian'))

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
  const number = (syllable.codePointAt(0) ?? 0) - FIRST_SYLLABLE
  const [initials = [], medials = [], finals = []] = korean()
  const sound = initials[Math.floor(number / SYLLABLES_OF_INITIAL)] ?? []
  return [
    at === 0 && sound.includes('') ? FIRST_INITIAL : sound,
    medials[Math.floor(number / 28) % 21] ?? [],
    finals[number % 28] ?? [],
  ]
}

/** 이 is Lee, Yi or I, and 임 Lim or Im. */
const FIRST_INITIAL: Sound = ['', 'l', 'y', 'rh', 'r']

const FIRST_SYLLABLE = 0xac00
const SYLLABLES_OF_INITIAL = 21 * 28

/** The initials, vowels and finals of syllables. */
const korean = lazy(() =>
  (sections().get('korean') ?? []).map((line) =>
    line.split(' ').map((sound) => sound.split('|').map(spellingOf)),
  ),
)

// Chinese

/** By character. About 1.3 MB, for networks and queries that have such characters. */
const pinyin = lazy((): ReadonlyMap<string, readonly string[]> => {
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
  return pinyin().get(character) ?? []
}
