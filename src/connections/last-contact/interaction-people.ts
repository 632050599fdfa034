/** Which people an interaction was with: the table `interaction_people`. Callers refresh the contact times of the people. */

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
  const found = new Map<number, number[]>()
  if (ids.length === 0) return found
  for (const { connectionId, interactionId } of await reader.all(BY_CONNECTION, { ids })) {
    const there = found.get(connectionId)
    if (there) there.push(interactionId)
    else found.set(connectionId, [interactionId])
  }
  return found
}

/** The connections of each of these interactions, in ascending order. */
export async function peopleIn(
  reader: MemberReader,
  interactionIds: readonly number[],
): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>()
  if (interactionIds.length === 0) return found
  for (const { connectionId, interactionId } of await reader.all(BY_INTERACTION, {
    ids: interactionIds,
  })) {
    const there = found.get(interactionId)
    if (there) there.push(connectionId)
    else found.set(interactionId, [connectionId])
  }
  return found
}

/** Adds a connection to interactions. Ignores those that were permanently deleted or have it already. */
export async function addToInteractions(
  tx: MemberTransaction,
  connection_id: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length > 0) await tx.run(ADD, { connection_id, ids })
}

/** Removes a connection from interactions, which keep their other people. */
export async function removeFromInteractions(
  tx: MemberTransaction,
  connection_id: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length > 0) await tx.run(REMOVE, { connection_id, ids })
}

export interface InteractionsOf {
  readonly connectionId: number
  readonly interactions: readonly number[]
}

/** Does the same as `addToInteractions` for many connections, with two statements. */
export async function addAllToInteractions(
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

/** As `removeFromInteractions`, for many connections with a few statements. */
export async function removeAllFromInteractions(
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
  await tx.run(REMOVE_ALL, { people: [...removed.keys()], ids })
  // Some of these people take part in an interaction of another one that stays theirs.
  await addAllToInteractions(
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

const ADD = memberStatement<{ connection_id: number; ids: readonly number[] }>()(`
  insert into interaction_people (member_id, connection_id, local_at, interaction_id, deleted_at)
  select member_id, cast(:connection_id as bigint), local_at, interaction_id, deleted_at from interactions
  where member_id = :member_id and interaction_id in (:ids...bigint)
  on conflict do nothing`)

const REMOVE = memberStatement<{ connection_id: number; ids: readonly number[] }>()(`
  delete from interaction_people
  where member_id = :member_id and connection_id = :connection_id and interaction_id in (:ids...bigint)`)

/** By primary key. */
const TIMES = memberStatement<
  { ids: readonly number[] },
  { interaction_id: number; local_at: number; deleted_at: number | null }
>()(`
  select interaction_id, local_at, deleted_at from interactions i each (interaction_id = :ids...bigint)
  where i.member_id = :member_id`)

const REMOVE_ALL = memberStatement<{ people: readonly number[]; ids: readonly number[] }>()(`
  delete from interaction_people
  where member_id = :member_id and interaction_id in (:ids...bigint) and connection_id in (:people...bigint)`)
