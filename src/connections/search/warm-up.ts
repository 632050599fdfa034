/**
 * Reads the dictionaries of questions and searches a small index of invented people, so that the first search of a process
 * does not wait for code that has not run yet. Of all this, only the dictionaries are kept.
 */

import { companyNames } from './questions/company-aliases.ts'
import { dateLists, wordLists } from './questions/phrases.ts'
import { INFLECTIONS, thesaurus } from './questions/thesaurus.ts'
import { givenNames } from '../../names/given-names.ts'
import { DEMO_PEOPLE, type DemoPerson } from '../demo/people.ts'
import { tagOf } from '../model/tag-store.ts'
import { documentAnalyzer } from './index/analyze-document.ts'
import { segmentBuilder } from './index/build-segment.ts'
import { FIELD_BITS } from './index/fields.ts'
import { MergedRanges } from './index/merged-postings.ts'
import type { Segment } from './index/segment.ts'
import { snippetFinder } from './index/snippet.ts'
import { answerFrom, parseConnectionQuery, SCRATCH, suggestionFor } from './answer-query.ts'
import { searchIndex } from './index/search-index.ts'
import { EMPTY_DOCUMENT, type SearchDocument } from './index/document.ts'
import type { SearchIndex } from './index/layout.ts'

type Pause = () => Promise<void>

/** Calls `pause` between steps, most of which take less than a millisecond. */
export async function warmUpSearch(now: number, pause: Pause): Promise<void> {
  for (const dictionary of [givenNames, thesaurus, wordLists, dateLists, companyNames])
    while (dictionary.advance()) await pause()
  for (const [ending] of INFLECTIONS)
    for (const word of WORDS) {
      ending.test(word)
      await pause()
    }
  mergeMany()
  const segment = await buildSegment(pause)
  const index = { segments: [{ segment, gone: undefined }], people: segment.ids.length }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const query of QUERIES) {
      await ask(index, { query, now }, pause)
      for (const letters of TYPED) await ask(index, { query: query.slice(0, letters) }, pause)
    }
}

/** V8 compiles a regular expression once for Latin-1 and once for other text. */
const WORDS = ['managers', 'Иван']
/** V8 optimizes what runs often. */
const ROUNDS = 4
/** Letters typed into a search field. */
const TYPED = [1, 3, 6]
const LIMIT = 8
const PEOPLE = 40

/** One of each kind that people ask. */
const QUERIES = [
  'Anna',
  'Anna Schmidt',
  'Müller',
  'Katherine Jonson',
  'Иван',
  'anna@example.org',
  '+49 30 1234567',
  'https://www.linkedin.com/in/anna-schmidt',
  'Acme Corporation',
  'product manager',
  'product managers in fintech in London',
  'who left Stripe',
  'investors who like climate',
  'founders in Berlin I have not spoken to since March',
  'people I met at Web Summit in 2024',
  'engineers without an email',
  'everyone in Europe except London',
  'birthdays next month',
  'xylophonist',
]

async function ask(
  index: SearchIndex,
  { query, now }: { readonly query: string; readonly now?: number },
  pause: Pause,
): Promise<void> {
  const plain = parseConnectionQuery({ query })
  await pause()
  if (!plain) return
  searchIndex(index, { ...plain, limit: LIMIT }, SCRATCH)
  await pause()
  const { asked, total } = answerFrom(index, { query: { query }, plain, now }, { limit: LIMIT })
  await pause()
  if (total === 0) suggestionFor(index, asked)
  await pause()
  snippetFinder(asked.words)(NOTE)
  await pause()
}

/** Postings are merged only in networks of thousands of people. */
function mergeMany(): void {
  const postings = Uint32Array.from({ length: MANY }, (_, person) => person << FIELD_BITS)
  new MergedRanges(postings, MANY).read({ start: 0, end: MANY, fields: 0xffff })
}

const MANY = 10_000

const NOTE = 'Met at Web Summit: product manager in London, knows Anna and Müller.'

/** Of some people. Before, each field of the first one is analyzed by itself, so that no step is long. */
async function buildSegment(pause: Pause): Promise<Segment> {
  const analyze = documentAnalyzer()
  const documents = DEMO_PEOPLE.slice(0, PEOPLE).map(documentOf)
  for (const [field, value] of Object.entries(documents[0] ?? {})) {
    analyze({ ...EMPTY_DOCUMENT, [field]: value })
    await pause()
  }
  const builder = segmentBuilder()
  for (const document of documents) {
    builder.add(analyze(document))
    await pause()
  }
  return builder.finish()
}

function documentOf(person: DemoPerson, index: number): SearchDocument {
  return {
    ...EMPTY_DOCUMENT,
    ...person,
    connectionId: index + 1,
    tags: person.tags.map(tagOf),
    notes: person.notes.map(({ text }) => text),
    contactDays: person.notes.map(({ on }) => on),
  }
}
