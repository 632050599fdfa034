/** get_network_summary: how large a network is, and what it consists of. */

import Type from 'typebox'
import { rfc3339 } from '../base/clock.ts'
import { memberStatement } from '../db/statement.ts'
import { NO_INPUT, defineReadTool } from '../tools/tool.ts'

const Counts = Type.Array(
  Type.Object({ value: Type.String(), count: Type.Integer() }, { additionalProperties: false }),
)

export const getNetworkSummaryTool = defineReadTool({
  name: 'get_network_summary',
  title: 'Get a summary of the network',
  description:
    "Counts this member's connections, how many have an e-mail address, and the most frequent companies, titles, " +
    'locations and tags (ten each); and when the last one was added or changed. Changes nothing.',
  credits: 1,
  input: NO_INPUT,
  output: Type.Object(
    {
      connections: Type.Integer(),
      with_email: Type.Integer(),
      with_notes: Type.Integer(),
      deleted: Type.Integer({ description: 'Still to be restored' }),
      top_companies: Counts,
      top_titles: Counts,
      top_locations: Counts,
      top_tags: Counts,
      last_changed_at: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  async run({ db }) {
    const { heavy } = db
    const [totals, companies, titles, locations, tags] = await Promise.all([
      heavy.get(TOTALS, {}),
      heavy.all(TOP_COMPANIES, {}),
      heavy.all(TOP_TITLES, {}),
      heavy.all(TOP_LOCATIONS, {}),
      heavy.all(TOP_TAGS, {}),
    ])
    return {
      connections: totals?.live ?? 0,
      with_email: totals?.with_email ?? 0,
      with_notes: totals?.with_notes ?? 0,
      deleted: totals?.deleted ?? 0,
      top_companies: companies,
      top_titles: titles,
      top_locations: locations,
      top_tags: tags,
      ...(totals?.changed_at != null && { last_changed_at: rfc3339(totals.changed_at) }),
    }
  },
})

interface Totals {
  readonly live: number
  readonly with_email: number
  readonly with_notes: number
  readonly deleted: number
  readonly changed_at: number | null
}

type Count = { value: string; count: number }

/** All of them read one member's rows and nobody else's; they run off the main thread. */
const TOTALS = memberStatement<object, Totals>()(`
  select
    count(case when deleted_at is null then 1 end) as live,
    count(case when deleted_at is null and emails <> '[]' then 1 end) as with_email,
    (select count(distinct n.connection_id) from notes n
       join connections c on c.member_id = :member_id and c.connection_id = n.connection_id
       where n.member_id = :member_id and n.deleted_at is null and c.deleted_at is null) as with_notes,
    count(case when deleted_at is not null and merged_into is null then 1 end) as deleted,
    max(updated_at) as changed_at
  from connections where member_id = :member_id`)

const TOP_COMPANIES = memberStatement<object, Count>()(`
  select company as value, count(*) as count from connections
  where member_id = :member_id and deleted_at is null and company is not null
  group by company order by count(*) desc, company limit 10`)

const TOP_TITLES = memberStatement<object, Count>()(`
  select title as value, count(*) as count from connections
  where member_id = :member_id and deleted_at is null and title is not null
  group by title order by count(*) desc, title limit 10`)

const TOP_LOCATIONS = memberStatement<object, Count>()(`
  select location as value, count(*) as count from connections
  where member_id = :member_id and deleted_at is null and location is not null
  group by location order by count(*) desc, location limit 10`)

const TOP_TAGS = memberStatement<object, Count>()(`
  select min(t.tag) as value, count(*) as count from connection_tags t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and c.deleted_at is null
  group by t.tag_key order by count(*) desc, t.tag_key limit 10`)
