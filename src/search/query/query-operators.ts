/** What people type from habit of other searches: `"van der Berg"`, `tag:retail`, `professor -japan`, `engineer NOT london`. */

import { tokenize } from '../../base/tokenize.ts'
import { FACTOR } from '../index/fields.ts'
import { pairsOf, splitText } from '../index/words.ts'
import type { QueryWord } from '../index/query-word.ts'

/** Before a value; the value is searched for in every field. */
const LABEL =
  /(?<![\p{L}\p{N}:])(?:tag|title|company|location|city|name|notes?): *(?=[\p{L}\p{N}"'])/giu

/** Without labels of fields. */
export function withoutFieldLabels(query: string): string {
  return query.includes(':') ? query.replace(LABEL, '') : query
}

const MINUS = /(?<=^|\s)(?:NOT +|-)(?=\p{L})/gu

/** With words for the operators that exclude; undefined if there are none. */
export function withExclusionsInWords(query: string): string | undefined {
  const worded = query.replace(MINUS, 'excluding ')
  return worded === query ? undefined : worded
}

const QUOTED = /["“„«]([^"“”„«»]+)["”“»]/gu

/** The words in quotation marks, which are strict: exactly as they are spelled. */
export function quotedWords(query: string): {
  readonly quoted: readonly QueryWord[]
  readonly rest: string
} {
  const quoted: QueryWord[] = []
  const rest = query.replace(QUOTED, (whole, text: string) => {
    if (tokenize(text).length === 0) return whole
    const { words, runs } = splitText(text)
    for (const spellings of words) quoted.push(strictWord(spellings[0], spellings))
    for (const pair of runs.flatMap(pairsOf)) quoted.push(strictWord(pair, [pair]))
    return ' '
  })
  return { quoted, rest }
}

function strictWord(text: string, terms: readonly string[]): QueryWord {
  const exact = terms.map((term) => ({ term, factor: FACTOR.exact }))
  return { text, isOptional: false, isStrict: true, terms: exact }
}
