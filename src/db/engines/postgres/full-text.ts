/**
 * Full-text search of the directory on PostgreSQL. Tokens come from `base/tokenize.ts` and are stored as a tsvector without a dictionary, so
 * the results match those of the other engine.
 *
 * - Matches are read in page order, tier by tier, without scoring. Append runs its branches in order and stops at the
 *   limit; the search connections disable parallel plans, which would not.
 * - The table has a GIN index. A bounded scan by position fills the page for frequent words, and the index finds rare
 *   ones. The plan does not depend on the words, so one plan serves all.
 */

import { tokenize } from '../../../base/tokenize.ts'
import { directoryPosition, MAX_WORDS } from '../../full-text.ts'
import type { DirectoryDocument, DirectorySearch, Found } from '../../full-text.ts'
import type { Reader, SharedTransaction, FullText } from '../../database.ts'
import { statement } from '../../statement.ts'

/** A tsvector holds at most 1 MiB. Words beyond this many bytes, some hundred pages of text, are dropped. */
const MAX_BYTES = 900_000

export const postgresFullText: FullText = {
  indexMember,
  removeMember,
  searchMembers,
}

/** Words of a name are stored twice: plain, for a search anywhere, and with this prefix, for a search in names. */
const NAME_MARK = '='

const REMOVE_MEMBER = statement<{ member_id: number }>(
  'delete from directory_entries where member_id = :member_id',
)

async function indexMember(tx: SharedTransaction, document: DirectoryDocument): Promise<void> {
  const name = tokenize(document.name)
  const named = [...name, ...tokenize(document.username)]
  const terms = new Set([
    ...named.map((word) => NAME_MARK + word),
    ...named,
    ...tokenize(document.text),
  ])
  const position = directoryPosition(document)
  await Promise.all([
    removeMember(tx, document),
    tx.insertMany({
      table: 'directory_entries',
      columns: ['position', 'member_id', 'username', 'name_key', 'terms'],
      rows: [
        [
          position,
          document.memberId,
          document.username,
          name.join(' '),
          vector([...terms].map(quoted)),
        ],
      ],
    }),
  ])
}

async function removeMember(tx: SharedTransaction, { memberId }: DirectoryDocument): Promise<void> {
  await tx.run(REMOVE_MEMBER, { member_id: memberId })
}

async function searchMembers<Row>(
  reader: Reader,
  columns: string,
  { words: list, after, limit }: DirectorySearch,
): Promise<Found<Row>[]> {
  const asked = list.slice(0, MAX_WORDS)
  const page = { limit, place: after?.place ?? -1 }
  if (asked.length === 0)
    return reader.all(statement<typeof page, Found<Row>>(wholeDirectory(columns)), page)
  if (after && after.tier > LAST_TIER) return []
  const params = {
    ...page,
    username: asked.join('-'),
    name: asked.join(' '),
    in_name: allOf(asked.map((word) => NAME_MARK + word)),
    anywhere: allOf(asked),
  }
  const text = directoryTiers(columns, after?.tier)
  return reader.all(statement<typeof params, Found<Row>>(text), params)
}

function wholeDirectory(columns: string): string {
  return `
    select 0 as tier, e.position as place, ${columns}
    from directory_entries e join members m on m.member_id = e.member_id
    where e.position > :place order by e.position limit :limit`
}

/**
 * One statement whose branches run only until the page is full: Append and Limit pull row by row. `from` is the tier in
 * which the page begins, after `:place`.
 */
function directoryTiers(columns: string, from: number | undefined): string {
  const startOf = (tier: number) => (tier === from ? ':place' : '-1')
  const wordTiers = WORD_TIERS.filter(({ tier }) => tier >= (from ?? 0))
  const branches = [
    ...EXACT_TIERS.filter(({ tier }) => tier >= (from ?? 0)).map(({ tier, source }) =>
      branchOf(tier, `${source} and e.position > ${startOf(tier)} order by e.position`),
    ),
    ...wordTiers.flatMap((tier) => sourcesOf(tier).map((source) => branchOf(tier.tier, source))),
  ]
  // OFFSET 0 forces a lookup per member of the page, whatever row count the planner expects.
  return `
    with ${wordTiers.map((tier) => walksOf(tier, startOf(tier.tier))).join(', ')}
    select found.tier, found.place, ${columns}
    from (${branches.join(' union all ')} limit :limit) found
    cross join lateral (
      select * from members m where m.member_id = found.member_id offset 0
    ) m
    order by found.tier, found.place`
}

function branchOf(tier: number, source: string): string {
  return `(
    select ${tier} as tier, e.position as place, e.member_id from ${source} limit :limit
  )`
}

/** Usernames are indexed in `members`. */
const EXACT_TIERS: readonly { readonly tier: number; readonly source: string }[] = [
  {
    tier: 0,
    source: `members u join directory_entries e on e.member_id = u.member_id
      where u.username = :username`,
  },
  {
    tier: 1,
    source: 'directory_entries e where e.name_key = :name and e.username <> :username',
  },
]

interface WordTier {
  readonly tier: number
  /** Tiers that use the GIN index. */
  readonly match: string
  readonly and: string
}

const IN_NAME = 'e.terms @@ cast(:in_name as tsquery)'

const WORD_TIERS: readonly WordTier[] = [
  { tier: 2, match: IN_NAME, and: 'e.name_key <> :name and e.username <> :username' },
  { tier: 3, match: 'e.terms @@ cast(:anywhere as tsquery)', and: `not ${IN_NAME}` },
]

const LAST_TIER = 3

/** Directory entries, about 1 us each. */
const SHORT_WALK = 1_000
const LONG_WALK = 20_000
/** Minimum hits of the short scan for a long scan to follow: words that 0.2% of the members have. */
const FREQUENT = 2

/**
 * A short scan in page order fills the page for frequent words. Otherwise, its hits show whether a longer scan is likely to
 * fill it, or whether the words are rare enough for the GIN index to find all matches quickly. Each step is bounded, so the
 * long scan also ends when all matches are at the beginning.
 *
 * The planner must not choose: it assumes that an unknown prefix matches 0.5% of the members and would scan them all to
 * fill the page. The index is used in a separate CTE without an order.
 */
function walksOf({ tier, match, and }: WordTier, start: string): string {
  const next = (what: string, after: string, count: string) =>
    `select ${what} from directory_entries where position > ${after} order by position limit ${count}`
  return `
    short_${tier} as materialized (
      select e.* from (${next('*', start, String(SHORT_WALK))}) e where ${match} and ${and}
    ),
    short_end_${tier} as materialized (
      select max(position) as position from (${next('position', start, String(SHORT_WALK))}) e
    ),
    length_${tier} as materialized (
      select case when count(*) >= ${FREQUENT} then ${LONG_WALK} else 0 end as entries from short_${tier}
    ),
    long_${tier} as materialized (
      select e.* from (${next('*', `(select position from short_end_${tier})`, `(select entries from length_${tier})`)}) e
      where ${match} and ${and}
    ),
    long_end_${tier} as materialized (
      select coalesce(max(e.position), (select position from short_end_${tier})) as position
      from (${next('position', `(select position from short_end_${tier})`, `(select entries from length_${tier})`)}) e
    ),
    rare_${tier} as materialized (select * from directory_entries e where ${match})`
}

/** In this order: the first two are in page order, the third must be sorted. */
function sourcesOf({ tier, and }: WordTier): string[] {
  return [
    `short_${tier} e`,
    `long_${tier} e`,
    `rare_${tier} e where ${and} and e.position > (select position from long_end_${tier}) order by e.position`,
  ]
}

/** A tsquery that requires each word, the last as a prefix. */
function allOf(asked: readonly string[]): string {
  const last = asked.length - 1
  return `(${asked.map((word, index) => quoted(word) + (index === last ? ':*' : '')).join(' & ')})`
}

/** Words contain only letters and digits, so quoting is safe. */
function quoted(word: string): string {
  return `'${word}'`
}

/** The text of a tsvector, truncated to what can be stored. */
function vector(terms: readonly string[]): string {
  const text = terms.join(' ')
  if (text.length * 3 < MAX_BYTES || Buffer.byteLength(text) < MAX_BYTES) return text
  let bytes = 0
  const kept = terms.filter((term) => (bytes += Buffer.byteLength(term) + 1) < MAX_BYTES)
  return kept.join(' ')
}
