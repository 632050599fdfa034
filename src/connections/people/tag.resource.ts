/** `weft://tags/{tag}`: the connections with a tag, as list_connections returns them. */

import { defineResource } from '../../tools/resource.ts'
import { completeTag } from '../tags/complete-tag.ts'
import { listConnectionsTool } from './list-connections.tool.ts'

export const tagResource = defineResource({
  uri: 'weft://tags/{tag}',
  name: 'tag',
  title: 'Connections with a tag',
  description: 'The first 50 connections with a tag. Costs the same as list_connections.',
  tool: listConnectionsTool,
  argumentsOf: ({ tag }) => ({ tag, limit: 50 }),
  complete: { tag: completeTag },
})
