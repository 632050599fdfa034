/**
 * What a text says in terms of the thesaurus, as terms to index: `Produktmanagerin` and `PM` get the same term, and a city
 * also gets the terms of its region, country and continent. A question then looks up few terms instead of all synonyms.
 */

import { tokenize } from '../../base/tokenize.ts'
import { thesaurus, type Concept, type ConceptKind } from './thesaurus.ts'
import type { SearchField } from './expand-word.ts'

/** A term to look up, and how much it counts: 1 is the asked concept itself. */
export interface ConceptTerm {
  readonly term: string
  readonly weight: number
}

/** Never the start of a token, so these terms match no typed word. */
const PREFIX = '^'

/** The kinds of concepts that a field of a connection says something about. */
const KINDS: Readonly<Record<SearchField, readonly ConceptKind[]>> = {
  detail: [],
  followUp: [],
  name: [],
  company: ['topic'],
  title: ['title', 'topic'],
  location: ['location'],
  tag: ['topic', 'title', 'location'],
  note: ['topic'],
}

/** Each once, in the order of the text; empty for names. */
export function conceptTermsOf(text: string, field: SearchField): readonly string[] {
  const kinds = KINDS[field]
  if (kinds.length === 0) return []
  const tokens = tokenize(text)
  const terms = new Set<string>()
  for (let at = 0; at < tokens.length;) {
    const match = longestAt(tokens, at, kinds)
    for (const concept of match?.concepts ?? [])
      for (let one: Concept | undefined = concept; one; one = one.whole) terms.add(termOf(one))
    at += match?.length ?? 1
  }
  return [...terms]
}

interface Match {
  readonly length: number
  readonly concepts: readonly Concept[]
}

function longestAt(
  tokens: readonly string[],
  at: number,
  kinds: readonly ConceptKind[],
): Match | undefined {
  const phrases = thesaurus()
  const first = tokens[at] ?? ''
  const longest = Math.min(phrases.maxTokens(first), tokens.length - at)
  for (let length = Math.max(1, longest); length > 0; length -= 1) {
    const concepts = phrases.find(length === 1 ? first : tokens.slice(at, at + length).join(' '))
    if (concepts.length === 0) continue
    const fitting = concepts.filter(({ kind }) => kinds.includes(kind))
    if (fitting.length > 0) return { length, concepts: fitting }
  }
  return undefined
}

const RELATED = 0.5

/** The terms of these concepts and of the concepts that are related to them, best first. */
export function termsOfConcepts(concepts: readonly Concept[]): readonly ConceptTerm[] {
  const weights = new Map<string, number>(concepts.map((concept) => [termOf(concept), 1]))
  for (const term of concepts.flatMap(relatedTerms))
    if (!weights.has(term)) weights.set(term, RELATED)
  return [...weights].map(([term, weight]) => ({ term, weight }))
}

const RELATED_TERMS = new WeakMap<Concept, readonly string[]>()

/** A place is related to places only; titles and topics are related to each other. */
function relatedTerms(concept: Concept): readonly string[] {
  const known = RELATED_TERMS.get(concept)
  if (known) return known
  const near = concept.related.flatMap((phrase) => thesaurus().find(phrase))
  const isPlace = concept.kind === 'location'
  const terms = near.filter(({ kind }) => (kind === 'location') === isPlace).map(termOf)
  RELATED_TERMS.set(concept, terms)
  return terms
}

function termOf({ kind, phrases }: Concept): string {
  return `${PREFIX}${kind}/${phrases[0] ?? ''}`
}

/** Whether it is the term of a job title. */
export function isOfTitle({ term }: ConceptTerm): boolean {
  return term.startsWith(`${PREFIX}title/`)
}
