/**
 * Concepts with their names in several languages, and how they relate: job titles, places and topics. The text files in
 * `data/` hold them and explain their format. They are read when the first question or word is looked up.
 */

import { readDataLines, readDataSections } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { phrasesIn, spellingsOf } from '../../base/phrase-list.ts'
import { memoize } from '../../base/memoize.ts'

/** A trade is an occupation of everyday life, with its shop or service. Titles and trades of one name have the same words. */
export type ConceptKind = 'title' | 'topic' | 'location' | 'trade'

export interface Concept {
  readonly kind: ConceptKind
  /** Normalized phrases with the same meaning, the name first; tokens are separated by one space. */
  readonly phrases: readonly string[]
  /** For a trade: its phrases that are no family names, such as `Bäckerei`. */
  readonly services: readonly string[]
  /** Phrases with a similar meaning, or places nearby. */
  readonly related: readonly string[]
  /** For a place: the places directly in it. */
  readonly parts: readonly Concept[]
  /** For a place: the place that it is in. */
  readonly whole: Concept | undefined
}

interface Thesaurus {
  /** The concepts with this phrase, also in the plural or the feminine form. At most one of each kind. */
  find(phrase: string): readonly Concept[]
  /** The concepts that list this phrase as related. */
  findRelated(phrase: string): readonly Concept[]
  /** The tokens in the longest phrase that starts with this token; 0 if none does. */
  maxTokens(first: string): number
}

/** About 1,400 concepts with 11,500 phrases: some 50 ms and 4 MB, once. */
export const thesaurus = lazy((): Thesaurus => {
  const titles = readConcepts('title', 'titles.txt')
  const concepts = [
    ...titles,
    ...withTitles(readConcepts('trade', 'trades.txt'), titles),
    ...readConcepts('topic', 'topics.txt'),
    ...readConcepts('location', 'places.txt'),
  ]
  const byPhrase = groupBy(concepts, ({ phrases }) => phrases)
  const lengths = lengthsOf(byPhrase.keys())
  const byRelated = groupBy(concepts, ({ related }) => related)
  return {
    find: memoize((phrase) => findInflected(byPhrase, phrase), MAX_REMEMBERED),
    findRelated: (phrase) => byRelated.get(phrase) ?? [],
    maxTokens: (first) => lengths.get(first) ?? 0,
  }
})

/** Trades with the phrases of the titles of the same name. */
function withTitles(trades: readonly Concept[], titles: readonly Concept[]): readonly Concept[] {
  const known = new Map(titles.map((title) => [title.phrases[0], title.phrases]))
  return trades.map((trade) => {
    const phrases = new Set([...trade.phrases, ...(known.get(trade.phrases[0]) ?? [])])
    return { ...trade, phrases: [...phrases] }
  })
}

/** The phrases of `data/<file>` by section. */
export function readSections(file: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  const sections = readDataSections(dataFile(file))
  return new Map([...sections].map(([section, lines]) => [section, lines.map(phrasesIn)]))
}

interface Draft extends Concept {
  readonly parts: Concept[]
}

/** One concept per line, `name: phrases | services ~ related`; an indented concept is a part of the one above. */
function readConcepts(kind: ConceptKind, file: string): readonly Concept[] {
  const drafts: Draft[] = []
  const above: Draft[] = []
  for (const line of readDataLines(dataFile(file))) {
    const [words = '', related = ''] = line.split('~')
    const [names = '', services = ''] = words.split('|')
    const [, name = '', others = ''] = /^([^:]*):?(.*)$/s.exec(names) ?? []
    const ofServices = phrasesIn(services)
    const phrases = [...new Set([...spellingsOf(name), ...phrasesIn(others), ...ofServices])]
    above.length = (line.length - line.trimStart().length) / INDENT
    const whole = above.at(-1)
    const draft: Draft = {
      kind,
      phrases,
      services: ofServices,
      related: phrasesIn(related),
      parts: [],
      whole,
    }
    whole?.parts.push(draft)
    above.push(draft)
    drafts.push(draft)
  }
  return drafts
}

const INDENT = 2

/** A text file in `data/`. */
export function dataFile(name: string): URL {
  return new URL(`data/${name}`, import.meta.url)
}

function groupBy(
  concepts: readonly Concept[],
  keysOf: (concept: Concept) => readonly string[],
): ReadonlyMap<string, readonly Concept[]> {
  const groups = new Map<string, Concept[]>()
  for (const concept of concepts)
    for (const key of keysOf(concept)) {
      const group = groups.get(key)
      if (!group) groups.set(key, [concept])
      // A city and a state may share a name; the first in the file is the better known.
      else if (!group.some(({ kind }) => kind === concept.kind)) group.push(concept)
    }
  return groups
}

/** The same words are looked up again and again, and most are unknown in every form. About 1 MB. */
const MAX_REMEMBERED = 10_000

function lengthsOf(phrases: Iterable<string>): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>()
  for (const phrase of phrases) {
    const tokens = phrase.split(' ')
    const [first = ''] = tokens
    lengths.set(first, Math.max(lengths.get(first) ?? 0, tokens.length))
  }
  return lengths
}

function findInflected(
  byPhrase: ReadonlyMap<string, readonly Concept[]>,
  phrase: string,
): readonly Concept[] {
  const exact = byPhrase.get(phrase)
  if (exact) return exact
  for (const [ending, replacement] of INFLECTIONS) {
    if (!ending.test(phrase)) continue
    const found = byPhrase.get(phrase.replace(ending, replacement))
    const inflected = found?.filter(({ kind }) => kind !== 'location') ?? []
    if (inflected.length > 0) return inflected
  }
  for (const [ending, replacement] of CYRILLIC_CASES) {
    const places = ending.test(phrase) ? byPhrase.get(phrase.replace(ending, replacement)) : NONE
    if (places?.some(({ kind }) => kind === 'location')) return places
  }
  return NONE
}

/** Endings of places after a preposition, and in the dictionary: в Берлине, в Москве, из Германии, у Києві. */
const CYRILLIC_CASES: readonly (readonly [ending: RegExp, replacement: string])[] = [
  [/(?<=\p{Script=Cyrillic}{2})[оє]в[іау]$/u, 'ів'],
  [/(?<=\p{Script=Cyrillic}{3})[еіау]$/u, ''],
  [/(?<=\p{Script=Cyrillic}{3})[еіыиу]$/u, 'а'],
  [/(?<=\p{Script=Cyrillic}{3}[иі])[иію]$/u, 'я'],
  [/(?<=\p{Script=Cyrillic}{3})[ия]$/u, 'ь'],
]

const NONE: readonly Concept[] = []

/** Endings of plurals and feminine forms, and what the singular has instead. Only known phrases result. */
const INFLECTIONS: readonly (readonly [ending: RegExp, replacement: string])[] = [
  [/(?<=\p{L}{2})s$/u, ''],
  [/(?<=\p{L}{3})ies$/u, 'y'],
  [/(?<=\p{L}{3})es$/u, ''],
  [/(?<=\p{L}{3})innen$/u, ''],
  [/(?<=\p{L}{4})meister(?:in)?$/u, ''],
  [/(?<=\p{L}{3})in$/u, ''],
  [/(?<=\p{L}{3})en$/u, ''],
  [/(?<=\p{L}{3})n$/u, ''],
  [/(?<=\p{L}{3})e$/u, ''],
  [/(?<=\p{L}{3})er$/u, ''],
  [/(?<=\p{L}{3})as?$/u, 'o'],
  [/(?<=\p{L}{3})as?$/u, ''],
  [/(?<=\p{L}{3})i$/u, 'o'],
  [/(?<=\p{L}{3})i$/u, 'e'],
  [/(?<=\p{L}{3})i$/u, 'a'],
  [/(?<=\p{L}{3})he$/u, 'a'],
  [/(?<=\p{L}{3})aux$/u, 'al'],
  [/(?<=\p{L}{3})x$/u, ''],
  [/(?<=\p{L}{3})ing$/u, ''],
  [/(?<=\p{Script=Cyrillic}{3})[аеиоуыюя]?[мхйв]?$/u, ''],
]
