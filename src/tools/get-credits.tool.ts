/** get_credits: the remaining credits of this month, and what each tool costs. */

import * as Type from '../base/type.ts'
import { rfc3339 } from '../base/clock.ts'
import { creditBalance } from '../credits/account.ts'
import { findBudget } from '../credits/budget.ts'
import { isToolAllowed } from './allowed-tools.ts'
import { NO_INPUT, defineReadTool, type Tool } from './tool.ts'

interface CreditsDeps {
  readonly quota: number
  /** All tools, for their prices. */
  readonly tools: () => readonly Tool[]
}

export function getCreditsTool({ quota, tools }: CreditsDeps): Tool {
  return defineReadTool({
    name: 'get_credits',
    title: 'Get credits',
    description: 'Returns the remaining credits of the month and what each tool costs.',
    credits: 0,
    input: NO_INPUT,
    output: Type.Object(
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
    ),
    async run({ db, now, caller }) {
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
    },
  })
}
