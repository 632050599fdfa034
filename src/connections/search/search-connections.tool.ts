/** search_connections: finds connections by words, meaning and filters. */

import { PAIRS_KEYWORD, PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import * as Type from '../../base/type.ts'
import { hasCode } from '../../base/request-error.ts'
import { CURSOR, pageLimit } from '../../tools/result-json.ts'
import { defineReadTool, type ReadCall, type Tool } from '../../tools/tool.ts'
import { CalendarDay } from '../../tools/arguments/calendar-day.ts'
import { requireDay } from '../../contact-files/contact/calendar-day.ts'
import { readAskedFields, readNamedFields } from './asked-fields.ts'
import { ContactArguments, contactFilterOf } from './contact-arguments.ts'
import { countJobChanges, listConnections } from './connection-lists.ts'
import { PageOfMatches, pageOfConnections, pageOfMatches } from './connection-page.ts'
import { readJobChangeQuestion } from './job-change-question.ts'
import { MAX_QUERY_LENGTH, textFilter } from './query-limits.ts'
import { searchInMode, type SearchPage } from './search.ts'
import { partialMatchText } from './search-matches.ts'
import { assertMayCompare, withheldFields } from './withheld-fields.ts'
import type { DateContext } from '../../base/date-text.ts'
import type { Caller } from '../../http/caller.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import type { ConnectionQuery } from './answer-query.ts'

const MAX_CONDITIONS = 20
const MAX_CONDITION_LENGTH = 1000 // characters

const Input = Type.Closed({
  query: Type.String({
    maxLength: MAX_QUERY_LENGTH,
    description: 'Words or a question; can be empty with a filter',
    examples: ['designer in Berlin'],
  }),
  limit: pageLimit(),
  cursor: Type.Optional(CURSOR),
  company: Type.Optional(textFilter('Words in the company', 'Acme')),
  title: Type.Optional(textFilter('Words in the job title', 'designer')),
  location: Type.Optional(textFilter('Words in the location', 'Berlin')),
  tag: Type.Optional(textFilter('Exact tag', 'investor')),
  connected_after: Type.Optional({
    ...CalendarDay('Date, inclusive', 'latest-first'),
    [PLAIN_KEYWORD]: true,
  }),
  ...ContactArguments,
  sort: Type.Optional(
    Type.Enum(['relevance', 'last_contact', 'due'], {
      type: 'string',
      description: 'Default relevance; the others earliest first',
      [PLAIN_KEYWORD]: true,
    }),
  ),
  custom: Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_CONDITION_LENGTH }), {
      maxItems: MAX_CONDITIONS,
      description: 'Custom fields: Tier=Gold, Score>=5; Tier=* for any value',
      examples: [['Tier=Gold']],
      [PAIRS_KEYWORD]: true,
    }),
  ),
  mode: Type.Optional(
    Type.Enum(['auto', 'keyword', 'semantic'], {
      type: 'string',
      default: 'auto',
      description: 'Default auto',
      [PLAIN_KEYWORD]: true,
    }),
  ),
})

export interface SearchToolDeps {
  readonly embedder: Embedder
}

export function searchConnectionsTool({ embedder }: SearchToolDeps): Tool {
  return defineReadTool({
    name: 'search_connections',
    title: 'Search connections',
    description:
      'Find contacts or look for someone ("who do I know at Siemens", "investors in Berlin", "Ben\'s phone ' +
      'number") by words in any field, tag or note, typos included, or by meaning ("who could help ' +
      'with fundraising"). Returns short entries; get_connections has all details.',
    credits: 1,
    input: Input,
    output: Type.Closed({
      ...PageOfMatches.properties,
      mode: Type.Enum(['keyword', 'semantic', 'combined'], {
        type: 'string',
        description: 'Search mode used',
      }),
      without_meaning: Type.Optional(
        Type.Boolean({ description: 'Only words: meaning is being prepared; try again' }),
      ),
    }),
    run: (call, input) => runSearch(call, input, embedder),
  })
}

async function runSearch(
  { db, now, signal, network, caller }: ReadCall,
  input: SearchInput & PageInput,
  embedder: Embedder,
) {
  const { mode = 'auto', limit = 20, cursor } = input
  const query = { ...queryOf(input), ...searchedBy(caller, input) }
  const period = jobChangePeriod(input, { timeZone: caller.timeZone, now })
  if (period) return answerJobChanges(db, { ...period, tag: input.tag }, { limit, cursor })
  return answer(db, { query, mode, limit, cursor }, { embedder, now, signal, network })
}

interface PageInput {
  readonly mode?: 'auto' | 'keyword' | 'semantic'
  readonly limit?: number
  readonly cursor?: string
}

type Search = Parameters<typeof searchInMode>

async function answer(...[db, search, deps]: Search): Promise<SearchAnswer> {
  const asked = readAskedFields(search.query.query)
  const found = asked && (await searchPerson(db, search, asked.person, deps))
  if (asked && found) return { ...(await pageOfMatches(db, found, asked)), ...modeOf(found) }
  const page = await searchInMode(db, search, deps)
  const withDate = search.query.connectedAfter !== undefined
  const fields = readNamedFields(search.query.query)
  const shown = await pageOfMatches(db, page, { withDate, fields })
  return { ...shown, ...modeOf(page) }
}

type SearchAnswer = PageOfMatches & { mode: SearchPage['mode']; without_meaning?: boolean }

function modeOf({ mode, isWithoutMeaning }: SearchPage) {
  return { mode, ...(isWithoutMeaning && { without_meaning: true }) }
}

/** Only with a tag, because other filters are for the search index. */
function jobChangePeriod(input: SearchInput & PageInput, context: DateContext) {
  const { query, tag: _tag, mode: _mode, limit: _limit, cursor: _cursor, ...filters } = input
  return Object.keys(filters).length > 0 ? undefined : readJobChangeQuestion(query, context)
}

interface JobChangeQuery {
  readonly since: string
  readonly until?: string
  readonly tag?: string | undefined
}

async function answerJobChanges(
  db: ReadCall['db'],
  { tag, ...period }: JobChangeQuery,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<SearchAnswer> {
  const query = { ...period, ...(tag !== undefined && { tag }) }
  const page = await listConnections(db, { sort: 'job_change', ...query }, limit, cursor)
  const shown = await pageOfConnections(db, page, { withFormer: true })
  return { ...shown, total: await countJobChanges(db, query), mode: 'keyword' }
}

/** The people of a question for a field; undefined if no person has the whole name, or the cursor belongs to another search. */
async function searchPerson(
  db: Search[0],
  search: Search[1],
  person: string,
  deps: Search[2],
): Promise<SearchPage | undefined> {
  try {
    const named = { ...search, query: { ...search.query, query: person } }
    const page = await searchInMode(db, named, deps)
    const [best] = page.matches
    return best && partialMatchText(best) === undefined ? page : undefined
  } catch (error) {
    if (search.cursor !== undefined && hasCode(error, 'invalid_request')) return undefined
    throw error
  }
}

/** @throws {RequestError} `forbidden` when a condition would tell a value that the agent may not read. */
function searchedBy({ limits }: Pick<Caller, 'limits'>, { custom }: SearchInput) {
  assertMayCompare(limits, custom)
  const withheld = withheldFields(limits)
  return withheld === undefined ? {} : { withheld }
}

interface SearchInput {
  readonly query: string
  readonly company?: string
  readonly title?: string
  readonly location?: string
  readonly tag?: string
  readonly connected_after?: string
  readonly custom?: readonly string[]
  readonly last_contact_before?: string
  readonly due_by?: string
  readonly sort?: 'relevance' | 'last_contact' | 'due'
}

function queryOf(input: SearchInput): ConnectionQuery {
  const { query, company, title, location, tag, custom } = input
  const { connected_after: connectedAfter, last_contact_before, due_by, sort = 'relevance' } = input
  const isByContact =
    sort !== 'relevance' || last_contact_before !== undefined || due_by !== undefined
  return {
    query,
    ...(company !== undefined && { company }),
    ...(title !== undefined && { title }),
    ...(location !== undefined && { location }),
    ...(tag !== undefined && { tag }),
    ...(custom !== undefined && custom.length > 0 && { custom }),
    ...(connectedAfter !== undefined && {
      connectedAfter: requireDay(connectedAfter, 'connected_after'),
    }),
    ...(isByContact && {
      contact: { ...contactFilterOf(input), ...(sort !== 'relevance' && { sort }) },
    }),
  }
}
