/** Completes the name of somebody in the network, to the name or to their id. */

import { tokenize } from '../../base/tokenize.ts'
import { MAX_COMPLETIONS, type CompleteArgument } from '../../tools/completion.ts'
import { publicConnectionId, type Listed } from '../model/connection.ts'
import { searchConnections } from './search.ts'

export const completeName: CompleteArgument = async (db, typed) => {
  const people = await findNamed(db, typed)
  return [...new Set(people.map(({ name }) => name))]
}

/** Nobody knows an id by heart: what is typed is a name here too. */
export const completeConnectionId: CompleteArgument = async (db, typed) => {
  const people = await findNamed(db, typed)
  return people.map(({ connectionId }) => publicConnectionId(connectionId))
}

/** A search finds more than names, but those first. */
async function findNamed(
  db: Parameters<CompleteArgument>[0],
  typed: string,
): Promise<readonly Listed[]> {
  const typedWords = tokenize(typed)
  if (typedWords.length === 0) return []
  const { connections } = await searchConnections(db, { query: typed }, MAX_COMPLETIONS)
  return connections.filter(({ name }) => {
    const named = tokenize(name)
    return typedWords.every((word) => named.some((one) => one.startsWith(word)))
  })
}
