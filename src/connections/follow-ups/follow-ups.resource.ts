/** `weft://follow-ups`: open follow-ups, as list_follow_ups returns them. */

import { defineResource } from '../../tools/resource.ts'
import { listFollowUpsTool } from './list-follow-ups.tool.ts'

export const followUpsResource = defineResource({
  uri: 'weft://follow-ups',
  name: 'follow-ups',
  title: 'Open follow-ups',
  description: 'The next 50 open follow-ups by due date. Costs the same as list_follow_ups.',
  tool: listFollowUpsTool,
  argumentsOf: () => ({ limit: 50 }),
})
