/** whoami: the member with their profile, the credential with its limits, and the credits. */

import type { Static } from 'typebox'
import * as Type from '../base/type.ts'
import { rfc3339 } from '../base/clock.ts'
import { creditBalance } from '../credits/account.ts'
import { findBudget } from '../credits/budget.ts'
import { isToolAllowed, PublishedLimits, publishedLimits } from '../tools/allowed-tools.ts'
import { defineReadTool, type ReadCall, type Tool } from '../tools/tool.ts'
import { requireMember } from './member.ts'
import { Profile, isReadable, profileOf } from './profile.ts'
import type { Reader } from '../db/database.ts'

export interface WhoamiDeps {
  readonly database: Reader
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
  costs: Type.Record(Type.String(), Type.Integer(), {
    description: 'Credits per successful call, by tool; failed calls are free',
  }),
})

export function whoamiTool({ database, publicUrl, ...credits }: WhoamiDeps): Tool {
  return defineReadTool({
    name: 'whoami',
    title: 'Who am I',
    description:
      "Returns the member with their profile, this credential's limits, the remaining credits, and what each tool costs.",
    credits: 0,
    input: Type.Closed({}),
    output: Type.Closed({
      member: Type.Closed({ username: Type.String(), name: Type.String() }),
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
    async run(call) {
      const { memberId, username, name, credential, limits } = call.caller
      const member = await requireMember(database, memberId)
      return {
        member: { username, name },
        profile: { ...profileOf(member, publicUrl), is_public: isReadable(member) },
        credential: {
          kind: credential.kind,
          holder: credential.holder,
          name: credential.name,
          created_at: rfc3339(credential.createdAt),
          expires_at: rfc3339(credential.expiresAt),
        },
        limits: publishedLimits(limits),
        credits: await creditsOf(call, credits),
      }
    },
  })
}

async function creditsOf(
  { db, now, caller }: ReadCall,
  { quota, tools }: Pick<WhoamiDeps, 'quota' | 'tools'>,
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
