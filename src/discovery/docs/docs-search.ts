/** In-memory full-text search over the few hundred sections of the documentation. */

import { readDataLines } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { tokenize } from '../../base/tokenize.ts'
import { STOP_WORDS } from '../../search/questions/stop-words.ts'
import { anchors } from './anchors.ts'
import type { Readers } from './guides.ts'

/** One page of the documentation. */
export interface Document {
  /** The last part of the path `/docs/<name>`. */
  readonly name: string
  readonly readers: Readers
  readonly title: string
  /** One sentence about the content. */
  readonly summary: string
  readonly url: string
  readonly markdown: string
}

export interface Hit {
  readonly name: string
  /** Title of the document and, below its first heading, of the section. */
  readonly title: string
  readonly url: string
  /** The beginning of the section. */
  readonly excerpt: string
  /** Relevance, 0 to 1. */
  readonly score: number
}

export interface SectionIndex {
  readonly sections: readonly Section[]
  /** Number of sections that contain a word (document frequency). */
  readonly frequency: ReadonlyMap<string, number>
}

interface Section extends Omit<Hit, 'score'> {
  /** Weight of each word in this section. */
  readonly weights: ReadonlyMap<string, number>
}

/** In characters. */
export const MAX_DOCS_QUERY_LENGTH = 200
const MAX_EXCERPT_LENGTH = 400
const MAX_LINE_LENGTH = 200

/** Heading words describe the topic, so they count more than words of the text. */
const HEADING_WEIGHT = 4

/** Weight of the words of a document's title and summary in each of its sections. */
const ABOUT_WEIGHT = 1

/** Relative to the word itself. */
const SYNONYM_WEIGHT = 0.6

/** People look for guides; a reference mentions everything. */
const REFERENCES: ReadonlySet<string> = new Set(['commands'])
const REFERENCE_WEIGHT = 0.8

/** The first paragraph of an excerpt as one line without markup. */
export function plainLine(markdown: string): string {
  const [first = ''] = markdown.split(/\n\s*\n/)
  const plain = first
    // regex-ok: our own documents
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/^[|: -]+$/gm, '')
    .replaceAll(/[`*|]|^- /gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return plain.length <= MAX_LINE_LENGTH
    ? plain
    : `${plain.slice(0, plain.lastIndexOf(' ', MAX_LINE_LENGTH))} …`
}

export function indexSections(documents: readonly Document[]): SectionIndex {
  const sections = documents.flatMap(sectionsOf)
  const frequency = new Map<string, number>()
  for (const { weights } of sections)
    for (const word of weights.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  return { sections, frequency }
}

export function searchSections(index: SectionIndex, query: string, limit: number): Hit[] {
  const asked = tellingWords(query).map((word) => wordsLike(word, index))
  return index.sections
    .map((section) => ({ section, score: scoreOf(section, asked) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ section: { name, title, url, excerpt }, score }) => {
      return { name, title, url, excerpt, score: Math.round(score * 1000) / 1000 }
    })
}

/** Stems of the words that say something. A query of only stop words is searched unchanged. */
function tellingWords(query: string): string[] {
  const all = [...new Set(tokenize(query.replaceAll(NEGATED, ' ')))]
  const telling = all.filter((word) => !ASKING.has(word) || TOPICS.has(word))
  return [...new Set((telling.length > 0 ? telling : all).map(stem))]
}

/** Such as `haven't`. */
const NEGATED = /n['’]t\b/g

/** Words that searches for people ignore, but that the documentation is about. */
const TOPICS: ReadonlySet<string> = new Set(['contact', 'contacts', 'out', 'people', 'person'])

const ASKING: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...'again am ca does get give happen happens make many much one tell take thing things way where while work works'.split(
    ' ',
  ),
])

/** Without the endings of plurals and verbs: `imports`, `imported` and `importing` are `import`. */
function stem(word: string): string {
  const [, bare = word, ending] = /^(.{3,}?)(ies|ing|ed|es|s|e)$/.exec(word) ?? []
  if (ending === undefined || (ending === 's' && /[su]$/.test(bare))) return word
  const one = ending === 'ies' ? `${bare}y` : bare
  return /([b-gm-prt])\1$/.test(one) && ending !== 's' ? one.slice(0, -1) : one
}

/** The other words of its groups, by stem. */
const synonyms = lazy(() => {
  const groups = readDataLines(new URL('data/synonyms.txt', import.meta.url))
  const found = new Map<string, Set<string>>()
  for (const group of groups) {
    const words = group.split(' ').map(stem)
    for (const word of words) found.set(word, new Set([...(found.get(word) ?? []), ...words]))
  }
  return found
})

/** Every heading starts a section. */
function sectionsOf({ name, title, summary, url, markdown }: Document): Section[] {
  const anchorOf = anchors()
  const about = tokenize(`${title} ${summary}`).map(stem)
  return markdown.split(/^(?=#{1,6} )/m).flatMap((text) => {
    const [, heading = '', body = ''] = /^#{1,6} (.+)\n*([^]*)$/.exec(text) ?? []
    const bare = heading.replaceAll('`', '')
    const anchor = anchorOf(bare)
    if (body.trim() === '') return []
    const isFirst = bare === title
    return {
      name,
      title: isFirst ? title : `${title}: ${bare}`,
      url: isFirst ? url : `${url}#${anchor}`,
      excerpt: excerptOf(body),
      weights: weigh(isFirst ? title : `${title} ${bare} ${bare}`, body, about),
    }
  })
}

function excerptOf(body: string): string {
  const text = body.trim()
  if (text.length <= MAX_EXCERPT_LENGTH) return text
  return `${text.slice(0, text.lastIndexOf(' ', MAX_EXCERPT_LENGTH))} …`
}

/** Term weights with saturation and length normalization, as in BM25. */
function weigh(heading: string, body: string, about: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  const bodyWords = tokenize(body).map(stem)
  for (const word of bodyWords) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const word of about) counts.set(word, (counts.get(word) ?? 0) + ABOUT_WEIGHT)
  for (const word of tokenize(heading).map(stem))
    counts.set(word, (counts.get(word) ?? 0) + HEADING_WEIGHT)
  const length = 1 + bodyWords.length / 150
  return new Map([...counts].map(([word, count]) => [word, count / (count + length)]))
}

interface Asked {
  /** The weight of words that mean it: itself, or words with this prefix, and its synonyms. */
  readonly like: ReadonlyMap<string, number>
  /** Inverse document frequency. */
  readonly rarity: number
}

function wordsLike(word: string, { sections, frequency }: SectionIndex): Asked {
  const same = frequency.has(word)
    ? [word]
    : [...frequency.keys()].filter((known) => word.length >= 3 && known.startsWith(word))
  const others = [...(synonyms().get(word) ?? [])].filter((one) => frequency.has(one))
  const known = same.length > 0 ? same : others
  const times = known.reduce((sum, one) => sum + (frequency.get(one) ?? 0), 0)
  return {
    like: new Map([
      ...others.map((one) => [one, SYNONYM_WEIGHT] as const),
      ...same.map((one) => [one, 1] as const),
    ]),
    rarity: Math.log(1 + sections.length / Math.max(1, times)),
  }
}

/** Sections that match more query words rank before sections that match one word often. */
function scoreOf({ name, weights }: Section, asked: readonly Asked[]): number {
  const found = asked.map(({ like }) =>
    Math.max(0, ...[...like].map(([word, factor]) => factor * (weights.get(word) ?? 0))),
  )
  const total = (valueOf: (weight: number) => number) =>
    asked.reduce((sum, { rarity }, at) => sum + rarity * valueOf(found[at] ?? 0), 0)
  const most = total(() => 1)
  const told = total((weight) => weight)
  const share = total((weight) => (weight > 0 ? 1 : 0)) / most
  const weight = REFERENCES.has(name) ? REFERENCE_WEIGHT : 1
  return asked.length === 0 ? 0 : (told / most) * share * weight
}
