/** Completes a partial name to the names or IDs of connections. */

import { tokenize } from '../../base/tokenize.ts'
import { MAX_COMPLETIONS, type CompleteArgument } from '../../tools/completion.ts'
import { publicConnectionId, type Listed } from '../model/connection.ts'
import { isCompleteSoFar } from './show.ts'
import { searchConnections } from './search.ts'
import { withheldFields } from './filters/withheld-fields.ts'

export const completeName: CompleteArgument = async (db, typed, limits) => {
  const people = await findNamed(db, typed, limits)
  return [...new Set(people.map(({ name }) => name))]
}

/** Completes a name to an ID, because people do not remember IDs. */
export const completeConnectionId: CompleteArgument = async (db, typed, limits) => {
  const people = await findNamed(db, typed, limits)
  return people.map(({ connectionId }) => publicConnectionId(connectionId))
}

/** Only complete matches in the name: a completion cannot say that it is a guess. */
async function findNamed(
  ...[db, typed, limits]: Parameters<CompleteArgument>
): Promise<readonly Listed[]> {
  if (tokenize(typed).length === 0) return []
  const query = { query: typed, withheld: withheldFields(limits) }
  const { connections, matches } = await searchConnections(db, { query, limit: MAX_COMPLETIONS })
  return connections.filter((_, at) => {
    const match = matches[at]
    return match?.fields.includes('name') === true && isCompleteSoFar(match)
  })
}
