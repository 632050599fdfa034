/** Lists of phrases from `data/`, matched against the words of a question. */

import { lazy } from '../../../base/lazy.ts'
import { readSections } from './thesaurus.ts'

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
  | 'subject'
  | 'company'
  | 'former'
  | 'event'
  | 'follow-up'
  | 'silence'
  | 'interaction'
  | 'connected'
  | 'met'
  | 'birthday'
  | 'anniversary'
  | 'having'
  | 'without'
  | 'attribute'
  | 'except'
  | 'needs-capital'

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

export const wordList = listsOf<WordList>('words.txt')
export const dateList = listsOf<DateList>('dates.txt')

/** A function that returns a section of the file, which is read on first use. */
function listsOf<Section extends string>(file: string): (section: Section) => PhraseList {
  const lists = lazy(
    () => new Map([...readSections(file)].map(([section, lines]) => [section, listOf(lines)])),
  )
  return (section) => {
    const list = lists().get(section)
    if (!list) throw new Error(`${file} has no section [${section}]`)
    return list
  }
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
