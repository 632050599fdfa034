/** The people that a call is about: named one by one, or all that a search finds. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { RequestError } from '../../base/request-error.ts'
import {
  candidatesJson,
  requireConnection,
  requireConnections,
  resolvePeople,
} from '../editing/require-connection.ts'
import { t } from '../../languages/message.ts'
import { idsOf, publicConnectionId, type Connection, type Listed } from '../model/connection.ts'
import { ConnectionSummary } from '../person/connection-schemas.ts'
import { MAX_PEOPLE } from '../person/people-argument.ts'
import { isCompleteMatch, partialMatchText, type SearchPage } from '../search/show.ts'
import { ask } from '../search/ask.ts'
import { indexAt } from '../search/index/network-index.ts'
import { searchConnections } from '../search/search.ts'
import { filterIndex } from '../../search/search-index.ts'
import { withheldFields } from '../search/filters/withheld-fields.ts'
import type { ReadCall } from '../../tools/tool.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Where } from './people-input.ts'

const { tags: _tags, ...CANDIDATE } = ConnectionSummary.properties

/** A person who was not found or not changed, and why. */
export const RejectedPerson = Type.Closed({
  given: Type.String({ description: 'As in the call' }),
  reason: Type.String(),
  candidates: Type.Optional(Type.Array(Type.Closed(CANDIDATE))),
})
export type RejectedPerson = Static<typeof RejectedPerson>

interface Selection {
  readonly people?: readonly string[] | undefined
  readonly where?: Where | undefined
}

interface Chosen {
  readonly people: readonly string[]
  /** Weaker matches of `where`, which a call does not take. */
  readonly rejected: readonly RejectedPerson[]
}

/**
 * The people of a call by ID, email or name.
 *
 * @throws {RequestError} `invalid_request` when the call has neither or both of `people` and `where`.
 * @throws {RequestError} `not_found` when the search finds no one.
 * @throws {RequestError} `conflict` when the search finds more people than one call may have.
 */
export async function selectPeople(
  call: SearchCall,
  { people, where }: Selection,
): Promise<Chosen> {
  if ((people === undefined) === (where === undefined))
    throw new RequestError(
      'invalid_request',
      'Provide either people or where, not both and not neither.',
      {
        errors: [
          people === undefined
            ? { pointer: '/people', detail: 'is required unless where is given' }
            : { pointer: '/where', detail: 'is not allowed with people' },
        ],
      },
    )
  return people ? { people, rejected: [] } : findAll(call, where ?? {})
}

type SearchCall = Pick<ReadCall, 'db' | 'caller' | 'now'>

/** Only complete matches, because weaker ones are guesses. */
async function findAll(
  { db, caller, now }: SearchCall,
  { query = '', ...filters }: Where,
): Promise<Chosen> {
  if (query.trim() === '' && Object.keys(filters).length === 0)
    throw new RequestError('invalid_request', 'where is empty. Provide a query or a filter.', {
      errors: [{ pointer: '/where', detail: 'needs a query or a filter' }],
    })
  const withheld = withheldFields(caller.limits)
  const asked = { query, ...filters, withheld, isWholeWord: true }
  const search = (isWhole: boolean) =>
    searchConnections(db, {
      query: { ...asked, isWhole },
      limit: MAX_PEOPLE,
      now,
      timeZone: caller.timeZone,
    })
  const page = await search(true)
  const complete = page.connections.filter((_, at) => isCompleteMatch(page.matches[at]))
  const words = [filters.company, filters.title, filters.location]
    .filter((word) => word !== undefined)
    .join(', ')
  const rejected = leftOut(words === '' ? page : await search(false), complete, words)
  if (complete.length === 0)
    throw new RequestError('not_found', 'No one matches where. No changes were made.', {
      hint: 'Find people with search_connections and name them in people.',
      ...(rejected.length > 0 && { members: { rejected } }),
    })
  if (page.complete > MAX_PEOPLE)
    throw new RequestError(
      'conflict',
      `where matches ${page.complete} people. One call can take ${MAX_PEOPLE}. No changes were made.`,
      { hint: 'Add a filter, or name people, up to 100 per call.' },
    )
  const people = complete.map(({ connectionId }) => publicConnectionId(connectionId))
  return { people, rejected }
}

/** IDs of everyone who passes these filters with whole words, ascending. */
export async function findAllWith(
  { db, network }: Pick<ReadCall, 'db' | 'network'>,
  filters: Pick<Where, 'location' | 'tag'>,
): Promise<number[]> {
  const asked = ask({ query: '', ...filters, isWhole: true })
  if (!asked) return []
  const found = filterIndex(await indexAt(db, network), asked.filters)
  return [...found].toSorted((one, other) => one - other)
}

/** Weaker matches that an answer names. */
const MAX_LEFT_OUT = 10

/** People of a page who are not among the complete matches of `where`. */
function leftOut(
  { connections, matches, total }: SearchPage,
  complete: readonly Listed[],
  words: string,
): RejectedPerson[] {
  const taken = new Set(idsOf(complete))
  const weaker = connections.flatMap((one, at) => {
    const { connectionId, name } = one
    if (taken.has(connectionId)) return []
    const match = matches[at]
    const reason =
      (match && partialMatchText(match)) ?? t('a longer word than {word}', { word: words })
    return [{ given: name, reason: `is only a weaker match: ${reason}` }]
  })
  const shown = weaker.slice(0, MAX_LEFT_OUT)
  const more = total - complete.length - shown.length
  const rest = { given: 'where', reason: `has ${more} more weaker matches` }
  return more > 0 ? [...shown, rest] : shown
}

interface Selected {
  readonly connections: readonly Connection[]
  readonly rejected: readonly RejectedPerson[]
}

/**
 * The live connections of these people, and the people that were not found.
 *
 * @throws {RequestError} `not_found` or `ambiguous_person` when no one was found.
 */
export async function findSelected(
  reader: MemberReader,
  people: readonly string[],
): Promise<Selected> {
  const [only, ...others] = people
  if (only !== undefined && others.length === 0 && !only.includes(','))
    return { connections: [await requireConnection(reader, only)], rejected: [] }
  const resolved = await resolvePeople(reader, people)
  const connections = resolved.flatMap(({ connection }) => connection ?? [])
  if (connections.length === 0)
    return { connections: await requireConnections(reader, people), rejected: [] }
  const rejected = resolved.flatMap(
    ({ given, connection, deleted, candidates }): RejectedPerson[] => {
      if (connection) return []
      if (candidates)
        return [
          { given, reason: 'matches more than one person', candidates: candidatesJson(candidates) },
        ]
      return [{ given, reason: deleted ? 'is deleted' : 'is not in this network' }]
    },
  )
  return { connections, rejected }
}
