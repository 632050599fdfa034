/** Adds and removes tags and records the change, for forms. A tag in both lists takes the spelling of `add`. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { requireConnections } from '../editing/require-connection.ts'
import { ConnectionId } from '../person/people-argument.ts'
import { newTag, tagOf } from '../model/tag-store.ts'
import { tagChangeOf } from './tag-changes.ts'
import { planTagChange, storeTagChange } from './tags.ts'
import { TagTexts } from '../editing/connection-input.ts'
import type { Changing } from '../../tools/tool.ts'

const MAX_CONNECTIONS = 200

export const TagConnectionsInput = Type.Closed({
  connection_ids: Type.Array(ConnectionId, { minItems: 1, maxItems: MAX_CONNECTIONS }),
  add: Type.Optional(TagTexts),
  remove: Type.Optional(TagTexts),
})

/**
 * Returns the activity ID; undefined if nothing changed.
 *
 * @throws {RequestError} `not_found` when a connection does not exist.
 * @throws {RequestError} `invalid_request` when a tag is not visible, or a connection would have too many.
 */
export async function updateTags(
  { tx, now, record }: Changing,
  { connection_ids, add = [], remove = [] }: Static<typeof TagConnectionsInput>,
): Promise<number | undefined> {
  const change = { add: add.map(newTag), remove: remove.map(tagOf) }
  const connections = await requireConnections(tx, connection_ids)
  const changes = await planTagChange(tx, connections, change)
  if (changes.length === 0) return undefined
  return record(tagChangeOf(await storeTagChange(tx, changes, now)))
}
