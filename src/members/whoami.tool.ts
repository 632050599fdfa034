/** whoami: the member with their profile, the credential with its limits, and the credits. */

import * as Type from '../base/type.ts'
import { rfc3339 } from '../base/clock.ts'
import { PublishedLimits, publishedLimits } from '../tools/allowed-tools.ts'
import { Credits, creditsOf, type CreditsDeps } from '../tools/credits-json.ts'
import { NO_INPUT, defineReadTool, type Tool } from '../tools/tool.ts'
import { requireMember } from './member.ts'
import { Profile, isReadable, profileOf } from './profile.ts'
import type { Reader } from '../db/database.ts'

export interface WhoamiDeps extends CreditsDeps {
  readonly database: Reader
  readonly publicUrl: string
}

export function whoamiTool({ database, publicUrl, ...credits }: WhoamiDeps): Tool {
  return defineReadTool({
    name: 'whoami',
    title: 'Who am I',
    description:
      "Returns the member with their own profile, this credential's type and limits, remaining credits, and what " +
      'each tool costs.',
    credits: 0,
    input: NO_INPUT,
    output: Type.Object(
      {
        member: Type.Object(
          { username: Type.String(), name: Type.String() },
          { additionalProperties: false },
        ),
        profile: Type.Object(
          { ...Profile.properties, is_public: Type.Boolean() },
          { additionalProperties: false },
        ),
        credential: Type.Object(
          {
            kind: Type.String(),
            holder: Type.String({
              description:
                "ai_client: the member's own AI client; cloud_agent: one of their agents",
            }),
            name: Type.String(),
            created_at: Type.String(),
            expires_at: Type.Union([Type.String(), Type.Null()]),
          },
          { additionalProperties: false },
        ),
        limits: PublishedLimits,
        credits: Credits,
      },
      { additionalProperties: false },
    ),
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
