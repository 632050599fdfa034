/** The columns of `connections` and their values. */

import { nameKey } from '../../base/tokenize.ts'
import { NO_DETAILS } from '../../contact-files/contact/details.ts'
import { lastJobEnd } from './organizations.ts'
import type { Connection } from './connection.ts'

type ColumnValue = string | number | null

/** Characters that names are sorted by, limited because cursors contain them. */
export const MAX_SORT_KEY_LENGTH = 100

const VALUES = {
  connection_id: ({ connectionId }) => connectionId,
  name: ({ name }) => name,
  name_key: ({ name }) => storedNameKey(name),
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
  nickname_key: ({ details: { nickname } }) =>
    nickname === undefined ? null : storedNameKey(nickname) || null,
  photo: ({ details }) => details.photo ?? null,
  field_sources: ({ fieldSources }) => JSON.stringify(fieldSources),
  deleted_at: ({ deletedAt }) => deletedAt,
  merged_into: ({ mergedInto }) => mergedInto,
} satisfies Record<string, (connection: Connection) => ColumnValue>

type Column = keyof typeof VALUES

/** All columns but `member_id`. */
export const COLUMNS = Object.keys(VALUES) as Column[]

/** In the order of `COLUMNS`. */
export function connectionValues(connection: Connection): ColumnValue[] {
  return COLUMNS.map((column) => VALUES[column](connection))
}

function storedNameKey(name: string): string {
  return nameKey(name).slice(0, MAX_SORT_KEY_LENGTH).toWellFormed()
}

function json(values: readonly string[]): string {
  return values.length === 0 ? '[]' : JSON.stringify(values)
}
