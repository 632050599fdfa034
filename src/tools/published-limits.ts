/** The limits of an agent, as tools and `/agent/identity` report them. */

import Type, { type Static } from 'typebox'
import { rfc3339 } from '../base/clock.ts'
import type { AgentLimits } from '../http/caller.ts'

/** Only the limits that are set. */
export const PublishedLimits = Type.Object(
  {
    read_only: Type.Optional(Type.Boolean()),
    tools: Type.Optional(Type.Array(Type.String(), { description: 'Groups of tools' })),
    free_text: Type.Optional(Type.String({ description: 'withheld: notes and other free text' })),
    monthly_credits: Type.Optional(Type.Integer()),
    ends_at: Type.Optional(Type.String()),
  },
  { additionalProperties: false, description: 'What the member allows this agent; {}: everything' },
)

export function publishedLimits(limits: AgentLimits): Static<typeof PublishedLimits> {
  const { readOnly, groups, withholdsText, monthlyCredits, endsAt } = limits
  return {
    ...(readOnly && { read_only: true }),
    ...(groups !== null && { tools: [...groups] }),
    ...(withholdsText && { free_text: 'withheld' }),
    ...(monthlyCredits !== null && { monthly_credits: monthlyCredits }),
    ...(endsAt !== null && { ends_at: rfc3339(endsAt) }),
  }
}
