/** Finds who may be the same person as one connection, without comparing the whole network. */

import { differentPairsOf, pairKeyOf } from '../matching/match-reviews.ts'
import { findPresent } from '../model/connection-store.ts'
import { findByKeys, withoutCrowded } from '../model/key-store.ts'
import { lookupKeysOf, MAX_HOLDERS } from '../model/match-keys.ts'
import { certaintyOf, decide } from './duplicate-groups.ts'
import { MIN_REVIEW_SCORE } from '../../identity/match-weights.ts'
import type { Connection } from '../model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

/**
 * The most likely duplicate of a connection among those with one of its emails, numbers or profiles, or with its name. Ignores people that the member marked as different.
 */
export async function findDuplicateOf(
  reader: MemberReader,
  connection: Connection,
): Promise<Connection | undefined> {
  const { connectionId } = connection
  const holders = withoutCrowded(await findByKeys(reader, lookupKeysOf(connection)))
  const ids = new Set(holders.map(({ connection_id }) => connection_id))
  ids.delete(connectionId)
  if (ids.size === 0) return undefined
  const present = await findPresent(reader, [...ids].slice(0, MAX_HOLDERS))
  const decided = new Set(
    (await differentPairsOf(reader, [connectionId])).map((pair) => pairKeyOf(...pair)),
  )
  const [best] = [...new Set(present.values())]
    .filter((other) => other.deletedAt === null && other.connectionId !== connectionId)
    .filter((other) => !decided.has(pairKeyOf(connectionId, other.connectionId)))
    .map((other) => {
      const decision = decide(connection, other)
      return { other, score: decision ? certaintyOf(decision) : 0 }
    })
    .filter(({ score }) => score >= MIN_REVIEW_SCORE)
    .sort((one, two) => two.score - one.score)
  return best?.other
}
