/** How the activity log stores changes to a member's profile, and how they are undone. */

import { entryOf } from '../records/activity-entry.ts'
import { restorable, undoerOf } from '../records/undo-rows.ts'
import { RequestError } from '../base/request-error.ts'
import { hasPhoto, profilePhotoId } from '../connections/model/photo-store.ts'
import { renameMember, requireMember, setMemberPhoto, updateMember } from './member.ts'
import { type Member } from './member-row.ts'
import type { MemberTransaction } from '../db/database.ts'
import type { Change } from '../tools/tool.ts'

/** The public names of the fields. */
const FIELDS = [
  'username',
  'name',
  'headline',
  'about',
  'location',
  'organization',
  'title',
  'skills',
  'links',
  'avatar_url',
  'photo',
  'is_public',
  'time_zone',
] as const

type ProfileFields = Pick<ReturnType<typeof fieldsOf>, (typeof FIELDS)[number]>

/** Omitted fields are kept; null clears a field. */
export type ProfileChanges = Partial<ProfileFields>

/**
 * Changes only the given fields. A new username follows the rules of `renameMember`.
 *
 * @throws {RequestError} `conflict` when the photo was purged.
 */
export async function changeProfile(
  tx: MemberTransaction,
  before: Member,
  { username, avatar_url, photo, is_public, time_zone, ...others }: ProfileChanges,
  now: number,
): Promise<Member> {
  const changes = {
    ...others,
    ...(avatar_url !== undefined && { avatarUrl: avatar_url }),
    ...(is_public !== undefined && { isPublic: is_public }),
    ...(time_zone !== undefined && { timeZone: time_zone }),
  }
  const { memberId } = before
  let after = before
  if (username !== undefined) after = await renameMember(tx.shared, memberId, username, now)
  if (Object.keys(changes).length > 0) after = await updateMember(tx.shared, memberId, changes, now)
  if (photo === undefined || photo === before.photo) return after
  if (photo !== null && !(await hasPhoto(tx, profilePhotoId(photo, 512)))) throw photoPurged()
  return setMemberPhoto(tx, photo, now)
}

function photoPurged(): RequestError {
  return new RequestError('conflict', 'The photo was permanently deleted. Upload it again.')
}

const PROFILE = restorable<ReturnType<typeof fieldsOf>>({
  noun: 'profile',
  plural: 'profiles',
  actions: { add: 'profile.update', change: 'profile.update', remove: 'profile.update' },
  logged: Object.fromEntries(FIELDS.map((field) => [field, field])),
  idOf: ({ username }) => username,
  async find(tx, ids) {
    const present = fieldsOf(await requireMember(tx.shared, tx.memberId))
    return new Map(ids.map((id) => [id, present]))
  },
  async store(tx, changes, now) {
    for (const { before, after } of changes)
      await changeProfile(tx, before, only(after, differingFields(before, after)), now)
  },
  conflict: (_id, fields) => `profile: ${fields.join(', ')}`,
})

export const profileUndoer = undoerOf(PROFILE)

/** The changed fields; undefined if nothing changed. */
export function profileChange(before: Member, after: Member): Change | undefined {
  const change = { before: fieldsOf(before), after: fieldsOf(after) }
  const fields = differingFields(change.before, change.after)
  return fields.length === 0 ? undefined : entryOf(PROFILE, [change])
}

function differingFields(before: ProfileFields, after: ProfileFields) {
  return FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
}

function fieldsOf(member: Member) {
  return {
    ...member,
    avatar_url: member.avatarUrl,
    is_public: member.isPublic,
    time_zone: member.timeZone,
  }
}

function only(fields: ProfileFields, names: readonly (keyof ProfileFields)[]): ProfileChanges {
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}
