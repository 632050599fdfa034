/** search_connections: finds connections by words, meaning and filters, and lists all of them in an order. */

import { PAIRS_KEYWORD, PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import * as Type from '../../base/type.ts'
import { hasCode, RequestError } from '../../base/request-error.ts'
import { CURSOR, DEFAULT_PAGE_SIZE, pageLimit } from '../../tools/result-pages.ts'
import { defineReadTool, type ReadCall, type Tool } from '../../tools/tool.ts'
import { CalendarDay } from '../../tools/arguments/date-argument.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import {
  personAsTyped,
  readAskedFields,
  readNamedFields,
  type AskedFields,
} from './questions/asked-fields.ts'
import {
  ContactArguments,
  contactFilterOf,
  type ContactFilter,
} from './filters/contact-arguments.ts'
import { countJobChanges, listConnections } from './connection-lists.ts'
import { PageOfMatches, pageOfConnections, pageOfMatches } from './connection-page.ts'
import { browseConnections, browseView } from '../people/browse-connections.ts'
import { MAX_VIEW_NAME_LENGTH } from '../people/saved-views.ts'
import { readJobChangeQuestion } from '../people/job-change-question.ts'
import { MAX_QUERY_LENGTH, textFilter } from './query-lengths.ts'
import { searchConnections } from './search.ts'
import type { SearchPage } from './show.ts'
import { assertMayCompare, withheldFields } from './filters/withheld-fields.ts'
import type { DateContext } from '../../dates/read-date.ts'
import type { Caller } from '../../http/caller.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import type { ConnectionQuery } from './ask.ts'

const MAX_CONDITIONS = 20
const MAX_CONDITION_LENGTH = 1000 // characters

/** Default relevance, or name without a query. */
const SORTS = ['relevance', 'name', 'recent', 'added', 'last_contact', 'due'] as const

const Input = Type.Closed({
  query: Type.Optional(
    Type.String({
      maxLength: MAX_QUERY_LENGTH,
      description: 'Words or a question; without one, all are listed',
      examples: ['designer in Berlin'],
    }),
  ),
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
    Type.Enum([...SORTS], {
      type: 'string',
      description: 'recent: newest met; last_contact: longest ago',
    }),
  ),
  view: Type.Optional({
    ...textFilter('Saved list, alone', 'No email'),
    maxLength: MAX_VIEW_NAME_LENGTH,
  }),
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

type SearchInput = Type.Static<typeof Input>

export interface SearchToolDeps {
  readonly embedder: Embedder
}

export function searchConnectionsTool({ embedder }: SearchToolDeps): Tool {
  return defineReadTool({
    name: 'search_connections',
    title: 'Find or list people',
    description:
      'Find contacts, people I know, by words in any field or note, or list all or the newest: "who do I know at ' +
      'Bosch", "people I met in Berlin", "Ben\'s email address", "who could help with fundraising". Sorts all my ' +
      'contacts by name (alphabetically), most recently met or added, last contact; who changed jobs; saved views. ' +
      'Returns short entries; for everything about someone use get_connections.',
    credits: 1,
    input: Input,
    output: Type.Closed({
      ...PageOfMatches.properties,
      total: Type.Optional(PageOfMatches.properties.total),
      mode: Type.Optional(
        Type.Enum(['keyword', 'semantic', 'combined'], {
          type: 'string',
          description: 'Search mode used',
        }),
      ),
      without_meaning: Type.Optional(
        Type.Boolean({ description: 'Only words: meaning is being prepared; try again' }),
      ),
    }),
    run: (call, input) => runSearch(call, input, embedder),
  })
}

async function runSearch(call: ReadCall, input: SearchInput, embedder: Embedder) {
  const { db, now, signal, network, caller } = call
  const { mode = 'auto', limit = DEFAULT_PAGE_SIZE, cursor, view } = input
  if (view !== undefined) {
    assertAlone(input)
    return browseView(call, view, { limit, cursor })
  }
  if (isBrowsed(input)) return browseConnections(db, input, { limit, cursor })
  const query = { ...queryOf(input), ...searchedBy(caller, input) }
  const period = jobChangePeriod(input, { timeZone: caller.timeZone, now })
  if (period) return answerJobChanges(db, { ...period, tag: input.tag }, { limit, cursor })
  return answer(
    db,
    { query, mode, limit, cursor },
    { embedder, now, timeZone: caller.timeZone, signal, network },
  )
}

/** @throws {RequestError} `invalid_request` when other arguments select people too. */
function assertAlone({
  view: _view,
  limit: _limit,
  cursor: _cursor,
  ...others
}: SearchInput): void {
  if (Object.keys(others).length === 0) return
  throw new RequestError(
    'invalid_request',
    'view can only be combined with limit and cursor. Keep only these.',
    { errors: [{ pointer: '/view', detail: 'must be alone' }] },
  )
}

/** True if the search index is not needed: nothing but an order, a tag and dates is given. */
function isBrowsed({ query = '', ...input }: SearchInput): boolean {
  const { company, title, location, custom, connected_after } = input
  const filters = [company, title, location, custom, connected_after]
  return query.trim() === '' && filters.every((filter) => filter === undefined)
}

type Search = Parameters<typeof searchConnections>

async function answer(...[db, search, deps]: Search): Promise<SearchAnswer> {
  const asked = readAskedFields(search.query.query)
  const found = asked && (await searchPerson(db, search, asked, deps))
  if (asked && found) return { ...(await pageOfMatches(db, found, asked)), ...modeOf(found) }
  const page = await searchConnections(db, search, deps)
  const { query, connectedAfter, contact } = search.query
  const withDate = connectedAfter !== undefined || contact?.sort === 'recent'
  const withFormer = contact?.changedJobsSince !== undefined
  const fields = readNamedFields(query)
  const shown = await pageOfMatches(db, page, { withDate, withFormer, fields })
  return { ...shown, ...modeOf(page) }
}

type SearchAnswer = PageOfMatches & { mode: SearchPage['mode']; without_meaning?: boolean }

function modeOf({ mode, isWithoutMeaning }: SearchPage) {
  return { mode, ...(isWithoutMeaning && { without_meaning: true }) }
}

/** Only with a tag, because other filters are for the search index. */
function jobChangePeriod(input: SearchInput, context: DateContext) {
  const { query = '', tag: _tag, mode: _mode, limit: _limit, cursor: _cursor, ...filters } = input
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

/** Answers a question for a field of a person. Undefined if it names no person, or the cursor belongs to another search. */
async function searchPerson(
  db: Search[0],
  search: Search[1],
  asked: AskedFields,
  deps: Search[2],
): Promise<SearchPage | undefined> {
  try {
    const person = { query: personAsTyped(asked, search.query.query), isPerson: true }
    const page = await searchConnections(
      db,
      { ...search, query: { ...search.query, ...person } },
      deps,
    )
    return page.complete > 0 || page.unknown !== undefined ? page : undefined
  } catch (error) {
    if (search.cursor !== undefined && hasCode(error, 'invalid_request')) return undefined
    throw error
  }
}

/** @throws {RequestError} `forbidden` when a condition would tell a value that the agent may not read. */
function searchedBy({ limits }: Pick<Caller, 'limits'>, { custom }: SearchInput) {
  assertMayCompare(limits, custom)
  return { withheld: withheldFields(limits) }
}

function queryOf(input: SearchInput): ConnectionQuery {
  const { query = '', company, title, location, tag, custom = [], connected_after: after } = input
  return {
    query,
    company,
    title,
    location,
    tag,
    custom: custom.length > 0 ? custom : undefined,
    connectedAfter: after === undefined ? undefined : requireDay(after, 'connected_after'),
    contact: contactOf(input),
  }
}

/** Undefined if the call neither sorts people nor filters them by a date that the search index does not have. */
function contactOf(input: SearchInput): ContactFilter | undefined {
  const { sort = 'relevance', changed_jobs_since: since } = input
  const order = sort === 'relevance' && since !== undefined ? 'job_change' : sort
  const contact: ContactFilter = {
    ...contactFilterOf(input),
    ...(since !== undefined && { changedJobsSince: requireDay(since, 'changed_jobs_since') }),
    ...(order !== 'relevance' && { sort: order }),
  }
  return Object.keys(contact).length === 0 ? undefined : contact
}
