/** tag_connections: put tags on many connections at once, and take others off. */

import Type from 'typebox'
import { defineWriteTool } from '../../tools/tool.ts'
import { updateTags, TagConnectionsInput } from './tag-connections.ts'

export const tagConnectionsTool = defineWriteTool({
  name: 'tag_connections',
  title: 'Tag connections',
  description:
    'Puts tags on connections and takes others off; who has them already, or has not, stays as they are. Later imports ' +
    'leave the tags of those it changes alone. Returns how many it changed.',
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
