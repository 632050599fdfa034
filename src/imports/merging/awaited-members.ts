/** Members of groups whose cards no one in the network has yet: the table `awaited_group_members`. */

import { memberStatement } from '../../db/statement.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** A member of a group, by the key of a card or an email, and the tag that the group becomes. */
export interface AwaitedMember {
  readonly key: string
  readonly tag: string
}

/** Per member of Weft. Further ones are not remembered. */
const MAX_AWAITED_MEMBERS = 50_000

export async function addAwaitedMembers(
  tx: MemberTransaction,
  jobId: number,
  awaited: readonly AwaitedMember[],
): Promise<void> {
  if (awaited.length === 0) return
  const known = (await tx.get(COUNT, {}))?.count ?? 0
  await tx.insertMany({
    table: 'awaited_group_members',
    columns: ['key', 'tag', 'job_id'],
    rows: awaited
      .slice(0, Math.max(0, MAX_AWAITED_MEMBERS - known))
      .map(({ key, tag }) => [key, tag, jobId]),
    onConflict: 'ignore',
  })
}

/** Returns the members that wait for one of these keys. */
export async function findAwaitedMembers(
  reader: MemberReader,
  keys: readonly string[],
): Promise<readonly AwaitedMember[]> {
  return keys.length === 0 ? [] : reader.all(BY_KEYS, { keys: [...new Set(keys)] })
}

/** Hides those that an import brought, because it is undone, or shows them again. */
export async function markAwaitedMembers(
  tx: MemberTransaction,
  jobId: number,
  isUndone: boolean,
): Promise<void> {
  await tx.run(MARK, { job_id: jobId, is_undone: isUndone ? 1 : 0 })
}

const COUNT = memberStatement<object, { count: number }>()(
  'select count(*) as count from awaited_group_members where member_id = :member_id',
)

/** By primary key. */
const BY_KEYS = memberStatement<{ keys: readonly string[] }, AwaitedMember>()(`
  select a.key, a.tag from awaited_group_members a each (key = :keys...text)
  where a.member_id = :member_id and a.is_undone = 0 order by a.key, a.tag`)

const MARK = memberStatement<{ job_id: number; is_undone: number }>()(`
  update awaited_group_members set is_undone = :is_undone
  where member_id = :member_id and job_id = :job_id`)
