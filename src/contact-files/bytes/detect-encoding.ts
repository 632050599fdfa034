/**
 * Detects the legacy encoding of text that is not valid UTF-8. jschardet compares the bytes with models of languages;
 * its scores for a few names are close together, so candidates with implausible text are discounted here.
 */

import { readDataSections } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'

/** The encodings to distinguish, with jschardet's names for them. */
const DETECTED = {
  'Windows-1250': 'windows-1250',
  'Windows-1251': 'windows-1251',
  'Windows-1252': 'windows-1252',
  'Windows-1253': 'windows-1253',
  'Windows-1254': 'windows-1254',
  'Windows-1257': 'windows-1257',
  MacRoman: 'macintosh',
  'KOI8-R': 'koi8-r',
  CP932: 'shift_jis',
  'EUC-JP': 'euc-jp',
  GB18030: 'gb18030',
  Big5: 'big5',
  CP949: 'euc-kr',
} as const

type DetectedEncoding = (typeof DETECTED)[keyof typeof DETECTED]

/** One way to read the bytes. */
export interface Reading {
  readonly encoding: string
  readonly text: string
}

interface Detection {
  /** Best first. Encodings that give the same text are one candidate. */
  readonly readings: readonly Reading[]
  /** Whether the first candidate is far enough ahead of the others. */
  readonly isSure: boolean
}

/** `bytes` are whole lines. `headerWords` counts the column names that are known in a text, which outweighs letters. */
export async function detectEncoding(
  bytes: Uint8Array,
  headerWords: (text: string) => number,
): Promise<Detection> {
  const scored = await readingsOf(bytes, headerWords)
  const [first, second] = scored
  if (first === undefined) return { readings: [], isSure: false }
  const isLookalike = LOOKALIKES.has(first.encoding) && LOOKALIKES.has(second?.encoding ?? '')
  const needed = isLookalike ? LOOKALIKE_LEAD : leadNeeded(foreignWords(first.text))
  const isSure =
    first.plausibility > MIN_PLAUSIBILITY &&
    (second === undefined || first.score >= needed * second.score)
  return { readings: scored.map(({ encoding, text }) => ({ encoding, text })), isSure }
}

/** Most text in one of these is also text in the other. */
const LOOKALIKES: ReadonlySet<string> = new Set(['gb18030', 'euc-jp'])
const LOOKALIKE_LEAD = 3
const MIN_PLAUSIBILITY = 0.6 // of the words

/** How far the best candidate must be ahead; the less text there is, the further. */
function leadNeeded(words: readonly string[]): number {
  if (words.some((word) => HAN_OR_HANGUL.test(word))) return words.length < 8 ? 1.5 : 1.1
  if (words.length < 3) return 1.3
  return words.length < 8 ? 1.18 : 1.05
}

const HAN_OR_HANGUL = /[\p{Script=Han}\p{Script=Hangul}]/u

interface ScoredReading extends Reading {
  readonly score: number
  /** The share of words that a language could write. */
  readonly plausibility: number
}

const jschardet = lazy(() => import('jschardet'))

async function readingsOf(
  bytes: Uint8Array,
  headerWords: (text: string) => number,
): Promise<readonly ScoredReading[]> {
  const { detectAll } = await jschardet()
  const found = detectAll(bytes, { detectEncodings: Object.keys(DETECTED), minimumThreshold: 0 })
  const best = new Map<string, ScoredReading>()
  for (const { encoding: name, confidence } of found) {
    const encoding = DETECTED[name as keyof typeof DETECTED] as DetectedEncoding | undefined
    const text = encoding === undefined ? null : decodedOrNull(bytes, encoding)
    if (encoding === undefined || text === null) continue
    const plausibility = plausibilityOf(text, encoding)
    const prior = PRIORS[encoding] ?? 1
    const score = (confidence * prior * plausibility ** 2 + 1e-9) * 3 ** headerWords(text)
    const before = best.get(text)
    if (before === undefined || before.score < score)
      best.set(text, { encoding, text, score, plausibility })
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score)
}

/** The relative frequency of an encoding in contact files. */
const PRIORS: Partial<Record<DetectedEncoding, number>> = {
  'windows-1252': 1.12,
  macintosh: 0.85,
  'koi8-r': 0.9,
  'windows-1257': 0.75,
  'euc-jp': 0.9,
}

function decodedOrNull(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The share of words that a language of the encoding could write. Words of one language count a little more. */
function plausibilityOf(text: string, encoding: DetectedEncoding): number {
  const words = foreignWords(text)
  if (words.length === 0) return 0
  const alphabets = alphabetsOf().get(encoding) ?? []
  const writtenBy = alphabets.map(() => 0)
  let plausible = 0
  for (const word of words) {
    if (!isWellFormed(word)) continue
    if (!LATIN.test(word)) plausible++
    else plausible += bestAlphabet(word, alphabets, writtenBy)
  }
  const ofOneLanguage = Math.max(0, ...writtenBy) / words.length
  const share = plausible / words.length
  return LATIN.test(words.join('')) ? share * (0.85 + 0.15 * ofOneLanguage) : share
}

/** The weight of the most common alphabet with all letters of the word; counts the word for every such alphabet. */
function bestAlphabet(word: string, alphabets: readonly string[], writtenBy: number[]): number {
  const letters = (word.match(FOREIGN_LETTER) ?? []).join('').toLowerCase()
  let weight = 0
  for (const [index, alphabet] of alphabets.entries()) {
    if (!Array.from(letters).every((letter) => alphabet.includes(letter))) continue
    writtenBy[index] = (writtenBy[index] ?? 0) + 1
    weight = Math.max(weight, alphabet === ICELANDIC ? 0.85 : 1)
  }
  return weight
}

const MAX_WORDS = 2000

function foreignWords(text: string): readonly string[] {
  const words: string[] = []
  for (const [word] of text.matchAll(WORD)) {
    if (NOT_ASCII.test(word)) words.push(word)
    if (words.length === MAX_WORDS) break
  }
  return words
}

const WORD = /[^\s!-&(-,./:-@[-`{-~]+/gu
const NOT_ASCII = /\P{ASCII}/u

function isWellFormed(word: string): boolean {
  if (UNWRITTEN.test(word) || scriptsIn(word) > 1) return false
  return !(LATIN.test(word) ? BROKEN_LATIN : BROKEN_OTHER).test(word)
}

const LATIN = /\p{Script=Latin}/u

/** Control characters, private use, and symbols other than ™, ®, ©, €, ° and those of ASCII. */
const UNWRITTEN = /[\u0080-\u009f\ufffd\p{Co}\p{Cn}]|(?![™®©€°+|~^$<=>`])\p{S}/u
/** A symbol next to a letter (`†bel`, `Mar’a`, `®ofie`), or a capital inside a word (`NuÑez`, `CŽline`). */
const BROKEN_LATIN =
  /\p{L}(?![’‘·])(?!\p{ASCII})\p{P}|(?![’‘“„«¿¡])(?!\p{ASCII})\p{P}\p{L}|\p{Ll}{3}[’‘](?!s$)\p{Ll}|[ªº]\p{L}|(?![a-z])\p{Ll}\p{Lu}|\p{Ll}(?![A-Z])\p{Lu}|\p{Lu}(?![A-Z])\p{Lu}\p{Ll}|ń[aeiouyó]|[™®©°]\p{L}/u
/** Half-width katakana, or a mark or capital inside a Cyrillic or Greek word. */
const BROKEN_OTHER =
  /[\uff61-\uff9f]|[\p{Script=Cyrillic}\p{Script=Greek}](?![’‘»”])[^\p{ASCII}\p{L}\p{M}]|\p{Ll}\p{Lu}/u
const FOREIGN_LETTER = /(?!\p{ASCII})\p{L}/gu

const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /\p{Script=Hangul}/u,
]

function scriptsIn(word: string): number {
  return SCRIPTS.filter((script) => script.test(word)).length
}

const ICELANDIC = 'áðéíóúýþæö'

const alphabetsOf = lazy(() => readDataSections(new URL('data/alphabets.txt', import.meta.url)))
