/** How many people have a value of each custom field. */

import { defineComputation, type MemberDatabase, type MemberReader } from '../../db/database.ts'
import { readCustomValues } from './custom-values.ts'

/**
 * The number of connections by the number of the field; fields without values are absent. Deleted connections do not count.
 *
 * @throws {RequestError} `rate_limited` when too many computations of this member are queued.
 */
export async function countCustomValues(
  db: Pick<MemberDatabase, 'compute'>,
): Promise<ReadonlyMap<string, number>> {
  return new Map(await db.compute(COMPUTATION, {}))
}

/** Runs in a thread, because it reads the details of the whole network. */
export async function countValues(reader: MemberReader): Promise<[string, number][]> {
  const counts = new Map<string, number>()
  for await (const { values } of readCustomValues(reader))
    for (const fieldId of Object.keys(values)) counts.set(fieldId, (counts.get(fieldId) ?? 0) + 1)
  return [...counts]
}

const COMPUTATION = defineComputation(import.meta.url, { countValues })
