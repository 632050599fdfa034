/** get_profile: the member's own profile in its public form. */

import * as Type from '../base/type.ts'
import { NO_INPUT, defineReadTool, type Tool } from '../tools/tool.ts'
import { requireMember } from './member.ts'
import { Profile, isReadable, profileOf } from './profile.ts'
import type { Reader } from '../db/database.ts'

interface ProfileToolDeps {
  readonly database: Reader
  readonly publicUrl: string
}

export function getProfileTool({ database, publicUrl }: ProfileToolDeps): Tool {
  return defineReadTool({
    name: 'get_profile',
    title: 'Get my profile',
    description: "Returns the member's own profile, and whether it is public.",
    credits: 0,
    input: NO_INPUT,
    output: Type.Object(
      { ...Profile.properties, is_public: Type.Boolean() },
      { additionalProperties: false },
    ),
    async run({ caller }) {
      const member = await requireMember(database, caller.memberId)
      return { ...profileOf(member, publicUrl), is_public: isReadable(member) }
    },
  })
}
