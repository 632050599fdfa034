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
import { publicConnectionId, type Connection } from '../model/connection.ts'
import { ConnectionSummary, MAX_PEOPLE } from '../model/schemas.ts'
import { partialMatchText } from '../search/search-matches.ts'
import { searchConnections } from '../search/search.ts'
import { withheldFields } from '../search/withheld-fields.ts'
import type { ReadCall } from '../../tools/tool.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Where } from './people-input.ts'

const { tags: _tags, ...CANDIDATE } = ConnectionSummary.properties

/** A person who was not found or not changed, and why. */
export const Rejected = Type.Closed({
  given: Type.String({ description: 'As in the call' }),
  reason: Type.String(),
  candidates: Type.Optional(Type.Array(Type.Closed(CANDIDATE))),
})
export type Rejected = Static<typeof Rejected>

interface Selection {
  readonly people?: readonly string[] | undefined
  readonly where?: Where | undefined
}

/**
 * The people of a call by ID, email or name.
 *
 * @throws {RequestError} `invalid_request` when the call has neither or both of `people` and `where`.
 * @throws {RequestError} `not_found` when the search finds no one.
 * @throws {RequestError} `conflict` when the search finds more people than one call may have.
 */
export async function selectPeople(
  call: Pick<ReadCall, 'db' | 'caller'>,
  { people, where }: Selection,
): Promise<readonly string[]> {
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
  return people ?? (await findAll(call, where ?? {}))
}

/** Only people who match all words, because partial matches are suggestions. */
async function findAll(
  { db, caller }: Pick<ReadCall, 'db' | 'caller'>,
  { query = '', ...filters }: Where,
): Promise<string[]> {
  if (query.trim() === '' && Object.keys(filters).length === 0)
    throw new RequestError('invalid_request', 'where is empty. Provide a query or a filter.', {
      errors: [{ pointer: '/where', detail: 'needs a query or a filter' }],
    })
  const asked = { query, ...filters, withheld: withheldFields(caller.limits) }
  const page = await searchConnections(db, asked, MAX_PEOPLE)
  const whole = page.connections.filter((_, at) => {
    const match = page.matches[at]
    return !match || partialMatchText(match) === undefined
  })
  if (whole.length === 0)
    throw new RequestError('not_found', 'No one matches where. No changes were made.', {
      hint: 'Find people with search_connections and name them in people.',
    })
  if (page.hasMore && whole.length === page.connections.length)
    throw new RequestError(
      'conflict',
      `where matches ${page.total} people. One call can take ${MAX_PEOPLE}. No changes were made.`,
      { hint: 'Add a filter, or name people, up to 100 per call.' },
    )
  return whole.map(({ connectionId }) => publicConnectionId(connectionId))
}

interface Selected {
  readonly connections: readonly Connection[]
  readonly rejected: readonly Rejected[]
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
  const rejected = resolved.flatMap(({ given, connection, deleted, candidates }): Rejected[] => {
    if (connection) return []
    if (candidates)
      return [
        { given, reason: 'matches more than one person', candidates: candidatesJson(candidates) },
      ]
    return [{ given, reason: deleted ? 'is deleted' : 'is not in this network' }]
  })
  return { connections, rejected }
}
