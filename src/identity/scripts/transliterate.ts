/** Writes names in plain Latin letters, and reduces different romanizations of one name to one key. */

import { normalForm } from '../../base/normal-form.ts'
import { memoize } from '../../base/memoize.ts'
import { normalize } from '../../base/tokenize.ts'

/** Cyrillic and Greek letters as most passports and news agencies write them. */
const LATIN = tableOf(`
  а a б b в v г g ґ g д d е e ё e є ye ж zh з z и i і i ї yi й y к k л l м m н n о o п p р r с s т t у u ў u ф f х kh
  ц ts ч ch ш sh щ shch ъ _ ы y ь _ э e ю yu я ya ј j љ lj њ nj ћ c ђ dj џ dz ѓ g ќ k ѕ dz
  α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o
  ά a έ e ή i ί i ό o ύ y ώ o ϊ i ΐ i ϋ y ΰ y`)

/** Second spellings in wide use: German, scientific and older passport romanization. */
const SCIENTIFIC = tableOf('й j ю ju я ja є je ї ji х h ц c щ sc ж z ч c ш s в v χ h η e β b')
const PASSPORT = tableOf('й i ю iu я ia є ie ї i х h щ shch ы y γ gh η h υ u')
const UKRAINIAN = tableOf('и y г h')

/** Vowels with a two-letter spelling in German, Danish, Norwegian, Swedish and Finnish. */
const EXPANDED = tableOf('ä ae ö oe ü ue ø oe æ ae å aa œ oe')

/** Greek letters that stand for one sound in pairs. Texts are lower-case and composed (NFC). */
type Pairs = readonly (readonly [pair: RegExp, letters: string])[]

/** The only pair that every romanization writes in the same way. */
const OU: Pairs = [[/ο[υύ]/g, 'ou']]

/**
 * As passports write them (ELOT 743): Ευάγγελος is Evangelos, Ελευθέριος Eleftherios. At the start of a word, μπ, ντ and γκ
 * are b, d and g, as people write them: Μπάμπης, Ντίνος, Γκίκας.
 */
const PAIRS: Pairs = [
  ...OU,
  [/(?<=[αεη])[υύ](?=[αάεέηήιίοόυύωώβγδζλμνρ])/g, 'v'],
  [/(?<=[αεη])[υύ]/g, 'f'],
  [/(?<!\p{L})μπ/gu, 'b'],
  [/(?<!\p{L})ντ/gu, 'd'],
  [/(?<!\p{L})γκ/gu, 'g'],
  [/γ(?=[γξχ])/g, 'n'],
]

/** Λάμπρος as Labros, Άγγελος as Agelos. */
const VOICED_PAIRS = withInner({ mp: 'b', nt: 'd', gk: 'g' })

/** Λάμπρος as Lambros, Άγγελος as Angelos. */
const NASAL_PAIRS = withInner({ mp: 'mb', nt: 'nd', gk: 'ng' })

/** How μπ, ντ, and γκ or γγ are written inside a word. */
interface InnerPairs {
  readonly mp: string
  readonly nt: string
  readonly gk: string
}

function withInner({ mp, nt, gk }: InnerPairs): Pairs {
  return [...PAIRS, [/μπ/g, mp], [/ντ/g, nt], [/nγ|γκ/g, gk]]
}

/** With the Latin letters of the pairs; other letters stay Greek. */
function withPairs(text: string, pairs: Pairs): string {
  if (!isGreek(text)) return text
  return pairs.reduce((written, [pair, letters]) => written.replace(pair, letters), text)
}

function isGreek(text: string): boolean {
  return /[\u0370-\u03ff]/.test(text)
}

const FOREIGN = /[\u0370-\u04ff]/
const FOREIGN_LETTERS = /[\u0370-\u04ff]/g
const TWO_LETTER_VOWELS = /[äöüøæåœ]/g

/**
 * Lower-case Latin letters without accents: `Müller` becomes `muller`, `Чехов` `chekhov`. Letters of scripts without a
 * letter-by-letter romanization (Han, Arabic, …) are kept. Keeps spaces and punctuation.
 */
export function fold(text: string): string {
  const plain = normalize(FOREIGN.test(text) ? romanize(text, LATIN, PAIRS) : text)
  // The tables contain letters with rare accents only without the accents.
  return FOREIGN.test(plain) ? normalize(romanize(plain, LATIN)) : plain
}

/**
 * The normalized text, followed by its other common spellings: `Müller` has `muller` and `mueller`, `Юлия` has
 * `yuliya`, `julija`, `iuliia` and, read as Ukrainian, `yulyya`.
 */
export function latinVariants(text: string): readonly string[] {
  const lower = normalForm(text, 'NFC').toLowerCase()
  const variants = new Set([fold(text)])
  const expanded = lower.replace(TWO_LETTER_VOWELS, (letter) => EXPANDED.get(letter) ?? letter)
  if (expanded !== lower) variants.add(fold(expanded))
  if (FOREIGN.test(lower))
    for (const table of [SCIENTIFIC, PASSPORT, UKRAINIAN])
      variants.add(normalize(romanize(lower, new Map([...LATIN, ...table]))))
  if (isGreek(lower))
    for (const pairs of [OU, VOICED_PAIRS, NASAL_PAIRS])
      variants.add(normalize(romanize(lower, LATIN, pairs)))
  return [...variants]
}

function romanize(text: string, table: ReadonlyMap<string, string>, pairs: Pairs = OU): string {
  const lower = normalForm(text, 'NFC').toLowerCase()
  return withPairs(lower, pairs).replace(FOREIGN_LETTERS, (letter) => table.get(letter) ?? letter)
}

/** Number of words whose keys are cached, about 2 MB. Most names are common ones. */
const MAX_KEYS = 20_000

/**
 * Reduces a normalized word to a key that its usual spellings share: Müller, Mueller and Muller; Yuliya, Julia and
 * Iuliia; Tschaikowski and Tchaikovsky. The key is only for comparison; it is not a readable spelling.
 */
export const spellingKey = memoize((folded) => {
  let key = folded
  for (const [pattern, replacement] of SPELLINGS) key = key.replace(pattern, replacement)
  return key
}, MAX_KEYS)

/** In this order. 4 stands for the sound in `church`, 6 for the one in `ship`. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/tsch|tch|cz/g, '4'],
  [/sh?ch|sh|sz/g, '6'],
  [/ch/g, '4'],
  [/zh/g, 'z'],
  [/kh/g, 'h'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/t[sz]/g, 'z'],
  [/w/g, 'v'],
  [/x/g, 'ks'],
  [/[cq]/g, 'k'],
  [/[yj]/g, 'i'],
  [/^ie/, 'e'],
  [/([aou])e/g, '$1'],
  [/ou/g, 'u'],
  [/([oe])ff?$/, '$1v'],
  [/(.)\1+/g, '$1'],
]

/** The same for a word in the name of a person: MacDonald is McDonald, and Ntinos, as Greeks spell it in Latin letters, Dinos. */
export function nameSpelling(folded: string): string {
  return spellingKey(START.test(folded) ? withPlainStart(folded) : folded)
}

const START = /^(?:mac|mp|nt|gk)/

function withPlainStart(word: string): string {
  return word
    .replace(/^mac(?=[a-z]{3})/, 'mc')
    .replace(/^(?:mp|nt|gk)(?=[a-z]{3})/, (pair) =>
      pair === 'mp' ? 'b' : pair === 'nt' ? 'd' : 'g',
    )
}

/** Whether a text has letters that `fold` writes in Latin ones. */
export function isForeign(text: string): boolean {
  return FOREIGN_SCRIPT.test(text)
}

/** Cyrillic and Greek, also with accents. */
const FOREIGN_SCRIPT = /[\u0370-\u04ff\u1f00-\u1fff]/

function tableOf(pairs: string): ReadonlyMap<string, string> {
  const letters = pairs.trim().split(/\s+/)
  const table = new Map<string, string>()
  for (let at = 0; at + 1 < letters.length; at += 2)
    table.set(letters[at] ?? '', (letters[at + 1] ?? '').replace('_', ''))
  return table
}
