/** People who are related to the target of an introduction, as the records of either of them say. */

import { tokenize } from '../../base/tokenize.ts'
import { relationLabel } from '../person/detail-lines.ts'
import { findConnections } from '../model/connection-store.ts'
import { linkedRelations } from '../relations/linked-relations.ts'
import { relationKind } from '../../contact-files/contact/relation-kinds.ts'
import { idsOf, asListed, type Connection, type Listed } from '../model/connection.ts'
import type { MemberReader } from '../../db/database.ts'

/** Someone who is related to the target. */
export interface RelatedPerson {
  readonly connection: Listed
  /** A sentence: the reason. */
  readonly text: string
  /** As on the person's page: `Sister`. */
  readonly relation: string
}

/** Maximum number of people with the target's name. A name that more people have identifies no one. */
const MAX_TARGETS = 5

/** `known` are connections that are the target, `hits` are connections with its name in any field. */
export async function relatedPeople(
  reader: MemberReader,
  tokens: readonly string[],
  { known, hits }: Readonly<Record<'known' | 'hits', readonly Listed[]>>,
): Promise<RelatedPerson[]> {
  const targets = known.slice(0, MAX_TARGETS)
  const ids = (targets.length > 0 ? targets : hits).map(({ connectionId }) => connectionId)
  const people = await findConnections(reader, ids)
  if (targets.length === 0) return people.flatMap((person) => namedRelations(person, tokens))
  const related: RelatedPerson[] = []
  for (const target of people) {
    const relations = await linkedRelations(reader, target)
    const links = relations.flatMap(({ connectionId, relation = '' }) =>
      connectionId === undefined
        ? []
        : [
            {
              connectionId,
              text: relationText(relation, target),
              relation: relationLabel({ name: target.name, relation: relation || 'related to' }),
            },
          ],
    )
    const others = await findConnections(reader, idsOf(links))
    for (const { connectionId, text, relation } of links) {
      const connection = others.find((one) => one.connectionId === connectionId)
      if (connection) related.push({ connection: asListed(connection), text, relation })
    }
  }
  return related
}

/** The relations of a connection to someone who is not in the network. */
function namedRelations(connection: Connection, tokens: readonly string[]): RelatedPerson[] {
  const { relations = [] } = connection.details
  return relations.flatMap(({ name, relation = 'related' }) => {
    const words = new Set(tokenize(name))
    return tokens.every((token) => words.has(token))
      ? [
          {
            connection: asListed(connection),
            text: `Has ${name} as ${relation}.`,
            relation: relationLabel({ name, relation }),
          },
        ]
      : []
  })
}

/** What a person is to the target: `Sister of Jane Doe.` */
function relationText(relation: string, { name }: Connection): string {
  const kind = relationKind(relation)
  if (kind === 'introduced by') return `Introduced you to ${name}.`
  if (kind === 'introduced') return `You know them through ${name}.`
  if (relation === '') return `Related to ${name}.`
  const label = relationLabel({ name, relation })
  return relation.endsWith(' of') ? `${label} ${name}.` : `${label} of ${name}.`
}
