/** The connections that may be in a network twice, with everything that decides whether two are the same person. */

import { memberStatement } from '../../db/statement.ts'
import { NO_DETAILS, type Details } from '../../contact-files/contact/details.ts'
import { storedList, type Connection, type ConnectionRow } from '../model/connection.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Matchable } from '../../identity/match-person.ts'

export interface ComparedPerson extends Matchable {
  readonly connectionId: number
  /** The last import that had this person. */
  readonly importJobId: Connection['importJobId']
  /** Number of filled values. */
  readonly filled: number
}

/** People per read. */
const PAGE = 1000

/** These connections by ID, except deleted ones. */
export async function readPeople(
  reader: MemberReader,
  connectionIds: ReadonlySet<number>,
): Promise<Map<number, ComparedPerson>> {
  const people = new Map<number, ComparedPerson>()
  // In the order of the table, neighbors are read together.
  const all = Uint32Array.from(connectionIds).sort()
  for (let from = 0; from < all.length; from += PAGE) {
    const ids = Array.from(all.subarray(from, from + PAGE))
    for (const row of await reader.all(COMPARED, { ids })) {
      const person = personOf(row)
      people.set(person.connectionId, person)
    }
  }
  return people
}

function personOf(row: ComparedRow): ComparedPerson {
  const fields = {
    name: row.name,
    givenName: row.given_name,
    familyName: row.family_name,
    company: row.company,
    title: row.title,
    location: row.location,
    emails: storedList(row.emails),
    phones: storedList(row.phones),
    profileUrl: row.profile_url,
    birthday: row.birthday,
    connectedOn: row.connected_on,
  }
  const { emails, phones, ...single } = fields
  return {
    ...fields,
    connectionId: row.connection_id,
    details: row.details === '{}' ? NO_DETAILS : (JSON.parse(row.details) as Details),
    importJobId: row.import_job_id,
    filled:
      Object.values(single).filter((value) => value !== null).length +
      emails.length +
      phones.length +
      storedList(row.links).length,
  }
}

type ComparedRow = Pick<
  ConnectionRow,
  | 'connection_id'
  | 'name'
  | 'given_name'
  | 'family_name'
  | 'company'
  | 'title'
  | 'location'
  | 'emails'
  | 'phones'
  | 'profile_url'
  | 'links'
  | 'birthday'
  | 'connected_on'
  | 'details'
  | 'import_job_id'
>

/** By primary key. */
const COMPARED = memberStatement<{ ids: readonly number[] }, ComparedRow>()(`
  select connection_id, name, given_name, family_name, company, title, location, emails, phones, profile_url, links,
    birthday, connected_on, details, import_job_id
  from connections c each (connection_id = :ids...bigint)
  where c.member_id = :member_id and c.deleted_at is null`)
