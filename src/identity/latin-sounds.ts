/**
 * The sounds of words in Arabic, Hebrew, Korean, Cyrillic, Greek, Georgian, Armenian, Indian and Chinese letters and in kana,
 * each with the ways to write it in Latin letters.
 */

import { normalForm } from '../base/normal-form.ts'
import { pinyinOf } from './pinyin.ts'
import { isKana, romanizedKana } from './readings.ts'

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
  if (/^\p{Script=Hebrew}{2,}$/u.test(letters)) return soundsOfAbjad(letters, HEBREW)
  const composed = normalForm(word, 'NFC').toLowerCase()
  if (/^\p{Script=Cyrillic}{2,}$/u.test(composed)) return soundsOfAlphabet(composed, CYRILLIC)
  if (/^\p{Script=Greek}{2,}$/u.test(letters)) return soundsOfAlphabet(letters.toLowerCase(), GREEK)
  if (/^\p{Script=Georgian}{2,}$/u.test(letters)) return soundsOfAlphabet(letters, GEORGIAN)
  if (/^\p{Script=Armenian}{2,}$/u.test(composed)) return soundsOfAlphabet(composed, ARMENIAN)
  return /^[\u0900-\u0d7f]{2,}$/.test(word) ? soundsOfIndian(word) : undefined
}

function tableOf(lines: string): ReadonlyMap<string, Sound> {
  const table = lines.split(';').map((line) => line.trim())
  return new Map(
    table.flatMap((line) => {
      const [letters = '', ...spellings] = line.split(' ')
      const sound = spellings.map(spellingOf)
      // `+` before letters that are written as one.
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
    tableOf(`ב b v;ג g;ד d;ה h;ז z;ח kh ch h;טת t th;כך kh ch k c;ל l;מם m;נן n;ס s;פף p ph f;צץ tz ts z c ch tch;ק k c q;
    ר r;ש sch sh s;אע - ${VOWELS};ו ou oo o u w v;י - i y e j iy ey ay ie`),
  first: tableOf('י y j i'),
  last: tableOf('ה - a e h ah eh;י i y e ie'),
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
  const sounds = soundsOfAbjad(name, ARABIC)
  return name === word || sounds.length === 0 ? sounds : [ARTICLE, ...sounds]
}

const ARTICLE: Sound = ['', ...'al el ad an ar as ash at az ed en er es esh et ez'.split(' ')]

// Cyrillic and Greek, also for names from other languages: Мэри is Mary, and Τζον John

interface Alphabet {
  /** Also of several letters. */
  readonly letters: ReadonlyMap<string, Sound>
  readonly pattern: RegExp
}

function alphabetOf(lines: string): Alphabet {
  const letters = tableOf(lines)
  const longestFirst = [...letters.keys()].toSorted((one, other) => other.length - one.length)
  // regex-ok: a list of letters without repetition
  return { letters, pattern: new RegExp(longestFirst.join('|'), 'gu') }
}

const CYRILLIC =
  alphabetOf(`а a ah ea;б b;в v w f ff;г g gh h;ґ g;д d dh;е e ye ie je a ea;ё yo io jo e o;ж zh j g z;з z s;и i y ee ea ie;
  і i y;ї yi i;й y i j -;к k c ck q ch;л l;м m;н n;о o oh oo ou a;п p;р r rh;с s c sc;т t th;у u oo ou w;ў w u;ф f ph th;х h kh ch;ц ts tz c z;
  ч ch c tch cz tsch;ш sh ch s sch;щ shch sch;ъь - e y i;ы y i;э e a ae ai;ю yu u iu ju ew ue;я ya ia ja a;є ye ie e;ј j y;љ lj l;њ nj n;
  ћ c ch;ђ dj d j;џ dz dj j g;ѓ g gj;ќ k kj;ѕ dz;+дж j g dj dzh;+кс x ks;+кв qu kv kw;+ау au aw ow ou;+ай ai ay i y ei;+ей ei ey ay ai a;+оу o oa ow ou`)

const GREEK =
  alphabetOf(`α a;β v b;γ g gh y;δ d dh th;ε e ai;ζ z s;η i e y h;θ th t;ι i y e ee;κ k c ck q;λ l;μ m;ν n;ξ x ks;ο o oh;
  π p;ρ r rh;σς s c sh;τ t;υ y i u;φ f ph;χ ch h kh;ψ ps;ω o oh w;+ου ou u oo w;+μπ b mp mb p;+ντ d nt nd;+γκ g gk ng nk;+γγ ng gg g;+τζ tz j dz g;
  +τσ ts ch c tz;+αι ai e ae ay;+ει ei i y;+οι oi i y;+ευ ev ef eu;+αυ av af au;+κς x ks;+γι gi y j yi;+ια ia ya ja;+ιω io yo`)

const GEORGIAN =
  alphabetOf(`ა a;ბ b;გ g;დ d;ე e;ვ v w;ზ z;თ t th;ი i ee y;კ k c q;ლ l;მ m;ნ n;ო o;პ p;ჟ zh j;რ r;ს s;ტ t;უ u oo;ფ p ph f;
  ქ k q kh c;ღ gh g;ყ q k kh;შ sh;ჩ ch;ც ts c tz;ძ dz z;წ ts tz c;ჭ ch tch;ხ kh h x;ჯ j dj;ჰ h`)

const ARMENIAN =
  alphabetOf(`ա a;բ b p;գ g k;դ d t;ե e ye;զ z;է e;ը y e u -;թ t th;ժ zh j;ի i ee y;լ l;խ kh h;ծ ts dz;կ k g c;հ h;ձ dz ts;ղ gh g;
  ճ ch tch j;մ m;յ y h i;ն n;շ sh;ո o vo;չ ch;պ p b;ջ j ch;ռ r;ս s;վ v;տ t d;ր r;ց ts c tz;ւ v w u;փ p ph;ք k q c;օ o;ֆ f;
  +ու u oo ou;և ev yev;+եւ ev yev`)

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
    const sound = INDIAN.get(letter)
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

/** The Tamil letters for k, c, t and p also stand for g, s, d and b. */
const INDIAN =
  tableOf(`क k c q g h;ख kh k;ग g;घ gh g;ङ n ng;च ch c s;छ chh ch;ज j z;झ jh j z;ञ n ny;ट t d;ठ th t;ड d r;ढ dh d rh;ण n;त t th d dh;थ th t;
  द d dh th;ध dh d;न n;ऩ n;प p b;फ ph f p;ब b v w;भ bh b v;म m;य y j i;र r;ऱ r;ल l;ळ l;ऴ zh l;व v w b;श sh s;ष sh s;स s sh;ह h;
  अ a o u;आ a aa;इ i e;ई i ee y;उ u oo;ऊ u oo;ऋ ri ru r;ऎ e;ए e a ai;ऐ ai ei e;ऒ o;ओ o;औ au ou o;ा a aa o;ि i e;ी i ee y;ु u oo;ू u oo;
  ृ ri ru r;ॆ e;े e a ai;ै ai ei e ey;ॊ o;ो o oo;ौ au ou o;ॅ a e;ॉ o a;ं n m ng -;ँ n -;ः h -;् -;़ -;ऍ e a;ऑ o a;॰ n m ng;ॱ -`)

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
  const initial = Math.floor(number / SYLLABLES_OF_INITIAL)
  return [
    (at === 0 ? firstInitial(initial) : INITIALS[initial]) ?? [],
    MEDIALS[Math.floor(number / 28) % 21] ?? [],
    FINALS[number % 28] ?? [],
  ]
}

/** 이 is Lee, Yi or I, and 임 Lim or Im. */
function firstInitial(initial: number): Sound {
  const sound = INITIALS[initial] ?? []
  return sound.includes('') ? ['', 'l', 'y', 'rh', 'r'] : sound
}

const FIRST_SYLLABLE = 0xac00
const SYLLABLES_OF_INITIAL = 21 * 28

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
