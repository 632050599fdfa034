/** Names by which a question describes other people: Mila in `Mila's teacher`, `Lehrerin von Mila` and `who works with Mila`. */

import { kinTerm } from '../questions/kinship.ts'
import { isFunctionWord, phraseLength } from '../questions/phrases.ts'
import { thesaurus } from '../questions/thesaurus.ts'
import { NAMING_FIELDS } from '../index/search-fields.ts'
import { isCapitalized, type TypedWord } from './proper-nouns.ts'
import type { QueryTerm, QueryWord } from '../index/query-word.ts'

/** Words between a person and the name by which they are described, and their articles. */
const OF: ReadonlySet<string> = new Set('of von vom de d du di del della do da van'.split(' '))

/** The places of these names. `hasName` tells whether anyone in the network has these words in their name. */
export function ownersIn(
  words: readonly TypedWord[],
  hasName: (tokens: readonly string[]) => boolean,
): ReadonlySet<number> {
  const tokens = words.map(({ token }) => token)
  const owners = new Set<number>()
  for (const [at, { token, after }] of words.entries()) {
    const companion = at + phraseLength('companion', tokens, at)
    const isNamed =
      isPartOfName(words[companion]) || hasName(tokens.slice(companion, companion + 1))
    if (companion > at && companion < words.length && isNamed)
      for (let place = companion; place === companion || isPartOfName(words[place]); place += 1)
        owners.add(place)
    if (APOSTROPHE.test(after) && isPersonAfter(tokens, tokens[at + 1] === 's' ? at + 2 : at + 1))
      for (let place = at; place === at || isPartOfName(words[place]); place -= 1) owners.add(place)
    if (!OF.has(token) || !isPersonBefore(tokens, at)) continue
    // Constanze von Treskow
    if (hasName(tokens.slice(at, at + 2))) continue
    for (let place = at + 1; place === at + 1 || isPartOfName(words[place]); place += 1)
      owners.add(place)
  }
  return owners
}

const APOSTROPHE = /['’]/u

function isPartOfName(word: TypedWord | undefined): boolean {
  return word !== undefined && isCapitalized(word.typed) && !isFunctionWord(word.token)
}

/** Also after an adjective. */
function isPersonAfter(tokens: readonly string[], at: number): boolean {
  return [at, at + 1].some((start) =>
    PHRASE_LENGTHS.some((length) => isPerson(tokens.slice(start, start + length))),
  )
}

function isPersonBefore(tokens: readonly string[], end: number): boolean {
  return PHRASE_LENGTHS.some((length) => isPerson(tokens.slice(Math.max(0, end - length), end)))
}

const PHRASE_LENGTHS = [1, 2, 3]

/** Whether a phrase names a relative or someone with an occupation, rather than a shop or a thing. */
function isPerson(phrase: readonly string[]): boolean {
  const text = phrase.join(' ')
  if (text === '') return false
  const isTrade = thesaurus()
    .find(text)
    .some(
      ({ kind, services }) => kind === 'title' || (kind === 'trade' && !services.includes(text)),
    )
  return isTrade || kinTerm(text) !== undefined
}

/** The word where it is not the name of the person: it describes another person. */
export function asOwner(word: QueryWord): QueryWord {
  const terms = word.terms.flatMap((term): QueryTerm[] => {
    const { fields = ALL_FIELDS, guess } = term
    if (guess || (fields & NAMING_FIELDS) === 0) return [term]
    return [
      { ...term, fields: fields & ~NAMING_FIELDS },
      { ...term, fields: fields & NAMING_FIELDS, edits: 0, guess: 'named' },
    ]
  })
  return { ...word, terms }
}

const ALL_FIELDS = 0xffff
