/** The initials of companies: `BCG` for Boston Consulting Group, `RSPB` with and without the words that connect. */

import { tokenize } from '../../base/tokenize.ts'
import { latinVariants } from '../../identity/scripts/transliterate.ts'

/** Never the start of a token, so initials match no typed word. */
const PREFIX = '*'

const MIN_LETTERS = 2
const MAX_LETTERS = 8

/** The term to index and look up. `word` is normalized. */
export function initialsTerm(word: string): string {
  return `${PREFIX}${word}`
}

/** The terms of a company's name; empty for a single word. */
export function initialsTermsOf(company: string): readonly string[] {
  const words = company.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').match(CASED_WORD) ?? []
  const named = words.filter((word) => !isIn(LEGAL_FORMS, word))
  const initials = [words, named].flatMap((list) => [
    lettersOf(list),
    lettersOf(list.filter((word) => !isIn(CONNECTING, word))),
  ])
  const spelled = new Set(initials.filter(areInitials).flatMap(spellingsOf))
  return [...spelled].map(initialsTerm)
}

/** As typed, and in Latin letters. */
function spellingsOf(word: string): string[] {
  return [word, ...latinVariants(word)].flatMap(tokenize)
}

/** A word in a script with capital letters. */
const CASED_WORD = /(?<![\p{L}\p{N}])[\p{Lu}\p{Ll}\p{N}][\p{L}\p{N}\p{M}]*/gu

function lettersOf(words: readonly string[]): string {
  return words.map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0)).join('')
}

function areInitials(letters: string): boolean {
  return letters.length >= MIN_LETTERS && letters.length <= MAX_LETTERS
}

function isIn(list: ReadonlySet<string>, word: string): boolean {
  return list.has(tokenize(word).join(''))
}

const CONNECTING: ReadonlySet<string> = new Set(
  `a al and at by d da das de degli dei del della delle den der des di do dos du e et for fur fuer het i im in la las le
   les los na o och og of on para pour pro the to und v van von voor w y z za zu zum zur`.split(
    /\s+/,
  ),
)

const LEGAL_FORMS: ReadonlySet<string> = new Set(
  `ab ag aps as asa bv co company corp corporation gmbh group holding inc incorporated kft kg limited llc llp ltd nv oy
   oyj plc pty sa sarl sas se sl spa srl sro`.split(/\s+/),
)

/** The words of a text that look like initials, normalized: two or more capital letters, as in `KfW`. */
export function typedInitials(text: string): ReadonlySet<string> {
  if (NO_CAPITALS.test(text) || !TWO_CAPITALS.test(text)) return NONE
  const words = (text.match(SHORT_WORD) ?? []).filter((word) => TWO_CAPITALS.test(word))
  return new Set(words.flatMap(spellingsOf))
}

const NONE: ReadonlySet<string> = new Set()
/** Matches most queries, and faster than the other pattern. */
const NO_CAPITALS = /^[\u0020-\u0040\u005b-\u007f]*$/
const TWO_CAPITALS = /\p{Lu}\p{L}*\p{Lu}/u
const SHORT_WORD = /(?<![\p{L}\p{N}])\p{L}{2,8}(?![\p{L}\p{N}\p{M}])/gu
