/** Completes a partial name to the names or IDs of connections. */

import { tokenize } from '../../base/tokenize.ts'
import { MAX_COMPLETIONS, type CompleteArgument } from '../../tools/completion.ts'
import { publicConnectionId, type Listed } from '../model/connection.ts'
import { searchConnections } from './search.ts'

export const completeName: CompleteArgument = async (db, typed) => {
  const people = await findNamed(db, typed)
  return [...new Set(people.map(({ name }) => name))]
}

/** Completes a name to an ID, because people do not remember IDs. */
export const completeConnectionId: CompleteArgument = async (db, typed) => {
  const people = await findNamed(db, typed)
  return people.map(({ connectionId }) => publicConnectionId(connectionId))
}

/** Keeps only matches in the name; the search also matches other fields. */
async function findNamed(
  db: Parameters<CompleteArgument>[0],
  typed: string,
): Promise<readonly Listed[]> {
  if (tokenize(typed).length === 0) return []
  const { connections, matches } = await searchConnections(db, { query: typed }, MAX_COMPLETIONS)
  return connections.filter((_, index) => matches[index]?.fields.includes('name'))
}
