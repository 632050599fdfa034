/** Follow-ups without a person from Weft's own export: restored with the import, and removed with its undo. */

import { memberStatement } from '../../db/statement.ts'
import { addImportedFollowUps, FOLLOW_UP_COLUMNS, type FollowUp } from './follow-ups.ts'
import type { ContactHistory } from '../../contact-files/contact/contact.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** To-dos that one import added, as its change stores them: their numbers follow each other. */
export interface RestoredToDos {
  readonly first: number
  readonly count: number
  /** When they were added; those that were changed since have a later time. */
  readonly at: number
}

/** Adds those that the member neither has nor deleted. Undefined if there are none. */
export async function addMissingToDos(
  tx: MemberTransaction,
  toDos: ContactHistory['followUps'],
  now: number,
): Promise<RestoredToDos | undefined> {
  if (toDos.length === 0) return undefined
  const keyOf = (dueOn: string, text: string) => `${dueOn} ${text}`
  const known = new Set((await tx.all(KNOWN, {})).map((one) => keyOf(one.due_on, one.text)))
  const added = await addImportedFollowUps(
    tx,
    toDos
      .filter(({ dueOn, text }) => !known.has(keyOf(dueOn, text)))
      .map(({ text, dueOn, dueTime = '', recurrence, countsFrom, completedAt, createdAt }) => ({
        connectionId: null,
        text,
        dueOn,
        dueTime,
        recurrence,
        countsFrom,
        completedAt,
        createdAt: createdAt ?? now,
        updatedAt: now,
      })),
  )
  const [first] = added
  return first && { first: first.followUpId, count: added.length, at: now }
}

/** Returns the restored to-dos that were not changed since. */
export function unchangedToDos(
  reader: MemberReader,
  { first, count, at }: RestoredToDos,
): Promise<FollowUp[]> {
  return reader.all(UNCHANGED, { first, last: first + count - 1, at })
}

/** By index follow_ups_by_connection. */
const KNOWN = memberStatement<object, { due_on: string; text: string }>()(
  'select due_on, text from follow_ups where member_id = :member_id and connection_id is null',
)

/** By primary key. */
const UNCHANGED = memberStatement<Record<'first' | 'last' | 'at', number>, FollowUp>()(`
  select ${FOLLOW_UP_COLUMNS} from follow_ups f
  where f.member_id = :member_id and f.follow_up_id >= :first and f.follow_up_id <= :last
    and f.updated_at = :at and f.deleted_at is null`)
