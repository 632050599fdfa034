/** Restores the profile of a member who moved from another Weft: empty fields are filled, and a private one stays private. */

import { checkSchema } from '../base/schema.ts'
import { hasCode } from '../base/request-error.ts'
import { rfc3339 } from '../base/clock.ts'
import { storeAllPhotos } from '../connections/model/photo-store.ts'
import { MemberChanges } from '../members/member-fields.ts'
import { requireMember } from '../members/member.ts'
import { changeProfile, profileChange, type ProfileChanges } from '../members/profile-changes.ts'
import { recordChange } from '../tools/activity.ts'
import type { ArchivedProfile } from '../contact-files/contact/network-settings.ts'
import type { CroppedPhoto } from '../members/photo/crop-photo.ts'
import type { Member } from '../members/member-row.ts'
import type { MemberTransaction } from '../db/database.ts'

const TEXTS = ['headline', 'about', 'location', 'organization', 'title'] as const
const LISTS = ['skills', 'links'] as const

interface Restoring {
  readonly by: Parameters<typeof recordChange>[1]
  readonly photo: CroppedPhoto | undefined
}

/**
 * Returns false if the profile is that of another member. The change has an entry of its own in the activity log, which can
 * be undone. Values that the rules of a profile reject are left out.
 */
export async function restoreProfile(
  tx: MemberTransaction,
  profile: ArchivedProfile,
  { by, photo }: Restoring,
): Promise<boolean> {
  const before = await requireMember(tx.shared, tx.memberId)
  // The account that was exported: whatever it has is newer.
  const isSame =
    profile.username === before.username && profile.joinedAt === rfc3339(before.joinedAt)
  if (isSame) return true
  if (!isOf(profile, before)) return false
  let after = before
  for (const change of changesFor(before, profile)) after = await changed(tx, after, change, by.now)
  if (photo && before.photo === null && before.avatarUrl === null) {
    await storeAllPhotos(tx, photo.sizes, by.now)
    after = await changeProfile(tx, after, { photo: photo.photo }, by.now)
  }
  const change = profileChange(before, after)
  if (change) await recordChange(tx, by, change)
  return true
}

/** Whether the member is the one who exported it, or has no profile yet. */
function isOf({ username, email }: ArchivedProfile, member: Member): boolean {
  const isEmpty =
    TEXTS.every((field) => member[field] === null) &&
    LISTS.every((field) => member[field].length === 0)
  return username === member.username || (email !== null && email === member.email) || isEmpty
}

function changesFor(member: Member, { fields, isPublic }: ArchivedProfile): ProfileChanges[] {
  const given = (field: string, value: unknown) => ({ [field]: value }) as ProfileChanges
  const isNew = (value: unknown) => typeof value === 'string' && value !== ''
  const texts = TEXTS.filter((field) => member[field] === null && isNew(fields[field]))
  const lists = LISTS.filter((field) => member[field].length === 0 && Array.isArray(fields[field]))
  const avatar = fields['avatar_url']
  return [
    ...[...texts, ...lists].flatMap((field) => {
      const isValid = checkSchema(MemberChanges, { [field]: fields[field] }).ok
      return isValid ? [given(field, fields[field])] : []
    }),
    ...(member.avatarUrl === null && isNew(avatar) ? [given('avatar_url', avatar)] : []),
    ...(!isPublic && member.isPublic ? [{ is_public: false }] : []),
  ]
}

/** The same member if the rules of a profile reject the value. They are checked before anything is written. */
async function changed(
  tx: MemberTransaction,
  member: Member,
  change: ProfileChanges,
  now: number,
): Promise<Member> {
  try {
    return await changeProfile(tx, member, change, now)
  } catch (error) {
    if (hasCode(error, 'invalid_request')) return member
    throw error
  }
}
