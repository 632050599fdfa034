/** The order of custom fields, which members choose: pages, forms, exports and tools list the fields in it. */

import { entryOf } from '../../records/activity-entry.ts'
import { restorable, undoerOf } from '../../records/undo-rows.ts'
import {
  customFieldId,
  readCustomFields,
  setFieldPosition,
  type CustomField,
} from './custom-fields.ts'
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
  const change = { before: { ...field, place: from + 1 }, after: { ...field, place: to + 1 } }
  await storeOrder(tx, fields, change.after)
  return entryOf(PLACES, [change])
}

/** A field at its place in the order: 1 is the first. */
interface Placed extends CustomField {
  readonly place: number
}

const PLACES = restorable<Placed>({
  noun: 'custom_field',
  plural: 'custom_fields',
  actions: 'custom_field.move',
  isWhole: true,
  logged: {
    custom_field_id: { write: ({ fieldId }) => customFieldId(fieldId) },
    name: { write: ({ name }) => name },
    position: 'place',
  },
  idOf: ({ fieldId }) => customFieldId(fieldId),
  async find(reader) {
    const fields = await readCustomFields(reader)
    return new Map(fields.map((one, at) => [customFieldId(one.fieldId), { ...one, place: at + 1 }]))
  },
  async store(tx, changes) {
    for (const { after } of changes) await storeOrder(tx, await readCustomFields(tx), after)
  },
  conflict: (_id, _fields, { name }) => `the order of the custom field ${String(name)}`,
})

export const fieldOrderUndoer = undoerOf(PLACES)

/** Stores the order with one field at another place. The first move of a member numbers all fields, a later one two of them. */
async function storeOrder(
  tx: MemberTransaction,
  fields: readonly CustomField[],
  { fieldId, place }: Placed,
): Promise<void> {
  const moved = fields.filter((one) => one.fieldId === fieldId)
  const others = fields.filter((one) => one.fieldId !== fieldId)
  for (const [index, one] of others.toSpliced(place - 1, 0, ...moved).entries())
    if (one.position !== index + 1) await setFieldPosition(tx, one.fieldId, index + 1)
}
