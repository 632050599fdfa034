/** `weft://tags/{tag}`: the connections with a tag, as search_connections lists them. */

import { defineResource, type Resource } from '../../tools/resource.ts'
import { completeTag } from '../tags/complete-tag.ts'
import type { Tool } from '../../tools/tool.ts'

/** `tool` is search_connections. */
export function tagResource(tool: Tool): Resource {
  return defineResource({
    uri: 'weft://tags/{tag}',
    name: 'tag',
    title: 'Connections with a tag',
    description: 'The first 50 connections with a tag. Costs the same as search_connections.',
    tool,
    argumentsOf: ({ tag }) => ({ tag, limit: 50 }),
    complete: { tag: completeTag },
  })
}
