/** get_network_summary: the size and composition of a network. */

import * as Type from '../../base/type.ts'
import { rfc3339 } from '../../base/clock.ts'
import { NO_INPUT, defineReadTool } from '../../tools/tool.ts'
import { summarizeNetwork } from './network-summary.ts'

const Counts = Type.Array(
  Type.Object({ value: Type.String(), count: Type.Integer() }, { additionalProperties: false }),
)

export const getNetworkSummaryTool = defineReadTool({
  name: 'get_network_summary',
  title: 'Get network summary',
  description:
    'Counts connections and lists the most frequent companies, titles, locations and tags.',
  credits: 1,
  input: NO_INPUT,
  output: Type.Object(
    {
      connections: Type.Integer(),
      with_email: Type.Integer(),
      with_notes: Type.Integer(),
      deleted: Type.Integer({ description: 'Can still be restored' }),
      top_companies: Counts,
      top_titles: Counts,
      top_locations: Counts,
      top_tags: Counts,
      last_changed_at: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  async run({ db, network }) {
    const summary = await summarizeNetwork(db, network)
    return {
      connections: summary.live,
      with_email: summary.withEmail,
      with_notes: summary.withNotes,
      deleted: summary.deleted,
      top_companies: [...summary.companies],
      top_titles: [...summary.titles],
      top_locations: [...summary.locations],
      top_tags: [...summary.tags],
      ...(summary.changedAt !== null && { last_changed_at: rfc3339(summary.changedAt) }),
    }
  },
})
