/** The part of a matching text that a result shows. */

import { lazy } from '../../base/lazy.ts'
import { memoize } from '../../base/memoize.ts'
import { tokenize } from '../../base/tokenize.ts'
import { conceptTermsOf } from '../questions/concept-terms.ts'
import { kinTermsIn } from '../questions/kinship.ts'
import { isFormOf } from '../questions/word-forms.ts'
import { allowsTypos } from './special-terms.ts'
import { countEdits } from './typos.ts'
import { splitText } from './split-words.ts'
import type { QueryWord } from './query-word.ts'

/** Characters around the first match. */
const CHARACTERS_BEFORE = 40
const MAX_SNIPPET_LENGTH = 160

/** Finds the snippet of a text; undefined if no word of the query is in it. */
export function snippetFinder(words: readonly QueryWord[]): (text: string) => string | undefined {
  const emails = words.flatMap(({ terms }) => terms).filter(({ term }) => term.includes('@'))
  const matcher = lazy(() => matcherOf(words))
  const ideas = new Set(
    words
      .filter(({ isOptional }) => !isOptional)
      .flatMap(({ terms }) => terms.map(({ term }) => term))
      .filter((term) => term.startsWith('^')),
  )
  return (text) => {
    const email = emails.find(({ term }) => text.toLowerCase().includes(term))
    if (email) return excerpt(text, text.toLowerCase().indexOf(email.term))
    const matches = matcher()
    const pieces = text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)
    for (const { 0: piece, index } of pieces) if (matches(piece)) return excerpt(text, index)
    return ideas.size > 0 ? excerptAbout(text, ideas) : undefined
  }
}

/** The part of a text that says the same in other words: `Mama` for `mother`. `ideas`: terms of concepts and relatives. */
function excerptAbout(text: string, ideas: ReadonlySet<string>): string | undefined {
  if (!isAbout(text, ideas)) return undefined
  const pieces = text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)
  for (const { 0: piece, index } of pieces) if (isAbout(piece, ideas)) return excerpt(text, index)
  return excerpt(text, 0)
}

function isAbout(text: string, ideas: ReadonlySet<string>): boolean {
  return [...conceptTermsOf(text, 'detail'), ...kinTermsIn(tokenize(text))].some((term) =>
    ideas.has(term),
  )
}

/** Splits a text into its words and what is between them, and says which words match the query. */
export function markerOf(
  words: readonly QueryWord[],
): (text: string) => readonly { readonly text: string; readonly isMatch: boolean }[] {
  const matches = matcherOf(words)
  return (text) =>
    (text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|[^\p{L}\p{N}]+/gu) ?? []).map((piece) => ({
      text: piece,
      isMatch: /^[\p{L}\p{N}]/u.test(piece) && matches(piece),
    }))
}

/** Words that only connect others, and are no names. */
export const CONNECTING: ReadonlySet<string> = new Set(
  'a an and at by for from in of on the to with'.split(' '),
)

/** Whether it says nothing by itself, beside words that do: `of` in `head of design`. */
export function isConnecting({ text }: QueryWord, words: readonly QueryWord[]): boolean {
  return CONNECTING.has(text) && words.some((other) => !CONNECTING.has(other.text))
}

/** Texts have the same words again and again. */
const MAX_REMEMBERED = 1000

/** A word that splitting does not change. */
const PLAIN_WORD = /^[a-z0-9]{1,40}$/

/** Whether a word of a text matches a word of the query. */
function matcherOf(words: readonly QueryWord[]): (piece: string) => boolean {
  const terms = words
    .filter((word) => !word.isOptional && !isConnecting(word, words))
    .flatMap((word) => word.terms)
    .filter(({ isWeak }) => isWeak !== true)
    .map((term) => ({ term, bytes: Buffer.from(term.term) }))
  const rows = new Uint8Array(1024)
  const isMatch = memoize(
    (spelling: string) =>
      terms.some(({ term: { term, isPrefix, forms, edits = 0 }, bytes }) => {
        if (forms) return isFormOf(forms, spelling)
        if (isPrefix === true ? spelling.startsWith(term) : spelling === term) return true
        if (edits === 0 || !allowsTypos(term)) return false
        if (Math.abs(Buffer.byteLength(spelling) - bytes.length) > edits) return false
        return countEdits(bytes, Buffer.from(spelling), edits, rows) <= edits
      }),
    MAX_REMEMBERED,
  )
  return (piece) => {
    // Most words of emails, which need no splitting.
    if (PLAIN_WORD.test(piece)) return isMatch(piece)
    const { words: spelled, runs } = splitText(piece)
    return (
      runs.some((run) => terms.some(({ term: { term } }) => run.includes(term))) ||
      spelled.flat().some(isMatch)
    )
  }
}

/** The words around a position in a text, on one line. */
export function excerpt(text: string, match: number): string {
  const line = (part: string) => part.replace(/\s+/g, ' ')
  const earliest = Math.max(0, match - CHARACTERS_BEFORE)
  const space = text.slice(earliest, match).search(/\s/)
  const start = earliest === 0 ? 0 : space < 0 ? match : earliest + space + 1
  const rest = text.slice(start)
  const shown = rest.length <= MAX_SNIPPET_LENGTH ? rest : rest.slice(0, MAX_SNIPPET_LENGTH)
  // regex-ok: at most MAX_SNIPPET_LENGTH characters
  const end = shown.length < rest.length ? shown.replace(/\s+\S*$/, '') : shown
  const before = start > 0 ? '…' : ''
  const after = end.length < rest.length ? '…' : ''
  return `${before}${line(end.trim())}${after}`.toWellFormed()
}
