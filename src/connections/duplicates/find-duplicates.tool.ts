/** find_duplicates: groups of connections that may be the same person, with evidence. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import {
  truncate,
  CURSOR,
  PAGE_END,
  DEFAULT_PAGE_SIZE,
  pageLimit,
  fittingOf,
  pageOf,
  hintIfEmpty,
} from '../../tools/result-pages.ts'
import { defineReadTool } from '../../tools/tool.ts'
import { publicConnectionId } from '../model/connection.ts'
import { listDuplicates, DEFAULT_MIN_SCORE, type DuplicateGroup } from './duplicate-page.ts'
import { lastContacts } from '../search/connection-page.ts'
import { ConnectionSummary, summaryOf } from '../person/connection-schemas.ts'

const Group = Type.Closed({
  score: Type.Number({ description: 'Below 0.9: review' }),
  queued: Type.Optional(
    Type.Boolean({ description: 'An import could not decide; these come first' }),
  ),
  keep_id: Type.String({ description: 'Most complete connection' }),
  merge_ids: Type.Array(Type.String()),
  connections: Type.Array(ConnectionSummary),
  evidence: Type.Array(
    Type.Closed({
      reason: Type.String(),
      value: Type.String(),
      connection_ids: Type.Optional(
        Type.Array(Type.String(), { description: 'Absent if it is about all of the group' }),
      ),
    }),
  ),
})
type Group = Static<typeof Group>

export const findDuplicatesTool = defineReadTool({
  name: 'find_duplicates',
  title: 'Find duplicate people',
  description:
    'Find the same person twice: duplicate contacts, with evidence. Merge them with ' +
    'resolve_duplicates.',
  credits: 2,
  input: Type.Closed({
    min_score: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: DEFAULT_MIN_SCORE,
        description: '0.9: only certain pairs',
      }),
    ),
    limit: pageLimit(),
    cursor: Type.Optional(CURSOR),
  }),
  output: Type.Closed({ groups: Type.Array(Group), total: Type.Integer(), ...PAGE_END }),
  async run(
    { db, network, progress, signal },
    { min_score: minScore = DEFAULT_MIN_SCORE, limit = DEFAULT_PAGE_SIZE, cursor },
  ) {
    const page = await listDuplicates(db, { minScore, limit, cursor, network, progress, signal })
    const shown = page.groups.flatMap(({ connections }) => connections)
    const datesOf = await lastContacts(db, shown)
    const entries = page.groups.map((group) => groupAnswer(group, datesOf))
    const { items, end } = pageOf({ ...page, entries })
    return { groups: items, total: page.total, ...end, ...hintIfEmpty(items, NO_DUPLICATES) }
  },
})

const NO_DUPLICATES = 'No possible duplicates. People marked as different are not paired again.'

/** Characters of JSON for the connections and evidence of one group; with its IDs they fit into one answer. */
const MAX_CONNECTIONS_LENGTH = 10_000
const MAX_EVIDENCE_LENGTH = 6000
const MAX_VALUE_LENGTH = 200

type DatesOf = Awaited<ReturnType<typeof lastContacts>>

function groupAnswer(
  { score, isQueued, connections, evidence }: DuplicateGroup,
  datesOf: DatesOf,
): Group {
  const [keep = '', ...others] = connections.map(({ connectionId }) =>
    publicConnectionId(connectionId),
  )
  return {
    score,
    ...(isQueued && { queued: true }),
    keep_id: keep,
    merge_ids: others,
    connections: fittingOf(
      connections.map((one) => Object.assign(summaryOf(one), datesOf(one.connectionId))),
      MAX_CONNECTIONS_LENGTH,
    ).items,
    evidence: fittingOf(
      evidence.map(({ reason, value, connectionIds }) => ({
        reason,
        value: truncate(value, MAX_VALUE_LENGTH),
        ...(connectionIds.length < connections.length && {
          connection_ids: connectionIds.map(publicConnectionId),
        }),
      })),
      MAX_EVIDENCE_LENGTH,
    ).items,
  }
}
