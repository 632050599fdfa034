/** Finds what people must have, lack or not be: "without an email", "not in London", "except lawyers". */

import { findConcepts, type ConceptTerm } from './concept-terms.ts'
import { matchPhrase } from '../../base/phrase-list.ts'
import { wordList } from './phrases.ts'
import { maskTaken, phraseLength, take, type QuestionTokens } from './phrases.ts'

/** What a person has, or lacks. */
export interface PresenceFacet {
  readonly what: 'email' | 'phone' | 'note' | 'tag'
  readonly isMissing: boolean
}

export interface ExcludedFacet {
  readonly field: 'company' | 'title' | 'location'
  /** The normalized words of the question. */
  readonly asked: readonly string[]
  /** The terms of the title or the place; empty for a company. */
  readonly terms: readonly ConceptTerm[]
}

const ATTRIBUTES = ['email', 'phone', 'note', 'tag'] as const

/** Takes the words of what people must have or lack. "with notes" is one, "with email marketing" is not. */
export function readPresence(tokens: QuestionTokens): PresenceFacet[] {
  const { words } = tokens
  const found: PresenceFacet[] = []
  for (let at = 0; at < words.length; at += 1) {
    const missing = phraseLength('without', words, at)
    const start = at + (missing || phraseLength('having', words, at))
    let attribute = start > at ? attributeAt(words, start) : undefined
    let end = start
    for (
      ;
      attribute;
      attribute = AND_OR.has(words[end] ?? '') ? attributeAt(words, end + 1) : undefined
    ) {
      found.push({ what: attribute.what, isMissing: missing > 0 })
      end = attribute.end
    }
    if (end === start) continue
    take(tokens, at, end - at)
    at = end - 1
  }
  return found
}

const A: ReadonlySet<string> = new Set('a an any une'.split(' '))

/** `without a phone number or email`: the person has neither. */
const AND_OR: ReadonlySet<string> = new Set('and or nor und oder et ou ni y o e'.split(' '))

function attributeAt(words: readonly string[], start: number) {
  const at = start + (A.has(words[start] ?? '') ? 1 : 0)
  const phrase = matchPhrase(wordList('attribute'), words, at)
  const what = phrase && ATTRIBUTES[phrase.line]
  if (!phrase || !what) return undefined
  const end = at + phrase.length
  return endsPhrase(words, end) ? { what, end } : undefined
}

function endsPhrase(words: readonly string[], at: number): boolean {
  const lists = ['weak', 'question', 'location', 'having', 'without'] as const
  const isLast = at >= words.length || AND_OR.has(words[at] ?? '')
  return isLast || lists.some((list) => phraseLength(list, words, at) > 0)
}

/** Takes a place or a title of the thesaurus, or a company of the network, after "not in" and its like. */
export function readExclusions(
  tokens: QuestionTokens,
  isCompany: (words: readonly string[]) => boolean,
): ExcludedFacet[] {
  const words = maskTaken(tokens)
  const found: ExcludedFacet[] = []
  for (let at = 0; at < words.length; at += 1) {
    const except = phraseLength('except', words, at)
    if (except === 0) continue
    const start = at + except + (ARTICLES.has(words[at + except] ?? '') ? 1 : 0)
    const facet = excludedAt(words, start, isCompany)
    if (!facet) continue
    found.push(facet)
    take(tokens, at, start - at + facet.asked.length)
    at = start + facet.asked.length - 1
  }
  return found
}

const ARTICLES: ReadonlySet<string> = new Set(
  'the der die das den dem le la les el los las'.split(' '),
)

const MAX_COMPANY_WORDS = 5

/** The longest company or concept that starts at a word. */
function excludedAt(
  words: readonly string[],
  at: number,
  isCompany: (words: readonly string[]) => boolean,
): ExcludedFacet | undefined {
  for (let length = Math.min(MAX_COMPANY_WORDS, words.length - at); length > 0; length -= 1) {
    const asked = words.slice(at, at + length)
    const concept = findConcepts(asked).find(({ kind }) => kind !== 'topic')
    if (concept && concept.kind !== 'topic') {
      // Related titles and places nearby are no reason to leave out anyone.
      const terms = concept.terms.filter(({ weight }) => weight === 1)
      return { field: concept.kind === 'trade' ? 'title' : concept.kind, asked, terms }
    }
    if (isCompany(asked)) return { field: 'company', asked, terms: [] }
  }
  return undefined
}
