/** Lists of phrases from `data/`, matched against the words of a question. */

import { STOP_WORDS } from '../stop-words.ts'
import { lazy } from '../../base/lazy.ts'
import { readSections } from './thesaurus.ts'
import { tokenize } from '../../base/tokenize.ts'

/** A phrase list: its phrases by their first token, the longest first. */
type PhraseList = ReadonlyMap<string, readonly Phrase[]>

interface Phrase {
  readonly tokens: readonly string[]
  /** Index of its line in the list. */
  readonly line: number
}

interface PhraseMatch {
  /** Index of the line in the list. */
  readonly line: number
  /** Tokens in the phrase. */
  readonly length: number
}

/** The longest phrase of the list that starts at a token. */
export function matchPhrase(
  list: PhraseList,
  tokens: readonly string[],
  at: number,
): PhraseMatch | undefined {
  const first = tokens[at]
  const phrase =
    first === undefined ? undefined : list.get(first)?.find((one) => startsAt(one, tokens, at))
  return phrase && { line: phrase.line, length: phrase.tokens.length }
}

function startsAt(phrase: Phrase, tokens: readonly string[], at: number): boolean {
  return phrase.tokens.every((token, index) => tokens[at + index] === token)
}

export type WordList =
  | 'question'
  | 'weak'
  | 'location'
  | 'employer'
  | 'article'
  | 'connector'
  | 'occasion'
  | 'pronoun'
  | 'former'
  | 'follow-up'
  | 'silence'
  | 'negation'
  | 'interaction'
  | 'connected'
  | 'met'
  | 'birthday'
  | 'anniversary'
  | 'having'
  | 'without'
  | 'attribute'
  | 'except'

export type DateList =
  | 'month'
  | 'season'
  | 'unit'
  | 'number'
  | 'since'
  | 'before'
  | 'after'
  | 'during'
  | 'between'
  | 'and'
  | 'last'
  | 'this'
  | 'next'
  | 'tomorrow'
  | 'soon'
  | 'ago'
  | 'ago-before'
  | 'longer'
  | 'today'
  | 'yesterday'
  | 'long'

/** The sections of each file, which is read on first use. */
const wordLists = listsOf('words.txt')
const dateLists = listsOf('dates.txt')

/** The phrases of a section of `words.txt`. */
export function wordList(section: WordList): PhraseList {
  return sectionIn(wordLists(), section)
}

export function dateList(section: DateList): PhraseList {
  return sectionIn(dateLists(), section)
}

type Sections = ReadonlyMap<string, PhraseList>

function sectionIn(lists: Sections, section: string): PhraseList {
  const list = lists.get(section)
  if (!list) throw new Error(`no phrases for [${section}]`)
  return list
}

function listsOf(file: string): () => Sections {
  return lazy(
    () => new Map([...readSections(file)].map(([section, lines]) => [section, listOf(lines)])),
  )
}

function listOf(lines: readonly (readonly string[])[]): PhraseList {
  const list = new Map<string, Phrase[]>()
  for (const [line, phrases] of lines.entries())
    for (const phrase of phrases) {
      const tokens = phrase.split(' ')
      const [first = ''] = tokens
      list.set(first, [...(list.get(first) ?? []), { tokens, line }])
    }
  for (const phrases of list.values()) phrases.sort((a, b) => b.tokens.length - a.tokens.length)
  return list
}

/** Of longer texts, the words after these are searched for as they are. */
const MAX_TOKENS = 64

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

function isIn(list: WordList, word: string): boolean {
  return phraseLength(list, [word], 0) > 0
}
