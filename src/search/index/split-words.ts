/** Splits text into words with their other spellings; the same for documents and queries. */

import { normalForm } from '../../base/normal-form.ts'
import { memoize } from '../../base/memoize.ts'
import { tokenize } from '../../base/tokenize.ts'
import { latinVariants } from '../../identity/scripts/transliterate.ts'

/** One word: its main spelling, then others of the same word (`muller`, `mueller`). */
export type Spellings = readonly [main: string, ...others: string[]]

export interface SplitText {
  readonly words: readonly Spellings[]
  /** The same words as they were typed, with their tokens. */
  readonly raw: readonly RawWord[]
  /** Runs of characters of scripts without spaces; `pairsOf` splits them. */
  readonly runs: readonly string[]
}

interface RawWord {
  readonly typed: string
  /** As `tokenize` returns it: in the letters of its script. */
  readonly token: string
}

const ASCII = /^[\u0020-\u007e]*$/
/** It begins only where a run begins: otherwise a run of marks would be read again from each of them. */
const UNSPACED_RUN =
  /(?<![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー々\p{M}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー々\p{M}]*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}][\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー々\p{M}]*/gu
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** Whether every word of a text has one spelling, and no word is of a script without spaces. */
export function isPlainText(text: string): boolean {
  return ASCII.test(text)
}

/** The words of a text with their spellings, and its runs of scripts without spaces between words. */
export function splitText(text: string): SplitText {
  if (isPlainText(text)) return splitPlain(text)
  const composed = normalForm(text, 'NFKC')
  const runs = composed.match(UNSPACED_RUN) ?? []
  const spaced = runs.length === 0 ? composed : composed.replace(UNSPACED_RUN, ' ')
  const words: Spellings[] = []
  const raw: RawWord[] = []
  for (const typed of spaced.match(WORD) ?? []) {
    const spellings = spellingsOf(typed)
    const [token] = spellings.length === 1 ? tokenize(typed) : []
    for (const one of spellings) raw.push({ typed, token: token ?? one[0] })
    words.push(...spellings)
  }
  return { words, raw, runs: runs.map((run) => tokenize(run).join('')).filter((run) => run !== '') }
}

function splitPlain(text: string): SplitText {
  const typed = text.match(PLAIN_WORD) ?? []
  const tokens = tokenize(text)
  return {
    words: tokens.map((token) => [token]),
    raw: tokens.map((token, at) => ({ typed: typed[at] ?? token, token })),
    runs: [],
  }
}

const PLAIN_WORD = /[a-z0-9]+/gi

/** Words that are remembered, about 4 MB. */
const MAX_WORDS = 20_000

/** A character that stands for several words makes several. */
const spellingsOf = memoize((raw): readonly Spellings[] => {
  const [main = raw, ...others] = latinVariants(raw)
  const tokens = tokenize(main)
  const [first] = tokens
  if (tokens.length !== 1 || first === undefined) return tokens.map((token): Spellings => [token])
  const alternatives = others.flatMap((other) => {
    const [token, ...more] = tokenize(other)
    return token === undefined || more.length > 0 || token === first ? [] : [token]
  })
  return [[first, ...new Set(alternatives)]]
}, MAX_WORDS)

/** Neighboring characters of a run; the character itself where there is only one. */
export function pairsOf(run: string): string[] {
  const characters = Array.from(run)
  if (characters.length <= 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`)
}

const HANGUL_WORD = /^\p{Script=Hangul}{3,}$/u

/** Korean words are written with spaces, but people search for a part: a given name without the family name. */
export function hangulPairs(word: string): string[] {
  return HANGUL_WORD.test(word) ? pairsOf(word) : []
}

/** Letters of a particle in a name: `van`, `der`, `de`, `la`. */
export const MAX_PARTICLE_LENGTH = 3

/** Two particles and a word as one word: `vanderberg`, `delacruz`. */
export function joinedTriples(words: readonly Spellings[]): string[] {
  return words.slice(2).flatMap(([main], index) => {
    const [first = '', second = ''] = [words[index]?.[0], words[index + 1]?.[0]]
    const areParticles = [first, second].every(isParticle)
    return areParticles && !isParticle(main) ? [`${first}${second}${main}`] : []
  })
}

function isParticle(word: string): boolean {
  return word.length > 1 && word.length <= MAX_PARTICLE_LENGTH
}

const AMPERSAND_PAIR = /(?<![\p{L}\p{N}&])(\p{L}{1,2}) ?& ?(\p{L}{1,2})(?![\p{L}\p{N}&])/gu

/** `R&D` and `H & M` as one word each: `rd`, `hm`. */
export function ampersandPairs(text: string): string[] {
  if (!text.includes('&')) return []
  return [...text.matchAll(AMPERSAND_PAIR)].flatMap(([pair]) => tokenize(pair).join(''))
}

/** `text` without them. */
export function withoutAmpersandPairs(text: string): string {
  return text.includes('&') ? text.replace(AMPERSAND_PAIR, ' ') : text
}
