/** Gives people back the notes, interactions and other rows that they had before a change. */

import { localNowOf, refreshContactTimes } from '../last-contact/contact-times.ts'
import { addToInteractions, removeFromInteractions } from '../last-contact/interaction-people.ts'
import { connectionIdOf, recordNumberIn, type Snapshot } from '../person/snapshot.ts'
import { placeRows } from './person-rows.ts'
import { removeNotes, restoreNotesOf } from './withdraw-notes.ts'
import type { MemberTransaction } from '../../db/database.ts'

/** Moves rows back to their previous connections, restores the notes that a change removed, and removes those that it added. */
export async function restoreAttachments(
  tx: MemberTransaction,
  from: readonly Snapshot[],
  to: readonly Snapshot[],
  now: number,
): Promise<void> {
  await restoreNotesOf(tx, to.flatMap(notesIn))
  await removeNotes(
    tx,
    from.flatMap(notesIn).map(({ noteId }) => noteId),
    now,
  )
  await placeRows(tx, to)
  await restoreInteractions(tx, from, to, now)
}

function notesIn(snapshot: Snapshot) {
  const connectionId = connectionIdOf(snapshot)
  return (snapshot.notes ?? []).map((id) => ({ noteId: recordNumberIn(id), connectionId }))
}

/** Gives every connection the interactions that it had. */
async function restoreInteractions(
  tx: MemberTransaction,
  from: readonly Snapshot[],
  to: readonly Snapshot[],
  now: number,
): Promise<void> {
  const changed = to.flatMap((snapshot, index) => {
    const [was, is] = [snapshot, from[index]].map((one) =>
      (one?.interactions ?? []).map(recordNumberIn),
    )
    const [wanted, present] = [new Set(was), new Set(is)]
    const [more, fewer] = [wanted.difference(present), present.difference(wanted)]
    return more.size + fewer.size === 0 ? [] : [{ id: connectionIdOf(snapshot), more, fewer }]
  })
  if (changed.length === 0) return
  const withSome = (which: 'more' | 'fewer') =>
    changed.map((one) => ({ connectionId: one.id, interactions: [...one[which]] }))
  await addToInteractions(tx, withSome('more'))
  await removeFromInteractions(tx, withSome('fewer'))
  const ids = changed.map(({ id }) => id)
  await refreshContactTimes(tx, ids, await localNowOf(tx, now))
}
