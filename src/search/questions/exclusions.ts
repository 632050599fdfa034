/** Finds what people must have, lack or not be: "without an email", "not in London", "except lawyers". */

import { termsOfConcepts } from './concept-terms.ts'
import { matchPhrase, wordList, type WordList } from './phrases.ts'
import { thesaurus } from './thesaurus.ts'
import type { ExcludedFacet, PresenceFacet, Vocabulary } from './question.ts'

interface Found<Facet> {
  readonly facet: Facet
  /** Index of the first token. */
  readonly at: number
  readonly length: number
}

const ATTRIBUTES = ['email', 'phone', 'note', 'tag'] as const

/** In normalized tokens. "with notes" is one, "with email marketing" is not. */
export function findPresence(tokens: readonly string[]): readonly Found<PresenceFacet>[] {
  const found: Found<PresenceFacet>[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const missing = lengthOf('without', tokens, at)
    const start = at + (missing || lengthOf('having', tokens, at))
    const attribute = start > at ? matchPhrase(wordList('attribute'), tokens, start) : undefined
    const what = attribute && ATTRIBUTES[attribute.line]
    if (!attribute || !what) continue
    const end = start + attribute.length
    if (!endsPhrase(tokens, end)) continue
    found.push({ facet: { what, isMissing: missing > 0 }, at, length: end - at })
    at = end - 1
  }
  return found
}

function endsPhrase(tokens: readonly string[], at: number): boolean {
  const lists = ['weak', 'question', 'location', 'company', 'having', 'without'] as const
  return at >= tokens.length || lists.some((list) => lengthOf(list, tokens, at) > 0)
}

/** A place or a title of the thesaurus, or a company of the network, after "not in" and its like. */
export function findExclusions(
  tokens: readonly string[],
  vocabulary: Vocabulary | undefined,
): readonly Found<ExcludedFacet>[] {
  const found: Found<ExcludedFacet>[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const except = lengthOf('except', tokens, at)
    if (except === 0) continue
    const start = at + except + (ARTICLES.has(tokens[at + except] ?? '') ? 1 : 0)
    const facet = excludedAt(tokens, start, vocabulary)
    if (!facet) continue
    const length = start - at + facet.asked.length
    found.push({ facet, at, length })
    at += length - 1
  }
  return found
}

const ARTICLES: ReadonlySet<string> = new Set(
  'the der die das den dem le la les el los las'.split(' '),
)

const MAX_COMPANY_WORDS = 5

/** The longest company or concept that starts at a token. */
function excludedAt(
  tokens: readonly string[],
  at: number,
  vocabulary: Vocabulary | undefined,
): ExcludedFacet | undefined {
  for (let length = Math.min(MAX_COMPANY_WORDS, tokens.length - at); length > 0; length -= 1) {
    const asked = tokens.slice(at, at + length)
    const concept = thesaurus()
      .find(asked.join(' '))
      .find(({ kind }) => kind !== 'topic')
    if (concept && concept.kind !== 'topic') {
      // Related titles and places nearby are no reason to leave out anyone.
      const terms = termsOfConcepts([concept]).filter(({ weight }) => weight === 1)
      return { field: concept.kind, asked, terms }
    }
    if (vocabulary?.has('company', asked) === true) return { field: 'company', asked, terms: [] }
  }
  return undefined
}

function lengthOf(list: WordList, tokens: readonly string[], at: number): number {
  return matchPhrase(wordList(list), tokens, at)?.length ?? 0
}
