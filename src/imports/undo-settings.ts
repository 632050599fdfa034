/** The cadences of tags and the saved views that an import restored: its undo removes those that are unchanged. */

import { storeTagRule, tagRuleOf, type TagRule } from '../connections/cadence/cadence-store.ts'
import { newTag } from '../connections/model/tag-store.ts'
import {
  addMissingViews,
  deleteView,
  listViews,
  type NewView,
} from '../connections/people/saved-views.ts'
import { isSame } from '../connections/person/snapshot.ts'
import type { MemberTransaction } from '../db/database.ts'

export type RecordedTagCadence = TagRule & { readonly tag: string }

/** In the activity log's record of an import. */
export interface RecordedSettings {
  readonly tag_cadences?: readonly RecordedTagCadence[]
  readonly saved_views?: readonly NewView[]
}

/** Without empty lists. */
export function recordedSettings(
  cadences: readonly RecordedTagCadence[],
  views: readonly NewView[],
): RecordedSettings {
  return {
    ...(cadences.length > 0 && { tag_cadences: cadences }),
    ...(views.length > 0 && { saved_views: views }),
  }
}

/** Returns the removed ones, for a redo, and a sentence for each that was changed since. */
export async function removeSettings(
  tx: MemberTransaction,
  { tag_cadences = [], saved_views = [] }: RecordedSettings,
): Promise<{ readonly removed: RecordedSettings; readonly skipped: readonly string[] }> {
  const [cadences, views, skipped]: [RecordedTagCadence[], NewView[], string[]] = [[], [], []]
  for (const one of tag_cadences) {
    const { tag: name, every, unit, setOn } = one
    const present = await tagRuleOf(tx, newTag(name))
    const isUnchanged =
      present !== undefined &&
      isSame([present.every, present.unit, present.setOn], [every, unit, setOn])
    if (!isUnchanged) {
      if (present) skipped.push(`the cadence of the tag ${name} was changed`)
      continue
    }
    await storeTagRule(tx, newTag(name), undefined)
    cadences.push(one)
  }
  const present = await listViews(tx)
  for (const one of saved_views) {
    const view = present.find(({ name }) => name === one.name)
    if (view?.query !== one.query) {
      if (view) skipped.push(`the view ${one.name} was changed`)
      continue
    }
    await deleteView(tx, view.viewId)
    views.push(one)
  }
  return { removed: recordedSettings(cadences, views), skipped }
}

/** Adds the removed ones again, unless others have their names. */
export async function addRemovedSettings(
  tx: MemberTransaction,
  { tag_cadences = [], saved_views = [] }: RecordedSettings,
  now: number,
): Promise<void> {
  for (const { tag: name, ...rule } of tag_cadences) {
    const tag = newTag(name)
    if (!(await tagRuleOf(tx, tag))) await storeTagRule(tx, tag, rule)
  }
  if (saved_views.length > 0) await addMissingViews(tx, saved_views, now)
}
