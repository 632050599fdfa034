/** Words that mean the same as, or are related to, a word of a question; weighted, for one field of a connection. */

import { tokenize } from '../../base/tokenize.ts'
import { thesaurus, type Concept, type ConceptKind } from './thesaurus.ts'

/** The fields of a connection that a search distinguishes. */
export type SearchField =
  | 'name'
  | 'company'
  | 'title'
  | 'location'
  | 'tag'
  | 'note'
  | 'followUp'
  | 'detail'

/** A phrase to search for instead. All its words must occur in the field; those of up to three letters as whole words. */
export interface Alternative {
  /** Normalized, as `tokenize` returns them. */
  readonly words: readonly string[]
  /** 0 to 1; 1 is the asked phrase. */
  readonly weight: number
}

/** Weights of alternatives. */
const SAME = 0.9
const PART = 0.8
const RELATED = 0.5
const RELATED_CONCEPT = 0.35
/** The reverse of a related phrase: `payments` is related to fintech, so fintech is a little related to payments. */
const REVERSE = 0.3

/** Alternatives of a phrase; a continent has several times as many names. */
const MAX_ALTERNATIVES = 300

/** The kinds of concepts that a field contains. A name contains none: nicknames and spellings are not synonyms. */
const KINDS: Readonly<Record<SearchField, readonly ConceptKind[]>> = {
  detail: [],
  followUp: [],
  name: [],
  company: ['topic'],
  title: ['title', 'topic'],
  location: ['location'],
  tag: ['topic', 'title', 'location'],
  note: ['topic', 'title', 'location'],
}

/** Best first, without the word itself; empty for words that the thesaurus does not have. `word` may be a phrase. */
export function expandWord(word: string, field: SearchField): readonly Alternative[] {
  const asked = tokenize(word).join(' ')
  const kinds = KINDS[field]
  if (asked === '' || kinds.length === 0) return []
  const concepts = thesaurus()
    .find(asked)
    .filter(({ kind }) => kinds.includes(kind))
  const reverse = thesaurus()
    .findRelated(asked)
    .filter(({ kind }) => kind !== 'location' && kinds.includes(kind))
  return alternativesOf(asked, concepts, reverse).slice(1)
}

/** The asked phrase itself and those of the concepts, best first. */
export function alternativesOf(
  asked: string,
  concepts: readonly Concept[],
  reverse: readonly Concept[] = [],
): readonly Alternative[] {
  if (concepts.length + reverse.length === 0) return [alternative(asked, 1)]
  const key = [
    asked,
    ...concepts.map(({ kind }) => kind),
    '',
    ...reverse.map(({ kind }) => kind),
  ].join()
  const known = RECENT.get(key)
  if (known) return known
  const all = mergeAlternatives(asked, concepts, reverse)
  if (RECENT.size >= MAX_RECENT) RECENT.clear()
  RECENT.set(key, all)
  return all
}

/** Results by phrase and kinds: the same few phrases are asked again and again. */
const RECENT = new Map<string, readonly Alternative[]>()
const MAX_RECENT = 500

function mergeAlternatives(
  asked: string,
  concepts: readonly Concept[],
  reverse: readonly Concept[],
): readonly Alternative[] {
  const best = new Map<string, Alternative>()
  const others = reverse.flatMap(({ phrases }) => phrases.map((one) => alternative(one, REVERSE)))
  for (const one of [...concepts.flatMap(phrasesAround), ...others]) {
    const phrase = one.words.join(' ')
    if ((best.get(phrase)?.weight ?? 0) < one.weight) best.set(phrase, one)
  }
  best.delete(asked)
  const sorted = [...best.values()].toSorted((one, other) => other.weight - one.weight)
  return [alternative(asked, 1), ...sorted.slice(0, MAX_ALTERNATIVES - 1)]
}

function alternative(phrase: string, weight: number): Alternative {
  return { words: phrase.split(' '), weight }
}

/** By concept, because only a few are requested often. */
const AROUND = new WeakMap<Concept, readonly Alternative[]>()

/** The phrases of a concept, of the places in it and of what it is related to; some occur twice. */
function phrasesAround(concept: Concept): readonly Alternative[] {
  const known = AROUND.get(concept)
  if (known) return known
  const all: Alternative[] = []
  const add = (phrases: readonly string[], weight: number) =>
    all.push(...phrases.map((phrase) => alternative(phrase, weight)))
  add(concept.phrases, SAME)
  for (const part of partsOf(concept)) add(part.phrases, PART)
  add(concept.related, RELATED)
  for (const related of concept.related)
    for (const near of thesaurus().find(related))
      if (near.kind === concept.kind) add(near.phrases, RELATED_CONCEPT)
  const limited = all.slice(0, MAX_ALTERNATIVES)
  AROUND.set(concept, limited)
  return limited
}

/** All places in a place, breadth first, so that a limit keeps countries before their cities. */
function partsOf(place: Concept): readonly Concept[] {
  const all: Concept[] = [...place.parts]
  for (const part of all) all.push(...part.parts)
  return all
}
