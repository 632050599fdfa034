/** The connections that may be in a network twice, with everything that decides whether two are the same person. */

import { asProperties, memberStatement } from '../../db/statement.ts'
import {
  storedDetails,
  storedList,
  TEXT_FIELDS,
  type Connection,
  type ConnectionRow,
  type TextField,
} from '../model/connection.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Matchable } from '../../identity/match-person.ts'

export interface ComparedPerson extends Matchable {
  readonly connectionId: number
  /** The last import that had this person. */
  readonly importJobId: Connection['importJobId']
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

function personOf({ links, ...row }: ComparedRow): ComparedPerson {
  const { emails, phones } = { emails: storedList(row.emails), phones: storedList(row.phones) }
  const single = TEXT_FIELDS.filter((field) => row[field] !== null)
  const filled = single.length + emails.length + phones.length + storedList(links).length
  return { ...row, emails, phones, details: storedDetails(row.details), filled }
}

type ComparedRow = Pick<
  ConnectionRow,
  TextField | 'connectionId' | 'emails' | 'phones' | 'links' | 'details' | 'importJobId'
>

const COLUMNS = asProperties(
  `connection_id, name, given_name, family_name, company, title, location, emails, phones, profile_url, links,
   birthday, connected_on, details, import_job_id`,
)

/** By primary key. */
const COMPARED = memberStatement<{ ids: readonly number[] }, ComparedRow>()(`
  select ${COLUMNS} from connections c each (connection_id = :ids...bigint)
  where c.member_id = :member_id and c.deleted_at is null`)
