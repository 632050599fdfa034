/** The changes of cadences in the activity log, and their undo. */

import { entryOf } from '../../records/activity-entry.ts'
import { isLive, restorable, undoerOf } from '../../records/undo-rows.ts'
import { publicConnectionId, readConnectionId } from '../model/connection.ts'
import { tagOf, type Tag } from '../model/tag-store.ts'
import {
  cadencesOf,
  LOGGED_CADENCE,
  storeCadences,
  storeTagRule,
  tagRuleOf,
  type TagRule,
} from './cadence-store.ts'
import type { OwnCadence } from '../last-contact/contact-times.ts'
import type { Change } from '../../tools/tool.ts'

interface PersonCadence extends OwnCadence {
  readonly connectionId: number
}

const CADENCES = restorable<PersonCadence>({
  noun: 'connection',
  plural: 'connections',
  actions: 'cadence.set',
  isWhole: true,
  logged: LOGGED_CADENCE,
  idOf: ({ connectionId }) => publicConnectionId(connectionId),
  async find(reader, ids) {
    const present = await cadencesOf(
      reader,
      ids.map((id) => readConnectionId(id) ?? 0),
    )
    return new Map(
      [...present].map(([connectionId, own]) => [
        publicConnectionId(connectionId),
        { ...own, connectionId },
      ]),
    )
  },
  store: (tx, changes) =>
    storeCadences(tx, new Map(changes.map(({ after }) => [after.connectionId, after]))),
  people: ({ connectionId }) => [connectionId],
})

interface CadenceChange {
  readonly id: number
  readonly before: OwnCadence
  readonly after: OwnCadence
}

/** The change of people's cadences, for the activity log. */
export function cadenceChangeOf(changes: readonly CadenceChange[]): Change {
  const [first, ...others] = changes
  const entry = entryOf(
    CADENCES,
    changes.map(({ id: connectionId, before, after }) => ({
      before: { ...before, connectionId },
      after: { ...after, connectionId },
    })),
    { listOf: `${changes.length}` },
  )
  if (!first || others.length > 0) return entry
  return { ...entry, subjectKind: CADENCES.noun, subjectId: publicConnectionId(first.id) }
}

const TAG_RULES = restorable<Tag & TagRule>({
  noun: 'tag',
  plural: 'tags',
  actions: 'cadence.tag',
  isWhole: true,
  logged: { every: 'every', unit: 'unit', setOn: 'setOn' },
  idOf: ({ tag }) => tag,
  async find(reader, ids) {
    const rules = new Map()
    for (const id of ids) {
      const rule = await tagRuleOf(reader, tagOf(id))
      rules.set(id, { ...tagOf(id), ...rule, deletedAt: rule ? null : 0 })
    }
    return rules
  },
  async store(tx, changes) {
    for (const { after } of changes)
      await storeTagRule(tx, after, isLive(after) ? after : undefined)
  },
})

/** The change of a tag's cadence, for the activity log. Undefined is none. */
export function tagRuleChangeOf(
  tag: Tag,
  before: TagRule | undefined,
  after: TagRule | undefined,
): Change {
  return entryOf(TAG_RULES, [
    { before: before && { ...tag, ...before }, after: after && { ...tag, ...after } },
  ])
}

export const cadenceUndoer = undoerOf(CADENCES)
export const tagRuleUndoer = undoerOf(TAG_RULES)
