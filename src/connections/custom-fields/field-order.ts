/** The order of custom fields, which members choose: pages, forms, exports and tools list the fields in it. */

import { changedSince, type Undoer } from '../../tools/undo.ts'
import {
  customFieldId,
  customFieldNumber,
  readCustomFields,
  setFieldPosition,
  type CustomField,
} from '../model/custom-fields.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'

/**
 * Moves a field by a number of places, at most to the first or last one; a negative number moves it up. Returns the change
 * for the activity log; undefined if it is already there.
 */
export async function moveCustomField(
  tx: MemberTransaction,
  { fieldId }: Pick<CustomField, 'fieldId'>,
  places: number,
): Promise<Change | undefined> {
  const fields = await readCustomFields(tx)
  const from = fields.findIndex((field) => field.fieldId === fieldId)
  const to = Math.min(Math.max(from + places, 0), fields.length - 1)
  const field = fields[from]
  if (!field || from === to) return undefined
  await storeOrder(tx, movedTo(fields, field, to))
  return {
    action: ACTION,
    subjectKind: 'custom_field',
    subjectId: customFieldId(fieldId),
    before: recordedOf(field, from),
    after: recordedOf(field, to),
  }
}

const ACTION = 'custom_field.move'

interface RecordedPlace {
  readonly custom_field_id: string
  readonly name: string
  /** 1 is the first. */
  readonly position: number
}

function recordedOf({ fieldId, name }: CustomField, index: number): RecordedPlace {
  return { custom_field_id: customFieldId(fieldId), name, position: index + 1 }
}

function movedTo(fields: readonly CustomField[], field: CustomField, to: number): CustomField[] {
  return fields.filter((one) => one !== field).toSpliced(to, 0, field)
}

/** The first move of a member numbers all fields, a later one two of them. */
async function storeOrder(tx: MemberTransaction, fields: readonly CustomField[]): Promise<void> {
  for (const [index, { fieldId, position }] of fields.entries())
    if (position !== index + 1) await setFieldPosition(tx, fieldId, index + 1)
}

export const fieldOrderUndoer: Undoer = {
  actions: [ACTION],
  async undo({ tx }, { action, subjectKind, subjectId, before, after }) {
    // As `moveCustomField` records it, or swapped by an undo.
    const [from, to] = [after as RecordedPlace, before as RecordedPlace]
    const fields = await readCustomFields(tx)
    const index = from.position - 1
    const field = fields[index]
    if (field?.fieldId !== customFieldNumber(subjectId))
      throw changedSince(`the order of the custom field ${from.name}`)
    await storeOrder(tx, movedTo(fields, field, to.position - 1))
    return { action, subjectKind, subjectId, before: after, after: before }
  },
}
