/** Restores what an export of Weft has besides people: custom fields, cadences of tags, saved views and to-dos. Those of the network stay. */

import { storeTagRule, tagRuleOf } from '../connections/cadence/cadence-store.ts'
import {
  addMissingFields,
  customFieldId,
  customFieldNameKey,
  readAllFields,
  type CustomField,
} from '../connections/custom-fields/custom-fields.ts'
import {
  addMissingToDos,
  type RestoredToDos,
} from '../connections/follow-ups/portable-follow-ups.ts'
import { newTag } from '../connections/model/tag-store.ts'
import { listQuery, readListQuery } from '../connections/people/list-state.ts'
import { addMissingViews } from '../connections/people/saved-views.ts'
import {
  recordedSettings,
  type RecordedSettings,
  type RecordedTagCadence,
} from './undo-settings.ts'
import type { NetworkSettings } from '../contact-files/contact/network-settings.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'

/** What belongs to the change of the import, and is removed with its undo. */
interface RestoredSettings {
  readonly customFields: readonly CustomField[]
  readonly toDos: RestoredToDos | undefined
  readonly settings: RecordedSettings
}

export async function restoreSettings(
  tx: MemberTransaction,
  settings: NetworkSettings,
  now: number,
): Promise<RestoredSettings> {
  const customFields = await addMissingFields(tx, settings.fields, now)
  const tagCadences: RecordedTagCadence[] = []
  for (const { tag: name, ...rule } of settings.tagCadences) {
    const tag = newTag(name)
    if (await tagRuleOf(tx, tag)) continue
    await storeTagRule(tx, tag, rule)
    tagCadences.push({ tag: name, ...rule })
  }
  const views =
    settings.views.length === 0
      ? []
      : await addMissingViews(tx, await viewsWithFields(tx, settings), now)
  const toDos = await addMissingToDos(tx, settings.toDos, now)
  return { customFields, toDos, settings: recordedSettings(tagCadences, views) }
}

/** Without views of one import, and with the numbers that custom fields have here. */
async function viewsWithFields(
  reader: MemberReader,
  { views, fields }: NetworkSettings,
): Promise<NetworkSettings['views']> {
  const present = new Map((await readAllFields(reader)).map((one) => [one.key, one.fieldId]))
  const numbers = new Map(
    fields.map(({ id, name }) => [id, present.get(customFieldNameKey(name))] as const),
  )
  return views.flatMap(({ name, query }) => {
    const state = readListQuery(query)
    if (state.import !== '') return []
    if (state.field === '') return [{ name, query: listQuery(state) }]
    const number = numbers.get(state.field)
    if (number === undefined) return []
    return [{ name, query: listQuery({ ...state, field: customFieldId(number) }) }]
  })
}
