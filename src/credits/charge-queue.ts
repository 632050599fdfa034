/**
 * Batches concurrent charges. A charge waits only for the next transaction; equal charges of the same member that
 * arrive before it starts join it. Each charge still has its own ledger row, with its own time and balance.
 */

import { recordedChange } from '../db/statement.ts'
import {
  balanceOf,
  chargeCredits,
  chargeParams,
  type Charge,
  type CreditBalance,
} from './account.ts'
import { type Account } from './account-row.ts'
import type { MemberDatabase } from '../db/database.ts'

/** Maximum charges in one transaction. Their positions fit into `POSITIONS`. */
const MAX_CHARGES = 1000

interface Waiting {
  readonly charge: Charge
  readonly resolve: (balance: CreditBalance) => void
  readonly reject: (error: unknown) => void
}

export class ChargeQueue {
  readonly #waiting = new Map<string, Waiting[]>()

  /** Like `chargeCredits`: resolves once the charge is committed. */
  charge(db: MemberDatabase, charge: Charge): Promise<CreditBalance> {
    const { cost, reason, credentialId } = charge
    const key = JSON.stringify([db.memberId, cost, reason, credentialId])
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(key)
      if (waiting) waiting.push({ charge, resolve, reject })
      else {
        this.#waiting.set(key, [{ charge, resolve, reject }])
        void this.#spend(db, key)
      }
    })
  }

  async #spend(db: MemberDatabase, key: string): Promise<void> {
    let together: readonly Waiting[] | undefined
    const take = () => (together ??= this.#take(db, key))
    try {
      const account = await db.change(CHARGES, () => togetherParams(take()))
      if (account) settle(take(), account)
      else await spendEach(db, take())
    } catch (error) {
      for (const { reject } of take()) reject(error)
    }
  }

  /** The charges that fit in one transaction. The rest follows in the next. */
  #take(db: MemberDatabase, key: string): readonly Waiting[] {
    const waiting = this.#waiting.get(key) ?? []
    this.#waiting.delete(key)
    const rest = waiting.splice(MAX_CHARGES)
    if (rest.length > 0) {
      this.#waiting.set(key, rest)
      void this.#spend(db, key)
    }
    return waiting
  }
}

function settle(together: readonly Waiting[], account: Account): void {
  const balance = balanceOf(account)
  for (const [position, { charge, resolve }] of together.entries()) {
    const later = together.length - 1 - position
    resolve({ ...balance, remaining: balance.remaining + later * charge.cost })
  }
}

/** There are too few credits for all of them, the month is not open yet, or the agent has a budget. */
async function spendEach(db: MemberDatabase, together: readonly Waiting[]): Promise<void> {
  for (const { charge, resolve, reject } of together)
    await chargeCredits(db, charge).then(resolve, reject)
}

/** A time and a position as one number below 2^53, because a list parameter has one value per row. */
const POSITIONS = 1024

function togetherParams(together: readonly Waiting[]): ChargesParams {
  const [first] = together
  if (!first) throw new Error('a transaction without charges')
  const { cost, ...params } = chargeParams(first.charge)
  return {
    ...params,
    cost,
    count: together.length,
    total: cost * together.length,
    charges: together.map(({ charge }, position) => charge.now * POSITIONS + position),
  }
}

interface ChargesParams extends Omit<ReturnType<typeof chargeParams>, 'now'> {
  readonly count: number
  readonly total: number
  readonly charges: readonly number[]
}

/** Like `CHARGE` of the account, for several equal charges. */
const CHARGES = recordedChange<ChargesParams, Account>()(
  `update credit_accounts set remaining = remaining - :total, last_entry = last_entry + :count
   where member_id = :member_id and period_start >= :period_start and period_start <= :latest_start
     and remaining >= :total and not exists (
       select 1 from agent_limits
       where member_id = :member_id and credential_id = :credential_id and monthly_credits is not null)
   returning period_start, quota, remaining, last_entry`,
  `insert into credit_ledger (member_id, entry_id, at, kind, delta, balance_after, reason, credential_id)
   with charge (code) as (:charges...bigint)
   select :member_id, last_entry - :count + 1 + code % ${POSITIONS},
     case when code / ${POSITIONS} < period_start then period_start else code / ${POSITIONS} end,
     'charge', 0 - :cost, remaining + :cost * (:count - 1 - code % ${POSITIONS}), :reason, :credential_id
   from changed, charge`,
)
