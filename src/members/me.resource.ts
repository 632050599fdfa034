/** `weft://me`: whose network this is, as whoami answers. */

import { defineResource } from '../tools/resource.ts'
import { whoamiTool } from './whoami.tool.ts'

export const meResource = defineResource({
  uri: 'weft://me',
  name: 'me',
  title: 'Me',
  description: 'The member this credential belongs to, and what kind of credential it is. Free.',
  tool: whoamiTool,
  argumentsOf: () => ({}),
})
