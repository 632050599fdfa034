/** Filters of the directory: locations, companies and skills as terms of entries, and how many members have each. */

import { normalize } from '../base/tokenize.ts'
import { statement } from '../db/statement.ts'
import { readDirectoryVersion } from './directory-changes.ts'
import { matchOf, type DirectorySearch } from './directory-index.ts'
import type { Reader } from '../db/database.ts'
import type { Member } from './member-row.ts'

export const FILTER_NAMES = ['location', 'company', 'skill'] as const
export type FilterName = (typeof FILTER_NAMES)[number]

/** A value as a profile has it, in any case and with or without accents. */
export type DirectoryFilters = { readonly [Name in FilterName]?: string | undefined }

/** The first character of a term. No word begins with it, and together they are one range. */
const MARKS = { location: '>', company: '?', skill: '@' } as const satisfies Record<
  FilterName,
  string
>
const AFTER_MARKS = 'A'

/** The values of a location are its parts, so that `Germany` finds `Berlin, Germany`. */
export function locationParts(location: string): string[] {
  return location
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** The terms of a profile. */
export function filterTermsOf({
  location,
  organization,
  skills,
}: Pick<Member, 'location' | 'organization' | 'skills'>): string[] {
  return [
    ...locationParts(location ?? '').map((part) => termOf('location', part)),
    termOf('company', organization ?? ''),
    ...skills.map((skill) => termOf('skill', skill)),
  ].filter((term) => term !== undefined)
}

/** The terms that an entry must have; undefined if a value has no letter or digit, so that no entry has it. */
export function requiredTerms(filters: DirectoryFilters): string[] | undefined {
  const terms = FILTER_NAMES.flatMap((name) => {
    const value = filters[name]?.trim() ?? ''
    if (value === '') return []
    return (name === 'location' ? locationParts(value) : [value]).map((one) => termOf(name, one))
  })
  const known = terms.filter((term) => term !== undefined)
  return known.length < terms.length ? undefined : known
}

/** Undefined without a letter or digit. The characters of C++, C# and Node.js count. */
function termOf(name: FilterName, value: string): string | undefined {
  const key = normalize(value)
    .replaceAll(/[^\p{L}\p{N}+#.]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  return /[\p{L}\p{N}]/u.test(key) ? MARKS[name] + key : undefined
}

export interface FilterValue {
  readonly label: string
  /** How many of the members found have it. */
  readonly members: number
}

export interface FoundMembers {
  readonly total: number
  /** The most frequent values, most frequent first. */
  readonly values: Readonly<Record<FilterName, readonly FilterValue[]>>
}

/** Counting reads every term of a filter. In larger directories, members are searched instead. */
const MAX_ENTRIES = 50_000

const VALUES_PER_FILTER = 8

type Search = Omit<DirectorySearch, 'after' | 'limit'>

/** Undefined if the directory is too large to count. */
type CountFound = (search: Search) => Promise<FoundMembers | undefined>

/** Searches whose counts are kept until a profile changes. */
const MAX_KEPT = 200

/** Counting takes 20 ms among 10,000 members, and most visitors see the same few pages. */
export function foundCounter(reader: Reader): CountFound {
  let kept = { version: -1, counts: new Map<string, FoundMembers | undefined>() }
  return async (search) => {
    const version = await readDirectoryVersion(reader)
    if (version !== kept.version || kept.counts.size >= MAX_KEPT)
      kept = { version, counts: new Map() }
    const { counts } = kept
    const key = JSON.stringify(search)
    if (!counts.has(key)) counts.set(key, await countFound(reader, search))
    return counts.get(key)
  }
}

async function countFound(reader: Reader, search: Search): Promise<FoundMembers | undefined> {
  const size = await reader.get(SIZE, { limit: MAX_ENTRIES + 1 })
  if ((size?.entries ?? 0) > MAX_ENTRIES) return undefined
  const { condition, params } = matchOf(search)
  const found = `select e.position from directory_entries e where ${condition}`
  const rows = await reader.all(statement<object, CountedRow>(countedOf(found)), {
    ...params,
    from: MARKS.location,
    to: AFTER_MARKS,
    most: VALUES_PER_FILTER,
  })
  const total = await reader.get(
    statement<object, { total: number }>(`select count(*) as total from (${found}) f`),
    params,
  )
  const values = FILTER_NAMES.map((name) => [
    name,
    rows
      .filter(({ term }) => term.startsWith(MARKS[name]))
      .map((row) => ({ label: labelOf(name, row), members: row.members })),
  ])
  // One entry for every name.
  return { total: total?.total ?? 0, values: Object.fromEntries(values) as FoundMembers['values'] }
}

interface CountedRow {
  readonly term: string
  readonly members: number
  readonly location: string | null
  readonly organization: string | null
  readonly skills: string
}

/** The value as the first member in page order who has it spells it. */
function labelOf(name: FilterName, { term, location, organization, skills }: CountedRow): string {
  const spelled = {
    location: () => locationParts(location ?? ''),
    company: () => [organization ?? ''],
    // Written by the service.
    skill: () => JSON.parse(skills) as string[],
  }[name]()
  return spelled.find((value) => termOf(name, value) === term) ?? term.slice(1)
}

function countedOf(found: string): string {
  return `
    select c.term, c.members, m.location, m.organization, m.skills
    from (
      select t.*, row_number() over (partition by substr(term, 1, 1) order by members desc, term) as nth
      from (
        select term, count(*) as members, min(position) as first from directory_terms
        where term >= :from and term < :to and position in (${found})
        group by term) t) c
      join directory_entries e on e.position = c.first
      join members m on m.member_id = e.member_id
    where c.nth <= :most order by c.nth`
}

const SIZE = statement<{ limit: number }, { entries: number }>(
  'select count(*) as entries from (select 1 from directory_entries limit :limit) e',
)
