/** Acts on the admin pages: the role is checked in their transaction, once per form. */

import { runChange, type ActMember, type ChangeAct, type Output } from '../../acts/act.ts'
import { lockNetworks } from '../../access/lock-member.ts'
import { submitOnce } from '../../forms/submission.ts'
import { requireAdmin } from '../../members/admin-role.ts'
import type { Values } from '../../acts/act-arguments.ts'
import type { Transaction } from '../../db/database.ts'
import type { FormRequest } from '../../forms/page-route.ts'
import type { AdminDeps } from './admin-deps.ts'

interface AdminAct<Result> {
  readonly member?: ActMember
  /** For the audit log. */
  readonly reason?: string
  /** See `submitOnce`. */
  readonly isCurrent?: (tx: Transaction, earlier: Result) => Promise<boolean>
}

/** What the command would print, such as a new link. Undefined if there was nothing to do. */
export async function actAsAdmin<F, M extends 'argument' | undefined, Result, Prepared>(
  deps: AdminDeps,
  { browser, now, submission }: Pick<FormRequest, 'browser' | 'now' | 'submission'>,
  act: ChangeAct<F, M, Result, Prepared>,
  values: Values<F>,
  { member, reason, isCurrent = async () => true }: AdminAct<Result> = {},
): Promise<Output | undefined> {
  const { database, log } = deps
  const { memberId, username: admin, name } = browser.member
  const service = {
    database,
    settings: deps,
    operator: { admin, actor: `${name}, admin`, ...(reason !== undefined && { reason }) },
    now,
    command: (args: string) => `weft ${args}`,
  }
  // An act on members gets one from its caller.
  const call = (
    member ? { ...service, member, db: database.member(member.memberId) } : service
  ) as Parameters<typeof act.done>[1]
  const prepared = (await act.prepare?.(call, values)) as Prepared
  const result = await database.write(
    async (tx) => {
      await lockNetworks(tx, member ? [memberId, member.memberId] : [memberId])
      await requireAdmin(tx, memberId)
      const mine = member && { mine: tx.member(member.memberId) }
      const changing = { ...call, tx, ...mine } as Parameters<typeof act.change>[0]
      return submitOnce(
        tx.member(memberId),
        submission,
        () => runChange(act, changing, values, prepared),
        async (earlier) => earlier !== undefined && isCurrent(tx, earlier),
      )
    },
    { bulk: act.bulk === true },
  )
  if (result === undefined) return undefined
  const { action } = act
  log.info({ admin, action, ...(member && { member: member.username }) }, 'an admin acted')
  const output = await act.done(result, call, values)
  return typeof output === 'string' ? { say: output } : output
}
