/** get_credits: what is left this month, and what things cost. */

import Type from 'typebox'
import { rfc3339 } from '../base/clock.ts'
import { creditBalance } from '../credits/account.ts'
import { NO_INPUT, defineReadTool, type Tool } from './tool.ts'

export interface CreditsDeps {
  readonly quota: number
  /** Every tool there is, for their prices. */
  readonly tools: () => readonly Tool[]
}

export function getCreditsTool({ quota, tools }: CreditsDeps): Tool {
  return defineReadTool({
    name: 'get_credits',
    title: 'Get credits',
    description:
      "Tells how many of this month's credits this member has left, when they reset, and what each tool costs. " +
      'Free, changes nothing.',
    credits: 0,
    input: NO_INPUT,
    output: Type.Object(
      {
        quota: Type.Integer({ description: 'Credits of the whole month' }),
        used: Type.Integer(),
        remaining: Type.Integer(),
        period_start: Type.String(),
        resets_at: Type.String(),
        costs: Type.Record(Type.String(), Type.Integer(), {
          description: 'Credits by tool; a failed call is free',
        }),
      },
      { additionalProperties: false },
    ),
    async run({ db, now }) {
      const balance = await creditBalance(db, quota, now)
      return {
        quota: balance.quota,
        used: balance.quota - balance.remaining,
        remaining: balance.remaining,
        period_start: rfc3339(balance.periodStart),
        resets_at: rfc3339(balance.resetsAt),
        costs: Object.fromEntries(tools().map(({ name, credits }) => [name, credits])),
      }
    },
  })
}
