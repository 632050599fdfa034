/** The sentences of a note as words, signs, mentioned people and dates. */

import { normalForm } from '../../base/normal-form.ts'
import { normalize } from '../../base/tokenize.ts'
import { daysLater } from '../../dates/calendar-day.ts'
import { namesDate } from '../../dates/find-dates.ts'
import { readDateText, readPeriodText, type DateContext } from '../../dates/read-date.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { dayWords } from './contact-phrases.ts'
import { MENTION, personAfter, type Mentioned, type MentionedPerson } from './mentions.ts'

/** A word, a sign, or a person who is mentioned, with the space before it. */
export interface Token {
  readonly space: string
  readonly text: string
  readonly person?: MentionedPerson
}

/** The sentences of a note, in the words of its writer. */
export function sentencesIn(text: string, mentioned: Mentioned): Token[][] {
  return linesOf(text).flatMap((line) => sentencesOf(tokensOf(line, mentioned)))
}

/** The lines that the writer says: without code, quotations and the marks of lists. */
function linesOf(text: string): string[] {
  const lines: string[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    else if (!isCode && !line.startsWith('>')) lines.push(line.replace(/^ {0,6}[-*+•] +/, ''))
  }
  return lines
}

function tokensOf(line: string, mentioned: Mentioned): Token[] {
  const tokens: Token[] = []
  let from = 0
  const read = (until: number) => {
    for (const { groups } of line.slice(from, until).matchAll(WORDS)) {
      const { space = '', text = '' } = groups ?? {}
      tokens.push({ space, text })
    }
  }
  for (const { 0: mention, index } of line.matchAll(MENTION)) {
    const found = personAfter(mention.slice(1), mentioned)
    if (!found) continue
    read(index)
    const space = /\s/.test(line[index - 1] ?? '') ? ' ' : ''
    tokens.push({ space, text: found.name, person: found.person })
    from = index + 1 + found.length
  }
  read(line.length)
  return tokens
}

/** A word, also with an apostrophe or a hyphen in it, or one sign. */
const WORDS = /(?<space>\s?)(?<text>[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*|\S)/gu

/** Each with the sign that ends it. A period after a number does not end a sentence. */
function sentencesOf(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = [[]]
  for (const [at, token] of tokens.entries()) {
    sentences.at(-1)?.push(token)
    const isAfterNumber = token.text === '.' && /^\d+$/.test(tokens[at - 1]?.text ?? '')
    if (ENDS.has(token.text) && !isAfterNumber) sentences.push([])
  }
  return sentences.filter((one) => one.length > 0)
}

const ENDS: ReadonlySet<string> = new Set(['.', '!', '?', ';', '…'])

/** The text of some tokens. */
export function sentenceText(tokens: readonly Token[]): string {
  return tokens
    .map(({ space, text }) => space + text)
    .join('')
    .trim()
}

/** Whether one of the tokens is one of the words. */
export function hasWord(tokens: readonly Token[], words: ReadonlySet<string>): boolean {
  return tokens.some((token) => isWord(token, words))
}

/** Whether a token is one of the words, in any case. */
export function isWord(token: Token | undefined, words: ReadonlySet<string>): boolean {
  return words.has(lower(token) ?? '')
}

/** Undefined for a person, whose name is no word of a phrase. */
function lower(token: Token | undefined): string | undefined {
  return token && !token.person ? normalForm(token.text.toLowerCase(), 'NFC') : undefined
}

export interface FoundDate {
  /** Undefined for a long or ambiguous time, such as `last year`. */
  readonly day: string | undefined
  readonly length: number
}

/** The longest date that begins at a token: a day, or at most a week, which counts as its first day. */
export function findDate(
  tokens: readonly Token[],
  at: number,
  context: DateContext,
): FoundDate | null {
  const { hours, these } = dayWords()
  if (isWord(tokens[at], these) && isWord(tokens[at + 1], hours))
    return { day: dayInZone(context.timeZone, context.now), length: 2 }
  const near = tokens.slice(at, at + MAX_DATE_TOKENS)
  const words = near.map(({ text }) => normalize(text))
  const named = words.findIndex((_, index) => namesDate(words, index))
  // Most tokens are in no date.
  const lengths = named === -1 ? [] : near.map((_, index) => near.length - index)
  for (const length of lengths) {
    const some = near.slice(0, length)
    if (length <= named || some.some(({ person }) => person)) continue
    const day = dayOfText(sentenceText(some), context)
    if (day === null) continue
    return { day, length: isWord(tokens[at + length], hours) ? length + 1 : length }
  }
  return null
}

/** Null for a text that is no date. */
function dayOfText(text: string, context: DateContext): string | undefined | null {
  const reading = readDateText(text, context, 'latest')
  if (reading.ok) return reading.day
  const period = readPeriodText(text, context, 'latest')
  if (!period) return null
  const isShort = period.to > daysLater(period.from, 1) && period.to <= daysLater(period.from, 7)
  return isShort ? period.from : undefined
}

const MAX_DATE_TOKENS = 6
