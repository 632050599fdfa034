/** The columns of `connections` and their values. */

import { nameKey } from '../../base/tokenize.ts'
import { NO_DETAILS } from '../../contact-files/contact/details.ts'
import { lastJobEnd } from './organizations.ts'
import type { Connection } from './connection.ts'

type ColumnValue = string | number | null

/** Characters that names are sorted by, limited because cursors contain them. */
const MAX_SORT_KEY_LENGTH = 100

const VALUES = {
  connection_id: ({ connectionId }) => connectionId,
  name: ({ name }) => name,
  name_key: ({ name }) => nameKey(name).slice(0, MAX_SORT_KEY_LENGTH).toWellFormed(),
  given_name: ({ givenName }) => givenName,
  family_name: ({ familyName }) => familyName,
  company: ({ company }) => company,
  title: ({ title }) => title,
  emails: ({ emails }) => json(emails),
  profile_url: ({ profileUrl }) => profileUrl,
  connected_on: ({ connectedOn }) => connectedOn,
  source: ({ source }) => source,
  import_job_id: ({ importJobId }) => importJobId,
  version: ({ version }) => version,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
  location: ({ location }) => location,
  phones: ({ phones }) => json(phones),
  links: ({ links }) => json(links),
  birthday: ({ birthday }) => birthday,
  details: ({ details }) => (details === NO_DETAILS ? '{}' : JSON.stringify(details)),
  job_ended_on: ({ details }) => lastJobEnd(details),
  field_sources: ({ fieldSources }) => JSON.stringify(fieldSources),
  deleted_at: ({ deletedAt }) => deletedAt,
  merged_into: ({ mergedInto }) => mergedInto,
} satisfies Record<string, (connection: Connection) => ColumnValue>

type Column = keyof typeof VALUES

/** In the order of `columns`. */
export function valuesOf(connection: Connection, columns: readonly Column[]): ColumnValue[] {
  return columns.map((column) => VALUES[column](connection))
}

/** The columns without which a row cannot be inserted, and those that most people have a value for. */
export const NEEDED = [
  'connection_id',
  'name',
  'name_key',
  'given_name',
  'family_name',
  'company',
  'title',
  'emails',
  'profile_url',
  'connected_on',
  'source',
  'import_job_id',
  'version',
  'created_at',
  'updated_at',
] as const satisfies readonly Column[]

/** The other columns. */
export const OTHERS = [
  'location',
  'phones',
  'links',
  'birthday',
  'details',
  'job_ended_on',
  'field_sources',
  'deleted_at',
  'merged_into',
] as const satisfies readonly Column[]

/** Whether the database stores the same in `OTHERS` by default. Sending it would take as long as sending other values. */
export function hasDefaults(connection: Connection): boolean {
  const { location, phones, links, birthday, details, fieldSources } = connection
  return (
    location === null &&
    phones.length === 0 &&
    links.length === 0 &&
    birthday === null &&
    details === NO_DETAILS &&
    Object.keys(fieldSources).length === 0 &&
    connection.deletedAt === null &&
    connection.mergedInto === null
  )
}

/**
 * Columns that an update sends only if they change, because most keep their values, and SQLite replaces the entries of an
 * index even if the value stays the same. In groups, so that there are few different statements.
 */
const RARELY_CHANGED: readonly {
  readonly columns: readonly Column[]
  readonly hasChanged: (before: Connection, after: Connection) => boolean
}[] = [
  {
    columns: ['name', 'name_key', 'given_name', 'family_name'],
    hasChanged: (before, after) =>
      before.name !== after.name ||
      before.givenName !== after.givenName ||
      before.familyName !== after.familyName,
  },
  {
    columns: ['emails', 'phones', 'profile_url', 'links'],
    hasChanged: (before, after) =>
      before.emails !== after.emails ||
      before.phones !== after.phones ||
      before.profileUrl !== after.profileUrl ||
      before.links !== after.links,
  },
  {
    columns: ['connected_on'],
    hasChanged: (before, after) => before.connectedOn !== after.connectedOn,
  },
  {
    columns: ['job_ended_on'],
    hasChanged: (before, after) => lastJobEnd(before.details) !== lastJobEnd(after.details),
  },
]

const OFTEN_CHANGED: readonly Column[] = [...NEEDED, ...OTHERS].filter(
  (column) =>
    column !== 'connection_id' && !RARELY_CHANGED.some(({ columns }) => columns.includes(column)),
)

/** For each combination of groups that have changed: one bit per group. */
const UPDATED: readonly (readonly Column[])[] = Array.from(
  { length: 2 ** RARELY_CHANGED.length },
  (_, bits) => [
    ...OFTEN_CHANGED,
    ...RARELY_CHANGED.flatMap(({ columns }, group) => ((bits >> group) & 1 ? columns : [])),
  ],
)

/** The columns that an update has to send. Two updates of the same columns get the same array. */
export function updatedColumns(before: Connection, after: Connection): readonly Column[] {
  let bits = 0
  for (const [group, { hasChanged }] of RARELY_CHANGED.entries())
    if (hasChanged(before, after)) bits |= 1 << group
  return UPDATED[bits] ?? OFTEN_CHANGED
}

function json(values: readonly string[]): string {
  return values.length === 0 ? '[]' : JSON.stringify(values)
}
