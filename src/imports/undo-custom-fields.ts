/** The custom fields that an import defined: its undo removes those that nothing else uses, and its redo adds them again. */

import {
  CUSTOM_FIELDS,
  customFieldId,
  customFieldNumber,
  readAllFields,
  removeCustomField,
  type CustomField,
} from '../connections/custom-fields/custom-fields.ts'
import { UNDONE } from '../connections/model/connection.ts'
import { insertNumberedRows } from '../records/recorded-table.ts'
import { memberStatement } from '../db/statement.ts'
import { findChangeOf } from '../tools/activity-log/read-activity.ts'
import type { FollowUp } from '../connections/follow-ups/follow-ups.ts'
import type { RecordedSettings } from './undo-settings.ts'
import type { RestoredToDos } from '../connections/follow-ups/portable-follow-ups.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'

/** The activity log's record of an import: its counts, custom fields and to-dos. */
export interface RecordedImport extends RecordedSettings {
  /** IDs of the custom fields that it defined. */
  readonly custom_fields?: readonly string[]
  readonly to_dos?: RestoredToDos
  /** In the entry of an undo: the removed cadences of tags and views. */
  readonly removed_settings?: RecordedSettings
  /** In the entry of an undo: the removed ones. */
  readonly removed_to_dos?: readonly FollowUp[]
  /** The removed fields, in the entry of an undo. */
  readonly removed_custom_fields?: readonly CustomField[]
}

/** The record of the import with the fields that were removed. Their values stay with the connections for a redo. */
export async function removeUnusedFields(
  tx: MemberTransaction,
  imported: RecordedImport,
): Promise<RecordedImport> {
  const numbers = new Set((imported.custom_fields ?? []).map(customFieldNumber))
  if (numbers.size === 0) return imported
  const removed: CustomField[] = []
  for (const field of await readAllFields(tx)) {
    if (!numbers.has(field.fieldId) || field.deletedAt !== null) continue
    if ((await wasEdited(tx, field)) || (await isUsed(tx, field))) continue
    await removeCustomField(tx, field)
    removed.push(field)
  }
  return removed.length === 0 ? imported : { ...imported, removed_custom_fields: removed }
}

/**
 * Adds the removed fields again. Returns the record of the import, and a sentence for each field that cannot be
 * restored.
 */
export async function restoreRemovedFields(
  tx: MemberTransaction,
  { removed_custom_fields: removed = [], ...imported }: RecordedImport,
): Promise<{ readonly imported: RecordedImport; readonly skipped: readonly string[] }> {
  const taken = new Map((await readAllFields(tx)).map((field) => [field.key, field]))
  const free = removed.filter(({ key }) => taken.get(key)?.deletedAt !== null)
  await insertNumberedRows(CUSTOM_FIELDS, tx, free)
  const skipped = removed
    .filter((field) => !free.includes(field))
    .map(({ name }) => `the custom field ${name} was defined again`)
  return { imported, skipped }
}

async function wasEdited(reader: MemberReader, { fieldId }: CustomField): Promise<boolean> {
  const subject = { subjectKind: 'custom_field', subjectId: customFieldId(fieldId) }
  return (await findChangeOf(reader, { action: 'custom_field.set', ...subject })) !== undefined
}

/** Whether a connection has a value, including connections that can be restored or split off. */
async function isUsed(reader: MemberReader, { fieldId }: CustomField): Promise<boolean> {
  const pattern = `%"custom":{%"${fieldId}":%`
  const rows = await reader.all(WITH_VALUE, { pattern, undone: UNDONE })
  return rows.some(({ details }) => {
    // Written by the service.
    const { custom } = JSON.parse(details) as { custom?: Readonly<Record<string, string>> }
    return custom?.[fieldId] !== undefined
  })
}

/** Scans the member's connections. */
const WITH_VALUE = memberStatement<{ pattern: string; undone: number }, { details: string }>()(`
  select details from connections
  where member_id = :member_id and details like :pattern
    and (merged_into is null or merged_into <> :undone)`)
