/** How the activity log stores changes to a member's profile, and how they are undone. */

import { changedSince, type Undoer } from '../tools/undo.ts'
import { RequestError } from '../base/request-error.ts'
import { hasPhoto, profilePhotoId } from '../connections/model/photo-store.ts'
import { renameMember, requireMember, setMemberPhoto, updateMember } from './member.ts'
import { type Member } from './member-row.ts'
import type { MemberTransaction } from '../db/database.ts'
import type { Change } from '../tools/tool.ts'

const ACTION = 'profile.update'

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

/** The changed fields; undefined if nothing changed. */
export function profileChange(before: Member, after: Member): Change | undefined {
  const [were, are] = [fieldsOf(before), fieldsOf(after)]
  const fields = FIELDS.filter((field) => !isSame(were[field], are[field]))
  if (fields.length === 0) return undefined
  return {
    action: ACTION,
    subjectKind: 'profile',
    subjectId: after.username,
    before: only(were, fields),
    after: only(are, fields),
  }
}

export const profileUndoer: Undoer = {
  actions: [ACTION],
  async undo({ tx, now }, change) {
    // Both were recorded by profileChange, or swapped by an undo.
    const [was, is] = [change.before as ProfileChanges, change.after as ProfileChanges]
    const member = await requireMember(tx.shared, tx.memberId)
    const present = fieldsOf(member)
    const changed = FIELDS.filter((field) => field in is && !isSame(is[field], present[field]))
    if (changed.length > 0) throw changedSince(`profile: ${changed.join(', ')}`)
    await changeProfile(tx, member, was, now)
    const { action, subjectKind, subjectId } = change
    return { action, subjectKind, subjectId, before: is, after: was }
  },
}

function fieldsOf(member: Member) {
  return {
    ...member,
    avatar_url: member.avatarUrl,
    is_public: member.isPublic,
    time_zone: member.timeZone,
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function only(fields: ProfileFields, names: readonly (keyof ProfileFields)[]): ProfileChanges {
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}
