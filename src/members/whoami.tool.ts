/** whoami: the member, the credential and its limits. */

import * as Type from '../base/type.ts'
import { rfc3339 } from '../base/clock.ts'
import { PublishedLimits, publishedLimits } from '../tools/allowed-tools.ts'
import { NO_INPUT, defineReadTool } from '../tools/tool.ts'

export const whoamiTool = defineReadTool({
  name: 'whoami',
  title: 'Who am I',
  description: 'Returns the member of this network, with type and limits of this credential.',
  credits: 0,
  input: NO_INPUT,
  output: Type.Object(
    {
      member: Type.Object(
        { username: Type.String(), name: Type.String() },
        { additionalProperties: false },
      ),
      credential: Type.Object(
        {
          kind: Type.String(),
          holder: Type.String({
            description: "ai_client: the member's own AI client; cloud_agent: one of their agents",
          }),
          name: Type.String(),
          created_at: Type.String(),
          expires_at: Type.Union([Type.String(), Type.Null()]),
        },
        { additionalProperties: false },
      ),
      limits: PublishedLimits,
    },
    { additionalProperties: false },
  ),
  async run({ caller: { username, name, credential, limits } }) {
    return {
      member: { username, name },
      credential: {
        kind: credential.kind,
        holder: credential.holder,
        name: credential.name,
        created_at: rfc3339(credential.createdAt),
        expires_at: rfc3339(credential.expiresAt),
      },
      limits: publishedLimits(limits),
    }
  },
})
