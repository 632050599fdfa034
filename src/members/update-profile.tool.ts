/** update_profile: change what others read of the member. */

import Type from 'typebox'
import { RequestError } from '../base/request-error.ts'
import { defineWriteTool, type Tool } from '../tools/tool.ts'
import { MemberChanges } from './member-fields.ts'
import { requireMember } from './member.ts'
import { changeProfile, profileChange, type ProfileChanges } from './profile-changes.ts'
import { isReadable, profileUrl } from './profile.ts'
import { MAX_USERNAME_LENGTH, MIN_USERNAME_LENGTH } from './usernames.ts'

// The e-mail address is how a person signs in: no agent changes it.
const { email: _, avatarUrl, isPublic, ...FIELDS } = MemberChanges.properties

export function updateProfileTool({ publicUrl }: { readonly publicUrl: string }): Tool {
  return defineWriteTool({
    name: 'update_profile',
    title: 'Update my profile',
    description:
      "Updates this member's own profile, which anyone can read while is_public is true. Sets the given fields, clears " +
      'fields given as null, and keeps the rest. Skills and links are replaced as a whole. A former username redirects ' +
      'to the new one for 180 days. Returns the changed fields.',
    effect: 'write',
    idempotent: true,
    credits: 1,
    input: Type.Object(
      {
        username: Type.Optional(
          Type.String({
            minLength: MIN_USERNAME_LENGTH,
            maxLength: MAX_USERNAME_LENGTH,
            description: "Part of the profile's URL",
          }),
        ),
        ...FIELDS,
        avatar_url: avatarUrl,
        is_public: isPublic,
      },
      { additionalProperties: false },
    ),
    output: Type.Object(
      {
        username: Type.String(),
        profile_url: Type.String(),
        is_public: Type.Boolean(),
        changed: Type.Array(Type.String()),
      },
      { additionalProperties: false },
    ),
    async run({ tx, now, record }, input) {
      if (Object.keys(input).length === 0)
        throw new RequestError(
          'invalid_request',
          'No fields to update. Provide at least one field.',
        )
      const before = await requireMember(tx.shared, tx.memberId)
      // The schema is made of the very fields that it names.
      const after = await changeProfile(tx.shared, before, input as ProfileChanges, now)
      const change = profileChange(before, after)
      if (change) await record(change)
      return {
        username: after.username,
        profile_url: profileUrl(after.username, publicUrl),
        is_public: isReadable(after),
        changed: Object.keys(change?.after ?? {}),
      }
    },
  })
}
