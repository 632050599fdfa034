/** Undoes definitions, changes and deletions of custom fields. */

import { t } from '../../languages/message.ts'
import { changedSince, type Undoer } from '../../tools/undo.ts'
import {
  customFieldNameKey,
  customFieldNumber,
  readAllFields,
  type CustomField,
} from '../model/custom-fields.ts'
import {
  ACTION,
  DELETE_ACTION,
  recordedOf,
  storeDeletion,
  type RecordedField,
} from './custom-field-changes.ts'
import type { MemberTransaction } from '../../db/database.ts'

export const customFieldUndoer: Undoer = {
  actions: [ACTION, DELETE_ACTION],
  async undo({ tx, now }, { action, subjectKind, subjectId, before, after }) {
    // In the format of `changeOf`, possibly swapped by an undo.
    const [from, to] = [after as RecordedField | null, before as RecordedField | null]
    const fields = await readAllFields(tx)
    const field = fields.find(({ fieldId }) => fieldId === customFieldNumber(subjectId))
    if (!field || (from && !isSameField(field, from)) || (!from && field.deletedAt === null))
      throw changedSince(t('the custom field {value}', { value: (from ?? to)?.name ?? subjectId }))
    if (to === null) await storeDeletion(tx, field, now)
    else await restoreField(tx, field, to, fields)
    return { action, subjectKind, subjectId, before: after, after: before }
  },
}

function isSameField(field: CustomField, recorded: RecordedField): boolean {
  return field.deletedAt === null && JSON.stringify(recordedOf(field)) === JSON.stringify(recorded)
}

async function restoreField(
  tx: MemberTransaction,
  field: CustomField,
  { name, kind, choices }: RecordedField,
  fields: readonly CustomField[],
): Promise<void> {
  const key = customFieldNameKey(name)
  if (fields.some((one) => one.key === key && one !== field && one.deletedAt === null))
    throw changedSince(t('another custom field is named {name}', { name }))
  await storeDeletion(tx, { ...field, name, key, kind, choices }, null)
}
