/**
 * What a text says in terms of the thesaurus, as terms to index: `Produktmanagerin` and `PM` get the same term, and a city
 * also gets the terms of its region, country and continent. A question then looks up few terms instead of all synonyms.
 */

import { memoize } from '../../base/memoize.ts'
import { tokenize } from '../../base/tokenize.ts'
import { thesaurus, type Concept, type ConceptKind } from './thesaurus.ts'
/** The fields of a connection that a search distinguishes. */
type SearchField =
  | 'name'
  | 'company'
  | 'title'
  | 'location'
  | 'tag'
  | 'note'
  | 'followUp'
  | 'detail'

/** A term to look up, and how much it counts: 1 is the asked concept itself, less is something related. */
export interface ConceptTerm {
  readonly term: string
  readonly weight: number
}

const MAX_COMPOUNDS = 20_000

/** Never the start of a token, so these terms match no typed word. */
const PREFIX = '^'

/** The kinds of concepts that a field of a connection says something about. */
const KINDS: Readonly<Record<SearchField, readonly ConceptKind[]>> = {
  detail: ['title', 'topic', 'location', 'trade'],
  followUp: [],
  name: ['trade'],
  company: ['topic', 'trade'],
  title: ['title', 'topic', 'trade'],
  location: ['location'],
  tag: ['topic', 'title', 'location', 'trade'],
  note: ['topic', 'trade'],
}

/** Fields in which the word for a person is rather a family name: Anna Baker, Fischer GmbH. */
const NAMING: ReadonlySet<SearchField> = new Set<SearchField>(['name', 'company'])

/** Each once, in the order of the text. Of names, only what is also the name of a shop or a service: `Bäckerei Lienhart`. */
export function conceptTermsOf(text: string, field: SearchField): readonly string[] {
  const kinds = KINDS[field]
  if (kinds.length === 0) return []
  const tokens = tokenize(text)
  const terms = new Set<string>()
  for (let at = 0; at < tokens.length;) {
    const match = longestAt(tokens, at, field)
    const length = match?.length ?? 1
    for (const concept of match?.concepts ?? [])
      for (let one: Concept | undefined = concept; one; one = one.whole) terms.add(termOf(one))
    if (length > 1)
      for (const general of tokens.slice(at, at + length).flatMap(generalConcepts))
        if (kinds.includes(general.kind)) terms.add(termOf(general))
    at += length
  }
  return [...terms]
}

interface Match {
  readonly length: number
  readonly concepts: readonly Concept[]
}

function longestAt(tokens: readonly string[], at: number, field: SearchField): Match | undefined {
  const kinds = KINDS[field]
  const phrases = thesaurus()
  const first = tokens[at] ?? ''
  const longest = Math.min(phrases.maxTokens(first), tokens.length - at)
  for (let length = Math.max(1, longest); length > 0; length -= 1) {
    const phrase = length === 1 ? first : tokens.slice(at, at + length).join(' ')
    const concepts = phrases.find(phrase)
    if (concepts.length === 0) continue
    const isService = ({ kind, services }: Concept) => kind !== 'trade' || services.includes(phrase)
    const fitting = concepts.filter(
      (concept) => kinds.includes(concept.kind) && (!NAMING.has(field) || isService(concept)),
    )
    if (fitting.length > 0) return { length, concepts: fitting }
  }
  const titles = kinds.includes('title') ? titlesAtEnd(first) : []
  return titles.length === 0 ? undefined : { length: 1, concepts: titles }
}

/** A divorce lawyer is also a lawyer, and a solar installer works in solar energy. */
function generalConcepts(word: string): readonly Concept[] {
  const found = thesaurus()
    .find(word)
    .filter(({ kind }) => kind !== 'location')
  return found.length > 0 ? found : titlesAtEnd(word)
}

/** Letters of a compound, and of the title at its end. */
const MIN_COMPOUND = 8
const MIN_LAST_PART = 6

/** The title at the end of a German, Dutch or Scandinavian compound: `Fachanwältin` is a lawyer. */
const titlesAtEnd = memoize((word: string): readonly Concept[] => {
  if (word.length < MIN_COMPOUND) return []
  for (let start = 2; start <= word.length - MIN_LAST_PART; start += 1) {
    const found = thesaurus().find(word.slice(start))
    const titles = found.filter(({ kind }) => kind === 'title')
    if (titles.length > 0) return titles
  }
  return []
}, MAX_COMPOUNDS)

/** The titles, places or topics that a phrase of a question names, of one kind each. */
export interface AskedConcept {
  readonly kind: ConceptKind
  /** The terms of the concept and of those that are related to it, best first. */
  readonly terms: readonly ConceptTerm[]
}

/** `words` are the tokens of the whole phrase. */
export function findConcepts(words: readonly string[]): readonly AskedConcept[] {
  return thesaurus().find(words.join(' ')).map(askedConcept)
}

const ASKED = new WeakMap<Concept, AskedConcept>()

function askedConcept(concept: Concept): AskedConcept {
  let asked = ASKED.get(concept)
  if (!asked) {
    const own = { term: termOf(concept), weight: 1 }
    const related = new Set(relatedTerms(concept))
    related.delete(own.term)
    const terms = [own, ...[...related].map((term) => ({ term, weight: RELATED }))]
    ASKED.set(concept, (asked = { kind: concept.kind, terms }))
  }
  return asked
}

const RELATED = 0.5
/** Weight of the title at the end of a compound: a `Fotograf` for a `Hochzeitsfotograf`. */
const GENERAL = 0.9

function generalTitle(concept: Concept): AskedConcept {
  const { kind, terms } = askedConcept(concept)
  return { kind, terms: terms.map(({ term, weight }) => ({ term, weight: GENERAL * weight })) }
}

/** A place is related to places only; titles and topics are related to each other. */
function relatedTerms(concept: Concept): readonly string[] {
  const near = concept.related.flatMap((phrase) => thesaurus().find(phrase))
  const isPlace = concept.kind === 'location'
  return near.filter(({ kind }) => (kind === 'location') === isPlace).map(termOf)
}

function termOf({ kind, phrases }: Concept): string {
  return `${PREFIX}${kind}/${phrases[0] ?? ''}`
}

/** A phrase of the thesaurus in a question. */
interface ConceptSpan {
  readonly at: number
  readonly length: number
  readonly concepts: readonly AskedConcept[]
}

/** The longest phrases, from left to right. `mayStart` tells which words may be a concept alone. */
export function conceptSpans(
  words: readonly string[],
  mayBeAlone: (at: number) => boolean,
): ConceptSpan[] {
  const spans: ConceptSpan[] = []
  for (let at = 0; at < words.length;) {
    const span = spanAt(words, at, mayBeAlone)
    if (span) spans.push(span)
    at += span?.length ?? 1
  }
  return spans
}

function spanAt(
  words: readonly string[],
  at: number,
  mayBeAlone: (at: number) => boolean,
): ConceptSpan | undefined {
  const longest = Math.min(Math.max(1, thesaurus().maxTokens(words[at] ?? '')), words.length - at)
  for (let length = longest; length > 0; length -= 1) {
    if (length === 1 && !mayBeAlone(at)) return undefined
    const concepts = findConcepts(words.slice(at, at + length))
    if (concepts.length > 0) return { at, length, concepts }
  }
  const titles = titlesAtEnd(words[at] ?? '').map(generalTitle)
  return titles.length === 0 ? undefined : { at, length: 1, concepts: titles }
}
