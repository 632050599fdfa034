/** How the activity log stores changes to the tags of many connections, and how they are undone. */

import { changedSince, type Undoer } from '../../tools/undo.ts'
import { publicConnectionId, readConnectionId, type Source } from '../model/connection.ts'
import { findConnections } from '../model/connection-store.ts'
import { formerSpellings, tagOf } from '../model/tag-store.ts'
import { presentTags, storeTagChange, type TagChange, type Tagged } from './tags.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'

const ACTION = 'connections.tag'

interface RecordedTags {
  readonly connections: readonly {
    readonly connection_id: string
    readonly tags: readonly string[]
    /** The source of the tags, if it differs from the connection's own source. */
    readonly tags_source?: Source
  }[]
}

export function tagChangeOf(changes: readonly TagChange[]): Change {
  const connections = changes.map(({ after }) => after.connection.connectionId)
  const ids = connections.map(publicConnectionId)
  return {
    action: ACTION,
    subjectKind: ids.length === 1 ? 'connection' : 'connections',
    subjectId: ids.length === 1 ? ids.join() : `${ids.length}`,
    before: recordedOf(changes.map(({ before }) => before)),
    after: recordedOf(changes.map(({ after }) => after)),
    connections,
  }
}

export const tagUndoer: Undoer = {
  actions: [ACTION],
  async undo({ tx, now }, { before, after }) {
    // Both were recorded by tagChangeOf, or swapped by an undo.
    const [was, is] = [before as RecordedTags, after as RecordedTags]
    const present = await requireAll(tx, is)
    const changes = present.map((tagged, index) =>
      reverted(tagged, was.connections[index], is.connections[index]),
    )
    return tagChangeOf(await storeTagChange(tx, changes, now))
  },
}

async function requireAll(reader: MemberReader, { connections }: RecordedTags): Promise<Tagged[]> {
  const ids = connections.map(({ connection_id }) => readConnectionId(connection_id) ?? 0)
  const found = new Map((await findConnections(reader, ids)).map((one) => [one.connectionId, one]))
  const live = ids.map((id) => {
    const connection = found.get(id)
    if (connection?.deletedAt === null) return connection
    throw changedSince(`${publicConnectionId(id)} is deleted`)
  })
  return presentTags(reader, live)
}

type RecordedOne = RecordedTags['connections'][number] | undefined

/** Reverts only the tags that the change added, removed or respelled; other tags may have changed since. */
function reverted(present: Tagged, was: RecordedOne, is: RecordedOne): TagChange {
  const [earlier, later] = [tagsIn(was), tagsIn(is)]
  const current = new Map(present.tags.map((tag) => [tag.key, tag]))
  const added = [...later.keys()].filter((key) => !earlier.has(key))
  const removed = [...earlier.values()].filter(({ key }) => !later.has(key))
  if (added.some((key) => !current.has(key)) || removed.some(({ key }) => current.has(key)))
    throw changedSince(`${publicConnectionId(present.connection.connectionId)}: tags`)
  const former = formerSpellings(present.tags, {
    from: [...later.values()],
    to: [...earlier.values()],
  })
  const spelled = new Map(former.map((tag) => [tag.key, tag]))
  const kept = present.tags.filter(({ key }) => !added.includes(key))
  const tags = [...kept.map((tag) => spelled.get(tag.key) ?? tag), ...removed]
  const isWhole = tags.length === earlier.size && tags.every(({ key }) => earlier.has(key))
  // If the tags were also edited in other ways, imports must still not change them.
  const source = isWhole ? was?.tags_source : 'typed'
  return { before: present, after: { ...present, tags, source } }
}

function tagsIn(one: RecordedOne) {
  return new Map((one?.tags ?? []).map((text) => [tagOf(text).key, tagOf(text)]))
}

function recordedOf(all: readonly Tagged[]): RecordedTags {
  return {
    connections: all.map(({ connection, tags, source }) => ({
      connection_id: publicConnectionId(connection.connectionId),
      tags: tags.map(({ tag }) => tag),
      ...(source !== undefined && { tags_source: source }),
    })),
  }
}
