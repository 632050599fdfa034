/** The remaining credits of this month and what each tool costs, as whoami reports them. */

import type { Static } from 'typebox'
import * as Type from '../base/type.ts'
import { rfc3339 } from '../base/clock.ts'
import { creditBalance } from '../credits/account.ts'
import { findBudget } from '../credits/budget.ts'
import { isToolAllowed } from './allowed-tools.ts'
import type { ReadCall, Tool } from './tool.ts'

export interface CreditsDeps {
  readonly quota: number
  /** All tools, for their prices. */
  readonly tools: () => readonly Tool[]
}

export const Credits = Type.Object(
  {
    quota: Type.Integer({ description: 'Credits for the whole month' }),
    used: Type.Integer(),
    remaining: Type.Integer(),
    agent_budget: Type.Optional(
      Type.Object(
        { credits: Type.Integer(), remaining: Type.Integer() },
        { additionalProperties: false, description: 'What the member allows this agent' },
      ),
    ),
    period_start: Type.String(),
    resets_at: Type.String(),
    costs: Type.Record(Type.String(), Type.Integer(), {
      description: 'Credits per successful call, by tool; failed calls are free',
    }),
  },
  { additionalProperties: false },
)

export async function creditsOf(
  { db, now, caller }: ReadCall,
  { quota, tools }: CreditsDeps,
): Promise<Static<typeof Credits>> {
  const balance = await creditBalance(db, quota, now)
  const budget = await findBudget(db, caller.credential.id, balance)
  const allowed = tools().filter((tool) => isToolAllowed(caller.limits, tool))
  return {
    quota: balance.quota,
    used: balance.quota - balance.remaining,
    remaining: balance.remaining,
    ...(budget && { agent_budget: budget }),
    period_start: rfc3339(balance.periodStart),
    resets_at: rfc3339(balance.resetsAt),
    costs: Object.fromEntries(allowed.map((tool) => [tool.name, tool.credits])),
  }
}
