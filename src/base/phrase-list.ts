/** Lists of phrases, matched against the tokens of a text. */

import { tokenize } from './tokenize.ts'

/** Phrases by their first token, the longest first. */
export type PhraseList = ReadonlyMap<string, readonly Phrase[]>

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

/** A list of normalized phrases, with the index of each line. */
export function phraseList(lines: readonly (readonly string[])[]): PhraseList {
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

/** The normalized phrases of a list with commas, also as they are typed without the letters ä, ö, ü, ø and å. */
export function phrasesIn(list: string): string[] {
  return list.split(',').flatMap(spellingsOf)
}

/** The normalized phrase, and how it is typed without the letters ä, ö, ü, ø and å. */
export function spellingsOf(text: string): string[] {
  const trimmed = text.trim()
  if (NORMALIZED.test(trimmed)) return [trimmed]
  const lower = text.toLowerCase()
  const typed = lower.replace(/[äöüøå]/g, (letter) => DIGRAPHS[letter] ?? letter)
  const texts = typed === lower ? [lower] : [lower, typed]
  return texts.map((one) => tokenize(one).join(' ')).filter((phrase) => phrase !== '')
}

/** Most phrases in the files. */
const NORMALIZED = /^[a-z0-9]+(?: [a-z0-9]+)*$/

const DIGRAPHS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
