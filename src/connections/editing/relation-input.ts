/** Finds the connections at which relations point that a member or an agent typed. */

import { nameKey } from '../../base/tokenize.ts'
import { findNamedPeople } from './find-person.ts'
import { requireConnection } from './require-connection.ts'
import type { DetailsJson } from '../../contact-files/contact/details-json.ts'
import type { Relation } from '../../contact-files/contact/details.ts'
import type { MemberReader } from '../../db/database.ts'

type RelationsJson = NonNullable<DetailsJson['relations']>

/**
 * With the name of each connection that is given by ID, and the ID of each connection whose whole name only one person has.
 * A name that a present relation has keeps its connection.
 *
 * @throws {RequestError} `not_found` when there is no connection with an ID.
 */
export async function linkedInput(
  reader: MemberReader,
  relations: RelationsJson,
  present: readonly Relation[] = [],
): Promise<Relation[]> {
  const named = relations.flatMap(({ name = '', connection_id }) =>
    connection_id === undefined ? name : [],
  )
  const found = await findNamedPeople(reader, named, { wholeNames: true })
  const byName = new Map(found.map(({ text, candidates }) => [text, candidates]))
  const numberOf = (given: string): number | undefined => {
    const kept = present.find(({ name }) => nameKey(name) === nameKey(given))?.connectionId
    const [only, ...others] = byName.get(given.trim()) ?? []
    return kept ?? (others.length === 0 ? only?.connectionId : undefined)
  }
  const linked: Relation[] = []
  for (const { name = '', relation, connection_id } of relations) {
    const person =
      connection_id === undefined ? undefined : await requireConnection(reader, connection_id)
    const connectionId = person?.connectionId ?? numberOf(name)
    linked.push({
      name: name === '' ? (person?.name ?? '') : name,
      ...(relation !== undefined && { relation }),
      ...(connectionId !== undefined && { connectionId }),
    })
  }
  return linked
}
