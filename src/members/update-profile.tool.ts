/** update_profile: changes the public profile of the member. */

import { PLAIN_KEYWORD } from '../tools/arguments/schema-part.ts'
import * as Type from '../base/type.ts'
import { nothingToUpdate, RequestError } from '../base/request-error.ts'
import { defineWriteTool, type Tool } from '../tools/tool.ts'
import {
  AvatarUrl,
  IsPublic,
  Name,
  PROFILE_LISTS,
  PROFILE_TEXTS,
  TimeZone,
} from './member-fields.ts'
import { requireMember } from './member.ts'
import { changeProfile, profileChange, type ProfileChanges } from './profile-changes.ts'
import { isListed } from './member-row.ts'
import { profileUrl } from './profile.ts'
import { MAX_USERNAME_LENGTH, MIN_USERNAME_LENGTH } from './usernames.ts'

const CLEARABLE = {
  ...Type.Partial(Type.Object(PROFILE_TEXTS)).properties,
  ...PROFILE_LISTS,
  avatar_url: Type.Optional(AvatarUrl),
}
const CLEARABLE_NAMES = Object.keys(CLEARABLE) as (keyof typeof CLEARABLE)[]

// The email address is used to sign in, so agents cannot change it.
const Input = Type.Closed(
  {
    username: Type.Optional(
      Type.String({
        minLength: MIN_USERNAME_LENGTH,
        maxLength: MAX_USERNAME_LENGTH,
        description: 'In the profile URL',
        [PLAIN_KEYWORD]: true,
        examples: ['ada'],
      }),
    ),
    name: Type.Optional(Name),
    ...CLEARABLE,
    is_public: IsPublic,
    time_zone: Type.Optional(TimeZone),
    clear: Type.Optional(
      Type.Array(Type.Enum(CLEARABLE_NAMES, { type: 'string' }), {
        maxItems: CLEARABLE_NAMES.length,
        description: 'Fields to empty',
        [PLAIN_KEYWORD]: true,
      }),
    ),
  },
  { examples: [{ headline: 'Investor and mathematician' }] },
)

export function updateProfileTool({ publicUrl }: { readonly publicUrl: string }): Tool {
  return defineWriteTool({
    name: 'update_profile',
    title: 'Update my profile',
    description:
      'Change my own profile, public while is_public is true, or my time zone, never public; fields ' +
      'not given stay. Returns the changed fields.',
    effect: 'write',
    openWorld: true,
    idempotent: true,
    credits: 1,
    input: Input,
    output: Type.Closed({
      username: Type.String(),
      profile_url: Type.String(),
      is_public: Type.Boolean(),
      changed: Type.Array(Type.String()),
    }),
    async run({ tx, now, record }, input) {
      if (Object.keys(input).length === 0) throw nothingToUpdate()
      const before = await requireMember(tx.shared, tx.memberId)
      const after = await changeProfile(tx, before, changesOf(input), now)
      const change = profileChange(before, after)
      if (change) await record(change)
      return {
        username: after.username,
        profile_url: profileUrl(after.username, publicUrl),
        is_public: isListed(after),
        changed: Object.keys(change?.after ?? {}),
      }
    },
  })
}

/** @throws {RequestError} `invalid_request` when a field is both set and cleared. */
function changesOf({ clear = [], ...set }: Type.Static<typeof Input>): ProfileChanges {
  const both = clear.find((field) => set[field] !== undefined)
  if (both !== undefined)
    throw new RequestError('invalid_request', `${both} is both set and cleared. Keep only one.`, {
      errors: [{ pointer: '/clear', detail: `must not contain ${both}, which is also set` }],
    })
  const isList = (field: string) => field === 'skills' || field === 'links'
  const cleared = clear.map((field) => [field, isList(field) ? [] : null])
  return { ...set, ...Object.fromEntries(cleared) }
}
