/** Finds the connections at which relations point that a member or an agent typed. */

import { nameKey } from '../../base/tokenize.ts'
import { findNamedPeople } from './find-person.ts'
import { requireConnection } from './require-connection.ts'
import type { DetailsJson } from '../../contact-files/contact/details-json.ts'
import type { Relation } from '../../contact-files/contact/details.ts'
import type { Connection } from '../model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

type RelationsJson = NonNullable<DetailsJson['relations']>

/** Adds a person with this name. */
export type CreatePerson = (name: string) => Promise<Connection>

/**
 * With the name of each connection that is given by ID, and the ID of each connection whose whole name only one person has.
 * A name that a present relation has keeps its connection. With `create`, a relation that asks for it adds a person whose name no one has.
 *
 * @throws {RequestError} `not_found` when there is no connection with an ID.
 */
export async function linkedInput(
  reader: MemberReader,
  relations: RelationsJson,
  present: readonly Relation[] = [],
  create?: CreatePerson,
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
  for (const { name = '', relation, connection_id, create: isWanted } of relations) {
    const isUnknown = numberOf(name) === undefined && byName.get(name.trim())?.length === 0
    const person =
      connection_id !== undefined
        ? await requireConnection(reader, connection_id)
        : isWanted && isUnknown
          ? await create?.(name)
          : undefined
    const connectionId = person?.connectionId ?? numberOf(name)
    linked.push({
      name: name === '' ? (person?.name ?? '') : name,
      ...(relation !== undefined && { relation }),
      ...(connectionId !== undefined && { connectionId }),
    })
  }
  return linked
}
