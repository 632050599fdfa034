/** The imports that gave a person another company or title, from what imports keep for their undo. */

import { memberStatement } from '../../db/statement.ts'
import type { MemberReader } from '../../db/database.ts'

/** The position of a person before and after an import. */
export interface JobChange {
  readonly before: Position
  readonly after: Position
}

interface Position {
  readonly company: string | null
  readonly title: string | null
}

/** What `import_changes` has about a connection that an import changed. */
interface ImportedChange {
  /** Without empty fields. */
  readonly connection?: Partial<Position>
  readonly job_after?: Position
}

/** By the job of the import. Imports are known as long as they can be undone. */
export async function readJobChanges(
  reader: MemberReader,
  connectionId: number,
): Promise<ReadonlyMap<string, JobChange>> {
  const rows = await reader.all(CHANGES, { connection_id: connectionId })
  return new Map(
    rows.flatMap(({ job_id, before }) => {
      if (before === null) return []
      // Written by the import.
      const { connection, job_after: after } = JSON.parse(before) as ImportedChange
      return connection && after
        ? [[String(job_id), { before: positionOf(connection), after: positionOf(after) }]]
        : []
    }),
  )
}

function positionOf({ company = null, title = null }: Partial<Position>): Position {
  return { company, title }
}

/** By jobs_by_member, and the primary key of import_changes. */
const CHANGES = memberStatement<
  { connection_id: number },
  { job_id: number; before: string | null }
>()(`
  select j.job_id, (
    select i.before from import_changes i
    where i.member_id = :member_id and i.job_id = j.job_id and i.connection_id = :connection_id) as before
  from jobs j where j.member_id = :member_id`)
