/** What was changed at first, behind the undos of it. */

import { t } from '../../languages/message.ts'
import { html, type Html } from '../../html/html.ts'
import { UNDO_ACTION } from '../../tools/activity-action.ts'
import { findChange, type ListedChange } from '../../tools/activity-log/read-activity.ts'
import { listUndos } from '../../tools/activity-log/undone-changes.ts'
import type { MemberReader } from '../../db/database.ts'

/** The original change behind a chain of undos, and the length of that chain. */
export interface Root {
  readonly change: ListedChange
  readonly undos: number
}

/** Undone changes that are on another page are loaded. */
export async function findRoots(
  reader: MemberReader,
  changes: readonly ListedChange[],
): Promise<(change: ListedChange) => Root> {
  const roots = new Map<number, Root>()
  const present = new Map(changes.map((change) => [change.activityId, change]))
  const isAnyUndo = changes.some(({ action }) => action === UNDO_ACTION)
  const undone = new Map(
    (isAnyUndo ? await listUndos(reader) : []).map((undo) => [undo.activity_id, undo.undoes]),
  )
  for (const change of changes) {
    let [rootId, undos] = [change.activityId, 0]
    for (let next = undone.get(rootId); next !== undefined; next = undone.get(rootId)) {
      rootId = next
      undos += 1
    }
    const root = present.get(rootId) ?? (await findChange(reader, rootId))
    roots.set(change.activityId, { change: root ?? change, undos })
  }
  return (change) => roots.get(change.activityId) ?? { change, undos: 0 }
}

export function ofRoot({ undos }: Root, what: Html): Html {
  if (undos === 0) return what
  return html`${undos % 2 === 1 ? t('Undid') : t('Redid')}: ${what}`
}
