/**
 * The relations of people, with the connections that they point at. A relation points at a connection by its number, or by a
 * name that only one person has. Each is seen from both sides: if Ada's record has her child Ben, Ben's has his parent Ada.
 */

import { nameKey } from '../../base/tokenize.ts'
import { findNamedPeople } from '../editing/find-person.ts'
import { findConnections, findPresent } from '../model/connection-store.ts'
import { findRelated } from '../model/relation-keys.ts'
import { inverseRelation, relationKind } from '../../contact-files/contact/relation-kinds.ts'
import type { Connection } from '../model/connection.ts'
import { withDetails, type Relation } from '../../contact-files/contact/details.ts'
import type { MemberReader } from '../../db/database.ts'

interface LinkedRelation extends Relation {
  /** Whether the record of the other person has it. */
  readonly isInverse: boolean
}

/** People whose relations are read for the other side of one person. */
const MAX_RELATED = 200

/** The relations of one connection, its own first. `connectionId` is that of a live connection, whose present name they have. */
export async function linkedRelations(
  reader: MemberReader,
  person: Connection,
): Promise<readonly LinkedRelation[]> {
  const relatedIds = (await findRelated(reader, [person])).filter(
    (id) => id !== person.connectionId,
  )
  const related = await livePeople(reader, relatedIds.slice(0, MAX_RELATED))
  const links = await resolverFor(reader, [person, ...related])
  const own = (person.details.relations ?? []).map((one) => ownRelation(person, one, links(one)))
  const inverse = related.flatMap((other) =>
    (other.details.relations ?? [])
      .filter((one) => links(one)?.connectionId === person.connectionId)
      .map((one) => inverseOf(other, one)),
  )
  return withInverse(own, inverse)
}

function ownRelation(
  person: Connection,
  { connectionId: _stale, ...written }: Relation,
  other: Connection | undefined,
): LinkedRelation {
  if (other === undefined || other.connectionId === person.connectionId)
    return { ...written, isInverse: false }
  return { ...written, name: other.name, connectionId: other.connectionId, isInverse: false }
}

function inverseOf({ connectionId, name }: Connection, { relation }: Relation): LinkedRelation {
  return {
    name,
    connectionId,
    isInverse: true,
    ...(relation !== undefined && { relation: inverseRelation(relation) }),
  }
}

/** An own relation that says the same, or less, takes the connection of the other side. */
function withInverse(
  own: readonly LinkedRelation[],
  inverse: readonly LinkedRelation[],
): readonly LinkedRelation[] {
  const all = [...own]
  for (const one of inverse) {
    const at = all.findIndex((other) => isSame(other, one))
    const same = all[at]
    if (same === undefined) all.push(one)
    else if (same.connectionId === undefined)
      all[at] = {
        ...same,
        ...(one.connectionId !== undefined && { connectionId: one.connectionId }),
      }
  }
  return all
}

function isSame(one: LinkedRelation, other: LinkedRelation): boolean {
  const isSamePerson =
    one.connectionId === undefined
      ? nameKey(one.name) === nameKey(other.name)
      : one.connectionId === other.connectionId
  if (!isSamePerson) return false
  if (one.relation === undefined || other.relation === undefined) return true
  return relationKind(one.relation) === relationKind(other.relation)
}

async function livePeople(reader: MemberReader, ids: readonly number[]): Promise<Connection[]> {
  const people = await findConnections(reader, ids)
  return people.filter(({ deletedAt }) => deletedAt === null)
}

/** The connection with these relations instead of its own, to be shown. */
export async function withLinkedRelations(
  reader: MemberReader,
  person: Connection,
): Promise<Connection> {
  const linked = await linkedRelations(reader, person)
  const relations = linked.map(({ isInverse: _side, ...one }) => one)
  return relations.length === 0
    ? person
    : { ...person, details: withDetails(person.details, [['relations', relations]]) }
}

type Resolver = (relation: Relation) => Connection | undefined

/** Finds the connections that the relations of these people name, with two lookups. Ignores deleted ones. */
async function resolverFor(reader: MemberReader, people: readonly Connection[]): Promise<Resolver> {
  const relations = people.flatMap(({ details }) => details.relations ?? [])
  const ids = relations.flatMap(({ connectionId }) => connectionId ?? [])
  const byId = await findPresent(reader, [...new Set(ids)])
  const names = relations.filter(({ connectionId }) => connectionId === undefined)
  const found = await findNamedPeople(
    reader,
    names.map(({ name }) => name),
    { wholeNames: true },
  )
  const byName = new Map(found.map(({ text, candidates }) => [text, candidates]))
  return ({ connectionId, name }) => {
    const candidates =
      connectionId === undefined ? (byName.get(name.trim()) ?? []) : [byId.get(connectionId)]
    const [only, ...others] = candidates
    return others.length === 0 && only?.deletedAt === null ? only : undefined
  }
}
