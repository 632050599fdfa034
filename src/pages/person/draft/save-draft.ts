/** Saves the form of a person. */

import { checkAll } from '../../../base/check-all.ts'
import { changesOfUpdate } from '../../../connections/editing/connection-input.ts'
import { readDetailChanges } from '../../../connections/editing/detail-input.ts'
import { valueChecks } from '../../../connections/editing/edit.ts'
import { editConnection, EditInput } from '../../../connections/editing/update-connection.ts'
import { publicConnectionId, type Connection } from '../../../connections/model/connection.ts'
import { readTyped, required } from '../../../forms/field-errors.ts'
import { editsOf, rowChecks } from './person-changes.ts'
import type { CustomField } from '../../../connections/custom-fields/custom-fields.ts'
import type { PersonDraft } from './person-draft.ts'
import type { Changing } from '../../../tools/tool.ts'

/** Saves what differs from the stored connection. Resolves to the activity ID; undefined if nothing differs. */
export async function saveDraft(
  changing: Changing,
  present: Connection,
  { draft, fields }: { readonly draft: PersonDraft; readonly fields: readonly CustomField[] },
): Promise<number | undefined> {
  const connection_id = publicConnectionId(present.connectionId)
  const edits: Record<string, unknown> = editsOf(draft, present, fields)
  const { details } = edits
  await checkAll(
    required('name', draft.texts['name'] ?? ''),
    ...rowChecks(draft, present),
    () => readTyped(EditInput, { ...edits, connection_id }),
    ...valueChecks(changesOfUpdate(edits)),
    () => readDetailChanges(changing.tx, details as string[] | undefined, present.details),
  )
  if (Object.keys(edits).length === 0) return undefined
  const input = readTyped(EditInput, { ...edits, connection_id })
  return editConnection(changing, input)
}
