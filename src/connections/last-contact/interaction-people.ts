/** Which people an interaction was with: the table `interaction_people`. Callers refresh the contact times of the people. */

import { listsBy } from '../../base/lists-by.ts'
import { memberStatement } from '../../db/statement.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

interface InteractionPerson {
  readonly connectionId: number
  readonly interactionId: number
}

/** The interactions of these connections, including deleted ones. */
export async function interactionsWith(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = ids.length === 0 ? [] : await reader.all(BY_CONNECTION, { ids })
  return listsBy(rows.map((row) => [row.connectionId, row.interactionId]))
}

/** The connections of each of these interactions, in ascending order. */
export async function peopleIn(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = ids.length === 0 ? [] : await reader.all(BY_INTERACTION, { ids })
  return listsBy(rows.map((row) => [row.interactionId, row.connectionId]))
}

export interface InteractionsOf {
  readonly connectionId: number
  readonly interactions: readonly number[]
}

/** Adds connections to interactions. Ignores those that were permanently deleted or have them already. */
export async function addToInteractions(
  tx: MemberTransaction,
  people: readonly InteractionsOf[],
): Promise<void> {
  const ids = [...new Set(people.flatMap(({ interactions }) => interactions))]
  if (ids.length === 0) return
  const rows = new Map((await tx.all(TIMES, { ids })).map((row) => [row.interaction_id, row]))
  await tx.insertMany({
    table: 'interaction_people',
    columns: ['connection_id', 'local_at', 'interaction_id', 'deleted_at'],
    rows: people.flatMap(({ connectionId, interactions }) =>
      interactions.flatMap((id) => {
        const row = rows.get(id)
        return row ? [[connectionId, row.local_at, id, row.deleted_at]] : []
      }),
    ),
    onConflict: 'ignore',
  })
}

/** Removes connections from interactions, which keep their other people. */
export async function removeFromInteractions(
  tx: MemberTransaction,
  people: readonly InteractionsOf[],
): Promise<void> {
  const removed = new Map(
    people.map(({ connectionId, interactions }) => [connectionId, new Set(interactions)]),
  )
  const ids = [...new Set(people.flatMap(({ interactions }) => interactions))]
  if (ids.length === 0) return
  const kept = new Map<number, number[]>()
  for (const [id, there] of await peopleIn(tx, ids))
    for (const one of there)
      if (removed.get(one)?.has(id) === false) kept.set(one, [...(kept.get(one) ?? []), id])
  await tx.run(REMOVE, { people: [...removed.keys()], ids })
  // Some of these people take part in an interaction of another one that stays theirs.
  await addToInteractions(
    tx,
    [...kept].map(([connectionId, interactions]) => ({ connectionId, interactions })),
  )
}

/** By primary key. */
const BY_CONNECTION = memberStatement<{ ids: readonly number[] }, InteractionPerson>()(`
  select p.connection_id as "connectionId", p.interaction_id as "interactionId"
  from interaction_people p each (connection_id = :ids...bigint)
  where p.member_id = :member_id order by p.connection_id, p.interaction_id`)

/** By index interaction_people_by_interaction. */
const BY_INTERACTION = memberStatement<{ ids: readonly number[] }, InteractionPerson>()(`
  select p.connection_id as "connectionId", p.interaction_id as "interactionId"
  from interaction_people p each (interaction_id = :ids...bigint)
  where p.member_id = :member_id order by p.interaction_id, p.connection_id`)

/** By primary key. */
const TIMES = memberStatement<
  { ids: readonly number[] },
  { interaction_id: number; local_at: number; deleted_at: number | null }
>()(`
  select interaction_id, local_at, deleted_at from interactions i each (interaction_id = :ids...bigint)
  where i.member_id = :member_id`)

const REMOVE = memberStatement<{ people: readonly number[]; ids: readonly number[] }>()(`
  delete from interaction_people
  where member_id = :member_id and interaction_id in (:ids...bigint) and connection_id in (:people...bigint)`)
