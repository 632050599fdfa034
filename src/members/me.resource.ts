/** `weft://me`: the result of whoami as a resource. */

import { defineResource, type Resource } from '../tools/resource.ts'
import type { Tool } from '../tools/tool.ts'

export function meResource(whoami: Tool): Resource {
  return defineResource({
    uri: 'weft://me',
    name: 'me',
    title: 'Me',
    description: 'The member with their profile, limits of this credential and credits. Free.',
    tool: whoami,
    argumentsOf: () => ({}),
    // Every call that is charged changes the credits.
    watched: (output) => ({ ...output, credits: null }),
  })
}
