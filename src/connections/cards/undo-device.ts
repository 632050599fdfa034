/** Undoes everything that a device did, newest first. */

import { recordChange } from '../../tools/activity.ts'
import { prepareUndo, undoChange } from '../../tools/undo/undo-change.ts'
import { listDeviceEntries } from './device-changes.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { Undoer } from '../../tools/undo.ts'

interface UndoCall {
  readonly db: MemberDatabase
  readonly now: number
  readonly actor: string
  readonly undoers: readonly Undoer[]
}

/** People who were changed since are skipped. Repeating an interrupted undo continues it. */
export async function undoDeviceChanges(
  { db, now, actor, undoers }: UndoCall,
  deviceId: string,
): Promise<{ readonly undone: number; readonly skipped: number }> {
  const entries = await listDeviceEntries(db, deviceId)
  let skipped = 0
  for (const activityId of entries) {
    const prepared = await prepareUndo({ db, now }, undoers, { activityId })
    const undone = await db.write(
      (tx) => {
        const by = { credentialId: null, actor, now }
        const record = (change: Parameters<typeof recordChange>[2]) => recordChange(tx, by, change)
        return undoChange({ tx, now, record, prepared }, undoers, { activityId })
      },
      { bulk: true },
    )
    skipped += undone.skipped.length
  }
  return { undone: entries.length, skipped }
}
