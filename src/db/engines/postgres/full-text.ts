/**
 * Full-text search of the directory on PostgreSQL, over tokens of `base/tokenize.ts` in a tsvector without a dictionary.
 *
 * - Matches are read in page order, tier by tier, without scoring. Append stops at the limit; parallel plans, which would
 *   not, are disabled.
 * - `directory_head` has the first entries. The plan does not depend on the words (decisions/0022).
 * - GIN collects every entry of a prefix before it intersects, so `directory_keys` has separate keys for prefixes.
 */

import { tokenize } from '../../../base/tokenize.ts'
import { directoryPosition, MAX_WORDS } from '../../full-text.ts'
import type { DirectoryDocument, DirectorySearch, Found } from '../../full-text.ts'
import type { FullText, Reader, Rows, SharedTransaction } from '../../database.ts'
import { statement } from '../../statement.ts'
import { resizeDirectoryHead } from './directory-head.ts'

/** A tsvector holds at most 1 MiB, and `directory_keys` up to 5.5 times as many bytes. Words beyond that are dropped. */
const MAX_BYTES = 150_000

export const postgresFullText: FullText = {
  entriesOf,
  indexMember,
  removeMember,
  resize: resizeDirectoryHead,
  searchMembers,
}

/** Prefix of a word that occurs in a name. */
const NAME_MARK = '='

const REMOVE_MEMBER = statement<{ member_id: number }>(
  'delete from directory_entries where member_id = :member_id',
)

async function indexMember(tx: SharedTransaction, document: DirectoryDocument): Promise<void> {
  await Promise.all([
    removeMember(tx, document),
    ...entriesOf([document]).map((rows) => tx.insertMany(rows)),
  ])
}

function entriesOf(documents: readonly DirectoryDocument[]): Rows[] {
  const columns = ['position', 'member_id', 'username', 'name_key', 'terms']
  return [{ table: 'directory_entries', columns, rows: documents.map(entryOf) }]
}

function entryOf(document: DirectoryDocument): (string | number)[] {
  const name = tokenize(document.name)
  const named = [...name, ...tokenize(document.username)]
  const terms = new Set([
    ...named.map((word) => NAME_MARK + word),
    ...named,
    ...tokenize(document.text),
  ])
  const { memberId, username } = document
  const vectorText = vector([...terms].map(quoted))
  return [directoryPosition(document), memberId, username, name.join(' '), vectorText]
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
    ...queriesOf('in_name', NAME_MARK, asked),
    ...queriesOf('anywhere', '', asked),
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

/** One statement whose branches run only until the page is full. The page begins in the tier `from`, after `:place`. */
function directoryTiers(columns: string, from: number | undefined): string {
  const startOf = (tier: number) => (tier === from ? ':place' : FIRST)
  const wordTiers = WORD_TIERS.filter(({ tier }) => tier >= (from ?? 0))
  const branches = [
    ...EXACT_TIERS.filter(({ tier }) => tier >= (from ?? 0)).map(({ tier, source }) =>
      branchOf(tier, `${source} and e.position > ${startOf(tier)} order by e.position`),
    ),
    ...wordTiers.flatMap((tier) =>
      sourcesOf(tier, startOf(tier.tier)).map((source) => branchOf(tier.tier, source)),
    ),
  ]
  // OFFSET 0 forces a lookup per member of the page.
  return `
    with ${[...HEAD, ...wordTiers.map((tier) => scansOf(tier, startOf(tier.tier)))].join(', ')}
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
  /** For the GIN indexes: a superset of the matches. */
  readonly keys: string
  readonly match: string
  /** As `keys`, for `head_first`. */
  readonly first: string
}

const keysMatch = (query: string) => `directory_keys(e.terms) @@ cast(:${query} as tsquery)`
/** `is true` keeps the planner from using an index. */
const termsMatch = (query: string) => `(e.terms @@ cast(:${query} as tsquery)) is true`

const WORD_TIERS: readonly WordTier[] = [
  {
    tier: 2,
    keys: keysMatch('in_name_keys'),
    match: `${termsMatch('in_name')} and e.name_key <> :name and e.username <> :username`,
    first: 'in_name and not is_exact',
  },
  {
    tier: 3,
    keys: keysMatch('anywhere_keys'),
    match: `${termsMatch('anywhere')} and not ${termsMatch('in_name')}`,
    first: 'not in_name',
  },
]

const LAST_TIER = 3

/** Entries, about 1 us each. */
const SHORT_SCAN = 1_000
const LONG_SCAN = 20_000
/** Hits of the short scan after the head for a long scan to follow. */
const FREQUENT = 2
/** Entries of the head after which words with few matches are known to be rare. */
const TELLING = 10_000

/** Before the first position. */
const FIRST = '-1'

/** Subqueries that run once: the end of the head, whether entries follow it, and the first scan of the head. */
const HEAD = [
  'head_end as materialized (select position from directory_head_end where end_id = 1)',
  `behind as materialized (
    select exists (select from directory_entries where position > (select position from head_end)) as is_any)`,
  `head_first as materialized (
    select e.position, e.member_id, ${termsMatch('in_name')} as in_name,
      e.name_key = :name or e.username = :username as is_exact
    from (
      select * from directory_head where position <= (select position from head_end)
      order by position limit ${SHORT_SCAN}) e
    where ${termsMatch('anywhere')}
  )`,
]

/**
 * A short scan in page order fills the page for frequent words, and the GIN index of the head finds the rest. If the page
 * is not full, the words are rare, and the GIN index of the directory finds them. Pages near or after the end of the head
 * scan again, for longer if the words are frequent. Each step is bounded.
 *
 * The planner must not choose: it assumes that a prefix matches 0.5% of the members. So indexes are used in a CTE without
 * an order.
 */
function scansOf({ tier, keys, match, first }: WordTier, start: string): string {
  const inHead = `position > ${start} and position <= (select position from head_end)`
  const scan = (table: string, after: string, count: string) => `as materialized (
      select e.position, e.member_id from (
        select * from ${table} where ${after} order by position limit ${count}) e
      where ${match}
    )`
  const search = (table: string) => `as materialized (
      select e.position, e.member_id from ${table} e where ${keys} and ${match}
    )`
  const behind = `greatest(${start}, (select position from head_end))`
  const afterShort = `coalesce((select max(position) from short_${tier}), ${behind})`
  const telling = start === FIRST ? 1 : TELLING
  const shortCount = `(
    select case when count(*) < ${telling} then ${SHORT_SCAN} else 0 end
    from (select from directory_head where ${inHead} limit ${telling}) h)`
  const longCount = `(
    select case when count(*) >= ${FREQUENT} then ${LONG_SCAN} else 0 end from short_${tier})`
  const head =
    start === FIRST
      ? `as materialized (select position, member_id from head_first where ${first})`
      : scan('directory_head', inHead, String(SHORT_SCAN))
  return `
    head_${tier} ${head},
    rest_${tier} ${search('directory_head')},
    short_${tier} ${scan('directory_entries', `position > ${behind}`, shortCount)},
    long_${tier} ${scan('directory_entries', `position > ${afterShort}`, longCount)},
    rare_${tier} ${search('directory_entries')}`
}

/** Scans return matches in page order. Matches of an index must be sorted, and include the scanned ones. */
function sourcesOf({ tier }: WordTier, start: string): string[] {
  const lastOf = (scan: string) => `coalesce((select max(position) from ${scan}_${tier}), -1)`
  return [
    `head_${tier} e`,
    `rest_${tier} e where e.position > greatest(${start}, ${lastOf('head')})
      and e.position <= (select position from head_end) order by e.position`,
    `short_${tier} e`,
    `long_${tier} e`,
    `rare_${tier} e where (select is_any from behind) and e.position >
      greatest(${start}, (select position from head_end), ${lastOf('short')}, ${lastOf('long')})
      order by e.position`,
  ]
}

/** As in `directory_keys`. Longer prefixes use the key of their first characters. */
const MAX_KEY_LENGTH = 6
/** Ends the key of a prefix. No word contains it. */
const PREFIX_END = '~'

/** Queries for `terms` and `directory_keys`, by parameter. The last word is a prefix. */
function queriesOf(label: string, mark: string, asked: readonly string[]): Record<string, string> {
  const words = asked.slice(0, -1).map((word) => quoted(mark + word))
  const last = asked.at(-1) ?? ''
  const key = mark + Array.from(last).slice(0, MAX_KEY_LENGTH).join('') + PREFIX_END
  return {
    [label]: [...words, `${quoted(mark + last)}:*`].join(' & '),
    [`${label}_keys`]: [...words, quoted(key)].join(' & '),
  }
}

/** Words contain only letters and digits. */
function quoted(word: string): string {
  return `'${word}'`
}

/** Returns a tsvector, truncated to what can be stored. */
function vector(terms: readonly string[]): string {
  const text = terms.join(' ')
  if (text.length * 3 < MAX_BYTES || Buffer.byteLength(text) < MAX_BYTES) return text
  let bytes = 0
  const kept = terms.filter((term) => (bytes += Buffer.byteLength(term) + 1) < MAX_BYTES)
  return kept.join(' ')
}
