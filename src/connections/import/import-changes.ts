/** What each import changed per connection, for its undo: the table `import_changes`. */

import { memberStatement } from '../../db/statement.ts'

/** `before` is an `ImportedChange` as JSON. */
export const UPDATE_CHANGE = memberStatement<{
  job_id: number
  connection_id: number
  before: string
}>()(`
  update import_changes set before = :before
  where member_id = :member_id and job_id = :job_id and connection_id = :connection_id`)
