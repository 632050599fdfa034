/** get_network_summary: the size and composition of a network. */

import * as Type from '../../base/type.ts'
import { rfc3339 } from '../../base/clock.ts'
import { daysLater } from '../../dates/calendar-day.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { invalidArgument } from '../../base/request-error.ts'
import { defineReadTool } from '../../tools/tool.ts'
import { pageOf } from '../../tools/result-pages.ts'
import { CustomFieldJson, customFieldJson } from '../custom-fields/custom-field-json.ts'
import { readCustomFields } from '../custom-fields/custom-fields.ts'
import { listViews } from '../people/saved-views.ts'
import { countByTwo, countMeetings } from './network-counts.ts'
import { COUNTED_BY, countBy, MAX_COUNTS, summarizeNetwork } from './network-summary.ts'

const Counts = Type.Array(
  Type.Closed({
    value: Type.String(),
    second: Type.Optional(Type.String({ description: 'Of the second of two' })),
    connection_id: Type.Optional(Type.String()),
    count: Type.Integer(),
  }),
)

export const getNetworkSummaryTool = defineReadTool({
  name: 'get_network_summary',
  title: 'Get network summary',
  description:
    'Count contacts: how many people I know per company, title, location, tag or year, or per two of them; who I met ' +
    'most this year (person); without by, statistics, custom fields and saved views.',
  credits: 1,
  input: Type.Closed({
    by: Type.Optional(
      Type.Array(Type.Enum([...COUNTED_BY, 'person'], { type: 'string' }), {
        minItems: 1,
        maxItems: 2,
        description: 'One or two; person: most met this year',
      }),
    ),
  }),
  output: Type.Closed({
    connections: Type.Integer(),
    counts: Type.Optional(Counts),
    has_more: Type.Optional(Type.Boolean({ description: 'More values than these' })),
    with_email: Type.Optional(Type.Integer()),
    with_notes: Type.Optional(Type.Integer()),
    deleted: Type.Optional(Type.Integer({ description: 'Can still be restored' })),
    top_companies: Type.Optional(Counts),
    top_titles: Type.Optional(Counts),
    top_locations: Type.Optional(Counts),
    top_tags: Type.Optional(Counts),
    saved_views: Type.Optional(
      Type.Array(Type.String(), { description: 'Names, for search_connections' }),
    ),
    custom_fields: Type.Optional(Type.Array(CustomFieldJson)),
    last_changed_at: Type.Optional(Type.String()),
  }),
  async run({ db, network, now, caller }, { by }) {
    const today = dayInZone(caller.timeZone, now)
    const from = `${today.slice(0, 4)}-01-01`
    if (by?.includes('person') === true) {
      if (by.length > 1) throw invalidArgument('by', 'must have person alone')
      return shownOf(await countMeetings(db, network, { from, until: daysLater(today, 1) }))
    }
    const [one, other] = (by ?? []).filter((field) => field !== 'person')
    if (one !== undefined && other !== undefined && one !== other)
      return shownOf(await countByTwo(db, network, one, other))
    if (one !== undefined) return shownOf(await countBy(db, network, one))
    const [summary, views, fields] = await Promise.all([
      summarizeNetwork(db, network),
      listViews(db),
      readCustomFields(db),
    ])
    const entries = fields.map(customFieldJson)
    const shown = pageOf({ entries, hasMore: false, cursorAfter: () => '' }, MAX_FIELD_CHARACTERS)
    return {
      connections: summary.live,
      with_email: summary.withEmail,
      with_notes: summary.withNotes,
      deleted: summary.deleted,
      top_companies: [...summary.companies],
      top_titles: [...summary.titles],
      top_locations: [...summary.locations],
      top_tags: [...summary.tags],
      ...(views.length > 0 && { saved_views: views.map(({ name }) => name) }),
      ...(entries.length > 0 && { custom_fields: shown.items }),
      ...(summary.changedAt !== null && { last_changed_at: rfc3339(summary.changedAt) }),
    }
  },
})

/** The most frequent values, and whether there are more. */
function shownOf<Count>({
  connections,
  counts,
}: {
  connections: number
  counts: readonly Count[]
}) {
  const hasMore = counts.length > MAX_COUNTS
  return {
    connections,
    counts: counts.slice(0, MAX_COUNTS),
    ...(hasMore && { has_more: true }),
  }
}

/** JSON characters of the custom fields, which may have thousands of choices. */
const MAX_FIELD_CHARACTERS = 15_000
