/** Adds and removes tags and records the change, for the tool and the web pages. */

import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'
import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { RequestError } from '../../base/request-error.ts'
import { requireConnections } from '../editing/require-connection.ts'
import { ConnectionId } from '../person/people-argument.ts'
import { newTag, tagOf, type Tag } from '../model/tag-store.ts'
import { tagChangeOf } from './tag-changes.ts'
import { planTagChange, storeTagChange } from './tags.ts'
import { TagTexts } from '../editing/connection-input.ts'
import type { WriteCall } from '../../tools/tool.ts'

const MAX_CONNECTIONS = 200

export const TagConnectionsInput = Type.Closed(
  {
    connection_ids: Type.Array(ConnectionId, {
      minItems: 1,
      maxItems: MAX_CONNECTIONS,
      description: 'Up to 200 c_… from search_connections',
    }),
    add: Type.Optional({ ...TagTexts, description: 'Tags to add', [PLAIN_KEYWORD]: true }),
    remove: Type.Optional({ ...TagTexts, description: 'Tags to remove', [PLAIN_KEYWORD]: true }),
  },
  {
    examples: [{ connection_ids: ['c_12', 'c_15'], add: ['investor'] }],
  },
)

interface TagResult {
  readonly changed: number
  readonly unchanged: number
  /** ID of the change in the activity log; undefined when nothing changed. */
  readonly activityId: number | undefined
}

/**
 * @throws {RequestError} `not_found` when a connection does not exist.
 * @throws {RequestError} `invalid_request` when tags contradict each other, or are more than a connection can have.
 */
export async function updateTags(
  { tx, now, record }: Pick<WriteCall, 'tx' | 'now' | 'record'>,
  { connection_ids, add = [], remove = [] }: Static<typeof TagConnectionsInput>,
): Promise<TagResult> {
  const change = { add: distinct(add.map(newTag)), remove: distinct(remove.map(tagOf)) }
  requireChange(change)
  const connections = await requireConnections(tx, connection_ids)
  const changes = await planTagChange(tx, connections, change)
  const counts = { changed: changes.length, unchanged: connections.length - changes.length }
  if (changes.length === 0) return { ...counts, activityId: undefined }
  await storeTagChange(tx, changes, now)
  return { ...counts, activityId: await record(tagChangeOf(changes)) }
}

/** Without duplicates; the first spelling wins. */
function distinct(tags: readonly Tag[]): Tag[] {
  return [...Map.groupBy(tags, ({ key }) => key).values()].flatMap(([tag]) => tag ?? [])
}

function requireChange({ add, remove }: Record<'add' | 'remove', readonly Tag[]>): void {
  if (add.length + remove.length === 0)
    throw new RequestError('invalid_request', 'No tags to change. Provide tags to add or remove.')
  const both = add.find(({ key }) => remove.some((tag) => tag.key === key))
  if (both)
    throw new RequestError(
      'invalid_request',
      `The tag “${both.tag}” is in both add and remove. Keep it in only one.`,
    )
}
