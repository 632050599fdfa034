/** tag_connections: put tags on many connections at once, and take others off. */

import Type from 'typebox'
import { Refusal } from '../base/refusal.ts'
import { defineWriteTool } from '../tools/tool.ts'
import { requireConnections } from './edit.ts'
import { ConnectionId } from './shapes.ts'
import { tagOf, type Tag } from './store.ts'
import { tagChangeOf } from './tag-changes.ts'
import { planTagChange, storeTagChange } from './tags.ts'
import { tagTexts } from './typed-input.ts'

const MOST_CONNECTIONS = 200

export const tagConnectionsTool = defineWriteTool({
  name: 'tag_connections',
  title: 'Tag connections',
  description:
    'Puts tags on connections and takes others off, up to 200 connections at once; who has them already, or has not, ' +
    'stays as they are. Later imports leave the tags of those it changes alone. Returns how many it changed.',
  effect: 'write',
  idempotent: true,
  credits: 1,
  input: Type.Object(
    {
      connection_ids: Type.Array(ConnectionId, {
        minItems: 1,
        maxItems: MOST_CONNECTIONS,
        description: 'Whom to tag',
      }),
      add: Type.Optional(tagTexts('To put on')),
      remove: Type.Optional(tagTexts('To take off')),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    { changed: Type.Integer(), unchanged: Type.Integer() },
    { additionalProperties: false },
  ),
  async run({ tx, now, record }, { connection_ids, add = [], remove = [] }) {
    const change = { add: distinct(add), remove: distinct(remove) }
    refuseSenseless(change)
    const connections = await requireConnections(tx, connection_ids)
    const changes = await planTagChange(tx, connections, change)
    if (changes.length > 0) {
      await storeTagChange(tx, changes, now)
      await record(tagChangeOf(changes))
    }
    return { changed: changes.length, unchanged: connections.length - changes.length }
  },
})

/** Each once, as it was written first. */
function distinct(texts: readonly string[]): Tag[] {
  return [...Map.groupBy(texts.map(tagOf), ({ key }) => key).values()].flatMap(([tag]) => tag ?? [])
}

function refuseSenseless({ add, remove }: Record<'add' | 'remove', readonly Tag[]>): void {
  if (add.length + remove.length === 0)
    throw new Refusal('invalid_request', 'There is nothing to change: give tags to add or remove.')
  const both = add.find(({ key }) => remove.some((tag) => tag.key === key))
  if (both)
    throw new Refusal(
      'invalid_request',
      `The tag “${both.tag}” is both to be put on and taken off.`,
    )
}
