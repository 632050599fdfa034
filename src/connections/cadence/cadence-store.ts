/** The cadences of people and tags: how often the member wants to be in touch. */

import { deleteRow } from '../../db/change-row.ts'
import { propertiesIn, stateOf, type Logged } from '../../records/logged-state.ts'
import { memberStatement } from '../../db/statement.ts'
import {
  NO_CADENCE,
  OWN_CADENCE,
  refreshDueDates,
  type OwnCadence,
} from '../last-contact/contact-times.ts'
import type { Cadence } from '../../dates/cadence.ts'
import type { RecordedCadence } from '../person/snapshot.ts'
import { withStoredSpelling, type Tag } from '../model/tag-store.ts'
import { column, selected, valuesOf } from '../../records/columns.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** The cadence of a person in the activity log. */
export const LOGGED_CADENCE: Logged<OwnCadence> = {
  every: 'every',
  unit: 'unit',
  set_on: 'setOn',
  paused_until: 'pausedUntil',
  muted: {
    write: ({ isMuted }) => isMuted === 1,
    read: (muted) => ({ isMuted: Number(muted) }),
  },
}

/** The cadence of a person, for a snapshot. */
export function recordedCadence(own: OwnCadence): RecordedCadence {
  // Safe: the names are those of `LOGGED_CADENCE`.
  return stateOf({ logged: LOGGED_CADENCE }, own) as unknown as RecordedCadence
}

/** The cadence that `recordedCadence` recorded. */
export function ownCadence(recorded: RecordedCadence): OwnCadence {
  return { ...NO_CADENCE, ...propertiesIn({ logged: LOGGED_CADENCE }, { ...recorded }, true) }
}

/** The cadence of each of these people; `NO_CADENCE` for the others. */
export async function cadencesOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, OwnCadence>> {
  const rows = ids.length === 0 ? [] : await reader.all(OWN, { ids })
  const found = new Map(rows.map(({ connectionId, ...own }) => [connectionId, own]))
  return new Map(ids.map((id) => [id, found.get(id) ?? NO_CADENCE]))
}

/** Stores cadences and derives the due dates again. */
export async function storeCadences(
  tx: MemberTransaction,
  cadences: ReadonlyMap<number, OwnCadence>,
): Promise<void> {
  const cadenced = [...cadences].map(([connectionId, own]) => Object.assign({ connectionId }, own))
  const { columns, rows } = valuesOf({ ...KEY, ...OWN_CADENCE }, cadenced)
  const [key = '', ...values] = columns
  const ids = [...cadences.keys()]
  const table = 'contact_times'
  await tx.insertMany({ table, columns: [key], rows: ids.map((id) => [id]), onConflict: 'ignore' })
  await tx.updateMany({ table, key: [key], columns: values, rows })
  await refreshDueDates(tx, ids)
}

const KEY = { connectionId: column<number>() }

/** The cadence of a tag, for the people who have it and none of their own. */
export interface TagRule extends Cadence {
  /** YYYY-MM-DD */
  readonly setOn: string
}

/** The cadence of a tag; undefined if it has none. */
export async function tagRuleOf(
  reader: MemberReader,
  { key }: Pick<Tag, 'key'>,
): Promise<TagRule | undefined> {
  return reader.get(TAG_RULE, { tag_key: key })
}

/** The cadences of all tags, including tags without people. */
export async function listTagCadences(reader: MemberReader): Promise<readonly TagCadence[]> {
  return reader.all(TAG_RULES, {})
}

/** Stores the cadence of a tag, or removes it, and derives the due dates of its people again. Returns how many have no own cadence. */
export async function storeTagRule(
  tx: MemberTransaction,
  tag: Tag,
  rule: TagRule | undefined,
): Promise<number> {
  const { key } = tag
  const spelled = await withStoredSpelling(tx, [tag])
  await deleteRow(tx, 'tag_cadences', { tagKey: key })
  if (rule)
    await tx.insertMany({
      table: 'tag_cadences',
      columns: ['tag_key', 'tag', 'every', 'unit', 'set_on'],
      rows: spelled.map((one) => [key, one.tag, rule.every, rule.unit, rule.setOn]),
    })
  const people = await tx.all(TAGGED, { tag_key: key })
  for (let first = 0; first < people.length; first += BATCH)
    await refreshDueDates(
      tx,
      people.slice(first, first + BATCH).map(({ connection_id }) => connection_id),
    )
  return people.filter(({ every, is_live }) => every === null && is_live === 1).length
}

/** A tag with a cadence. */
export interface TagCadence extends Cadence {
  readonly tag: string
}

/** Connections per statement. */
const BATCH = 500

/** By primary key. */
const OWN = memberStatement<
  { ids: readonly number[] },
  OwnCadence & { readonly connectionId: number }
>()(`
  select ${selected({ ...KEY, ...OWN_CADENCE }, 't')}
  from contact_times t each (connection_id = :ids...bigint)
  where t.member_id = :member_id`)

/** By primary key. */
const TAG_RULE = memberStatement<{ tag_key: string }, TagRule>()(`
  select every, unit, set_on as "setOn" from tag_cadences where member_id = :member_id and tag_key = :tag_key`)

/** By primary key. */
const TAG_RULES = memberStatement<object, TagCadence>()(
  'select tag, every, unit from tag_cadences where member_id = :member_id order by tag_key',
)

/** By primary keys. */
const TAGGED = memberStatement<
  { tag_key: string },
  { connection_id: number; every: number | null; is_live: number }
>()(`
  select t.connection_id, o.every, case when c.deleted_at is null and c.merged_into is null then 1 else 0 end as is_live
  from connection_tags t
  join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
  left join contact_times o on o.member_id = :member_id and o.connection_id = t.connection_id
  where t.member_id = :member_id and t.tag_key = :tag_key order by t.connection_id`)
