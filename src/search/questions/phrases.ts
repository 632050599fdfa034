/** Lists of phrases from `data/`, matched against the words of a question. */

import { STOP_WORDS } from './stop-words.ts'
import { readDataSections } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { normalForm } from '../../base/normal-form.ts'
import { matchPhrase, phraseList, type PhraseList } from '../../base/phrase-list.ts'
import { dataFile, readSections } from './thesaurus.ts'
import { tokenize } from '../../base/tokenize.ts'

export type WordList =
  | 'question'
  | 'weak'
  | 'location'
  | 'employer'
  | 'article'
  | 'connector'
  | 'companion'
  | 'occasion'
  | 'pronoun'
  | 'dutch'
  | 'former'
  | 'follow-up'
  | 'silence'
  | 'negation'
  | 'never'
  | 'ever'
  | 'interaction'
  | 'connected'
  | 'met'
  | 'first-met'
  | 'birthday'
  | 'anniversary'
  | 'having'
  | 'without'
  | 'attribute'
  | 'except'

/** The phrases of a section of `words.txt`. */
export function wordList(section: WordList): PhraseList {
  const list = wordLists().get(section)
  if (!list) throw new Error(`no phrases for [${section}]`)
  return list
}

const wordLists = lazy(
  () =>
    new Map([...readSections('words.txt')].map(([section, lines]) => [section, phraseList(lines)])),
)

/** Maximum number of words that are read as a question. The words after them are searched for as they are. */
export const MAX_TOKENS = 64

export interface QuestionTokens {
  readonly words: readonly string[]
  /** By token: the number of the part of the text between spaces that it is in. */
  readonly chunks: readonly number[]
  readonly texts: readonly string[]
  readonly taken: boolean[]
}

export function questionTokens(text: string): QuestionTokens {
  const texts = text.trim().split(/\s+/)
  const tokens = texts
    .flatMap((chunk, at) => (isLiteral(chunk) ? [] : tokenize(chunk).map((word) => ({ word, at }))))
    .slice(0, MAX_TOKENS)
  return {
    words: tokens.map(({ word }) => word),
    chunks: tokens.map(({ at }) => at),
    texts,
    taken: tokens.map(() => false),
  }
}

/** Emails, URLs and phone numbers, which are searched for as they are. Years and ISO dates are words. */
function isLiteral(chunk: string): boolean {
  return /@|:\/\//.test(chunk) || /^\+?[\d().\-/]{11,}$/.test(chunk)
}

/** The text without the words that are taken. */
export function restOf({ texts, chunks, taken }: QuestionTokens): string {
  const dropped = new Set(chunks.filter((_, at) => taken[at] === true))
  for (const [at, chunk] of chunks.entries()) if (taken[at] === false) dropped.delete(chunk)
  return texts.filter((_, chunk) => !dropped.has(chunk)).join(' ')
}

export function take({ taken }: QuestionTokens, at: number, length: number): void {
  taken.fill(true, at, at + length)
}

/** Taken words match no phrase. */
export function maskTaken({ words, taken }: QuestionTokens): string[] {
  return words.map((word, at) => (taken[at] === true ? '' : word))
}

/** Words of the phrase of this list that starts here; 0 if there is none. */
export function phraseLength(list: WordList, words: readonly string[], at: number): number {
  return matchPhrase(wordList(list), words, at)?.length ?? 0
}

/** Whether a word only asks or connects, in any language. */
export function isFunctionWord(text: string): boolean {
  return STOP_WORDS.has(text) || isIn('question', text) || isIn('weak', text)
}

/** Whether a word is no word of the lists because of its accents: the name `Văn` is not `van`. */
export function hasOtherAccent(typed: string): boolean {
  return ACCENT.test(normalForm(typed, 'NFD')) && !accentedWords().has(typed.toLowerCase())
}

const ACCENT = /\p{M}/u

const accentedWords = lazy(() => {
  const lines = [...readDataSections(dataFile('words.txt')).values()].flat()
  return new Set(lines.flatMap((line) => line.toLowerCase().split(/[^\p{L}\p{M}]+/u)))
})

function isIn(list: WordList, word: string): boolean {
  return phraseLength(list, [word], 0) > 0
}
