/** Who is around a person or a company: relations, people met in the same interactions, and colleagues. */

import { t } from '../../languages/message.ts'
import { requireConnection } from '../../connections/editing/require-connection.ts'
import { findConnections } from '../../connections/model/connection-store.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { metTogether } from '../../connections/overview/network-charts.ts'
import { findListed } from '../../connections/people/find-people.ts'
import { linkedRelations } from '../../connections/relations/linked-relations.ts'
import { connectionPath, networkPath } from '../../html/site-map.ts'
import { listPath } from '../ui/list-path.ts'
import { neighborhoodPanel, type Neighbor } from './neighborhood.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { Html } from '../../html/html.ts'

const MAX_NEIGHBORS = 40

/** @throws {RequestError} `not_found` when the connection does not exist. */
export async function aroundPerson(db: MemberDatabase, publicId: string): Promise<Html> {
  const person = await requireConnection(db, publicId)
  const { name, company, connectionId } = person
  const [relations, together, colleagues] = await Promise.all([
    linkedRelations(db, person),
    metTogether(db, connectionId, MAX_NEIGHBORS),
    company === null ? [] : colleaguesAt(db, company),
  ])
  const kinds = new Map<number, string>()
  for (const { connectionId: id, relation } of relations)
    if (id !== undefined) kinds.set(id, relation ?? t('related'))
  for (const id of together) if (!kinds.has(id)) kinds.set(id, t('met together'))
  for (const id of colleagues) if (!kinds.has(id)) kinds.set(id, t('colleague'))
  kinds.delete(connectionId)
  return neighborhoodPanel({
    name,
    path: connectionPath(publicId),
    neighbors: await neighborsOf(db, kinds),
    all: company !== null && kinds.size > MAX_NEIGHBORS ? listPath({ company }) : undefined,
  })
}

export async function aroundCompany(db: MemberDatabase, company: string): Promise<Html> {
  const kinds = new Map((await colleaguesAt(db, company)).map((id) => [id, t('works here')]))
  const path = listPath({ company })
  const all = kinds.size > MAX_NEIGHBORS ? path : undefined
  return neighborhoodPanel({ name: company, path, neighbors: await neighborsOf(db, kinds), all })
}

async function colleaguesAt(db: MemberDatabase, company: string): Promise<readonly number[]> {
  const asked = { query: '', mode: 'keyword', sort: 'name', isReversed: false } as const
  const { ids } = await findListed(db, { ...asked, filters: { company } }, undefined)
  return ids
}

/** The first of them who are in the network, in this order. */
async function neighborsOf(
  db: MemberDatabase,
  kinds: ReadonlyMap<number, string>,
): Promise<Neighbor[]> {
  const ids = [...kinds.keys()].slice(0, MAX_NEIGHBORS)
  const found = new Map((await findConnections(db, ids)).map((one) => [one.connectionId, one]))
  return ids.flatMap((id) => {
    const one = found.get(id)
    if (!one || one.deletedAt !== null) return []
    const publicId = publicConnectionId(id)
    return {
      name: one.name,
      relation: kinds.get(id) ?? '',
      path: connectionPath(publicId),
      around: networkPath({ around: publicId }),
    }
  })
}
