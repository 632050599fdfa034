/** tag_connections: adds and removes tags on many connections at once. */

import * as Type from '../../base/type.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { updateTags, TagConnectionsInput } from './tag-connections.ts'

export const tagConnectionsTool = defineWriteTool({
  name: 'tag_connections',
  title: 'Tag connections',
  description: 'Adds and removes tags of many connections. Returns how many changed.',
  effect: 'write',
  idempotent: true,
  credits: 1,
  input: TagConnectionsInput,
  output: Type.Object(
    { changed: Type.Integer(), unchanged: Type.Integer() },
    { additionalProperties: false },
  ),
  async run(call, input) {
    const { changed, unchanged } = await updateTags(call, input)
    return { changed, unchanged }
  },
})
