/** `weft://briefing`: what to know today, as get_briefing returns it. */

import { defineResource } from '../../tools/resource.ts'
import { getBriefingTool } from './get-briefing.tool.ts'

export const briefingResource = defineResource({
  uri: 'weft://briefing',
  name: 'briefing',
  title: "Today's briefing",
  description:
    'Meetings, due follow-ups, birthdays and changes of today. Costs the same as get_briefing.',
  tool: getBriefingTool,
  argumentsOf: () => ({}),
})
