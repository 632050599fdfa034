/** Where the people of a network live and work, and when they were last contacted, for charts of the network. */

import { memberStatement, WHOLE_NETWORK } from '../../db/statement.ts'
import { cityOf, type City } from '../../search/questions/cities.ts'
import type { MemberDatabase, MemberReader } from '../../db/database.ts'

type HeavyReader = Pick<MemberDatabase, 'heavy'>

/** People with something in common: a city, or a company. */
export interface PeopleGroup {
  /** As most of them have it. */
  readonly label: string
  /** The values of the field that mean this group. */
  readonly values: readonly string[]
  readonly people: number
  /** How many of them were contacted on or after the day that was asked. */
  readonly recent: number
  /** YYYY-MM-DD; null if no one was ever contacted. */
  readonly latest: string | null
  /** The city, if it is known. */
  readonly city?: City
}

/** Whether they heard from the member once, but not since that day. */
export function isSilent({ recent, latest }: PeopleGroup): boolean {
  return recent === 0 && latest !== null
}

/** The largest first. `since` is YYYY-MM-DD. */
export async function groupByCompany(db: HeavyReader, since: string): Promise<PeopleGroup[]> {
  const rows = await db.heavy.all(COMPANIES, { since })
  return bySize(rows.map((row) => Object.assign(row, { label: row.value, values: [row.value] })))
}

/** Locations in one city are one group, whatever language they are in. Other locations are as they are. */
export async function groupByCity(db: HeavyReader, since: string): Promise<PeopleGroup[]> {
  const rows = await db.heavy.all(LOCATIONS, { since })
  const groups = Map.groupBy(rows, ({ value }) => cityOf(value) ?? value)
  return bySize(
    [...groups].map(([city, own]) => groupOf(own, typeof city === 'string' ? undefined : city)),
  )
}

function groupOf(rows: readonly GroupRow[], city: City | undefined): PeopleGroup {
  const [most] = rows.toSorted((one, other) => other.people - one.people)
  const label = most?.value ?? ''
  const group = {
    // Without the region and the country.
    label: city ? (label.split(',')[0]?.trim() ?? label) : label,
    values: rows.map(({ value }) => value),
    people: sum(rows.map(({ people }) => people)),
    recent: sum(rows.map(({ recent }) => recent)),
    latest:
      rows
        .map(({ latest }) => latest ?? '')
        .toSorted()
        .at(-1) || null,
  }
  return city ? { ...group, city } : group
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

function bySize(groups: readonly PeopleGroup[]): PeopleGroup[] {
  return groups.toSorted(
    (one, other) => other.people - one.people || one.label.localeCompare(other.label),
  )
}

export interface GroupFace {
  readonly name: string
  readonly photo: string | null
}

/** Up to three faces for each of these values, photos and the latest contacts first. */
export async function facesOf(
  reader: MemberReader,
  field: 'location' | 'company',
  groups: readonly PeopleGroup[],
): Promise<ReadonlyMap<PeopleGroup, readonly GroupFace[]>> {
  const values = groups.flatMap((group) => group.values)
  if (values.length === 0) return new Map()
  const rows = await reader.all(FACES[field], { values })
  const byValue = Map.groupBy(rows, ({ value }) => value)
  return new Map(
    groups.map((group) => {
      const own = group.values.flatMap((value) => byValue.get(value) ?? [])
      const sorted = own.toSorted((one, other) => Number(!one.photo) - Number(!other.photo))
      return [group, sorted.slice(0, MAX_FACES)]
    }),
  )
}

const MAX_FACES = 3

export interface LastContactCounts {
  readonly all: number
  readonly quarter: number
  /** Without those of the quarter. */
  readonly year: number
  readonly longer: number
}

/** How many people were last contacted on or after these days (YYYY-MM-DD), and before. */
export async function countLastContacts(
  { heavy }: HeavyReader,
  since: { readonly quarter: string; readonly year: string },
): Promise<LastContactCounts> {
  const row = await heavy.get(LAST_CONTACTS, since)
  return row ?? { all: 0, quarter: 0, year: 0, longer: 0 }
}

interface GroupRow {
  readonly value: string
  readonly people: number
  readonly recent: number
  readonly latest: string | null
}

const COUNTED = `cast(count(*) as integer) as people,
    cast(coalesce(sum(case when t.last_contact_on >= :since then 1 else 0 end), 0) as integer) as recent,
    max(t.last_contact_on) as latest` as const
const WITH_TIMES = `from connections c
  left join contact_times t on t.member_id = :member_id and t.connection_id = c.connection_id
  where c.member_id = :member_id and c.deleted_at is null` as const

const LOCATIONS = memberStatement<{ since: string }, GroupRow>()(`
  ${WHOLE_NETWORK} select c.location as value, ${COUNTED} ${WITH_TIMES} and c.location is not null group by c.location`)

const COMPANIES = memberStatement<{ since: string }, GroupRow>()(`
  ${WHOLE_NETWORK} select c.company as value, ${COUNTED} ${WITH_TIMES} and c.company is not null group by c.company`)

const LAST_CONTACTS = memberStatement<{ quarter: string; year: string }, LastContactCounts>()(`
  ${WHOLE_NETWORK} select cast(count(*) as integer) as "all",
    cast(coalesce(sum(case when t.last_contact_on >= :quarter then 1 else 0 end), 0) as integer) as quarter,
    cast(coalesce(sum(case when t.last_contact_on >= :year and t.last_contact_on < :quarter then 1 else 0 end), 0) as integer)
      as year,
    cast(coalesce(sum(case when t.last_contact_on < :year then 1 else 0 end), 0) as integer) as longer
  ${WITH_TIMES}`)

type FaceRow = GroupFace & { readonly value: string }

const facesIn = (column: 'location' | 'company') =>
  memberStatement<{ values: readonly string[] }, FaceRow>()(`
  ${WHOLE_NETWORK} select value, name, photo from (
    select c.${column} as value, c.name, c.photo, row_number() over (partition by c.${column}
      order by case when c.photo is null then 1 else 0 end, coalesce(t.last_contact_on, '') desc, c.connection_id) as rank
    ${WITH_TIMES} and c.${column} in (:values...text)) ranked
  where rank <= 3 order by rank`)

const FACES = { location: facesIn('location'), company: facesIn('company') }
