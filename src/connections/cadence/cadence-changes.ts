/** How the activity log stores changes to cadences, and how they are undone. */

import { changedSince, type Undoer } from '../../tools/undo.ts'
import { publicConnectionId, readConnectionId } from '../model/connection.ts'
import { tagOf, type Tag } from '../model/tag-store.ts'
import type { RecordedCadence } from '../model/snapshot.ts'
import {
  cadencesOf,
  ownCadence,
  recordedCadence,
  storeCadences,
  storeTagRule,
  tagRuleOf,
  type TagRule,
} from './cadence-store.ts'
import type { OwnCadence } from '../last-contact/contact-times.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'

const PEOPLE = 'cadence.set'
const TAG = 'cadence.tag'

interface RecordedPeople {
  readonly connections: readonly ({ readonly connection_id: string } & RecordedCadence)[]
}

interface CadenceChange {
  readonly id: number
  readonly before: OwnCadence
  readonly after: OwnCadence
}

/** The change of people's cadences, for the activity log. */
export function cadenceChangeOf(changes: readonly CadenceChange[]): Change {
  const [first] = changes
  const state = (part: 'before' | 'after') => ({
    connections: changes.map((one) => ({
      connection_id: publicConnectionId(one.id),
      ...recordedCadence(one[part]),
    })),
  })
  return {
    action: PEOPLE,
    subjectKind: changes.length === 1 ? 'connection' : 'connections',
    subjectId: first && changes.length === 1 ? publicConnectionId(first.id) : `${changes.length}`,
    before: state('before'),
    after: state('after'),
    connections: changes.map(({ id }) => id),
  }
}

/** Returns the change of a tag's cadence, for the activity log. Undefined is none. */
export function tagRuleChangeOf(
  { tag }: Tag,
  before: TagRule | undefined,
  after: TagRule | undefined,
): Change {
  return {
    action: TAG,
    subjectKind: 'tag',
    subjectId: tag,
    before: before ? { ...before } : null,
    after: after ? { ...after } : null,
  }
}

export const cadenceUndoer: Undoer = {
  actions: [PEOPLE, TAG],
  async undo({ tx }, { action, subjectKind, subjectId, before, after }) {
    const swapped = { action, subjectKind, subjectId, before: after, after: before }
    // Both were recorded by the functions above, or swapped by an undo.
    if (action === TAG) {
      const [was, is] = [before as TagRule | null, after as TagRule | null]
      await restoreTagRule(tx, tagOf(subjectId), was ?? undefined, is ?? undefined)
      return swapped
    }
    const [was, is] = [before as RecordedPeople, after as RecordedPeople]
    return { ...swapped, connections: await restorePeople(tx, was, is) }
  },
}

async function restoreTagRule(
  tx: MemberTransaction,
  tag: Tag,
  was: TagRule | undefined,
  is: TagRule | undefined,
): Promise<void> {
  const present = await tagRuleOf(tx, tag)
  if (present?.every !== is?.every || present?.unit !== is?.unit) throw changedSince(tag.tag)
  await storeTagRule(tx, tag, was)
}

async function restorePeople(
  tx: MemberTransaction,
  was: RecordedPeople,
  is: RecordedPeople,
): Promise<number[]> {
  const ids = is.connections.map(({ connection_id }) => readConnectionId(connection_id) ?? 0)
  const present = await cadencesOf(tx, ids)
  for (const [index, { connection_id, ...expected }] of is.connections.entries()) {
    const own = present.get(ids[index] ?? 0)
    if (!own || JSON.stringify(recordedCadence(own)) !== JSON.stringify(expected))
      throw changedSince(connection_id)
  }
  await storeCadences(
    tx,
    new Map(was.connections.map((one, at) => [ids[at] ?? 0, ownCadence(one)])),
  )
  return ids
}
