/** Interactions from contact files, of many people at once: adding them, and undoing and redoing that. */

import { idsOf } from '../model/connection.ts'
import { DAY } from '../../base/clock.ts'
import { memberStatement } from '../../db/statement.ts'
import {
  insertContactTimes,
  localNowOf,
  refreshContactTimes,
} from '../last-contact/contact-times.ts'
import {
  addToInteractions,
  removeFromInteractions,
  type InteractionsOf,
} from '../last-contact/interaction-people.ts'
import { recordDeletion } from '../model/record-deletion.ts'
import { findBySourceKeys, insertInteractions, type InteractionDraft } from './interaction-store.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** What makes two interactions of a person the same. */
export type InteractionContent = Pick<InteractionDraft, 'localAt' | 'kind' | 'subject' | 'text'>

/** The interactions of each of these connections, including deleted ones. An import does not add these again. */
export async function interactionContents(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, (InteractionContent & { readonly connectionId: number })[]>> {
  if (ids.length === 0) return new Map()
  return Map.groupBy(await reader.all(CONTENTS, { ids }), ({ connectionId }) => connectionId)
}

/** An interaction that has no number and no people yet. */
export type NewInteraction = Omit<InteractionDraft, 'people'>

interface PersonInteractions {
  readonly connectionId: number
  /** Whether the import has just added the connection. */
  readonly isNew: boolean
  readonly interactions: readonly NewInteraction[]
}

/**
 * Adds them. Equal `sourceKey`s are one interaction of several people. Returns the numbers of the
 * interactions of each connection, in their order. The caller records the search changes.
 */
export async function addImportedInteractions(
  tx: MemberTransaction,
  people: readonly PersonInteractions[],
  now: number,
): Promise<Map<number, number[]>> {
  const some = people.filter(({ interactions }) => interactions.length > 0)
  const numbers = new Map<number, number[]>(some.map(({ connectionId }) => [connectionId, []]))
  if (some.length === 0) return numbers
  const known = await knownByKey(tx, some)
  const drafts: InteractionDraft[] = []
  const joined: InteractionsOf[] = []
  const drafted = new Map<string, { readonly people: number[]; readonly at: number }>()
  const positions: [connectionId: number, draft: number][] = []
  for (const { connectionId, interactions } of some)
    for (const one of interactions) {
      const stored = one.sourceKey === null ? undefined : known.get(one.sourceKey)
      const others = one.sourceKey === null ? undefined : drafted.get(one.sourceKey)
      if (stored !== undefined) {
        joined.push({ connectionId, interactions: [stored] })
        numbers.get(connectionId)?.push(stored)
        continue
      }
      if (others) others.people.push(connectionId)
      else {
        const its = [connectionId]
        if (one.sourceKey !== null) drafted.set(one.sourceKey, { people: its, at: drafts.length })
        drafts.push({ ...one, people: its })
      }
      positions.push([connectionId, others?.at ?? drafts.length - 1])
    }
  await addToInteractions(tx, joined)
  const added = await insertInteractions(tx, drafts, now)
  for (const [connectionId, at] of positions) {
    const number = added[at]?.interactionId
    if (number !== undefined) numbers.get(connectionId)?.push(number)
  }
  await deriveTimes(tx, some, now)
  return numbers
}

async function knownByKey(
  tx: MemberTransaction,
  people: readonly PersonInteractions[],
): Promise<Map<string, number>> {
  const keys = people.flatMap(({ interactions }) =>
    interactions.flatMap(({ sourceKey }) => sourceKey ?? []),
  )
  const found = await findBySourceKeys(tx, 'import', keys)
  return new Map(found.map(({ sourceKey, interactionId }) => [sourceKey ?? '', interactionId]))
}

/** New people have no other interactions, so only planned ones have to be read. */
async function deriveTimes(
  tx: MemberTransaction,
  people: readonly PersonInteractions[],
  now: number,
): Promise<void> {
  const localNow = await localNowOf(tx, now)
  const isPlain = ({ isNew, interactions }: PersonInteractions) =>
    isNew && interactions.every(({ localAt }) => localAt <= localNow)
  const { plain = [], others = [] } = Object.groupBy(people, (one) =>
    isPlain(one) ? 'plain' : 'others',
  )
  await insertContactTimes(
    tx,
    new Map(
      plain.map(({ connectionId, interactions }) => [
        connectionId,
        interactions.map(({ localAt }) => Math.floor(localAt / DAY)),
      ]),
    ),
    localNow,
  )
  await refreshContactTimes(tx, idsOf(others), localNow)
}

/** Takes them from people, as if the import had not brought them, or gives them back. */
export async function moveImportedInteractions(
  tx: MemberTransaction,
  people: readonly InteractionsOf[],
  { isUndo, now }: { readonly isUndo: boolean; readonly now: number },
): Promise<void> {
  const some = people.filter(({ interactions }) => interactions.length > 0)
  if (some.length === 0) return
  await (isUndo ? removeFromInteractions : addToInteractions)(tx, some)
  if (isUndo) await recordDeletion(tx, now)
  await refreshContactTimes(tx, idsOf(some), await localNowOf(tx, now))
}

/** The connections among these with an interaction that the member typed. */
export async function withTypedInteractions(
  reader: MemberReader,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return []
  return (await reader.all(TYPED, { ids })).map(({ connection_id }) => connection_id)
}

/** By primary keys. */
const CONTENTS = memberStatement<
  { ids: readonly number[] },
  InteractionContent & { readonly connectionId: number }
>()(`
  select p.connection_id as "connectionId", i.local_at as "localAt", i.kind, i.subject, i.text
  from interaction_people p each (connection_id = :ids...bigint)
  join interactions i on i.member_id = :member_id and i.interaction_id = p.interaction_id
  where p.member_id = :member_id`)

/** By primary keys. */
const TYPED = memberStatement<{ ids: readonly number[] }, { connection_id: number }>()(`
  select distinct p.connection_id from interaction_people p each (connection_id = :ids...bigint)
  join interactions i on i.member_id = :member_id and i.interaction_id = p.interaction_id
  where p.member_id = :member_id and i.source = 'typed' and i.deleted_at is null`)
