/** whoami: the member with their profile, the credential with its limits, and the credits. */

import type { Static } from 'typebox'
import * as Type from '../base/type.ts'
import { rfc3339 } from '../base/clock.ts'
import { creditBalance, type CreditBalance } from '../credits/account.ts'
import { periodOf } from '../credits/month.ts'
import { findBudget } from '../credits/agent-budget.ts'
import { isToolAllowed } from '../tools/allowed-tools.ts'
import { PublishedLimits, publishedLimits } from '../access/agent-limits.ts'
import { defineReadTool, type ReadCall, type Tool } from '../tools/tool.ts'
import { requireMember } from './member.ts'
import { isListed } from './member-row.ts'
import { Profile, profileOf } from './profile.ts'
import type { Database } from '../db/database.ts'

export interface WhoamiDeps {
  readonly database: Pick<Database, 'get' | 'all' | 'shareRead'>
  readonly publicUrl: string
  readonly quota: number
  /** All tools, for their prices. */
  readonly tools: () => readonly Tool[]
}

const Credits = Type.Closed({
  quota: Type.Integer({ description: 'Credits for the whole month' }),
  used: Type.Integer(),
  remaining: Type.Integer(),
  agent_budget: Type.Optional(
    Type.Closed(
      { credits: Type.Integer(), remaining: Type.Integer() },
      { description: 'What the member allows this agent' },
    ),
  ),
  period_start: Type.String(),
  resets_at: Type.String(),
  costs: Type.Optional(
    Type.Record(Type.String(), Type.Integer(), {
      description: 'If asked for: credits per successful call, by tool; failed calls are free',
    }),
  ),
})

export function whoamiTool({ database, publicUrl, quota, tools }: WhoamiDeps): Tool {
  return defineReadTool({
    name: 'whoami',
    title: 'Who am I',
    description:
      'Who am I: the member with their profile and time zone, what this agent may do, and the credits left.',
    credits: 0,
    input: Type.Closed({
      costs: Type.Optional(Type.Boolean({ description: 'Also what each tool costs' })),
    }),
    output: Type.Closed({
      member: Type.Closed({ username: Type.String(), name: Type.String() }),
      time_zone: Type.String(),
      profile: Type.Closed({ ...Profile.properties, is_public: Type.Boolean() }),
      credential: Type.Closed({
        kind: Type.String(),
        holder: Type.String({
          description: "ai_client: the member's own AI client; cloud_agent: one of their agents",
        }),
        name: Type.String(),
        created_at: Type.String(),
        expires_at: Type.Union([Type.String(), Type.Null()]),
      }),
      limits: PublishedLimits,
      credits: Credits,
    }),
    async run(call, { costs = false }) {
      const { memberId, username, name, timeZone, credential, limits } = call.caller
      // The concurrent calls of an agent read them once.
      const { periodStart } = periodOf(call.now)
      const { member, balance } = await database.shareRead(
        `profile and credits of ${memberId} in ${periodStart}`,
        async () => ({
          member: await requireMember(database, memberId),
          balance: await creditBalance(call.db, quota, call.now),
        }),
      )
      return {
        member: { username, name },
        time_zone: timeZone,
        profile: { ...profileOf(member, publicUrl), is_public: isListed(member) },
        credential: {
          kind: credential.kind,
          holder: credential.holder,
          name: credential.name,
          created_at: rfc3339(credential.createdAt),
          expires_at: rfc3339(credential.expiresAt),
        },
        limits: publishedLimits(limits),
        credits: {
          ...(await creditsOf(call, balance)),
          ...(costs && { costs: costsOf(call, tools()) }),
        },
      }
    },
  })
}

async function creditsOf(
  { db, caller }: ReadCall,
  balance: CreditBalance,
): Promise<Static<typeof Credits>> {
  const { credential, limits } = caller
  const isLimited = limits.monthlyCredits !== null
  const budget = isLimited ? await findBudget(db, credential.id, balance) : undefined
  return {
    quota: balance.quota,
    used: balance.quota - balance.remaining,
    remaining: balance.remaining,
    ...(budget && { agent_budget: budget }),
    period_start: rfc3339(balance.periodStart),
    resets_at: rfc3339(balance.resetsAt),
  }
}

/** The price of each tool that the caller may use. */
function costsOf({ caller }: ReadCall, tools: readonly Tool[]): Readonly<Record<string, number>> {
  const allowed = tools.filter((tool) => isToolAllowed(caller.limits, tool))
  return Object.fromEntries(allowed.map((tool) => [tool.name, tool.credits]))
}
