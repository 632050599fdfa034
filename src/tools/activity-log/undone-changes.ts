/** Which changes are undone: undos form chains, because an undo can be undone. */

import { memberStatement } from '../../db/statement.ts'
import type { MemberReader } from '../../db/database.ts'

/**
 * The changes that are currently undone, including undos, each with the latest undo of its chain. Each undo in a chain
 * reverts the same change or brings it back, whichever of its members it refers to.
 */
export async function undoneChanges(reader: MemberReader): Promise<Map<number, number>> {
  const chains = new Map<number, Chain>()
  for (const { activity_id, undoes } of (await listUndos(reader)).toReversed()) {
    const chain = chains.get(undoes) ?? {
      reverting: new Set(),
      inEffect: new Set([undoes]),
      latest: undoes,
    }
    chains.set(undoes, chain)
    chains.set(activity_id, chain)
    const side = chain.inEffect.has(undoes) ? chain.reverting : chain.inEffect
    side.add(activity_id)
    chain.latest = activity_id
  }
  const undone = new Map<number, number>()
  for (const { reverting, inEffect, latest } of new Set(chains.values()))
    for (const id of reverting.has(latest) ? inEffect : reverting) undone.set(id, latest)
  return undone
}

interface Chain {
  /** Undos without the effect of the change. */
  readonly reverting: Set<number>
  /** The change, and undos with its effect. */
  readonly inEffect: Set<number>
  latest: number
}

/** An undo and the change it reverted. */
interface Undo {
  readonly activity_id: number
  readonly undoes: number
}

/** Every undo, newest first. */
export async function listUndos(reader: MemberReader): Promise<readonly Undo[]> {
  return reader.all(UNDOS, {})
}

/** Follows a chain of undos to the original change. Returns a change that is not an undo unchanged. */
export function rootsOf(undos: readonly Undo[]): (activityId: number) => number {
  const undone = new Map(undos.map(({ activity_id, undoes }) => [activity_id, undoes]))
  return (activityId) => {
    let root = activityId
    for (let next = undone.get(root); next !== undefined; next = undone.get(root)) root = next
    return root
  }
}

/** By activity_that_undoes. */
const UNDOS = memberStatement<object, Undo>()(`
  select activity_id, undoes from activity
  where member_id = :member_id and undoes is not null order by activity_id desc`)
