/** `weft://me`: the result of whoami as a resource. */

import { defineResource } from '../tools/resource.ts'
import { whoamiTool } from './whoami.tool.ts'

export const meResource = defineResource({
  uri: 'weft://me',
  name: 'me',
  title: 'Me',
  description: 'The member that this credential belongs to, and the type of the credential. Free.',
  tool: whoamiTool,
  argumentsOf: () => ({}),
})
