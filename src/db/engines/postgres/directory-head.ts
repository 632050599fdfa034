/**
 * Maintains the size of `directory_head`, the table of the first directory entries. It contains smaller directories
 * entirely.
 */

import { statement } from '../../statement.ts'
import { SWEEP_BATCH } from '../../sweep-batch.ts'
import type { SharedTransaction } from '../../database.ts'

/** In entries. */
interface HeadSize {
  /** The head grows up to it. */
  readonly min: number
  /** It shrinks down to it. */
  readonly max: number
}

/** Words that do not fill a page of 20 within 64,000 entries have a few hundred matches among a million. */
const HEAD_SIZE: HeadSize = { min: 64_000, max: 128_000 }

/** Statements that shorten the head at once, while it has no indexes that they would have to update. */
export const TRIM_HEAD = [
  `update directory_head_end set position = last.position from (
    select position from directory_head order by position offset ${HEAD_SIZE.min - 1} limit 1) last`,
  'delete from directory_head where position > (select position from directory_head_end)',
]

/** Entries added per transaction, at about 1 ms each for the index: writers wait meanwhile. */
const ADDED_AT_ONCE = 100

/** Exclusive: writers hold a shared lock until they commit, so every entry before a new end is visible here. */
const LOCK_END = statement<object, { position: number }>(
  'select position from directory_head_end where end_id = 1 for update',
)
const MOVE_END = statement<{ position: number }>(
  'update directory_head_end set position = :position where end_id = 1',
)
/** The position of the last entry of a full head, if there are more. */
const FULL_END = statement<{ max: number }, { position: number }>(`
  select position from directory_head
  where exists (select from directory_head offset cast(:max as bigint))
  order by position offset cast(:max as bigint) - 1 limit 1`)
const REMOVE_BEHIND = statement<{ position: number }>(`
  delete from directory_head where position in (
    select position from directory_head where position > :position limit ${SWEEP_BATCH})`)
const IS_SMALL = statement<{ min: number }, { is_small: boolean }>(
  'select not exists (select from directory_head offset cast(:min as bigint) - 1) as is_small',
)
const NEXT_END = statement<{ position: number }, { position: number }>(`
  select position from directory_entries where position > :position
  order by position offset ${ADDED_AT_ONCE - 1} limit 1`)
const ADD = statement<{ after: number; end: number }>(`
  insert into directory_head (position, member_id, username, name_key, terms)
  select position, member_id, username, name_key, terms from directory_entries
  where position > :after and position <= :end order by position`)

/** Adds or removes some entries and returns how many: 0 if the head has the right size. */
export async function resizeDirectoryHead(
  tx: SharedTransaction,
  { min, max } = HEAD_SIZE,
): Promise<number> {
  const end = await tx.get(LOCK_END, {})
  if (!end) return 0
  const full = await tx.get(FULL_END, { max })
  if (full && full.position < end.position) await tx.run(MOVE_END, full)
  const removed = await tx.run(REMOVE_BEHIND, full ?? end)
  if (removed > 0 || end.position === Number.MAX_SAFE_INTEGER) return removed
  const small = await tx.get(IS_SMALL, { min })
  return small?.is_small === true ? raiseEnd(tx, end.position) : 0
}

async function raiseEnd(tx: SharedTransaction, after: number): Promise<number> {
  const end = (await tx.get(NEXT_END, { position: after }))?.position ?? Number.MAX_SAFE_INTEGER
  await tx.run(MOVE_END, { position: end })
  return tx.run(ADD, { after, end })
}
