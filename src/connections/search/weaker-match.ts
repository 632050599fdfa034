/** Why someone is only a weaker match of a query, as text: `similar spelling: Carter for Carver`. */

import { t } from '../../languages/message.ts'
import { unspacedKey } from '../../identity/unspaced-names.ts'
import { isConnecting } from '../../search/index/snippet.ts'
import { splitText } from '../../search/index/split-words.ts'
import type { Guess, GuessedWord, QueryWord } from '../../search/index/query-word.ts'
import type { IndexHit } from '../../search/scoring/best-hits.ts'
import type { PageRow } from './index/page-rows.ts'

/** What a person has of a query that they do not match completely. */
export interface WeakerMatch {
  /** The words that they have, or other words or another spelling for, as typed. */
  readonly words: readonly string[]
  /** Words of the query, without those that only ask. */
  readonly of: number
  /** The words that they have and those that they lack, with words such as `of` between them: `head of design`. */
  readonly phrases: { readonly has: string; readonly lacks: string }
  /** What they have instead of some of these words. */
  readonly guesses: readonly ShownGuess[]
  /** Whether they meet the dates of the query and have nothing else of it. */
  readonly isOnlyDated: boolean
}

interface ShownGuess {
  readonly guess: Guess
  readonly word: string
  /** As written in the person's fields. */
  readonly found?: string | undefined
}

interface Weaker {
  readonly hit: IndexHit
  readonly guesses: () => readonly GuessedWord[]
  readonly row: PageRow | undefined
}

/** Returns why a hit is only a weaker match; undefined for a complete one. Hits with the same words share one object. */
export function weakerMatches(
  words: readonly QueryWord[],
): (weaker: Weaker) => WeakerMatch | undefined {
  const required = words.flatMap((word, at) =>
    word.isOptional || isConnecting(word, words) ? [] : [{ text: textOf(word), bit: 1 << at }],
  )
  const known = new Map<number, WeakerMatch>()
  return ({ hit, guesses, row }) => {
    if (hit.isComplete) return undefined
    const telling = guesses().filter(({ word }) => !isConnecting(word, words))
    const guessed = distinct(telling.map((guess) => shownGuess(row, guess)))
    const same = guessed.length === 0 ? known.get(hit.having) : undefined
    if (same) return same
    const has = required.filter(({ bit }) => (hit.having & bit) !== 0).map(({ text }) => text)
    const phrases = { has: phraseOf(words, hit.having), lacks: phraseOf(words, ~hit.having) }
    const isOnlyDated = hit.at >= 0 && hit.having === 0 && guessed.length === 0
    const weaker = { words: has, of: required.length, phrases, guesses: guessed, isOnlyDated }
    if (guessed.length === 0) known.set(hit.having, weaker)
    return weaker
  }
}

function shownGuess(row: PageRow | undefined, { word, guess, found }: GuessedWord): ShownGuess {
  const { part } = word
  if (guess === 'beginning' && part !== undefined) {
    const longer = row?.listed.name.split(/\s/).find((one) => unspacedKey(one).includes(part))
    const isFirst = longer !== undefined && unspacedKey(longer).startsWith(part)
    return { guess: isFirst ? guess : 'part', word: part, found: longer }
  }
  const isLonger = guess === 'beginning' || guess === 'longer'
  const written = found === undefined ? undefined : asWritten(row, found)
  return { guess, word: textOf(word), found: isLonger ? longerIn(row, word) : written }
}

/** The words of one text may be guessed alike. */
function distinct(guesses: readonly ShownGuess[]): readonly ShownGuess[] {
  return guesses.filter(
    ({ guess, word, found }, at) =>
      guesses.findIndex(
        (one) => one.guess === guess && one.word === word && one.found === found,
      ) === at,
  )
}

/** The required words of a mask as typed, with a comma where one between them is missing. */
function phraseOf(words: readonly QueryWord[], mask: number): string {
  const runs: string[][] = [[]]
  let between: string[] = []
  for (const [at, word] of words.entries()) {
    const run = runs.at(-1) ?? []
    if (isConnecting(word, words)) between.push(textOf(word))
    else if (!word.isOptional) {
      if ((mask & (1 << at)) === 0) runs.push([])
      else run.push(...(run.length > 0 ? between : []), textOf(word))
      between = []
    }
  }
  return runs
    .filter((run) => run.length > 0)
    .map((run) => run.join(' '))
    .join(', ')
}

function textOf({ typed, text }: QueryWord): string {
  return typed ?? text
}

/** The word of the person's fields that the index has as `term`. */
function asWritten(row: PageRow | undefined, term: string): string {
  return firstWord(row, (spelling) => spelling === term) ?? term
}

/** The first word of the person's fields that begins with a word of the query. */
function longerIn(row: PageRow | undefined, { terms }: QueryWord): string | undefined {
  const beginnings = terms.flatMap(({ term, isPrefix, forms }) =>
    isPrefix === true && !forms ? term : [],
  )
  const isLonger = (spelling: string) =>
    beginnings.some((one) => spelling !== one && spelling.startsWith(one))
  return firstWord(row, isLonger)
}

function firstWord(
  row: PageRow | undefined,
  isIt: (spelling: string) => boolean,
): string | undefined {
  const { name = '', company = '', title = '', location = '' } = row?.listed ?? {}
  const tags = row?.tags.map(({ tag }) => tag) ?? []
  const { words, raw } = splitText([name, company, title, location, ...tags].join(' '))
  return raw[words.findIndex((spellings) => spellings.some(isIt))]?.typed
}

/** One line, such as `2 of 3 words: notary, porto` or `similar spelling: Carter for Carver`. */
export function weakerText({ words, of, guesses, phrases, isOnlyDated }: WeakerMatch): string {
  if (isOnlyDated) return t('only the date, not {lacks}', phrases)
  const partial = t('{count} of {of} words: {words}', {
    count: words.length,
    of,
    words: words.join(', '),
  })
  const isPartial = words.length > 0 && words.length < of
  const parts = [...(isPartial ? [partial] : []), ...guessTexts(guesses)]
  return parts.length === 0 ? t('similar in meaning') : parts.join('; ')
}

/** The heading of people with the same words, such as `head of design, not hamburg`. */
export function groupText(weaker: WeakerMatch): string {
  const { words, of, phrases } = weaker
  const isPartial = words.length > 0 && words.length < of
  return isPartial ? t('{has}, not {lacks}', phrases) : weakerText(weaker)
}

/** What they have instead of words; undefined if they only lack some. */
export function guessedText({ guesses }: WeakerMatch): string | undefined {
  return guesses.length === 0 ? undefined : guessTexts(guesses).join('; ') || undefined
}

/** Guesses that show the word that was found. */
const REPLACED: ReadonlySet<Guess> = new Set(['part', 'beginning', 'longer'])

function guessTexts(guesses: readonly ShownGuess[]): string[] {
  const replaced = guesses.flatMap(({ guess, word, found }) =>
    found === undefined
      ? []
      : guess === 'letters'
        ? [t('in other letters: {found} for {word}', { found, word })]
        : guess === 'spelling' || guess === 'ending'
          ? [t('similar spelling: {found} for {word}', { found, word })]
          : guess === 'part'
            ? [t('part of a word: {found} for {word}', { found, word })]
            : guess === 'beginning' || guess === 'longer'
              ? [t('begins with {word}: {found}', { found, word })]
              : [],
  )
  const about = (kind: Guess, textFor: (word: string) => string) => {
    const words = guesses.filter(
      ({ guess, found }) => guess === kind && (!REPLACED.has(kind) || found === undefined),
    )
    return words.length === 0 ? [] : [textFor(words.map(({ word }) => word).join(' '))]
  }
  return [
    ...replaced,
    ...about('longer', (word) => t('a longer word than {word}', { word })),
    ...about('beginning', (word) => t('a longer word than {word}', { word })),
    ...about('noted', (word) => t('{word} only in a note', { word })),
    ...about('named', (word) => t('{word} only in the name', { word })),
    ...about('part', (word) => t('part of {word}', { word })),
    ...about('initial', (word) => t('initials for {word}', { word })),
    ...about('synonym', (word) => t('other words for {word}', { word })),
    ...about('place', (word) => t('location in {word}', { word })),
    ...about('related', (word) => t('related to {word}', { word })),
    ...about('elsewhere', (word) => t('{word} not as the company', { word })),
    ...about('employer', (word) => t('{word} only in the company', { word })),
    ...about('former', (word) => t('{word} only in a former position', { word })),
  ]
}
