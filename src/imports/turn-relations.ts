/**
 * Turns around the relations of an import that read them backwards. The first reader of Monica's export took the person who
 * has a relation for the one who is meant by it, so that a mother's page called her daughter her parent.
 */

import { readImportedChanges } from '../connections/imported-changes/import-changes.ts'
import { inverseRelation, relationKind } from '../contact-files/contact/relation-kinds.ts'
import { findConnections, updateConnectionRows } from '../connections/model/connection-store.ts'
import { sourceOf, type Connection } from '../connections/model/connection.ts'
import { recordSearchChanges } from '../connections/model/search-changes.ts'
import { snapshotsOf } from '../connections/person/snapshot.ts'
import { withDetails, type Relation } from '../contact-files/contact/details.ts'
import { memberStatement } from '../db/statement.ts'
import { findChangeOf } from '../tools/activity-log/read-activity.ts'
import { undoneChanges } from '../tools/activity-log/undone-changes.ts'
import type { ImportReport } from './import-report.ts'
import type { MemberReader } from '../db/database.ts'
import type { Changing } from '../tools/tool.ts'

/** Whether the import read relations backwards and they have not been turned around since. */
export async function hasBackwardRelations(
  reader: MemberReader,
  jobId: number,
  { format, reader: revision = 1 }: Pick<ImportReport, 'format' | 'reader'>,
): Promise<boolean> {
  if (format !== 'monica' || revision > 1) return false
  const change = await findChangeOf(reader, { action: ACTION, ...subjectOf(jobId) })
  if (change && !(await undoneChanges(reader)).has(change.activityId)) return false
  return (await readBackward(reader, jobId)).length > 0
}

const ACTION = 'connections.update'

function subjectOf(jobId: number) {
  return { subjectKind: 'relations', subjectId: String(jobId) }
}

/**
 * Returns the number of the change, which can be undone; undefined if there is nothing to turn. Relations of people whose
 * relations the member has edited stay. `isCreated`: only those of people that the import created.
 */
export async function turnRelations(
  { tx, now, record }: Changing,
  jobId: number,
  { isCreated = false }: { readonly isCreated?: boolean } = {},
): Promise<number | undefined> {
  const found = await readBackward(tx, jobId)
  const wanted = isCreated ? await createdBy(tx, jobId, found) : found
  const changes = wanted.map(({ before, relations }) => ({
    before,
    after: {
      ...before,
      details: withDetails(before.details, [['relations', relations]]),
      version: before.version + 1,
      updatedAt: now,
    },
  }))
  if (changes.length === 0) return undefined
  await updateConnectionRows(tx, changes)
  const connections = changes.map(({ before }) => before.connectionId)
  await recordSearchChanges(tx, connections)
  const snapshots = changes.map(({ before, after }) => snapshotsOf(alone(before), alone(after)))
  return record({
    action: ACTION,
    ...subjectOf(jobId),
    before: { connections: snapshots.map(({ before }) => before) },
    after: { connections: snapshots.map(({ after }) => after) },
    connections,
  })
}

function alone(connection: Connection) {
  return { connection, tags: [], notes: [], fields: [] }
}

async function createdBy(
  reader: MemberReader,
  jobId: number,
  people: readonly Backward[],
): Promise<readonly Backward[]> {
  const ids = people.map(({ before }) => before.connectionId)
  const changes = await readImportedChanges(reader, jobId, ids)
  return people.filter(({ before }) => changes.get(before.connectionId)?.is_created === true)
}

interface Backward {
  readonly before: Connection
  readonly relations: readonly Relation[]
}

/** The people whose relations are not the same when turned around, such as those of a spouse. */
async function readBackward(reader: MemberReader, jobId: number): Promise<readonly Backward[]> {
  const rows = await reader.all(RELATED, { job_id: jobId })
  const found = await findConnections(
    reader,
    rows.map(({ connection_id }) => connection_id),
  )
  const people = found.filter((one) => sourceOf(one, 'relations') === 'monica')
  const byId = new Map(people.map((one) => [one.connectionId, one]))
  return people.flatMap((before) => {
    const given = before.details.relations ?? []
    const relations = given.map((one) => turned(one, before, byId))
    return relations.some((one, at) => one !== given[at]) ? [{ before, relations }] : []
  })
}

/** As the record of the other person calls this one; with the usual word in return if that record has no relation. */
function turned(
  one: Relation,
  { connectionId }: Connection,
  people: ReadonlyMap<number, Connection>,
): Relation {
  const { relation = '' } = one
  if (!isDirected(relation)) return one
  const other = people.get(one.connectionId ?? 0)?.details.relations ?? []
  const back = other.find(
    (each) => each.connectionId === connectionId && isDirected(each.relation ?? ''),
  )
  return { ...one, relation: back?.relation ?? inverseRelation(relation) }
}

/** Who introduced a person is a field of its own in Monica, which was always read right. */
function isDirected(relation: string): boolean {
  const kind = relationKind(relation)
  return kind !== '' && kind !== 'introduced by' && relationKind(inverseRelation(relation)) !== kind
}

/** By the primary keys of both tables. */
const RELATED = memberStatement<{ job_id: number }, { connection_id: number }>()(`
  select i.connection_id from import_changes i
  join connections c on c.member_id = :member_id and c.connection_id = i.connection_id
  where i.member_id = :member_id and i.job_id = :job_id and c.deleted_at is null
    and c.details like '%"relations":[%'
  order by i.connection_id`)
