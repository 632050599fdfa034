/** What all admin actions have in common: the role is checked in their transaction, and both logs have an entry. */

import { submitOnce } from '../../forms/submission.ts'
import { recordAdminAction, type AdminLogEntry } from '../../members/admin-log.ts'
import { requireAdmin } from '../../members/role.ts'
import type { Transaction, WriteOptions } from '../../db/database.ts'
import type { FormRequest } from '../../forms/page-route.ts'
import type { AdminDeps } from './admin-deps.ts'

interface AdminAct<Result> extends WriteOptions {
  readonly entry: Pick<AdminLogEntry, 'action'> & Partial<Pick<AdminLogEntry, 'member' | 'reason'>>
  /** Returns undefined if there is nothing to do. */
  readonly work: (tx: Transaction) => Promise<Result | undefined>
  /** See `submitOnce`. */
  readonly isCurrent?: (tx: Transaction, earlier: Result) => Promise<boolean>
}

/** Does the work once per form, and records it. */
export async function actAsAdmin<Result>(
  { database, log }: Pick<AdminDeps, 'database' | 'log'>,
  { browser, now, submission }: Pick<FormRequest, 'browser' | 'now' | 'submission'>,
  { entry, work, isCurrent = async () => true, ...options }: AdminAct<Result>,
): Promise<Result | undefined> {
  const { memberId, username: admin } = browser.member
  const result = await database.write(async (tx) => {
    await requireAdmin(tx, memberId)
    const act = async () => {
      const done = await work(tx)
      if (done !== undefined) await recordAdminAction(tx, { ...entry, at: now, admin })
      return done
    }
    return submitOnce(
      tx.member(memberId),
      submission,
      act,
      async (earlier) => earlier !== undefined && isCurrent(tx, earlier),
    )
  }, options)
  const { action, member } = entry
  if (result !== undefined) log.info({ admin, action, ...(member && { member }) }, 'an admin acted')
  return result
}
