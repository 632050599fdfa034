/** Former usernames. For 180 days they redirect to the new one and are not available to other members. */

import { DAY } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { statement } from '../db/statement.ts'
import { usernameKey } from './usernames.ts'
import type { Reader, SharedTransaction } from '../db/database.ts'

/** As long as a deprecated path is kept. */
export const FORMER_USERNAME_RETENTION_MS = 180 * DAY

/** Maximum number of reserved former usernames per member. */
export const MAX_FORMER_USERNAMES = 5

/** The current username of the member; undefined if there is none, or if the profile is not public. */
export async function findNewUsername(
  reader: Reader,
  username: string,
  now: number,
): Promise<string | undefined> {
  const since = now - FORMER_USERNAME_RETENTION_MS
  const row = await reader.get(NEW_USERNAME, { username: usernameKey(username), since })
  return row?.username
}

/** Whether the username still redirects to another member. */
export async function isFormerOfAnother(
  reader: Reader,
  username: string,
  memberId: number | undefined,
  now: number,
): Promise<boolean> {
  const row = await reader.get(KEPT, { username, since: now - FORMER_USERNAME_RETENTION_MS })
  return row !== undefined && row.member_id !== memberId
}

/** Records a rename. The new username may be a former one of the same member. */
export async function recordFormerUsername(
  tx: SharedTransaction,
  memberId: number,
  { left, taken }: { readonly left: string; readonly taken: string },
  now: number,
): Promise<void> {
  await tx.run(FORGET, { id: memberId, taken, since: now - FORMER_USERNAME_RETENTION_MS })
  const kept = await tx.get(COUNT, { id: memberId })
  if ((kept?.count ?? 0) >= MAX_FORMER_USERNAMES)
    throw new RequestError(
      'conflict',
      `The username was changed ${MAX_FORMER_USERNAMES} times in 180 days, which is the maximum. Try again later.`,
      { errors: [{ pointer: '/username', detail: 'was changed too often' }] },
    )
  await tx.insertMany({
    table: 'former_usernames',
    columns: ['username', 'member_id', 'left_at'],
    rows: [[left, memberId, now]],
    onConflict: 'replace',
  })
}

/** By primary key, as is the next. */
const NEW_USERNAME = statement<{ username: string; since: number }, { username: string }>(`
  select m.username from former_usernames f join members m on m.member_id = f.member_id
  where f.username = :username and f.left_at > :since and m.is_public = 1 and m.disabled_at is null`)

const KEPT = statement<{ username: string; since: number }, { member_id: number }>(
  'select member_id from former_usernames where username = :username and left_at > :since',
)

/** By index former_usernames_by_member, as is the next. Expired ones are deleted by primary key. */
const FORGET = statement<{ id: number; taken: string; since: number }>(`
  delete from former_usernames
  where (member_id = :id and left_at <= :since) or username = :taken`)

const COUNT = statement<{ id: number }, { count: number }>(
  'select count(*) as count from former_usernames where member_id = :id',
)
